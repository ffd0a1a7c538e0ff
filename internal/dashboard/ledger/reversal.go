package ledger

import (
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/reversals"
)

var reversalRoutes = []route{
	web.Get("/ledger/{transaction}/reverse", admins.AdjustFreely, "ledger", confirmReversal),
	web.Post("/ledger/{transaction}/reverse", admins.AdjustFreely, "ledger", "reversed a transaction", reverseTransaction),
}

type reversalData struct {
	web.Refusal
	Transaction ledger.Transaction
	Name        string
	Input       map[string]string
}

// mayReverse reports whether a transaction is of a kind that can be reversed. Whether anything is left of it, the form
// says.
func mayReverse(t ledger.Transaction) bool {
	causes := []ledger.Cause{ledger.CauseReward, ledger.CausePosted, ledger.CausePayment}
	types := []ledger.TransactionType{ledger.TypeLoyaltyRule, ledger.TypeAPIKey, ledger.TypeOrder}
	return slices.Contains(causes, t.Cause()) && slices.Contains(types, t.Type)
}

// readTransaction reads the transaction that the path names.
func (c *call) readTransaction() (ledger.Transaction, error) {
	id, err := c.PathID("transaction", "Transaction")
	if err != nil {
		return ledger.Transaction{}, err
	}
	return c.Ledger.Transaction(c.Context(), c.Scope.At(c.Site.ID), id)
}

// reversalOf returns what the form of a transaction shows.
func reversalOf(t ledger.Transaction) reversalData {
	name := t.Description
	if name == "" {
		name = t.ID.String()
	}
	return reversalData{Transaction: t, Name: name}
}

// confirmReversal shows the form that reverses a transaction. It has a new key, so that it reverses once.
func confirmReversal(c *call) (web.View, error) {
	t, err := c.readTransaction()
	if err != nil {
		return web.View{}, err
	}
	data := reversalOf(t)
	data.Input = map[string]string{"policy": reversals.WithinBalance, "key": c.NewFormID()}
	return web.Show("transaction-reverse", "Reverse “"+data.Name+"”", data)
}

// reverseTransaction reverses a transaction, or a part of it, and checks badges again if the admin chose that.
func reverseTransaction(c *call) (web.View, error) {
	t, err := c.readTransaction()
	if err != nil {
		return web.View{}, err
	}
	in, err := c.readReversal(t)
	var written ledger.Transaction
	if err == nil {
		written, err = c.Reversals.Reverse(c.Context(), c.Scope.At(c.Site.ID), in)
	}
	if err != nil {
		data := reversalOf(t)
		data.Input = form.TypedOf(c.PostForm, "amount", "policy", "description", "reopen", "recheckBadges", "key")
		return c.ShowRefused(err, "transaction-reverse", "Reverse “"+data.Name+"”", func(r web.Refusal) any {
			data.Refusal = r
			return data
		})
	}
	return c.Redirect(c.SitePath("ledger", written.ID), "The transaction was reversed. This is the reversal.")
}

// readReversal reads the posted form. If fields are invalid, it returns the faults of all of them as one error.
func (c *call) readReversal(t ledger.Transaction) (reversals.Input, error) {
	var faults laurel.Faults
	in := reversals.Input{
		ID: t.ID, Description: c.PostFormValue("description"), Policy: c.PostFormValue("policy"),
		Reopen: c.PostFormValue("reopen") != "", RecheckBadges: c.PostFormValue("recheckBadges") != "",
		Key: "dashboard:" + c.PostFormValue("key"),
	}
	if text := c.PostFormValue("amount"); text != "" {
		amount, err := laurel.ParseAmount(text)
		if err != nil {
			faults.Add("amount", "%s", err.Error())
		}
		in.Amount = &amount
	}
	if _, err := laurel.ParseID(c.PostFormValue("key")); err != nil {
		faults.Add("key", "is missing: reload the page and try again")
	}
	return in, faults.Err()
}
