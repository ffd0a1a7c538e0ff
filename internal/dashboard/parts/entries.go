package parts

import (
	"encoding/json"
	"net/url"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/catalog"
)

// entryKinds are the types of entries in words.
var entryKinds = web.Choices(
	"loyalty_rule", "Rule", "api_key", "API or admin", "order", "Order", "auction_bid", "Bid",
	"direct_mint", "Catalogue purchase",
)

// EntryRow is an entry in words.
type EntryRow struct {
	report.Entry
	Title, About, Kind, Currency string
	Credit                       bool
	Who                          Person // zero: a main account
	Hidden                       bool   // its metadata is not for this role
}

// EntriesData is a list of entries with its filters.
type EntriesData struct {
	Rows       []EntryRow
	Pager      web.Pager
	Filters    []web.FilterMenu
	IsFiltered bool   // something is filtered
	File       string // the address of the same entries as a file
}

// Adjustment is the metadata of an entry by which an admin adjusted a balance.
type Adjustment struct {
	By   string    `json:"adjustedBy"`
	ByID laurel.ID `json:"adjustedById"`
}

// AdjustmentOf returns the admin's adjustment that an entry records; false for other entries.
func AdjustmentOf(e report.Entry) (Adjustment, bool) {
	var a Adjustment
	err := json.Unmarshal(e.Metadata(), &a)
	return a, err == nil && a.By != ""
}

// EntryRows adds to each entry its member, title and labels. The title is the rule's name, else the description, else
// the kind of entry. About, a second line, is the description if the title is the rule's name, or the admin who made an
// adjustment.
func (c *Call) EntryRows(list []report.Entry, currencies Currencies) ([]EntryRow, error) {
	ids := make([]laurel.ID, len(list))
	for i, entry := range list {
		ids[i] = entry.UserID
	}
	people, err := c.ReadPeople(ids)
	if err != nil {
		return nil, err
	}
	rows := make([]EntryRow, len(list))
	for i, entry := range list {
		row := EntryRow{Entry: entry, Currency: currencies.Name(entry.CurrencyID)}
		row.Credit = entry.Direction == string(ledger.Credit)
		row.Who, row.Kind, row.Title = people[entry.UserID], EntryKindLabel(entry.Type), entry.Description
		if a, isAdjustment := AdjustmentOf(entry); isAdjustment {
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

// EntryKindLabel returns the label of a type of entries, or the type itself if it has none.
func EntryKindLabel(kind string) string {
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

// EntryFilter reads the filter of entries from the query. It refuses malformed ids and days. The last day is included.
func (c *Call) EntryFilter() (report.EntryFilter, error) {
	query := c.URL.Query()
	filter := report.EntryFilter{Type: query.Get("type"), Direction: query.Get("direction")}
	currency, err := c.FilterID("currency")
	if err != nil {
		return filter, err
	}
	rule, err := c.FilterID("rule")
	if err != nil {
		return filter, err
	}
	if !currency.IsZero() {
		filter.CurrencyIDs = []laurel.ID{currency}
	}
	if !rule.IsZero() {
		filter.RuleIDs = []laurel.ID{rule}
	}
	if filter.Start, err = c.FilterDay("from"); err != nil {
		return filter, err
	}
	if filter.End, err = c.FilterDay("to"); err != nil {
		return filter, err
	}
	if !filter.End.IsZero() {
		filter.End = filter.End.AddDate(0, 0, 1) // the day itself belongs to it
	}
	return filter, nil
}

// maxRuleChoices bounds how many rules a menu of rules offers.
const maxRuleChoices = 30

// EntryFilters returns the menus that filter a list of entries. The menu of rules offers at most maxRuleChoices,
// including deleted ones.
func (c *Call) EntryFilters(currencies Currencies) ([]web.FilterMenu, error) {
	rules, err := c.Rules.List(c.Context(), c.Scope.At(c.Site.ID), catalog.Filter{WithDeleted: true},
		laurel.PageRequest{Limit: maxRuleChoices})
	if err != nil {
		return nil, err
	}
	var ruleChoices, currencyChoices []web.Choice
	for _, rule := range rules.Data {
		ruleChoices = append(ruleChoices, web.Choice{Value: rule.ID.String(), Label: rule.Name})
	}
	for _, currency := range currencies.Live {
		currencyChoices = append(currencyChoices, web.Choice{Value: currency.ID.String(), Label: currency.Name})
	}
	return []web.FilterMenu{
		c.FilterMenu("Type", "type", entryKinds),
		c.FilterMenu("Direction", "direction", web.Choices("credit", "Credit", "debit", "Debit")),
		c.FilterMenu("Rule", "rule", ruleChoices),
		c.FilterMenu("Currency", "currency", currencyChoices),
		c.FilterMenu("Since", "from", c.RecentDays()),
	}, nil
}

// ReadEntries reads a page of at most limit entries, with the menus that filter them. file is the address of the same
// list as CSV, to which the filters are added.
func (c *Call) ReadEntries(
	filter report.EntryFilter,
	currencies Currencies,
	limit int,
	file string,
) (EntriesData, error) {
	data := EntriesData{File: file}
	filter.Visibility = c.Visibility()
	page, err := c.PageRequest()
	if err != nil {
		return data, err
	}
	page.Limit = limit
	list, err := c.Report.Entries(c.Context(), c.Scope.At(c.Site.ID), filter, page)
	if err != nil {
		return data, err
	}
	data.Pager = c.Pager(page, list.HasNextPage, web.LastID(list, func(e report.Entry) laurel.ID { return e.ID }))
	if data.Rows, err = c.EntryRows(list.Data, currencies); err != nil {
		return data, err
	}
	if data.Filters, err = c.EntryFilters(currencies); err != nil {
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

// ExportEntries exports the entries that a filter matches as CSV, newest first, as far as the role may see them.
func (c *Call) ExportEntries(fileName string, filter report.EntryFilter) (web.View, error) {
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
	}
	head := []string{
		"time", "transaction", "entry", "member", "walletAddress", "currency", "type", "direction", "amount", "balanceAfter",
		"rule", "ruleId", "description", "adjustedBy",
	}
	filter.Visibility = c.Visibility()
	list := func(page laurel.PageRequest) (laurel.Page[report.Entry], error) {
		return c.Report.Entries(c.Context(), c.Scope.At(c.Site.ID), filter, page)
	}
	return web.ExportCSV(fileName, head, web.PagedRows(list, func(e report.Entry) laurel.ID { return e.ID },
		web.CellsOfEach(func(e report.Entry) []string { return c.entryCells(e, currencies) })))
}

// entryCells returns the cells of an entry in a CSV file. A wallet that the role may not see is empty.
func (c *Call) entryCells(entry report.Entry, currencies Currencies) []string {
	wallet, rule, ruleID, balance := "", "", "", ""
	if entry.Wallet != nil {
		wallet = c.VisibleWallet(*entry.Wallet)
	}
	if entry.RuleName != nil {
		rule, ruleID = *entry.RuleName, entry.RuleID.String()
	}
	if entry.EndAmount != nil {
		balance = entry.EndAmount.String()
	}
	adjusted, _ := AdjustmentOf(entry)
	return []string{
		web.TimeCell(entry.CreatedAt()), entry.TransactionID.String(), entry.ID.String(), entry.UserID.String(), wallet,
		currencies.Name(entry.CurrencyID), entry.Type, entry.Direction, entry.Amount.String(), balance, rule, ruleID,
		entry.Description, adjusted.By,
	}
}
