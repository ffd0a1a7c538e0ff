package members

import (
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/report"
)

// multiplierForm is the form by which a multiplier is given, and the question before one is ended.
type multiplierForm struct {
	web.Refusal
	parts.Person
	Currencies []ledger.Currency
	Chosen     []string
	Input      map[string]string
	Multiplier multiplierRow
}

// Has reports whether a currency is chosen.
func (f multiplierForm) Has(id laurel.ID) bool { return slices.Contains(f.Chosen, id.String()) }

// newMultiplierPage shows the form that grants a multiplier to a member. The form has a new key, so that one multiplier
// is granted even if the form is sent twice.
func newMultiplierPage(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
	}
	input := map[string]string{"key": c.NewFormID()}
	return web.Show("member-multiply", "Grant "+member.Name+" a multiplier", multiplierForm{
		Person: member, Currencies: currencies.Live, Input: input,
	})
}

// grantMultiplier grants a multiplier to a member. The form's key becomes the external identifier of the multiplier, so
// that a form that is sent twice grants one. If no currencies are chosen, the multiplier applies to all of them.
func grantMultiplier(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
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
	granted := engagement.Multiplier{Value: value}
	if title := strings.TrimSpace(c.PostFormValue("title")); title != "" {
		granted.Title = &title
	}
	if text := strings.TrimSpace(c.PostFormValue("description")); text != "" {
		granted.Description = &text
	}
	for _, text := range c.PostForm["currency"] {
		id, err := laurel.ParseID(text)
		if err != nil {
			faults.Add("currency", "must be a currency of this website")
			continue
		}
		granted.CurrencyIDs = append(granted.CurrencyIDs, id)
	}
	err = faults.Err()
	if err == nil {
		_, err = c.Engagement.GrantMultiplier(c.Context(), c.Scope.At(c.Site.ID), engagement.GrantMultiplierInput{
			MultiplierPatch: record.All(granted), User: identity.Ref{UserID: member.ID}, ExternalIdentifier: &key,
		})
	}
	if err != nil {
		return c.ShowRefused(err, "member-multiply", "Grant "+member.Name+" a multiplier",
			func(refusal web.Refusal) any {
				return multiplierForm{
					Person: member, Currencies: currencies.Live, Chosen: c.PostForm["currency"], Refusal: refusal,
					Input: form.TypedOf(c.PostForm, "multiplier", "title", "description", "key"),
				}
			})
	}
	return c.Redirect(c.SitePath("members", member.ID), "Multiplier granted. It applies to new rewards.")
}

// getMemberMultiplier returns the member and the multiplier whose ids are in the path. It searches the member's
// multipliers page by page. A multiplier that was revoked, or that another member has, is not found.
func (c *call) getMemberMultiplier() (parts.Person, multiplierRow, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return member, multiplierRow{}, err
	}
	id, err := c.PathID("multiplier", "Multiplier")
	if err != nil {
		return member, multiplierRow{}, err
	}
	for page := (laurel.PageRequest{Limit: web.ExportPageSize}); ; {
		filter := report.MultiplierFilter{Users: parts.UserFilter(member.ID)}
		list, err := c.Report.Multipliers(c.Context(), c.Scope.At(c.Site.ID), filter, page)
		if err != nil {
			return member, multiplierRow{}, err
		}
		for _, multiplier := range list.Data {
			if multiplier.ID == id && multiplier.DeletedAt.IsZero() {
				return member, multiplierRow{Multiplier: multiplier}, nil
			}
		}
		if !list.HasNextPage {
			return member, multiplierRow{}, laurel.Missing("Multiplier")
		}
		page.StartingAfter = web.LastID(list, func(multiplier report.Multiplier) laurel.ID { return multiplier.ID })
	}
}

// confirmEndMultiplier shows the page that asks before a multiplier is revoked.
func confirmEndMultiplier(c *call) (web.View, error) {
	member, multiplier, err := c.getMemberMultiplier()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("member-multiply-end", "Revoke this multiplier?", multiplierForm{Person: member, Multiplier: multiplier})
}

// endMultiplier revokes a multiplier. Points that it added stay.
func endMultiplier(c *call) (web.View, error) {
	member, multiplier, err := c.getMemberMultiplier()
	if err == nil {
		_, err = c.Engagement.DeleteMultiplier(c.Context(), c.Scope.At(c.Site.ID), multiplier.ID)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("members", member.ID), "Multiplier revoked. The member keeps the points earned with it.")
}
