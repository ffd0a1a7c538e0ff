package dashboard

import (
	"encoding/json"
	"net/http"
	"net/url"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/points/ledger"
	"laurel/internal/report"
	"laurel/internal/rules/catalog"
)

var ledgerRoutes = []route{
	{onWebsite, admins.SeeMembers, "ledger", get, "/ledger", ledgerPage},
	{onWebsite, admins.SeeMembers, "ledger", get, "/ledger/entries.csv", exportLedger},
	{onWebsite, admins.SeeMembers, "ledger", get, "/ledger/{transaction}", transactionPage},
}

// entryKinds are the types of entries in words.
var entryKinds = []choice{
	{"loyalty_rule", "Rule"}, {"api_key", "API or admin"}, {"order", "Order"}, {"auction_bid", "Bid"},
	{"direct_mint", "Catalogue purchase"},
}

// entryRow is an entry in words.
type entryRow struct {
	report.Entry
	Title, About, Kind, Currency string
	Credit                       bool
	Who                          person // zero: a main account
	Hidden                       bool   // its metadata is not for this role
}

// entriesData is a list of entries with its filters.
type entriesData struct {
	Rows    []entryRow
	Pager   pager
	Filters []filterMenu
	Any     bool   // something is filtered
	File    string // the address of the same entries as a file
}

// adjustment is the metadata of an entry by which an admin adjusted a balance.
type adjustment struct {
	By   string    `json:"adjustedBy"`
	ByID laurel.ID `json:"adjustedById"`
}

// adjustmentOf returns the admin's adjustment that an entry records; false for other entries.
func adjustmentOf(e report.Entry) (adjustment, bool) {
	var a adjustment
	err := json.Unmarshal(e.Metadata(), &a)
	return a, err == nil && a.By != ""
}

// entryRows adds to each entry its member, title and labels.
func (c *request) entryRows(list []report.Entry, m websiteCurrencies) ([]entryRow, error) {
	ids := make([]laurel.ID, len(list))
	for i, e := range list {
		ids[i] = e.UserID
	}
	people, err := c.readPeople(ids)
	if err != nil {
		return nil, err
	}
	rows := make([]entryRow, len(list))
	for i, e := range list {
		row := entryRow{Entry: e, Currency: m.name(e.CurrencyID), Credit: e.Direction == string(ledger.Credit)}
		row.Who, row.Kind, row.Title, row.About = people[e.UserID], entryKindLabel(e.Type), e.Description, ""
		if a, isAdjustment := adjustmentOf(e); isAdjustment {
			row.Kind, row.About = "Adjustment", "By "+a.By
		}
		if e.RuleName != nil {
			row.Title = *e.RuleName
			if e.Description != row.Title {
				row.About = e.Description
			}
		}
		if row.Title == "" || e.Type == string(ledger.TypeDirectMint) {
			row.Title = row.Kind // mints describe themselves by one word
		}
		rows[i] = row
	}
	return rows, nil
}

// entryKindLabel returns the label of a type of entries.
func entryKindLabel(kind string) string {
	if kind == string(ledger.TypeAPIKey) {
		return "API"
	}
	for _, k := range entryKinds {
		if k.Value == kind {
			return k.Label
		}
	}
	return kind
}

// entryFilter reads the filter of entries from the address.
func (c *request) entryFilter() (report.EntryFilter, error) {
	query := c.URL.Query()
	f := report.EntryFilter{Type: query.Get("type"), Direction: query.Get("direction")}
	currency, err := c.filterID("currency")
	if err != nil {
		return f, err
	}
	rule, err := c.filterID("rule")
	if err != nil {
		return f, err
	}
	if !currency.IsZero() {
		f.CurrencyIDs = []laurel.ID{currency}
	}
	if !rule.IsZero() {
		f.RuleIDs = []laurel.ID{rule}
	}
	if f.Start, err = c.filterDay("from"); err != nil {
		return f, err
	}
	if f.End, err = c.filterDay("to"); err != nil {
		return f, err
	}
	if !f.End.IsZero() {
		f.End = f.End.AddDate(0, 0, 1) // the day itself belongs to it
	}
	return f, nil
}

// maxRuleChoices bounds how many rules a menu of rules offers.
const maxRuleChoices = 30

// entryFilters returns the menus that filter a list of entries.
func (c *request) entryFilters(m websiteCurrencies) ([]filterMenu, error) {
	rules, err := c.d.Rules.List(c.Context(), c.scope.At(c.site.ID), catalog.Filter{WithDeleted: true},
		laurel.PageRequest{Limit: maxRuleChoices})
	if err != nil {
		return nil, err
	}
	var ofRules, ofMoney []choice
	for _, r := range rules.Data {
		ofRules = append(ofRules, choice{r.ID.String(), r.Name})
	}
	for _, currency := range m.Live {
		ofMoney = append(ofMoney, choice{currency.ID.String(), currency.Name})
	}
	return []filterMenu{
		c.filterMenu("Type", "type", entryKinds),
		c.filterMenu("Direction", "direction", []choice{{"credit", "Credit"}, {"debit", "Debit"}}),
		c.filterMenu("Rule", "rule", ofRules),
		c.filterMenu("Currency", "currency", ofMoney),
		c.filterMenu("Since", "from", c.recentDays()),
	}, nil
}

// readEntries reads a page of entries with its menus of filters. file is the address of the same list as CSV.
func (c *request) readEntries(f report.EntryFilter, m websiteCurrencies, limit int, file string) (entriesData, error) {
	data := entriesData{File: file}
	f.Visibility = c.visibility()
	page, err := c.pageRequest()
	if err != nil {
		return data, err
	}
	page.Limit = limit
	list, err := c.d.Report.Entries(c.Context(), c.scope.At(c.site.ID), f, page)
	if err != nil {
		return data, err
	}
	data.Pager = c.pager(page, list.HasNextPage, lastID(list, func(e report.Entry) laurel.ID { return e.ID }))
	if data.Rows, err = c.entryRows(list.Data, m); err != nil {
		return data, err
	}
	if data.Filters, err = c.entryFilters(m); err != nil {
		return data, err
	}
	for _, menu := range data.Filters {
		data.Any = data.Any || menu.Chosen != ""
	}
	query := c.URL.Query()
	filters := url.Values{}
	for _, name := range []string{"type", "direction", "rule", "currency", "from", "to"} {
		if value := query.Get(name); value != "" {
			filters.Set(name, value)
		}
	}
	data.Any = data.Any || query.Get("to") != ""
	if len(filters) > 0 {
		data.File += "?" + filters.Encode()
	}
	return data, nil
}

type ledgerData struct {
	Entries      entriesData
	From, To     string
	OtherFilters url.Values // the other filters, which the form of dates preserves
	Problem      string     // why the days cannot be shown
}

// ledgerPage lists the entries of all members.
func ledgerPage(c *request) (view, error) {
	m, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	query := c.URL.Query()
	data := ledgerData{From: query.Get("from"), To: query.Get("to"), OtherFilters: query}
	f, err := c.entryFilter()
	if refused := asRefusal(err); refused != nil {
		return c.showLedgerRefused(data, m, refused.Message)
	}
	if err != nil {
		return view{}, err
	}
	if data.Entries, err = c.readEntries(f, m, pageSize, c.sitePath("ledger", "entries.csv")); err != nil {
		return view{}, err
	}
	for _, name := range []string{"from", "to", "startingAfter"} {
		data.OtherFilters.Del(name)
	}
	return pageView("ledger", "Ledger", data)
}

// showLedgerRefused shows the filters without entries, and why they are invalid.
func (c *request) showLedgerRefused(data ledgerData, m websiteCurrencies, problem string) (view, error) {
	var err error
	if data.Entries.Filters, err = c.entryFilters(m); err != nil {
		return view{}, err
	}
	data.Entries.File, data.Problem = c.sitePath("ledger", "entries.csv"), problem
	for _, name := range []string{"from", "to", "startingAfter"} {
		data.OtherFilters.Del(name)
	}
	return view{template: "ledger", title: "Error: Ledger", status: http.StatusBadRequest, data: data}, nil
}

// exportLedger exports the entries of all members that the filters match as CSV.
func exportLedger(c *request) (view, error) {
	f, err := c.entryFilter()
	if err != nil {
		return view{}, err
	}
	return c.exportEntries("entries.csv", f)
}

// exportEntries exports the entries that a filter matches, newest first, as CSV.
func (c *request) exportEntries(name string, f report.EntryFilter) (view, error) {
	m, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	head := []string{
		"time", "transaction", "entry", "member", "walletAddress", "currency", "type", "direction", "amount", "balanceAfter",
		"rule", "ruleId", "description", "adjustedBy",
	}
	f.Visibility = c.visibility()
	list := func(page laurel.PageRequest) (laurel.Page[report.Entry], error) {
		return c.d.Report.Entries(c.Context(), c.scope.At(c.site.ID), f, page)
	}
	return c.exportCSV(sheet{name, head, pagedRows(list, func(e report.Entry) laurel.ID { return e.ID },
		cellsOfEach(func(e report.Entry) []string { return c.entryCells(e, m) }))})
}

// entryCells returns the cells of an entry in a CSV file.
func (c *request) entryCells(e report.Entry, m websiteCurrencies) []string {
	wallet, rule, ruleID, balance := "", "", "", ""
	if e.Wallet != nil {
		wallet = c.visibleWallet(*e.Wallet)
	}
	if e.RuleName != nil {
		rule, ruleID = *e.RuleName, e.RuleID.String()
	}
	if e.EndAmount != nil {
		balance = e.EndAmount.String()
	}
	a, _ := adjustmentOf(e)
	return []string{timeCell(e.CreatedAt()), e.TransactionID.String(), e.ID.String(), e.UserID.String(),
		wallet, m.name(e.CurrencyID), e.Type, e.Direction, e.Amount.String(), balance, rule, ruleID, e.Description, a.By}
}

type transactionData struct {
	Transaction ledger.Transaction
	Kind        string
	Rows        []entryRow
	Pager       pager
	RuleName    string
	By          string // the admin who adjusted
}

// transactionPage shows a transaction with all its entries, including counter-entries of main accounts.
func transactionPage(c *request) (view, error) {
	id, err := c.pathID("transaction", "Transaction")
	if err != nil {
		return view{}, err
	}
	scope := c.scope.At(c.site.ID)
	t, err := c.d.Ledger.Transaction(c.Context(), scope, id)
	if err != nil {
		return view{}, err
	}
	m, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	data := transactionData{Transaction: t, Kind: entryKindLabel(string(t.Type))}
	var all []report.Entry
	for _, main := range []bool{false, true} { // a transaction has few entries
		f := report.EntryFilter{TransactionID: id, MainAccounts: main, Visibility: c.visibility()}
		list, err := c.d.Report.Entries(c.Context(), scope, f, laurel.PageRequest{Limit: exportPageSize})
		if err != nil {
			return view{}, err
		}
		all = append(all, list.Data...)
	}
	if data.Rows, err = c.entryRows(all, m); err != nil {
		return view{}, err
	}
	for i, row := range data.Rows {
		if !c.may(admins.SeeContacts) {
			data.Rows[i].Hidden = true // metadata of orders may contain names and addresses
		}
		if a, isAdjustment := adjustmentOf(row.Entry); isAdjustment {
			data.By, data.Kind = a.By, "Adjustment"
		}
		if row.RuleName != nil {
			data.RuleName = *row.RuleName
		}
	}
	return pageView("transaction", "Transaction", data)
}
