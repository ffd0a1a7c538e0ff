package dashboard

import (
	"encoding/json"
	"net/url"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/points/ledger"
	"laurel/internal/report"
	"laurel/internal/rules/catalog"
)

var ledgerRoutes = []route{
	get("/ledger", admins.SeeMembers, "ledger", ledgerPage),
	get("/ledger/entries.csv", admins.SeeMembers, "ledger", exportLedger),
	get("/ledger/{transaction}", admins.SeeMembers, "ledger", transactionPage),
}

// entryKinds are the types of entries in words.
var entryKinds = choicesOf(
	"loyalty_rule", "Rule", "api_key", "API or admin", "order", "Order", "auction_bid", "Bid",
	"direct_mint", "Catalogue purchase",
)

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
	Rows       []entryRow
	Pager      pager
	Filters    []filterMenu
	IsFiltered bool   // something is filtered
	File       string // the address of the same entries as a file
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

// entryRows adds to each entry its member, title and labels. The title is the rule's name, else the description, else
// the kind of entry. About, a second line, is the description if the title is the rule's name, or the admin who made an
// adjustment.
func (c *request) entryRows(list []report.Entry, currencies websiteCurrencies) ([]entryRow, error) {
	ids := make([]laurel.ID, len(list))
	for i, entry := range list {
		ids[i] = entry.UserID
	}
	people, err := c.readPeople(ids)
	if err != nil {
		return nil, err
	}
	rows := make([]entryRow, len(list))
	for i, entry := range list {
		row := entryRow{Entry: entry, Currency: currencies.name(entry.CurrencyID)}
		row.Credit = entry.Direction == string(ledger.Credit)
		row.Who, row.Kind, row.Title = people[entry.UserID], entryKindLabel(entry.Type), entry.Description
		if a, isAdjustment := adjustmentOf(entry); isAdjustment {
			row.Kind, row.About = "Adjustment", "By "+a.By
		}
		if entry.RuleName != nil {
			row.Title = *entry.RuleName
			if entry.Description != row.Title {
				row.About = entry.Description
			}
		}
		if row.Title == "" || entry.Type == string(ledger.TypeDirectMint) {
			row.Title = row.Kind // instead of a mint's description, which is only "Mint"
		}
		rows[i] = row
	}
	return rows, nil
}

// entryKindLabel returns the label of a type of entries, or the type itself if it has none.
func entryKindLabel(kind string) string {
	if kind == string(ledger.TypeAPIKey) {
		return "API"
	}
	for _, option := range entryKinds {
		if option.Value == kind {
			return option.Label
		}
	}
	return kind
}

// entryFilter reads the filter of entries from the query. It refuses malformed ids and days. The last day is included.
func (c *request) entryFilter() (report.EntryFilter, error) {
	query := c.URL.Query()
	filter := report.EntryFilter{Type: query.Get("type"), Direction: query.Get("direction")}
	currency, err := c.filterID("currency")
	if err != nil {
		return filter, err
	}
	rule, err := c.filterID("rule")
	if err != nil {
		return filter, err
	}
	if !currency.IsZero() {
		filter.CurrencyIDs = []laurel.ID{currency}
	}
	if !rule.IsZero() {
		filter.RuleIDs = []laurel.ID{rule}
	}
	if filter.Start, err = c.filterDay("from"); err != nil {
		return filter, err
	}
	if filter.End, err = c.filterDay("to"); err != nil {
		return filter, err
	}
	if !filter.End.IsZero() {
		filter.End = filter.End.AddDate(0, 0, 1) // the day itself belongs to it
	}
	return filter, nil
}

// maxRuleChoices bounds how many rules a menu of rules offers.
const maxRuleChoices = 30

// entryFilters returns the menus that filter a list of entries. The menu of rules offers at most maxRuleChoices,
// including deleted ones.
func (c *request) entryFilters(currencies websiteCurrencies) ([]filterMenu, error) {
	rules, err := c.d.Rules.List(c.Context(), c.scope.At(c.site.ID), catalog.Filter{WithDeleted: true},
		laurel.PageRequest{Limit: maxRuleChoices})
	if err != nil {
		return nil, err
	}
	var ruleChoices, currencyChoices []choice
	for _, rule := range rules.Data {
		ruleChoices = append(ruleChoices, choice{rule.ID.String(), rule.Name})
	}
	for _, currency := range currencies.Live {
		currencyChoices = append(currencyChoices, choice{currency.ID.String(), currency.Name})
	}
	return []filterMenu{
		c.filterMenu("Type", "type", entryKinds),
		c.filterMenu("Direction", "direction", choicesOf("credit", "Credit", "debit", "Debit")),
		c.filterMenu("Rule", "rule", ruleChoices),
		c.filterMenu("Currency", "currency", currencyChoices),
		c.filterMenu("Since", "from", c.recentDays()),
	}, nil
}

// readEntries reads a page of at most limit entries, with the menus that filter them. file is the address of the same
// list as CSV, to which the filters are added.
func (c *request) readEntries(
	filter report.EntryFilter,
	currencies websiteCurrencies,
	limit int,
	file string,
) (entriesData, error) {
	data := entriesData{File: file}
	filter.Visibility = c.visibility()
	page, err := c.pageRequest()
	if err != nil {
		return data, err
	}
	page.Limit = limit
	list, err := c.d.Report.Entries(c.Context(), c.scope.At(c.site.ID), filter, page)
	if err != nil {
		return data, err
	}
	data.Pager = c.pager(page, list.HasNextPage, lastID(list, func(e report.Entry) laurel.ID { return e.ID }))
	if data.Rows, err = c.entryRows(list.Data, currencies); err != nil {
		return data, err
	}
	if data.Filters, err = c.entryFilters(currencies); err != nil {
		return data, err
	}
	for _, menu := range data.Filters {
		data.IsFiltered = data.IsFiltered || menu.Chosen != ""
	}
	query := c.URL.Query()
	filters := url.Values{}
	for _, name := range []string{"type", "direction", "rule", "currency", "from", "to"} {
		if value := query.Get(name); value != "" {
			filters.Set(name, value)
		}
	}
	data.IsFiltered = data.IsFiltered || query.Get("to") != ""
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

// ledgerPage shows a page of the entries of all members. If a filter is malformed, the page says so and shows no
// entries.
func ledgerPage(c *request) (view, error) {
	currencies, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	query := c.URL.Query()
	data := ledgerData{From: query.Get("from"), To: query.Get("to"), OtherFilters: query}
	filter, err := c.entryFilter()
	if refused := asRefusal(err); refused != nil {
		return c.showLedgerRefused(data, currencies, refused.Message)
	}
	if err != nil {
		return view{}, err
	}
	if data.Entries, err = c.readEntries(filter, currencies, pageSize, c.sitePath("ledger", "entries.csv")); err != nil {
		return view{}, err
	}
	for _, name := range []string{"from", "to", "startingAfter"} {
		data.OtherFilters.Del(name)
	}
	return pageView("ledger", "Ledger", data)
}

// showLedgerRefused shows the ledger page without entries, and says what is wrong with its filters.
func (c *request) showLedgerRefused(data ledgerData, currencies websiteCurrencies, problem string) (view, error) {
	var err error
	if data.Entries.Filters, err = c.entryFilters(currencies); err != nil {
		return view{}, err
	}
	data.Entries.File, data.Problem = c.sitePath("ledger", "entries.csv"), problem
	for _, name := range []string{"from", "to", "startingAfter"} {
		data.OtherFilters.Del(name)
	}
	return refusedView("ledger", "Ledger", data), nil
}

// exportLedger exports the entries of all members that the filters of the page match as CSV.
func exportLedger(c *request) (view, error) {
	filter, err := c.entryFilter()
	if err != nil {
		return view{}, err
	}
	return c.exportEntries("entries.csv", filter)
}

// exportEntries exports the entries that a filter matches as CSV, newest first, as far as the role may see them.
func (c *request) exportEntries(fileName string, filter report.EntryFilter) (view, error) {
	currencies, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	head := []string{
		"time", "transaction", "entry", "member", "walletAddress", "currency", "type", "direction", "amount", "balanceAfter",
		"rule", "ruleId", "description", "adjustedBy",
	}
	filter.Visibility = c.visibility()
	list := func(page laurel.PageRequest) (laurel.Page[report.Entry], error) {
		return c.d.Report.Entries(c.Context(), c.scope.At(c.site.ID), filter, page)
	}
	return exportCSV(fileName, head, pagedRows(list, func(e report.Entry) laurel.ID { return e.ID },
		cellsOfEach(func(e report.Entry) []string { return c.entryCells(e, currencies) })))
}

// entryCells returns the cells of an entry in a CSV file. A wallet that the role may not see is empty.
func (c *request) entryCells(entry report.Entry, currencies websiteCurrencies) []string {
	wallet, rule, ruleID, balance := "", "", "", ""
	if entry.Wallet != nil {
		wallet = c.visibleWallet(*entry.Wallet)
	}
	if entry.RuleName != nil {
		rule, ruleID = *entry.RuleName, entry.RuleID.String()
	}
	if entry.EndAmount != nil {
		balance = entry.EndAmount.String()
	}
	adjusted, _ := adjustmentOf(entry)
	return []string{
		timeCell(entry.CreatedAt()), entry.TransactionID.String(), entry.ID.String(), entry.UserID.String(), wallet,
		currencies.name(entry.CurrencyID), entry.Type, entry.Direction, entry.Amount.String(), balance, rule, ruleID,
		entry.Description, adjusted.By,
	}
}

type transactionData struct {
	Transaction ledger.Transaction
	Kind        string
	Rows        []entryRow
	Pager       pager
	RuleName    string
	By          string // the admin who adjusted
}

// transactionPage shows a transaction with all its entries, including counter-entries of main accounts. Only roles that
// see contact data get the metadata.
func transactionPage(c *request) (view, error) {
	id, err := c.pathID("transaction", "Transaction")
	if err != nil {
		return view{}, err
	}
	scope := c.scope.At(c.site.ID)
	transaction, err := c.d.Ledger.Transaction(c.Context(), scope, id)
	if err != nil {
		return view{}, err
	}
	currencies, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	data := transactionData{Transaction: transaction, Kind: entryKindLabel(string(transaction.Type))}
	var all []report.Entry
	for _, ofMainAccounts := range []bool{false, true} { // one page of each, as a transaction has few entries
		filter := report.EntryFilter{TransactionID: id, MainAccounts: ofMainAccounts, Visibility: c.visibility()}
		list, err := c.d.Report.Entries(c.Context(), scope, filter, laurel.PageRequest{Limit: exportPageSize})
		if err != nil {
			return view{}, err
		}
		all = append(all, list.Data...)
	}
	if data.Rows, err = c.entryRows(all, currencies); err != nil {
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
