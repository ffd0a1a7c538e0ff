package ledger

import (
	"net/url"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
)

var ledgerRoutes = []route{
	web.Get("/ledger", admins.SeeMembers, "ledger", ledgerPage),
	web.Get("/ledger/entries.csv", admins.SeeMembers, "ledger", exportLedger),
	web.Get("/ledger/{transaction}", admins.SeeMembers, "ledger", transactionPage),
}

type ledgerData struct {
	Entries      parts.EntriesData
	From, To     string
	OtherFilters url.Values // the other filters, which the form of dates preserves
	Problem      string     // why the days cannot be shown
}

// ledgerPage shows a page of the entries of all members. If a filter is malformed, the page says so and shows no
// entries.
func ledgerPage(c *call) (web.View, error) {
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
	}
	query := c.URL.Query()
	data := ledgerData{From: query.Get("from"), To: query.Get("to"), OtherFilters: query}
	filter, err := c.EntryFilter()
	if refused := web.AsRefusal(err); refused != nil {
		return c.showLedgerRefused(data, currencies, refused.Message)
	}
	if err != nil {
		return web.View{}, err
	}
	if data.Entries, err = c.ReadEntries(filter, currencies, web.PageSize, c.SitePath("ledger", "entries.csv")); err != nil {
		return web.View{}, err
	}
	for _, name := range []string{"from", "to", "startingAfter"} {
		data.OtherFilters.Del(name)
	}
	return web.Show("ledger", "Ledger", data)
}

// showLedgerRefused shows the ledger page without entries, and says what is wrong with its filters.
func (c *call) showLedgerRefused(data ledgerData, currencies parts.Currencies, problem string) (web.View, error) {
	var err error
	if data.Entries.Filters, err = c.EntryFilters(currencies); err != nil {
		return web.View{}, err
	}
	data.Entries.File, data.Problem = c.SitePath("ledger", "entries.csv"), problem
	for _, name := range []string{"from", "to", "startingAfter"} {
		data.OtherFilters.Del(name)
	}
	return web.Refused("ledger", "Ledger", data), nil
}

// exportLedger exports the entries of all members that the filters of the page match as CSV.
func exportLedger(c *call) (web.View, error) {
	filter, err := c.EntryFilter()
	if err != nil {
		return web.View{}, err
	}
	return c.ExportEntries("entries.csv", filter)
}

type transactionData struct {
	Transaction ledger.Transaction
	Kind        string
	Rows        []parts.EntryRow
	Pager       web.Pager
	RuleName    string
	By          string // the admin who adjusted
	MayReverse  bool   // the admin may reverse it
}

// transactionPage shows a transaction with all its entries, including counter-entries of main accounts. Only roles that
// see contact data get the metadata.
func transactionPage(c *call) (web.View, error) {
	transaction, err := c.readTransaction()
	if err != nil {
		return web.View{}, err
	}
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
	}
	data := transactionData{
		Transaction: transaction, Kind: parts.EntryKindLabel(string(transaction.Type)),
		MayReverse: mayReverse(transaction) && c.May(admins.AdjustFreely),
	}
	var all []report.Entry
	for _, ofMainAccounts := range []bool{false, true} { // one page of each, as a transaction has few entries
		filter := report.EntryFilter{TransactionID: transaction.ID, MainAccounts: ofMainAccounts, Visibility: c.Visibility()}
		page := laurel.PageRequest{Limit: web.ExportPageSize}
		list, err := c.Report.Entries(c.Context(), c.Scope.At(c.Site.ID), filter, page)
		if err != nil {
			return web.View{}, err
		}
		all = append(all, list.Data...)
	}
	if data.Rows, err = c.EntryRows(all, currencies); err != nil {
		return web.View{}, err
	}
	for i, row := range data.Rows {
		if !c.May(admins.SeeContacts) {
			data.Rows[i].Hidden = true // metadata of orders may contain names and addresses
		}
		if a, isAdjustment := parts.AdjustmentOf(row.Entry); isAdjustment {
			data.By, data.Kind = a.By, "Adjustment"
		}
		if row.RuleName != nil {
			data.RuleName = *row.RuleName
		}
	}
	return web.Show("transaction", "Transaction", data)
}
