package dashboard

import (
	"context"
	"errors"
	"strconv"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/points/ledger"
	"laurel/internal/report"
	"laurel/internal/rules/reset"
)

var currencyRoutes = []route{
	get("/currencies", admins.SeeProgram, "currencies", currenciesPage),
	get("/currencies/currencies.csv", admins.SeeProgram, "currencies", exportCurrencies),
	get("/currencies/new", admins.ChangeSettings, "currencies", newCurrencyPage),
	post("/currencies", admins.ChangeSettings, "currencies", "created a currency", idempotent(createCurrency)),
	get("/currencies/{currency}", admins.SeeProgram, "currencies", currencyPage),
	post("/currencies/{currency}", admins.ChangeSettings, "currencies", "changed a currency", saveCurrency),
	get("/currencies/{currency}/delete", admins.ChangeSettings, "currencies", confirmDeleteCurrency),
	post("/currencies/{currency}/delete", admins.ChangeSettings, "currencies",
		"deleted a currency", deleteCurrency),
	get("/currencies/{currency}/reset", admins.TakeBackPoints, "currencies", confirmResetCurrency),
	post("/currencies/{currency}/reset", admins.TakeBackPoints, "currencies",
		"reset a currency", resetCurrency),
}

func currencyID(currency ledger.Currency) laurel.ID { return currency.ID }

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
	{reset.ResetBalances, "Balances", "Sets every member’s balance to 0. Keeps streaks, progress and claims."},
	{
		reset.ResetKeepRules, "Balances and progress",
		"Also deletes members’ progress in the rules that pay in this currency, so members can earn those rewards again. Keeps the rules.",
	},
	{reset.ResetAndRules, "Everything", "Also deletes the rules that pay in this currency. Keeps the ledger entries."},
}

// currenciesPage shows a page of the website's currencies with the points that members hold. Deleted currencies are
// included if the query asks for them.
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
	data.List = laurel.MapPage(list, func(currency ledger.Currency) currencyHoldings {
		return currencyHoldings{currency, holdings[currency.ID]}
	})
	data.Pager = c.pager(page, list.HasNextPage, lastID(list, currencyID))
	return pageView("currencies", "Currencies", data)
}

// exportCurrencies exports the currencies of the page with the points that members hold as CSV.
func exportCurrencies(c *request) (view, error) {
	f := ledger.CurrencyFilter{WithDeleted: c.URL.Query().Get("deleted") == "true"}
	list := func(page laurel.PageRequest) (laurel.Page[ledger.Currency], error) {
		return c.d.Ledger.ListCurrencies(c.Context(), c.scope, f, page)
	}
	rows := func(list []ledger.Currency) ([][]string, error) {
		holdings, err := c.readHoldings(list)
		var out [][]string
		for _, currency := range list {
			h := currencyHoldings{currency, holdings[currency.ID]}
			out = append(out, []string{
				idCell(currency.ID), currency.Name, currency.Symbol, strconv.Itoa(currency.Decimals), h.Held.String(),
				strconv.FormatInt(h.Expires(), 10), strconv.FormatInt(h.Waits(), 10), timeCell(currency.CreatedAt),
				timeCell(currency.DeletedAt),
			})
		}
		return out, err
	}
	head := []string{"id", "name", "symbol", "decimals", "held", "expireAfterDays", "waitHours", "made", "deleted"}
	return exportCSV("currencies.csv", head, pagedRows(list, currencyID, rows))
}

// readHoldings returns, by currency, the points that all members together hold. It reads the main account of each
// currency: that is the other side of all members' accounts, so its balance is the negative sum of theirs.
func (c *request) readHoldings(list []ledger.Currency) (map[laurel.ID]laurel.Amount, error) {
	out := map[laurel.ID]laurel.Amount{}
	var accounts []laurel.ID
	for _, currency := range list {
		accounts = append(accounts, currency.MainAccountID)
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

// getCurrency returns the currency whose id is in the path. It may be deleted, or belong to token rewards: such a
// currency can be shown and not changed. A malformed or unknown id is not found.
func (c *request) getCurrency() (currencyHoldings, error) {
	id, err := c.pathID("currency", "Currency")
	if err != nil {
		return currencyHoldings{}, err
	}
	currency, err := c.d.Ledger.Currency(c.Context(), c.scope, id)
	if err != nil {
		return currencyHoldings{}, err
	}
	holdings, err := c.readHoldings([]ledger.Currency{currency})
	return currencyHoldings{currency, holdings[currency.ID]}, err
}

// getLiveCurrency returns the currency whose id is in the path, for a change. A deleted currency is not found.
func (c *request) getLiveCurrency() (currencyHoldings, error) {
	currency, err := c.getCurrency()
	if err == nil && !currency.DeletedAt.IsZero() {
		err = laurel.Missing("Currency")
	}
	return currency, err
}

// currencyFields are the fields of the form that may be shown again.
var currencyFields = []string{
	"name", "symbol", "decimals", "imageUrl", "sortId", "pointsExpireAfterDays", "pointsWaitHours", "apiGetUrl",
	"apiPostUrl", "apiGetTransactionEntryUrl", "apiAuthType", "apiAuthKey", "forgetSecret",
}

// newCurrencyPage shows the form of a new currency.
func newCurrencyPage(*request) (view, error) {
	data := currencyData{New: true, AuthTypes: ledger.AuthTypes(), Input: map[string]string{"decimals": "0"}}
	return pageView("currency", "New currency", data)
}

// createCurrency creates a currency from the posted form. A refused form is shown again, without the secret.
func createCurrency(c *request) (view, error) {
	in, err := c.readCurrencyInput(true) // of a new currency
	var made ledger.Currency
	if err == nil {
		made, err = c.d.Ledger.CreateCurrency(c.Context(), c.scope, in)
	}
	if err != nil {
		return c.showRefused(err, "currency", "New currency", func(faults map[string]string, text string) any {
			return currencyData{
				New: true, AuthTypes: ledger.AuthTypes(), Input: typedFieldsOf(c.PostForm, currencyFields...), Faults: faults,
				Error: text,
			}
		})
	}
	return c.redirect(c.sitePath("currencies", made.ID), "Currency created. Rules can now pay in it.")
}

// currencyPage shows the form with the settings of a currency, which may be deleted.
func currencyPage(c *request) (view, error) {
	currency, err := c.getCurrency()
	if err != nil {
		return view{}, err
	}
	data := currencyData{
		Currency: currency, Input: currencyTexts(currency.Currency), AuthTypes: ledger.AuthTypes(),
		HasSecret:   !currency.API.AuthValue.IsZero(),
		BaseVersion: formVersion(currencyTexts(currency.Currency)),
	}
	return pageView("currency", currency.Name, data)
}

// currencyLabels are the settings of a currency as a comparison calls them.
var currencyLabels = labeledFields(
	"name", "Name", "symbol", "Symbol", "imageUrl", "Picture", "sortId", "Position in lists",
	"pointsExpireAfterDays", "Points expire after, days", "pointsWaitHours", "Rewards stay pending for, hours",
	"apiPostUrl", "URL for changes", "apiGetUrl", "URL for balances",
	"apiGetTransactionEntryUrl", "URL for entries", "apiAuthType", "Authentication",
	"apiAuthKey", "User name or header name",
)

// saveCurrency saves the settings of a currency. If someone else has saved other values since the form was opened,
// nothing is written and the conflicts are shown.
func saveCurrency(c *request) (view, error) {
	c.d.editMutex.Lock() // two saves on this server must not interleave
	defer c.d.editMutex.Unlock()
	currency, err := c.getLiveCurrency()
	if err != nil {
		return view{}, err
	}
	savedTexts := currencyTexts(currency.Currency)
	data := currencyData{
		Currency: currency, Input: typedFieldsOf(c.PostForm, currencyFields...), AuthTypes: ledger.AuthTypes(),
		HasSecret: !currency.API.AuthValue.IsZero(), BaseVersion: formVersion(savedTexts),
	}
	if c.PostFormValue(baseVersionField) != data.BaseVersion {
		if data.Conflicts = findConflicts(savedTexts, data.Input, currencyLabels); len(data.Conflicts) > 0 {
			return refusedView("currency", currency.Name, data), nil
		}
	}
	in, err := c.readCurrencyInput(false) // of an existing currency
	if err == nil && !currency.API.AuthValue.IsZero() && !in.APIAuthValue.Set {
		err = c.checkSecretHost(currency.API)
	}
	if err == nil {
		_, err = c.d.Ledger.UpdateCurrency(c.Context(), c.scope, currency.ID, in)
	}
	if err != nil {
		return c.showRefused(err, "currency", currency.Name, func(faults map[string]string, text string) any {
			data.Faults, data.Error = faults, text
			return data
		})
	}
	return c.redirect(c.sitePath("currencies", currency.ID), "Changes saved.")
}

// checkSecretHost refuses a new host for the external ledger while the stored secret stays: otherwise an admin who
// cannot read the secret could have it sent there.
func (c *request) checkSecretHost(saved ledger.ExternalAPI) error {
	savedURLs := []string{textCell(saved.GetURL), textCell(saved.PostURL), textCell(saved.GetTransactionEntryURL)}
	for _, name := range []string{"apiGetUrl", "apiPostUrl", "apiGetTransactionEntryUrl"} {
		if hasOtherOrigin(c.PostFormValue(name), savedURLs...) {
			var faults laurel.Faults
			faults.Add("apiAuthValue", secretRequired)
			return faults.Err()
		}
	}
	return nil
}

// currencyTexts returns the settings of a currency by field, as the inputs of its form hold them. The secret is never
// shown.
func currencyTexts(currency ledger.Currency) map[string]string {
	out := map[string]string{"name": currency.Name, "symbol": currency.Symbol, "decimals": strconv.Itoa(currency.Decimals)}
	for name, text := range map[string]*string{
		"imageUrl": currency.ImageURL, "apiGetUrl": currency.API.GetURL, "apiPostUrl": currency.API.PostURL,
		"apiGetTransactionEntryUrl": currency.API.GetTransactionEntryURL,
		"apiAuthType":               currency.API.AuthType, "apiAuthKey": currency.API.AuthKey,
	} {
		if text != nil {
			out[name] = *text
		}
	}
	for name, n := range map[string]*int64{
		"sortId": currency.SortID, "pointsExpireAfterDays": currency.ExpireAfterDays,
		"pointsWaitHours": currency.WaitHours,
	} {
		if n != nil {
			out[name] = strconv.FormatInt(*n, 10)
		}
	}
	return out
}

// readCurrencyInput reads the posted form for the service. Decimals are only read for a new currency. An empty field
// clears its setting, but an empty secret keeps the stored one unless the form says to forget it. Malformed numbers are
// returned as an error.
func (c *request) readCurrencyInput(isNew bool) (ledger.CurrencyInput, error) {
	var faults laurel.Faults
	in := ledger.CurrencyInput{
		Name:                      laurel.Some(c.PostFormValue("name")),
		Symbol:                    laurel.Some(c.PostFormValue("symbol")),
		ImageURL:                  readText(c.PostForm, "imageUrl"),
		SortID:                    readInteger(c.PostForm, &faults, "sortId"),
		APIAuthType:               readText(c.PostForm, "apiAuthType"),
		APIAuthKey:                readText(c.PostForm, "apiAuthKey"),
		APIGetURL:                 readText(c.PostForm, "apiGetUrl"),
		APIPostURL:                readText(c.PostForm, "apiPostUrl"),
		APIGetTransactionEntryURL: readText(c.PostForm, "apiGetTransactionEntryUrl"),
		PointsExpireAfterDays:     readInteger(c.PostForm, &faults, "pointsExpireAfterDays"),
		PointsWaitHours:           readInteger(c.PostForm, &faults, "pointsWaitHours"),
	}
	if isNew {
		in.Decimals = readInteger(c.PostForm, &faults, "decimals")
	}
	switch secret := c.PostFormValue("apiAuthValue"); {
	case secret != "":
		in.APIAuthValue = laurel.Some(secret)
	case c.PostFormValue("forgetSecret") != "":
		in.APIAuthValue = laurel.Null[string]()
	}
	return in, faults.Err()
}

// confirmDeleteCurrency shows the page that asks before a currency is deleted.
func confirmDeleteCurrency(c *request) (view, error) {
	currency, err := c.getLiveCurrency()
	if err != nil {
		return view{}, err
	}
	return pageView("currency-delete", "Delete "+currency.Name+"?", currencyData{Currency: currency})
}

// deleteCurrency deletes a currency. Its accounts and entries stay readable.
func deleteCurrency(c *request) (view, error) {
	currency, err := c.getLiveCurrency()
	if err == nil {
		_, err = c.d.Ledger.DeleteCurrency(c.Context(), c.scope, currency.ID)
	}
	if err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("currencies"), currency.Name+" deleted. You can still see its balances and entries.")
}

// confirmResetCurrency shows the page that asks how a currency is to be reset. To confirm, its name must be typed.
func confirmResetCurrency(c *request) (view, error) {
	currency, err := c.getLiveCurrency()
	if err != nil {
		return view{}, err
	}
	data := currencyData{Currency: currency, Kinds: resetKinds, Input: map[string]string{}}
	return pageView("currency-reset", "Reset "+currency.Name+"?", data)
}

// resetPatience is how long a reset may take before its page shows how far it is. Workers carry it on.
const resetPatience = 3 * time.Second

// resetCurrency resets a currency if the admin typed its name. It waits at most resetPatience for the reset to
// complete, then redirects to the page of the reset; workers resume one that is not complete. If another reset of the
// currency is in progress, it starts none and redirects to that one.
func resetCurrency(c *request) (view, error) {
	currency, err := c.getLiveCurrency()
	if err != nil {
		return view{}, err
	}
	if openReset, err := c.lastReset(currency.ID, reset.Processing); err != nil || !openReset.IsZero() {
		if err != nil {
			return view{}, err
		}
		return c.redirect(c.sitePath("jobs", "clearings", openReset),
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
		done, err = c.d.Reset.Reset(waiting, c.scope, reset.Input{CurrencyID: currency.ID, Kind: c.PostFormValue("type")})
		if errors.Is(err, context.DeadlineExceeded) {
			err = laurel.Errorf(laurel.Unavailable, "The database is busy, so the reset wasn’t started. Try again.")
		}
	}
	if err != nil {
		return c.showRefused(err, "currency-reset", "Reset "+currency.Name+"?", func(faults map[string]string, text string) any {
			return currencyData{
				Currency: currency, Kinds: resetKinds, Input: typedFieldsOf(c.PostForm, "type", "confirm"), Faults: faults,
				Error: text,
			}
		})
	}
	id, err := c.lastReset(currency.ID, "") // of any status
	if err != nil {
		return view{}, err
	}
	notice := "Reset started."
	if done {
		notice = "Reset complete."
	}
	return c.redirect(c.sitePath("jobs", "clearings", id), notice)
}

// lastReset returns the id of the newest reset of a currency with a status, or of any status if it is empty. It returns
// the zero id if there is none.
func (c *request) lastReset(currency laurel.ID, status string) (laurel.ID, error) {
	filter := reset.Filter{CurrencyID: currency, Status: status}
	list, err := c.d.Reset.List(c.Context(), c.scope, filter, laurel.PageRequest{Limit: 1})
	return lastID(list, func(j reset.Job) laurel.ID { return j.ID }), err
}
