package store

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/report"
)

var auctionRoutes = []route{
	web.Get("/auctions", admins.SeeProgram, "auctions", auctionsPage),
	web.Get("/auctions/auctions.csv", admins.SeeProgram, "auctions", exportAuctions),
	web.Get("/auctions/new", admins.ChangeProgram, "auctions", newAuctionPage),
	web.Post("/auctions", admins.ChangeProgram, "auctions", "created an auction", web.Idempotent(createAuction)),
	web.Get("/auctions/{auction}", admins.SeeProgram, "auctions", auctionPage),
	web.Get("/auctions/{auction}/bids.csv", admins.SeeMembers, "auctions", exportBids),
	web.Get("/auctions/{auction}/settings", admins.ChangeProgram, "auctions", auctionSettingsPage),
	web.Post("/auctions/{auction}/settings", admins.ChangeProgram, "auctions", "changed an auction", saveAuction),
	web.Post("/auctions/{auction}/items", admins.ChangeProgram, "auctions",
		"added an item to an auction", web.Idempotent(addAuctionItem)),
	web.Get("/auctions/{auction}/cancel", admins.ChangeProgram, "auctions", confirmCancelAuction),
	web.Post("/auctions/{auction}/cancel", admins.ChangeProgram, "auctions", "cancelled an auction", cancelAuction),
}

// The states of an auction on the pages.
const (
	auctionUpcoming  = "upcoming"
	auctionLive      = "live"
	auctionEnded     = "ended"
	auctionCancelled = "cancelled"
)

// auctionTab narrows the list of auctions.
type auctionTab struct {
	Name, Label string
	filter      auctions.Filter
}

var (
	hasBegun, notBegun = true, false
	auctionTabs        = []auctionTab{
		{"", "All", auctions.Filter{}},
		{auctionLive, "Live", auctions.Filter{Status: auctions.InProgress, Begun: &hasBegun}},
		{auctionUpcoming, "Upcoming", auctions.Filter{Status: auctions.InProgress, Begun: &notBegun}},
		{auctionEnded, "Ended", auctions.Filter{Status: auctions.Completed}},
		{auctionCancelled, "Cancelled", auctions.Filter{Status: auctions.Cancelled}},
	}
)

// auctionType is a type to choose.
type auctionType struct{ Value, Label, Help string }

// auctionTypes are the types of auctions in people's words.
var auctionTypes = []auctionType{
	{auctions.English, "Open (English)", "All members see the best bid and can outbid it. Sells one item only."},
	{auctions.FirstPrice, "Sealed bid", "Bids are hidden until the end. Winners pay what they bid."},
	{auctions.SecondPrice, "Sealed bid, second price", "Bids are hidden until the end. Each winner pays the next-highest bid."},
}

// auctionRow is an auction as lists and its page show it.
type auctionRow struct {
	auctions.Auction
	State     string
	Best      laurel.Amount // 0: no bids
	Currency  string
	BidTotals report.AuctionState
	Left      string // until it begins or ends; empty: neither
	// BidsHidden: its bids are hidden, and the role does not see them: no figure of them is shown
	BidsHidden bool
}

// TypeLabel returns the label of the auction's type.
func (r auctionRow) TypeLabel() string {
	for _, t := range auctionTypes {
		if t.Value == r.Type {
			return t.Label
		}
	}
	return r.Type
}

// Rising reports whether it is an english auction.
func (r auctionRow) Rising() bool { return r.Type == auctions.English }

// Extends is how long before its end a bid moves the end, in words; empty: never.
func (r auctionRow) Extends() string {
	if r.Extension == nil || *r.Extension == 0 {
		return ""
	}
	return formatTimeLeft(time.Duration(*r.Extension) * time.Second)
}

// Open reports whether it may still be changed or cancelled.
func (r auctionRow) Open() bool { return r.State == auctionUpcoming || r.State == auctionLive }

// Sum writes an amount of the auction's currency.
func (r auctionRow) Sum(amount any) string {
	return strings.TrimSpace(web.Number(fmt.Sprint(amount)) + " " + r.Currency)
}

type auctionsData struct {
	Tabs         []auctionTab
	Tab          auctionTab
	Rows         []auctionRow
	Pager        web.Pager
	HasContracts bool // there are contracts, without which there is no auction
}

func auctionID(a auctions.Auction) laurel.ID { return a.ID }

// auctionsOfTab returns the tab that the query names, or the first one, and a function that lists a page of its
// auctions, newest first.
func (c *call) auctionsOfTab() (auctionTab, func(laurel.PageRequest) (laurel.Page[auctions.Auction], error)) {
	tab := auctionTabs[0]
	for _, candidate := range auctionTabs {
		if candidate.Name == c.URL.Query().Get("tab") {
			tab = candidate
		}
	}
	return tab, func(page laurel.PageRequest) (laurel.Page[auctions.Auction], error) {
		return c.Auctions.List(c.Context(), c.Scope, tab.filter, page)
	}
}

// auctionsPage shows a page of the auctions of a tab.
func auctionsPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	data := auctionsData{Tabs: auctionTabs}
	tab, listAuctions := c.auctionsOfTab()
	list, err := listAuctions(page)
	if err != nil {
		return web.View{}, err
	}
	data.Tab, data.Pager = tab, c.Pager(page, list.HasNextPage, web.LastID(list, auctionID))
	if data.Rows, err = c.auctionRows(list.Data); err != nil {
		return web.View{}, err
	}
	contracts, err := c.listContracts(laurel.PageRequest{Limit: 1})
	if err != nil {
		return web.View{}, err
	}
	data.HasContracts = len(contracts.Data) > 0
	return web.Show("auctions", "Auctions", data)
}

// auctionRows adds to each auction its state, best bid, currency, totals of its bids, and the time until it begins or
// ends. Roles that may not see sealed bids get no figures of them.
func (c *call) auctionRows(list []auctions.Auction) ([]auctionRow, error) {
	ids := web.UniqueIDs(list, auctionID)
	best, err := c.Auctions.BestBids(c.Context(), c.Scope, ids)
	if err != nil {
		return nil, err
	}
	totals, err := c.Report.AuctionStates(c.Context(), c.Scope, ids)
	if err != nil {
		return nil, err
	}
	names, err := c.CurrencyNames(web.UniqueIDs(list, func(a auctions.Auction) laurel.ID { return a.CurrencyID }))
	now := c.Now()
	out := make([]auctionRow, len(list))
	for i, a := range list {
		row := auctionRow{Auction: a, State: auctionState(a, now), Currency: names[a.CurrencyID], BidTotals: totals[a.ID]}
		if bids := best[a.ID]; len(bids) > 0 {
			row.Best = bids[0].Amount
		}
		if a.ConcealsAmounts() && !c.Visibility().All {
			row.hideBids()
		}
		switch row.State {
		case auctionUpcoming:
			row.Left = formatTimeLeft(a.StartsAt.Sub(now))
		case auctionLive:
			row.Left = formatTimeLeft(a.EndsAt.Sub(now))
		}
		out[i] = row
	}
	return out, err
}

// hideBids clears every figure that comes from bids.
func (r *auctionRow) hideBids() {
	r.BidsHidden, r.Best, r.BidTotals = true, 0, report.AuctionState{}
	r.Bids, r.BestAmount, r.BestUserID = 0, 0, laurel.NullID{}
}

// auctionState returns the state of an auction at a moment, such as auctionLive. An auction whose end has passed stays
// live until the service has closed it, shortly after.
func auctionState(a auctions.Auction, now time.Time) string {
	switch {
	case a.Status == auctions.Cancelled:
		return auctionCancelled
	case a.Status == auctions.Completed:
		return auctionEnded
	case now.Before(a.StartsAt.Time):
		return auctionUpcoming
	}
	return auctionLive
}

// formatTimeLeft writes a duration in its two largest units, such as "2 h 5 min". A negative duration is "0 s".
func formatTimeLeft(d time.Duration) string {
	const minute, hour, day = 60, 3600, 86400
	s := int(max(d, 0).Round(time.Second) / time.Second)
	for _, unit := range []struct {
		size, smaller     int
		name, smallerName string
	}{{day, hour, "d", "h"}, {hour, minute, "h", "min"}, {minute, 1, "min", "s"}} {
		switch count, rest := s/unit.size, s%unit.size/unit.smaller; {
		case count == 0: // the next smaller unit is the largest one that fits
		case rest == 0:
			return fmt.Sprintf("%d %s", count, unit.name)
		default:
			return fmt.Sprintf("%d %s %d %s", count, unit.name, rest, unit.smallerName)
		}
	}
	return fmt.Sprintf("%d s", s)
}

// figureOrEmpty is a figure of the bids for a file; empty if they are hidden.
func (r auctionRow) figureOrEmpty(figure string) string {
	if r.BidsHidden {
		return ""
	}
	return figure
}

// exportAuctions exports the auctions of the page's tab as CSV. Figures of hidden bids are empty.
func exportAuctions(c *call) (web.View, error) {
	_, listAuctions := c.auctionsOfTab()
	rows := func(list []auctions.Auction) ([][]string, error) {
		found, err := c.auctionRows(list)
		return web.CellRows(found, func(r auctionRow) []string {
			return []string{
				web.IdCell(r.ID), r.Name, r.Type, r.State, cmp.Or(r.Currency, web.IdCell(r.CurrencyID)), r.MinBid.String(),
				r.figureOrEmpty(r.Best.String()), r.figureOrEmpty(strconv.FormatInt(r.Bids, 10)),
				r.figureOrEmpty(strconv.FormatInt(r.BidTotals.Bidders, 10)), r.figureOrEmpty(r.BidTotals.Held.String()),
				web.TimeCell(r.StartsAt), web.TimeCell(r.EndsAt), web.TimeCell(r.CreatedAt),
			}
		}), err
	}
	head := []string{
		"id", "name", "type", "state", "currency", "lowestBid", "best", "bids", "bidders", "held", "starts", "ends", "made",
	}
	return web.ExportCSV("auctions.csv", head, web.PagedRows(listAuctions, auctionID, rows))
}

// getAuction returns the auction whose id is in the path. A malformed or unknown id is not found.
func (c *call) getAuction() (auctionRow, error) {
	id, err := c.PathID("auction", "Auction")
	if err != nil {
		return auctionRow{}, err
	}
	auction, err := c.Auctions.Get(c.Context(), c.Scope, id)
	if err != nil {
		return auctionRow{}, err
	}
	rows, err := c.auctionRows([]auctions.Auction{auction})
	if err != nil {
		return auctionRow{}, err
	}
	return rows[0], nil
}
