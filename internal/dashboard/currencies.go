package dashboard

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/points/ledger"
	"laurel/internal/report"
	"laurel/internal/rules/reset"
)

var currencyRoutes = []route{
	{onWebsite, admins.SeeProgram, "currencies", get, "/currencies", currenciesPage},
	{onWebsite, admins.SeeProgram, "currencies", get, "/currencies/currencies.csv", exportCurrencies},
	{onWebsite, admins.Settle, "currencies", get, "/currencies/new", newCurrencyPage},
	{onWebsite, admins.Settle, "currencies", post, "/currencies", idempotent(createCurrency)},
	{onWebsite, admins.SeeProgram, "currencies", get, "/currencies/{currency}", currencyPage},
	{onWebsite, admins.Settle, "currencies", post, "/currencies/{currency}", saveCurrency},
	{onWebsite, admins.Settle, "currencies", get, "/currencies/{currency}/delete", confirmDeleteCurrency},
	{onWebsite, admins.Settle, "currencies", post, "/currencies/{currency}/delete", deleteCurrency},
	{onWebsite, admins.Undo, "currencies", get, "/currencies/{currency}/reset", confirmResetCurrency},
	{onWebsite, admins.Undo, "currencies", post, "/currencies/{currency}/reset", resetCurrency},
}

// currencyHoldings is a currency with the points that its members hold.
type currencyHoldings struct {
	ledger.Currency
	Held laurel.Amount
}

// Expires is after how many days its points expire; 0: never.
func (h currencyHoldings) Expires() int64 { return orZero(h.ExpireAfterDays) }

// Waits is for how many hours its rewards wait; 0: not at all.
func (h currencyHoldings) Waits() int64 { return orZero(h.WaitHours) }

func orZero(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// currencyData is the data of the pages of currencies.
type currencyData struct {
	List        laurel.Page[currencyHoldings]
	Pager       pager
	Deleted     bool // those are listed, too
	Currency    currencyHoldings
	New         bool
	Input       map[string]string
	AuthTypes   []string
	HasSecret   bool
	BaseVersion string // hash of the saved values when the form was opened
	Conflicts   []fieldConflict
	Kinds       []resetKind
	Faults      map[string]string
	Error       string
}

// resetKind is a way to reset a currency, in plain words.
type resetKind struct {
	Kind         reset.Kind
	Name, Effect string
}

var resetKinds = []resetKind{
	{reset.ResetBalances, "Balances", "Sets every member’s balance to 0. Streaks, progress and claims stay."},
	{
		reset.ResetKeepRules, "Balances and progress",
		"Also deletes the progress of members in the currency’s rules, so that they can earn them again. The rules stay.",
	},
	{reset.ResetAndRules, "Everything", "Also deletes the rules that pay in this currency. Ledger entries stay."},
}

// currenciesPage lists currencies.
func currenciesPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	data := currencyData{Deleted: c.URL.Query().Get("deleted") == "true"}
	list, err := c.d.Ledger.ListCurrencies(c.Context(), c.scope, ledger.CurrencyFilter{WithDeleted: data.Deleted}, page)
	if err != nil {
		return view{}, err
	}
	holdings, err := c.readHoldings(list.Data)
	if err != nil {
		return view{}, err
	}
	data.List = laurel.MapPage(list, func(one ledger.Currency) currencyHoldings {
		return currencyHoldings{one, holdings[one.ID]}
	})
	data.Pager = c.pager(page, list.HasNextPage, lastID(list, func(one ledger.Currency) laurel.ID { return one.ID }))
	return pageView("currencies", "Currencies", data)
}

// exportCurrencies exports the currencies with the points that members hold as CSV.
func exportCurrencies(c *request) (view, error) {
	f := ledger.CurrencyFilter{WithDeleted: c.URL.Query().Get("deleted") == "true"}
	list := func(page laurel.PageRequest) (laurel.Page[ledger.Currency], error) {
		return c.d.Ledger.ListCurrencies(c.Context(), c.scope, f, page)
	}
	rows := func(list []ledger.Currency) ([][]string, error) {
		holdings, err := c.readHoldings(list)
		var out [][]string
		for _, one := range list {
			h := currencyHoldings{one, holdings[one.ID]}
			out = append(out, []string{
				idCell(one.ID), one.Name, one.Symbol, strconv.Itoa(one.Decimals), h.Held.String(),
				strconv.FormatInt(h.Expires(), 10), strconv.FormatInt(h.Waits(), 10), timeCell(one.CreatedAt),
				timeCell(one.DeletedAt),
			})
		}
		return out, err
	}
	head := []string{"id", "name", "symbol", "decimals", "held", "expireAfterDays", "waitHours", "made", "deleted"}
	return c.exportCSV(sheet{"currencies.csv", head, pagedRows(list, func(one ledger.Currency) laurel.ID { return one.ID }, rows)})
}

// readHoldings returns the points that all members together hold, by currency. The main account is the other side of
// all of them, so its balance is the negative sum.
func (c *request) readHoldings(list []ledger.Currency) (map[laurel.ID]laurel.Amount, error) {
	out := map[laurel.ID]laurel.Amount{}
	var accounts []laurel.ID
	for _, one := range list {
		accounts = append(accounts, one.MainAccountID)
	}
	if len(accounts) == 0 {
		return out, nil
	}
	f := report.AccountFilter{MainAccounts: true, IDs: accounts, Visibility: c.visibility()}
	found, err := c.d.Report.Accounts(c.Context(), c.scope, f, laurel.PageRequest{Limit: len(accounts)})
	for _, a := range found.Data {
		out[a.CurrencyID] = -a.Amount
	}
	return out, err
}

// findCurrency reads the currency of the path. It may be deleted, or belong to token rewards: both can only be read.
func (c *request) findCurrency() (currencyHoldings, error) {
	id, err := c.pathID("currency", "Currency")
	if err != nil {
		return currencyHoldings{}, err
	}
	one, err := c.d.Ledger.Currency(c.Context(), c.scope, id)
	if err != nil {
		return currencyHoldings{}, err
	}
	holdings, err := c.readHoldings([]ledger.Currency{one})
	return currencyHoldings{one, holdings[one.ID]}, err
}

// liveCurrency reads the currency of the path for a change. A deleted one is not found.
func (c *request) liveCurrency() (currencyHoldings, error) {
	one, err := c.findCurrency()
	if err == nil && !one.DeletedAt.IsZero() {
		err = laurel.Missing("Currency")
	}
	return one, err
}

// currencyFields are the fields of the form that may be shown again.
var currencyFields = []string{
	"name", "symbol", "decimals", "imageUrl", "sortId", "pointsExpireAfterDays", "pointsWaitHours", "apiGetUrl",
	"apiPostUrl", "apiGetTransactionEntryUrl", "apiAuthType", "apiAuthKey", "forgetSecret",
}

func newCurrencyPage(*request) (view, error) {
	data := currencyData{New: true, AuthTypes: ledger.AuthTypes(), Input: map[string]string{"decimals": "0"}}
	return pageView("currency", "New currency", data)
}

// createCurrency creates a currency from the posted form.
func createCurrency(c *request) (view, error) {
	in, err := c.readCurrencyInput(true)
	var made ledger.Currency
	if err == nil {
		made, err = c.d.Ledger.CreateCurrency(c.Context(), c.scope, in)
	}
	if err != nil {
		return c.showRefused(err, "currency", "New currency", func(faults map[string]string, text string) any {
			return currencyData{
				New: true, AuthTypes: ledger.AuthTypes(), Input: c.typedFieldsOf(currencyFields...), Faults: faults, Error: text,
			}
		})
	}
	return c.redirect(c.sitePath("currencies", made.ID), "Currency created. Rules can pay in it from now on.")
}

// currencyPage shows the form with the settings of a currency.
func currencyPage(c *request) (view, error) {
	one, err := c.findCurrency()
	if err != nil {
		return view{}, err
	}
	data := currencyData{
		Currency: one, Input: currencyTexts(one.Currency), AuthTypes: ledger.AuthTypes(),
		HasSecret:   !one.API.AuthValue.IsZero(),
		BaseVersion: formVersion(currencyTexts(one.Currency)),
	}
	return pageView("currency", one.Name, data)
}

// currencyLabels are the settings of a currency as a comparison calls them.
var currencyLabels = []labeledField{
	{"name", "Name"}, {"symbol", "Symbol"}, {"imageUrl", "Picture"}, {"sortId", "Position in lists"},
	{"pointsExpireAfterDays", "Points expire after, days"}, {"pointsWaitHours", "Rewards stay pending for, hours"},
	{"apiPostUrl", "URL for changes"}, {"apiGetUrl", "URL for balances"},
	{"apiGetTransactionEntryUrl", "URL for entries"}, {"apiAuthType", "Authentication"}, {"apiAuthKey", "User or header name"},
}

// saveCurrency saves the settings of a currency. If someone else has saved other values since the form was opened,
// nothing is written and the conflicts are shown.
func saveCurrency(c *request) (view, error) {
	c.d.editMutex.Lock() // two saves on this server must not interleave
	defer c.d.editMutex.Unlock()
	one, err := c.liveCurrency()
	if err != nil {
		return view{}, err
	}
	saved := currencyTexts(one.Currency)
	form := currencyData{
		Currency: one, Input: c.typedFieldsOf(currencyFields...), AuthTypes: ledger.AuthTypes(),
		HasSecret: !one.API.AuthValue.IsZero(), BaseVersion: formVersion(saved),
	}
	if c.PostFormValue(baseVersionField) != form.BaseVersion {
		if form.Conflicts = findConflicts(saved, form.Input, currencyLabels); len(form.Conflicts) > 0 {
			return view{template: "currency", title: "Error: " + one.Name, status: http.StatusBadRequest, data: form}, nil
		}
	}
	in, err := c.readCurrencyInput(false)
	if err == nil && !one.API.AuthValue.IsZero() && !in.APIAuthValue.Set {
		err = c.checkSecretHost(one.API)
	}
	if err == nil {
		_, err = c.d.Ledger.UpdateCurrency(c.Context(), c.scope, one.ID, in)
	}
	if err != nil {
		return c.showRefused(err, "currency", one.Name, func(faults map[string]string, text string) any {
			form.Faults, form.Error = faults, text
			return form
		})
	}
	return c.redirect(c.sitePath("currencies", one.ID), "Changes saved.")
}

// checkSecretHost refuses a new host for the external ledger while the stored secret is kept: an admin who cannot read
// the secret could have it sent there.
func (c *request) checkSecretHost(known ledger.ExternalAPI) error {
	before := []string{textCell(known.GetURL), textCell(known.PostURL), textCell(known.GetTransactionEntryURL)}
	for _, name := range []string{"apiGetUrl", "apiPostUrl", "apiGetTransactionEntryUrl"} {
		if hasOtherOrigin(c.PostFormValue(name), before...) {
			var f laurel.Faults
			f.Add("apiAuthValue", secretRequired)
			return f.Err()
		}
	}
	return nil
}

// currencyTexts returns the settings of a currency as the inputs of its form hold them. The secret is never shown.
func currencyTexts(one ledger.Currency) map[string]string {
	out := map[string]string{"name": one.Name, "symbol": one.Symbol, "decimals": strconv.Itoa(one.Decimals)}
	for name, text := range map[string]*string{
		"imageUrl": one.ImageURL, "apiGetUrl": one.API.GetURL, "apiPostUrl": one.API.PostURL, "apiAuthKey": one.API.AuthKey,
		"apiGetTransactionEntryUrl": one.API.GetTransactionEntryURL, "apiAuthType": one.API.AuthType,
	} {
		if text != nil {
			out[name] = *text
		}
	}
	for name, n := range map[string]*int64{
		"sortId": one.SortID, "pointsExpireAfterDays": one.ExpireAfterDays, "pointsWaitHours": one.WaitHours,
	} {
		if n != nil {
			out[name] = strconv.FormatInt(*n, 10)
		}
	}
	return out
}

// readCurrencyInput reads the posted form for the service. An empty field clears its setting, but an empty secret keeps
// the stored one.
func (c *request) readCurrencyInput(create bool) (ledger.CurrencyInput, error) {
	var f laurel.Faults
	in := ledger.CurrencyInput{
		Name:                      laurel.Some(c.PostFormValue("name")),
		Symbol:                    laurel.Some(c.PostFormValue("symbol")),
		ImageURL:                  c.readText("imageUrl"),
		SortID:                    c.readInteger(&f, "sortId"),
		APIAuthType:               c.readText("apiAuthType"),
		APIAuthKey:                c.readText("apiAuthKey"),
		APIGetURL:                 c.readText("apiGetUrl"),
		APIPostURL:                c.readText("apiPostUrl"),
		APIGetTransactionEntryURL: c.readText("apiGetTransactionEntryUrl"),
		PointsExpireAfterDays:     c.readInteger(&f, "pointsExpireAfterDays"),
		PointsWaitHours:           c.readInteger(&f, "pointsWaitHours"),
	}
	if create {
		in.Decimals = c.readInteger(&f, "decimals")
	}
	switch secret := c.PostFormValue("apiAuthValue"); {
	case secret != "":
		in.APIAuthValue = laurel.Some(secret)
	case c.PostFormValue("forgetSecret") != "":
		in.APIAuthValue = laurel.Null[string]()
	}
	return in, f.Err()
}

// confirmDeleteCurrency asks before a currency is deleted.
func confirmDeleteCurrency(c *request) (view, error) {
	one, err := c.liveCurrency()
	if err != nil {
		return view{}, err
	}
	return pageView("currency-delete", "Delete "+one.Name+"?", currencyData{Currency: one})
}

// deleteCurrency deletes a currency. Its accounts and entries stay readable.
func deleteCurrency(c *request) (view, error) {
	one, err := c.liveCurrency()
	if err == nil {
		_, err = c.d.Ledger.DeleteCurrency(c.Context(), c.scope, one.ID)
	}
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("currencies"), one.Name+" deleted. Its balances and entries stay readable.")
}

// confirmResetCurrency asks how a currency is to be reset, and for its name.
func confirmResetCurrency(c *request) (view, error) {
	one, err := c.liveCurrency()
	if err != nil {
		return view{}, err
	}
	data := currencyData{Currency: one, Kinds: resetKinds, Input: map[string]string{}}
	return pageView("currency-reset", "Reset "+one.Name+"?", data)
}

// resetPatience is how long a reset may take before its page shows how far it is. Workers carry it on.
const resetPatience = 3 * time.Second

// resetCurrency resets a currency after its name was typed. It waits for resetPatience, then leads to the page of the
// job, which workers resume.
func resetCurrency(c *request) (view, error) {
	one, err := c.liveCurrency()
	if err != nil {
		return view{}, err
	}
	if open, err := c.lastReset(one.ID, reset.Processing); err != nil || !open.IsZero() {
		if err != nil {
			return view{}, err
		}
		return c.redirect(c.sitePath("jobs", "clearings", open), "A reset is already in progress, so no other one was started.")
	}
	var f laurel.Faults
	if c.PostFormValue("confirm") != one.Name {
		f.Add("confirm", "must be %s, the name of the currency", one.Name)
	}
	if c.PostFormValue("type") == "" {
		f.Add("type", "is required: choose one")
	}
	err = f.Err()
	done := false
	if err == nil {
		waiting, cancel := context.WithTimeout(c.Context(), resetPatience)
		defer cancel()
		done, err = c.d.Reset.Reset(waiting, c.scope, reset.Input{CurrencyID: one.ID, Kind: c.PostFormValue("type")})
		if errors.Is(err, context.DeadlineExceeded) {
			err = laurel.Errorf(laurel.Unavailable, "The database is busy, so the reset was not started. Try again.")
		}
	}
	if err != nil {
		return c.showRefused(err, "currency-reset", "Reset "+one.Name+"?", func(faults map[string]string, text string) any {
			return currencyData{
				Currency: one, Kinds: resetKinds, Input: c.typedFieldsOf("type", "confirm"), Faults: faults, Error: text,
			}
		})
	}
	id, err := c.lastReset(one.ID, "")
	if err != nil {
		return view{}, err
	}
	notice := "Reset started."
	if done {
		notice = "Reset complete."
	}
	return c.redirect(c.sitePath("jobs", "clearings", id), notice)
}

// lastReset returns the newest reset of a currency in a state; the zero id where there is none.
func (c *request) lastReset(currency laurel.ID, state string) (laurel.ID, error) {
	f := reset.Filter{CurrencyID: currency, Status: state}
	list, err := c.d.Reset.List(c.Context(), c.scope, f, laurel.PageRequest{Limit: 1})
	return lastID(list, func(j reset.Job) laurel.ID { return j.ID }), err
}
