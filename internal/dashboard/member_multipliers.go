package dashboard

import (
	"slices"
	"strings"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/report"
)

// multiplierForm is the form by which a multiplier is given, and the question before one is ended.
type multiplierForm struct {
	person
	Currencies []ledger.Currency
	Chosen     []string
	Input      map[string]string
	Multiplier multiplierRow
	Faults     map[string]string
	Error      string
}

// Has reports whether a currency is chosen.
func (f multiplierForm) Has(id laurel.ID) bool { return slices.Contains(f.Chosen, id.String()) }

// newMultiplierPage shows the form that grants a multiplier to a member. The form has a new key, so that one multiplier
// is granted even if the form is sent twice.
func newMultiplierPage(c *request) (view, error) {
	_, member, err := c.getMember()
	if err != nil {
		return view{}, err
	}
	currencies, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	input := map[string]string{"key": c.newFormID()}
	return pageView("member-multiply", "Grant "+member.Name+" a multiplier", multiplierForm{
		person: member, Currencies: currencies.Live, Input: input,
	})
}

// grantMultiplier grants a multiplier to a member. The form's key becomes the external identifier of the multiplier, so
// that a form that is sent twice grants one. If no currencies are chosen, the multiplier applies to all of them.
func grantMultiplier(c *request) (view, error) {
	_, member, err := c.getMember()
	if err != nil {
		return view{}, err
	}
	currencies, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	var faults laurel.Faults
	value, err := laurel.ParseAmount(strings.ReplaceAll(strings.TrimSpace(c.PostFormValue("multiplier")), ",", ""))
	if err != nil {
		faults.Add("multiplier", "must be a number such as 1.5")
	}
	key := "dashboard:" + c.PostFormValue("key")
	if _, err := laurel.ParseID(c.PostFormValue("key")); err != nil {
		faults.Add("key", "is missing: reload the page and try again")
	}
	in := engagement.GrantMultiplierInput{User: identity.Ref{UserID: member.ID}, ExternalIdentifier: &key}
	in.Multiplier = laurel.Some(value)
	if title := strings.TrimSpace(c.PostFormValue("title")); title != "" {
		in.Title = laurel.Some(title)
	}
	if text := strings.TrimSpace(c.PostFormValue("description")); text != "" {
		in.Description = laurel.Some(text)
	}
	var ids []laurel.ID
	for _, text := range c.PostForm["currency"] {
		id, err := laurel.ParseID(text)
		if err != nil {
			faults.Add("currency", "must be a currency of this website")
			continue
		}
		ids = append(ids, id)
	}
	if len(ids) > 0 {
		in.CurrencyIDs = laurel.Some(ids)
	}
	err = faults.Err()
	if err == nil {
		_, err = c.d.Engagement.GrantMultiplier(c.Context(), c.scope.At(c.site.ID), in)
	}
	if err != nil {
		return c.showRefused(err, "member-multiply", "Grant "+member.Name+" a multiplier",
			func(faults map[string]string, text string) any {
				return multiplierForm{
					person: member, Currencies: currencies.Live, Chosen: c.PostForm["currency"], Faults: faults,
					Error: text,
					Input: typedFieldsOf(c.PostForm, "multiplier", "title", "description", "key"),
				}
			})
	}
	return c.redirect(c.sitePath("members", member.ID), "Multiplier granted. It applies to new rewards.")
}

// getMemberMultiplier returns the member and the multiplier whose ids are in the path. It searches the member's
// multipliers page by page. A multiplier that was revoked, or that another member has, is not found.
func (c *request) getMemberMultiplier() (person, multiplierRow, error) {
	_, member, err := c.getMember()
	if err != nil {
		return member, multiplierRow{}, err
	}
	id, err := c.pathID("multiplier", "Multiplier")
	if err != nil {
		return member, multiplierRow{}, err
	}
	for page := (laurel.PageRequest{Limit: exportPageSize}); ; {
		filter := report.MultiplierFilter{Users: userFilter(member.ID)}
		list, err := c.d.Report.Multipliers(c.Context(), c.scope.At(c.site.ID), filter, page)
		if err != nil {
			return member, multiplierRow{}, err
		}
		for _, multiplier := range list.Data {
			if multiplier.ID == id && multiplier.DeletedMicros == nil {
				return member, multiplierRow{Multiplier: multiplier}, nil
			}
		}
		if !list.HasNextPage {
			return member, multiplierRow{}, laurel.Missing("Multiplier")
		}
		page.StartingAfter = lastID(list, func(multiplier report.Multiplier) laurel.ID { return multiplier.ID })
	}
}

// confirmEndMultiplier shows the page that asks before a multiplier is revoked.
func confirmEndMultiplier(c *request) (view, error) {
	member, multiplier, err := c.getMemberMultiplier()
	if err != nil {
		return view{}, err
	}
	return pageView("member-multiply-end", "Revoke this multiplier?", multiplierForm{person: member, Multiplier: multiplier})
}

// endMultiplier revokes a multiplier. Points that it added stay.
func endMultiplier(c *request) (view, error) {
	member, multiplier, err := c.getMemberMultiplier()
	if err == nil {
		_, err = c.d.Engagement.DeleteMultiplier(c.Context(), c.scope.At(c.site.ID), multiplier.ID)
	}
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("members", member.ID), "Multiplier revoked. The member keeps the points earned with it.")
}
