package members

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
)

type adjustData struct {
	web.Refusal
	parts.Person
	Currencies []ledger.Currency
	Input      map[string]string
	Limit      string // daily limit of the role, in words; empty: none
	Unknown    bool   // whether the adjustment was made is not known yet
}

// dailyAdjustLimit returns how many points the admin's role may add or remove per day, in words; empty if there is no
// limit.
func (c *call) dailyAdjustLimit() (string, error) {
	if c.May(admins.AdjustFreely) {
		return "", nil
	}
	limit, err := c.Admins.DailyAdjustment(c.Context(), c.Scope.At(c.Site.ID))
	return web.Number(limit), err
}

// adjustPage shows the form that adjusts a member's balance. The form has a new key, so that the balance is adjusted
// once even if the form is sent twice.
func adjustPage(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
	}
	limit, err := c.dailyAdjustLimit()
	if err != nil {
		return web.View{}, err
	}
	input := map[string]string{
		"direction": string(ledger.Credit), "currency": c.URL.Query().Get("currency"), "amount": "", "reason": "",
		"key": c.NewFormID(),
	}
	return web.Show("member-adjust", "Adjust the balance of "+member.Name, adjustData{
		Person: member, Currencies: currencies.Live, Input: input, Limit: limit,
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

// readAdjustForm reads the posted form. If fields are invalid, it returns the faults of all of them as one error.
func (c *call) readAdjustForm(currencies parts.Currencies) (adjustInput, error) {
	var faults laurel.Faults
	in := adjustInput{
		Direction: ledger.Direction(c.PostFormValue("direction")),
		Currency:  currencies.Choose(c.PostFormValue("currency")),
		Reason:    strings.TrimSpace(c.PostFormValue("reason")), Key: "dashboard:" + c.PostFormValue("key"),
	}
	if in.Direction != ledger.Credit && in.Direction != ledger.Debit {
		faults.Add("direction", "must be one of the options")
	}
	if in.Currency.ID.String() != c.PostFormValue("currency") { // choose returned another one
		faults.Add("currency", "must be a currency of this website")
	}
	var err error
	in.Amount, err = laurel.ParseAmount(strings.ReplaceAll(strings.TrimSpace(c.PostFormValue("amount")), ",", ""))
	switch {
	case c.PostFormValue("amount") == "":
		faults.Add("amount", "must be a number such as 150")
	case err != nil:
		faults.Add("amount", "%s", err.Error())
	case in.Amount <= 0:
		faults.Add("amount", "must be greater than 0")
	}
	if in.Reason == "" {
		faults.Add("reason", "is required, because it is stored in the ledger")
	}
	if in.Reason != "" {
		faults.Text("reason", in.Reason, 1, 1000)
	}
	if _, err := laurel.ParseID(c.PostFormValue("key")); err != nil {
		faults.Add("key", "is missing: reload the page and try again")
	}
	return in, faults.Err()
}

// adjustBalance adds points to a member's balance or removes them, with a reason that the ledger stores. A refused form
// is shown again.
func adjustBalance(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
	}
	in, err := c.readAdjustForm(currencies)
	if err == nil {
		err = c.postAdjustment(member, in)
	}
	if err != nil {
		return c.showAdjustRefused(err, member, currencies)
	}
	result := "added to "
	if in.Direction == ledger.Debit {
		result = "removed from "
	}
	return c.Redirect(c.SitePath("members", member.ID), web.Number(in.Amount)+" "+in.Currency.Name+" "+result+member.Name+".")
}

// showAdjustRefused shows the form again with what was typed and the same key. If an external ledger has not responded,
// nobody knows yet whether the adjustment was made: the page says so, and sending the same form again finds out.
func (c *call) showAdjustRefused(err error, member parts.Person, currencies parts.Currencies) (web.View, error) {
	limit, fault := c.dailyAdjustLimit()
	if fault != nil {
		return web.View{}, fault
	}
	title := "Adjust the balance of " + member.Name
	data := adjustData{
		Person: member, Currencies: currencies.Live, Limit: limit,
		Input: form.TypedOf(c.PostForm, "direction", "currency", "amount", "reason", "key"),
	}
	if code := laurel.CodeOf(err); code == laurel.Unavailable || code == laurel.Unanswered {
		data.Unknown = true
		return web.View{
			Template: "member-adjust", Title: "Result unknown: " + title, Status: web.StatusUnknown, Data: data,
			OutcomeUnknown: true,
		}, nil
	}
	return c.ShowRefused(err, "member-adjust", title, func(r web.Refusal) any { data.Refusal = r; return data })
}

// postAdjustment posts the adjustment as a transaction. The key of the form is that of the entry, so that a form that
// is sent twice posts once. If nothing was posted, the adjustment does not count against the admin's daily limit
// either.
func (c *call) postAdjustment(member parts.Person, in adjustInput) error {
	releaseAllowance, err := c.reserveAllowance(in)
	if err != nil {
		return err
	}
	metadata, err := json.Marshal(parts.Adjustment{By: c.Admin.Name, ByID: c.Admin.ID})
	if err != nil {
		return err
	}
	_, err = c.Transactions.Post(c.Context(), c.Scope.At(c.Site.ID), transactions.Input{
		Description: in.Reason, CurrencyID: in.Currency.ID, Entries: []transactions.Entry{{
			Member: transactions.MemberRef{UserID: member.ID}, Amount: in.Amount, Direction: in.Direction,
			Key: in.Key, Metadata: metadata,
		}},
	})
	if err != nil && web.HasNoEffect(laurel.CodeOf(err)) {
		err = errors.Join(err, releaseAllowance())
	}
	var refused *laurel.Error
	switch {
	case errors.As(err, &refused) && refused.Message == "Insufficient balance":
		return laurel.Errorf(laurel.Refused, "%s has less than %s %s.", member.Name, web.Number(in.Amount), in.Currency.Name)
	case errors.As(err, &refused) && refused.Message == "Idempotency key already used":
		return laurel.Errorf(laurel.Refused, "This form was already submitted with other values. Reload the page and try again.")
	}
	return err
}

// reserveAllowance counts an adjustment against the daily limit of the admin's role, and refuses one that exceeds it. A
// form that is sent again counts once. If nothing is posted, the caller calls release, which undoes the count; it does
// nothing for roles without a limit, or if the form was counted before.
func (c *call) reserveAllowance(in adjustInput) (release func() error, err error) {
	noRelease := func() error { return nil }
	if c.May(admins.AdjustFreely) {
		return noRelease, nil
	}
	key, err := laurel.ParseID(c.PostFormValue("key"))
	if err != nil {
		return nil, err
	}
	adjustment := admins.Adjustment{ID: key, AdminID: c.Admin.ID, CurrencyID: in.Currency.ID, Amount: in.Amount}
	allowed, err := c.Admins.CountAdjustment(c.Context(), c.Scope.At(c.Site.ID), adjustment)
	if err != nil {
		return nil, err
	}
	if !allowed.OK {
		return nil, laurel.Errorf(laurel.Refused,
			"Your role can adjust at most %s %s per day. You have %s left until 00:00 UTC. Ask a manager to make larger adjustments.",
			web.Number(allowed.Limit), in.Currency.Name, web.Number(allowed.Left))
	}
	if !allowed.New {
		return noRelease, nil
	}
	return func() error {
		return c.Admins.UndoAdjustment(context.WithoutCancel(c.Context()), c.Scope.At(c.Site.ID), adjustment)
	}, nil
}
