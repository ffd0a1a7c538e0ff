package ledger

import (
	"context"
	"errors"
	"strconv"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/reset"
)

var currencyRoutes = []route{
	web.Get("/currencies", admins.SeeProgram, "currencies", currenciesPage),
	web.Get("/currencies/currencies.csv", admins.SeeProgram, "currencies", exportCurrencies),
	web.Get("/currencies/new", admins.ChangeSettings, "currencies", newCurrencyPage),
	web.Post("/currencies", admins.ChangeSettings, "currencies", "created a currency", web.Idempotent(createCurrency)),
	web.Get("/currencies/{currency}", admins.SeeProgram, "currencies", currencyPage),
	web.Post("/currencies/{currency}", admins.ChangeSettings, "currencies", "changed a currency", saveCurrency),
	web.Get("/currencies/{currency}/delete", admins.ChangeSettings, "currencies", confirmDeleteCurrency),
	web.Post("/currencies/{currency}/delete", admins.ChangeSettings, "currencies",
		"deleted a currency", deleteCurrency),
	web.Get("/currencies/{currency}/reset", admins.TakeBackPoints, "currencies", confirmResetCurrency),
	web.Post("/currencies/{currency}/reset", admins.TakeBackPoints, "currencies",
		"reset a currency", resetCurrency),
}

func currencyID(currency ledger.Currency) laurel.ID { return currency.ID }

// currencyData is the data of the pages of currencies.
type currencyData struct {
	web.Refusal
	form.Base
	List      laurel.Page[parts.CurrencyHoldings]
	Pager     web.Pager
	Deleted   bool // those are listed, too
	Currency  parts.CurrencyHoldings
	New       bool
	Input     map[string]string
	AuthTypes []string
	HasSecret bool
	Kinds     []resetKind
}

// resetKind is a way to reset a currency, in plain words.
type resetKind struct {
	Kind         reset.Kind
	Name, Effect string
}

var resetKinds = []resetKind{
	{reset.ResetBalances, "Balances", "Sets every member’s balance to 0. Keeps streaks, progress and claims."},
	{
		reset.ResetKeepRules, "Balances and progress",
		"Also deletes members’ progress in the rules that pay in this currency, so members can earn those rewards again. Keeps the rules.",
	},
	{reset.ResetAndRules, "Everything", "Also deletes the rules that pay in this currency. Keeps the ledger entries."},
}

// currenciesPage shows a page of the website's currencies with the points that members hold. Deleted currencies are
// included if the query asks for them.
func currenciesPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	data := currencyData{Deleted: c.URL.Query().Get("deleted") == "true"}
	list, err := c.Ledger.ListCurrencies(c.Context(), c.Scope, ledger.CurrencyFilter{WithDeleted: data.Deleted}, page)
	if err != nil {
		return web.View{}, err
	}
	holdings, err := c.ReadHoldings(list.Data)
	if err != nil {
		return web.View{}, err
	}
	data.List = laurel.MapPage(list, func(currency ledger.Currency) parts.CurrencyHoldings {
		return parts.CurrencyHoldings{Currency: currency, Held: holdings[currency.ID]}
	})
	data.Pager = c.Pager(page, list.HasNextPage, web.LastID(list, currencyID))
	return web.Show("currencies", "Currencies", data)
}

// exportCurrencies exports the currencies of the page with the points that members hold as CSV.
func exportCurrencies(c *call) (web.View, error) {
	f := ledger.CurrencyFilter{WithDeleted: c.URL.Query().Get("deleted") == "true"}
	list := func(page laurel.PageRequest) (laurel.Page[ledger.Currency], error) {
		return c.Ledger.ListCurrencies(c.Context(), c.Scope, f, page)
	}
	rows := func(list []ledger.Currency) ([][]string, error) {
		holdings, err := c.ReadHoldings(list)
		var out [][]string
		for _, currency := range list {
			h := parts.CurrencyHoldings{Currency: currency, Held: holdings[currency.ID]}
			out = append(out, []string{
				web.IdCell(currency.ID), currency.Name, currency.Symbol, strconv.FormatInt(currency.Decimals, 10), h.Held.String(),
				strconv.FormatInt(h.Expires(), 10), strconv.FormatInt(h.Waits(), 10), web.TimeCell(currency.CreatedAt),
				web.TimeCell(currency.DeletedAt),
			})
		}
		return out, err
	}
	head := []string{"id", "name", "symbol", "decimals", "held", "expireAfterDays", "waitHours", "made", "deleted"}
	return web.ExportCSV("currencies.csv", head, web.PagedRows(list, currencyID, rows))
}

// getCurrency returns the currency whose id is in the path. It may be deleted, or belong to token rewards: such a
// currency can be shown and not changed. A malformed or unknown id is not found.
func (c *call) getCurrency() (parts.CurrencyHoldings, error) {
	id, err := c.PathID("currency", "Currency")
	if err != nil {
		return parts.CurrencyHoldings{}, err
	}
	currency, err := c.Ledger.Currency(c.Context(), c.Scope, id)
	if err != nil {
		return parts.CurrencyHoldings{}, err
	}
	holdings, err := c.ReadHoldings([]ledger.Currency{currency})
	return parts.CurrencyHoldings{Currency: currency, Held: holdings[currency.ID]}, err
}

// getLiveCurrency returns the currency whose id is in the path, for a change. A deleted currency is not found.
func (c *call) getLiveCurrency() (parts.CurrencyHoldings, error) {
	currency, err := c.getCurrency()
	if err == nil && !currency.DeletedAt.IsZero() {
		err = laurel.Missing("Currency")
	}
	return currency, err
}

// typedCurrency returns the posted values that the form may show again: all but the secret.
func (c *call) typedCurrency() map[string]string {
	return form.TypedOf(c.PostForm, append(currencyTable.Names(), "decimals", "forgetSecret")...)
}

// newCurrencyPage shows the form of a new currency.
func newCurrencyPage(*call) (web.View, error) {
	data := currencyData{New: true, AuthTypes: ledger.AuthTypes(), Input: map[string]string{"decimals": "0"}}
	return web.Show("currency", "New currency", data)
}

// createCurrency creates a currency from the posted form. A refused form is shown again, without the secret.
func createCurrency(c *call) (web.View, error) {
	in, err := c.readCurrencyInput(true) // of a new currency
	var made ledger.Currency
	if err == nil {
		made, err = c.Ledger.CreateCurrency(c.Context(), c.Scope, in)
	}
	if err != nil {
		return c.ShowRefused(err, "currency", "New currency", func(refusal web.Refusal) any {
			return currencyData{
				New: true, AuthTypes: ledger.AuthTypes(), Input: c.typedCurrency(), Refusal: refusal,
			}
		})
	}
	return c.Redirect(c.SitePath("currencies", made.ID), "Currency created. Rules can now pay in it.")
}

// currencyPage shows the form with the settings of a currency, which may be deleted.
func currencyPage(c *call) (web.View, error) {
	currency, err := c.getCurrency()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("currency", currency.Name, currencySettings(currency))
}

// currencyTable has the settings of a currency that can be changed, but for the secret.
var currencyTable = form.NewTable[ledger.Currency, ledger.CurrencyPatch](form.Fields(
	"name", "Name", "symbol", "Symbol", "imageUrl", "Picture", "sortId", "Position in lists",
	"pointsExpireAfterDays", "Points expire after, days", "pointsWaitHours", "Rewards stay pending for, hours",
	"apiPostUrl", "URL for changes", "apiGetUrl", "URL for balances",
	"apiGetTransactionEntryUrl", "URL for entries", "apiAuthType", "Authentication",
	"apiAuthKey", "User name or header name",
),
	form.Shows("pointsExpireAfterDays", "ExpireAfterDays"), form.Shows("pointsWaitHours", "WaitHours"),
	form.Shows("apiPostUrl", "API", "PostURL"), form.Shows("apiGetUrl", "API", "GetURL"),
	form.Shows("apiGetTransactionEntryUrl", "API", "GetTransactionEntryURL"),
	form.Shows("apiAuthType", "API", "AuthType"), form.Shows("apiAuthKey", "API", "AuthKey"))

// currencySettings returns the form of a currency with its saved values.
func currencySettings(currency parts.CurrencyHoldings) currencyData {
	saved := currencyTable.Saved(currency.Currency)
	return currencyData{
		Currency: currency, Input: saved, AuthTypes: ledger.AuthTypes(), HasSecret: currency.SealedAuthValue != "",
		Base: form.BaseOf(saved),
	}
}

// saveCurrency saves the settings of a currency. If someone else has saved other values since the form was opened,
// nothing is written and the conflicts are shown.
func saveCurrency(c *call) (web.View, error) {
	currency, err := c.getLiveCurrency()
	if err != nil {
		return web.View{}, err
	}
	data := currencySettings(currency)
	saved := data.Input
	if data.Input = c.typedCurrency(); data.FindConflicts(c.PostForm, saved, data.Input, currencyTable.Fields) {
		return web.Refused("currency", currency.Name, data), nil
	}
	in, err := c.readCurrencyInput(false) // of an existing currency
	if err == nil && currency.SealedAuthValue != "" && !in.Has("apiAuthValue") {
		err = c.checkSecretHost(currency.API)
	}
	if err == nil {
		scope := c.Scope.IfUnchanged(currency.ID, currency.UpdatedAt.Time)
		_, err = c.Ledger.UpdateCurrency(c.Context(), scope, currency.ID, in)
	}
	if err != nil {
		return c.ShowRefused(err, "currency", currency.Name, func(r web.Refusal) any { data.Refusal = r; return data })
	}
	return c.Redirect(c.SitePath("currencies", currency.ID), "Changes saved.")
}

// checkSecretHost refuses a new host for the external ledger while the stored secret stays: otherwise an admin who
// cannot read the secret could have it sent there.
func (c *call) checkSecretHost(saved ledger.API) error {
	savedURLs := []string{
		web.TextCell(saved.GetURL), web.TextCell(saved.PostURL), web.TextCell(saved.GetTransactionEntryURL),
	}
	for _, name := range []string{"apiGetUrl", "apiPostUrl", "apiGetTransactionEntryUrl"} {
		if form.HasOtherOrigin(c.PostFormValue(name), savedURLs...) {
			var faults laurel.Faults
			faults.Add("apiAuthValue", form.SecretRequired)
			return faults.Err()
		}
	}
	return nil
}

// readCurrencyInput reads the posted form for the service. Decimals are only read for a new currency. An empty field
// clears its setting, but an empty secret keeps the stored one unless the form says to forget it. Malformed numbers are
// returned as an error.
func (c *call) readCurrencyInput(isNew bool) (ledger.CurrencyPatch, error) {
	var faults laurel.Faults
	in := currencyTable.Input(form.Changes{Typed: c.typedCurrency(), Faults: &faults})
	if isNew {
		in = in.With("decimals", form.ReadInteger(c.PostForm, &faults, "decimals"))
	}
	switch secret := c.PostFormValue("apiAuthValue"); {
	case secret != "":
		in = in.With("apiAuthValue", secret)
	case c.PostFormValue("forgetSecret") != "":
		in = in.With("apiAuthValue", nil)
	}
	return in, faults.Err()
}

// confirmDeleteCurrency shows the page that asks before a currency is deleted.
func confirmDeleteCurrency(c *call) (web.View, error) {
	currency, err := c.getLiveCurrency()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("currency-delete", "Delete "+currency.Name+"?", currencyData{Currency: currency})
}

// deleteCurrency deletes a currency. Its accounts and entries stay readable.
func deleteCurrency(c *call) (web.View, error) {
	currency, err := c.getLiveCurrency()
	if err == nil {
		_, err = c.Ledger.DeleteCurrency(c.Context(), c.Scope, currency.ID)
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("currencies"), currency.Name+" deleted. You can still see its balances and entries.")
}

// confirmResetCurrency shows the page that asks how a currency is to be reset. To confirm, its name must be typed.
func confirmResetCurrency(c *call) (web.View, error) {
	currency, err := c.getLiveCurrency()
	if err != nil {
		return web.View{}, err
	}
	data := currencyData{Currency: currency, Kinds: resetKinds, Input: map[string]string{}}
	return web.Show("currency-reset", "Reset "+currency.Name+"?", data)
}

// resetPatience is how long a reset may take before its page shows how far it is. Workers carry it on.
const resetPatience = 3 * time.Second

// resetCurrency resets a currency if the admin typed its name. It waits at most resetPatience for the reset to
// complete, then redirects to the page of the reset; workers resume one that is not complete. If another reset of the
// currency is in progress, it starts none and redirects to that one.
func resetCurrency(c *call) (web.View, error) {
	currency, err := c.getLiveCurrency()
	if err != nil {
		return web.View{}, err
	}
	if openReset, err := c.lastReset(currency.ID, reset.Processing); err != nil || !openReset.IsZero() {
		if err != nil {
			return web.View{}, err
		}
		return c.Redirect(c.SitePath("jobs", "clearings", openReset),
			"A reset is already in progress, so no new one was started.")
	}
	var faults laurel.Faults
	if c.PostFormValue("confirm") != currency.Name {
		faults.Add("confirm", "must be %s, the name of the currency", currency.Name)
	}
	if c.PostFormValue("type") == "" {
		faults.Add("type", "is required: choose one")
	}
	err = faults.Err()
	done := false
	if err == nil {
		waiting, cancel := context.WithTimeout(c.Context(), resetPatience)
		defer cancel()
		done, err = c.Reset.Reset(waiting, c.Scope, reset.Input{CurrencyID: currency.ID, Kind: c.PostFormValue("type")})
		if errors.Is(err, context.DeadlineExceeded) {
			err = laurel.Errorf(laurel.Unavailable, "The database is busy, so the reset wasn’t started. Try again.")
		}
	}
	if err != nil {
		return c.ShowRefused(err, "currency-reset", "Reset "+currency.Name+"?", func(refusal web.Refusal) any {
			return currencyData{
				Currency: currency, Kinds: resetKinds, Input: form.TypedOf(c.PostForm, "type", "confirm"), Refusal: refusal,
			}
		})
	}
	id, err := c.lastReset(currency.ID, "") // of any status
	if err != nil {
		return web.View{}, err
	}
	notice := "Reset started."
	if done {
		notice = "Reset complete."
	}
	return c.Redirect(c.SitePath("jobs", "clearings", id), notice)
}

// lastReset returns the id of the newest reset of a currency with a status, or of any status if it is empty. It returns
// the zero id if there is none.
func (c *call) lastReset(currency laurel.ID, status string) (laurel.ID, error) {
	filter := reset.Filter{CurrencyID: currency, Status: status}
	list, err := c.Reset.List(c.Context(), c.Scope, filter, laurel.PageRequest{Limit: 1})
	return web.LastID(list, func(j reset.Job) laurel.ID { return j.ID }), err
}
