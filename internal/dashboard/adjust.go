package dashboard

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/points/transactions"
	"laurel/internal/report"
)

// freeADay is how much roles without the right to adjust freely may give and take in a currency and day of UTC.
const freeADay = 1000 * laurel.One

type adjustData struct {
	person
	Currencies []ledger.Currency
	Input      map[string]string
	Limited    bool
	Faults     map[string]string
	Error      string
}

// askAdjust shows the form by which a balance is adjusted. Its key makes that one of two equal posts counts.
func askAdjust(c *call) (view, error) {
	_, who, err := c.member()
	if err != nil {
		return view{}, err
	}
	m, err := c.readMoney()
	if err != nil {
		return view{}, err
	}
	input := map[string]string{
		"direction": string(ledger.Credit), "currency": c.URL.Query().Get("currency"), "amount": "", "reason": "",
		"key": c.d.NewID().String(),
	}
	return show("member-adjust", "Adjust the balance of "+who.Name, adjustData{
		person: who, Currencies: m.Live, Input: input, Limited: !c.may(admins.AdjustFreely),
	})
}

// adjustInput is an adjustment as the form has it.
type adjustInput struct {
	Direction ledger.Direction
	Currency  ledger.Currency
	Amount    laurel.Amount
	Reason    string
	Key       string
}

// readAdjust reads the form and returns all that is wrong with it.
func (c *call) readAdjust(m money) (adjustInput, error) {
	var f laurel.Faults
	in := adjustInput{
		Direction: ledger.Direction(c.PostFormValue("direction")), Currency: m.chosen(c.PostFormValue("currency")),
		Reason: strings.TrimSpace(c.PostFormValue("reason")), Key: "dashboard:" + c.PostFormValue("key"),
	}
	if in.Direction != ledger.Credit && in.Direction != ledger.Debit {
		f.Add("direction", "must be give or take")
	}
	if in.Currency.ID.String() != c.PostFormValue("currency") {
		f.Add("currency", "must be one of the website")
	}
	var err error
	in.Amount, err = laurel.ParseAmount(strings.ReplaceAll(strings.TrimSpace(c.PostFormValue("amount")), ",", ""))
	switch {
	case c.PostFormValue("amount") == "":
		f.Add("amount", "must be a number such as 150")
	case err != nil:
		f.Add("amount", "%s", err.Error())
	case in.Amount <= 0:
		f.Add("amount", "must be greater than 0")
	}
	if in.Reason == "" {
		f.Add("reason", "must say why: it stays in the ledger")
	}
	if in.Reason != "" {
		f.Text("reason", in.Reason, 1, 1000)
	}
	if _, err := laurel.ParseID(c.PostFormValue("key")); err != nil {
		f.Add("key", "is missing: open the form again")
	}
	return in, f.Err()
}

// adjustBalance gives or takes points with a reason.
func adjustBalance(c *call) (view, error) {
	_, who, err := c.member()
	if err != nil {
		return view{}, err
	}
	m, err := c.readMoney()
	if err != nil {
		return view{}, err
	}
	in, err := c.readAdjust(m)
	if err == nil {
		err = c.adjust(who, in)
	}
	if err != nil {
		title := "Adjust the balance of " + who.Name
		return c.refused(err, "member-adjust", title, func(faults map[string]string, text string) any {
			return adjustData{
				person: who, Currencies: m.Live, Faults: faults, Error: text, Limited: !c.may(admins.AdjustFreely),
				Input: c.typed("direction", "currency", "amount", "reason", "key"),
			}
		})
	}
	did := "given to "
	if in.Direction == ledger.Debit {
		did = "taken from "
	}
	return c.redirect(c.at("members", who.ID), number(in.Amount)+" "+in.Currency.Name+" "+did+who.Name+".")
}

// adjust posts the adjustment. The key of the form is that of the entry: posted twice, it counts once.
func (c *call) adjust(who person, in adjustInput) error {
	scope := c.scope.At(c.site.ID)
	if !c.may(admins.AdjustFreely) {
		c.d.adjusting.Lock()
		defer c.d.adjusting.Unlock()
		if err := c.withinDay(in); err != nil {
			return err
		}
	}
	metadata, err := json.Marshal(adjustment{By: c.admin.Name, ByID: c.admin.ID})
	if err != nil {
		return err
	}
	_, err = c.d.Transactions.Post(c.Context(), scope, transactions.Input{
		Description: in.Reason, CurrencyID: in.Currency.ID, Entries: []transactions.Entry{{
			Party: transactions.PartyRef{UserID: who.ID}, Amount: in.Amount, Direction: in.Direction,
			Key: in.Key, Metadata: metadata,
		}},
	})
	var refused *laurel.Error
	switch {
	case errors.As(err, &refused) && refused.Message == "Insufficient balance":
		return laurel.Errorf(laurel.Refused, "%s has less than %s %s.", who.Name, number(in.Amount), in.Currency.Name)
	case errors.As(err, &refused) && refused.Message == "Idempotency key already used":
		return laurel.Errorf(laurel.Refused, "This form was sent before with other values. Open it again.")
	}
	return err
}

// withinDay refuses what would be more than the admin may give and take in a day. A form that is sent again passes: its
// post changes nothing.
func (c *call) withinDay(in adjustInput) error {
	scope := c.scope.At(c.site.ID)
	sent, err := c.d.Report.Entries(c.Context(), scope, report.EntryFilter{Key: in.Key}, laurel.PageRequest{Limit: 1})
	if err != nil || len(sent.Data) > 0 {
		return err
	}
	today := c.d.Now().UTC().Truncate(24 * time.Hour)
	sum, err := c.d.Report.Adjusted(c.Context(), scope, scope.ActorID, in.Currency.ID, today)
	if err != nil {
		return err
	}
	if left := max(0, freeADay-sum); in.Amount > left {
		return laurel.Errorf(laurel.Refused,
			"Your role adjusts at most %s %s a day, and %s are left until 00:00 UTC. Ask a manager for more.",
			number(freeADay), in.Currency.Name, number(left))
	}
	return nil
}

// blockReasons and unblockReasons are the reasons that metadata knows, in words.
var (
	blockReasons = []choice{
		{"sybil_and_multi_account", "Several accounts of one person"}, {"abuse_manipulation", "Abuse or manipulation"},
		{"account_migration", "Moved to another account"}, {"microblog_suspended", "Microblog account suspended"},
		{"other", "Another reason"},
	}
	unblockReasons = []choice{
		{"issue_resolved", "The matter is settled"}, {"not_sybil", "One person, one account after all"},
		{"other", "Another reason"},
	}
)

type blockData struct {
	person
	Reasons []choice
	Input   map[string]string
	Faults  map[string]string
	Error   string
	Group   int // how many others are in the group, and blocked with the member
}

func (c *call) blockForm(who person) (blockData, error) {
	data := blockData{person: who, Reasons: blockReasons, Input: map[string]string{"reason": "", "note": ""}}
	if who.Profile.IsBlocked {
		data.Reasons = unblockReasons
	}
	p, err := c.d.Identity.Person(c.Context(), c.scope.At(c.site.ID), identity.Ref{UserID: who.ID})
	data.Group = max(0, len(p.Group)-1)
	return data, err
}

func askBlock(c *call) (view, error) {
	_, who, err := c.member()
	if err != nil {
		return view{}, err
	}
	data, err := c.blockForm(who)
	if err != nil {
		return view{}, err
	}
	return show("member-block", blockTitle(who), data)
}

func blockTitle(who person) string {
	if who.Profile.IsBlocked {
		return "Unblock " + who.Name + "?"
	}
	return "Block " + who.Name + "?"
}

// blockMember blocks or unblocks, as the form says, with a reason. A note goes to the notes of the member.
func blockMember(c *call) (view, error) {
	_, who, err := c.member()
	if err != nil {
		return view{}, err
	}
	block, reason := c.PostFormValue("do") == "block", c.PostFormValue("reason")
	var f laurel.Faults
	reasons := unblockReasons
	if block {
		reasons = blockReasons
	}
	if !offered(reasons, reason) {
		f.Add("reason", "must be one of those offered")
	}
	note := strings.TrimSpace(c.PostFormValue("note"))
	f.Text("note", note, 0, 1000)
	err = f.Err()
	if err == nil {
		in := identity.MetadataInput{
			Ref: identity.Ref{UserID: who.ID}, IsBlocked: laurel.Some(block), BlockStatusReason: laurel.Some(reason),
		}
		if note != "" {
			in.InternalNotes = laurel.Some(c.noted(who, note))
		}
		_, err = c.d.Identity.WriteMetadata(c.Context(), c.scope.At(c.site.ID), in)
	}
	if err != nil {
		data, other := c.blockForm(who)
		if other != nil {
			return view{}, other
		}
		return c.refused(err, "member-block", blockTitle(who), func(faults map[string]string, text string) any {
			data.Input, data.Faults, data.Error = c.typed("reason", "note"), faults, text
			return data
		})
	}
	did := " may take part again."
	if block {
		did = " is blocked: nothing is paid from now on."
	}
	return c.redirect(c.at("members", who.ID), who.Name+did)
}

func offered(list []choice, value string) bool {
	return slices.ContainsFunc(list, func(ch choice) bool { return ch.Value == value })
}

// noted adds a line to the notes of a member.
func (c *call) noted(who person, note string) string {
	line := c.d.Now().UTC().Format("2 Jan 2006") + ", " + c.admin.Name + ": " + note
	if old := who.Profile.InternalNotes; old != nil && *old != "" {
		return *old + "\n" + line
	}
	return line
}

// blockWords says why a member is blocked, or is no longer.
func blockWords(who person) string {
	reason := who.Profile.BlockStatusReason
	if reason == nil {
		return ""
	}
	for _, ch := range append(slices.Clone(blockReasons), unblockReasons...) {
		if ch.Value == *reason {
			return ch.Label
		}
	}
	return *reason
}
