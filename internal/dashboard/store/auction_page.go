package store

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/report"
)

// auctionData is the data of the page of an auction, and of the confirmation before it is cancelled.
type auctionData struct {
	form.State // of the form that adds an item
	Auction    auctionRow
	Contract   string       // its name
	Leader     parts.Person // the best bidder of an auction with open bids; zero: no bids
	Items      []auctionItemRow
	Offered    []minting.Asset // to add
	Chart      *web.StepChart  // nil: no bids
	Bids       []bidRow
	Pager      web.Pager
	ShownBids  int64 // number of bids when the page was loaded; only its card refreshes itself
}

// Since returns the number of bids that the page does not show yet.
func (d auctionData) Since() int64 { return d.Auction.Bids - d.ShownBids }

// Polls reports whether the card of the auction refreshes itself.
func (d auctionData) Polls() bool { return d.Auction.State == auctionLive }

// More reports whether items can be added.
func (d auctionData) More() bool {
	return d.Auction.Open() && len(d.Offered) > 0 && (!d.Auction.Rising() || len(d.Items) == 0)
}

// auctionItemRow is an item of an auction with its winner.
type auctionItemRow struct {
	auctions.Item
	Asset  minting.Asset
	Winner parts.Person // zero: none
	Bid    laurel.Amount
	Mint   minting.Mint // zero: none
}

// bidRow is a bid as lists show it.
type bidRow struct {
	report.Bid
	Who parts.Person
}

// auctionPage shows an auction with its items, bids and chart.
func auctionPage(c *call) (web.View, error) {
	a, err := c.getAuction()
	if err != nil {
		return web.View{}, err
	}
	d, err := c.readAuctionData(a)
	if err != nil {
		return web.View{}, err
	}
	return web.Show("auction", a.Name+", auction", d)
}

// shownBidsParameter is the query parameter with the number of bids that the page shows.
const shownBidsParameter = "seen"

// readAuctionData reads what the page of an auction shows. While the auction runs, the page refreshes its live card:
// such a request reads only the leader, and says how many bids the page has shown so far.
func (c *call) readAuctionData(a auctionRow) (*auctionData, error) {
	d := &auctionData{Auction: a, ShownBids: a.Bids}
	reads := []func(*auctionData) error{c.readLeader}
	if c.Header.Get("Hx-Target") != "live" {
		reads = append(reads, c.readAuctionItems, c.readBidChart, c.readBids)
	} else if shown, err := strconv.ParseInt(c.URL.Query().Get(shownBidsParameter), 10, 64); err == nil {
		d.ShownBids = min(shown, a.Bids)
	}
	for _, read := range reads {
		if err := read(d); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// readLeader reads the member with the best bid. It reads nothing if there is none, or if the role may not see members.
func (c *call) readLeader(d *auctionData) error {
	best := d.Auction.BestUserID.ID
	if best.IsZero() || !c.May(admins.SeeMembers) {
		return nil
	}
	people, err := c.ReadPeople([]laurel.ID{best})
	d.Leader = people[best]
	return err
}

// readAuctionItems reads the items of the auction and the name of their minting contract. If the auction has ended, it
// also reads the winners; while it is open, the items that the admin may add.
func (c *call) readAuctionItems(d *auctionData) error {
	byAuction, err := c.Auctions.ItemsOf(c.Context(), c.Scope, []laurel.ID{d.Auction.ID})
	if err != nil {
		return err
	}
	items := byAuction[d.Auction.ID]
	ids := web.UniqueIDs(items, func(item auctions.Item) laurel.ID { return item.AssetID })
	found, err := c.Minting.AssetsByID(c.Context(), c.Scope, ids)
	if err != nil {
		return err
	}
	assets := map[laurel.ID]minting.Asset{}
	for _, a := range found {
		assets[a.ID] = a
	}
	for _, item := range items {
		d.Items = append(d.Items, auctionItemRow{Item: item, Asset: assets[item.AssetID]})
	}
	contract, err := c.Minting.Contract(c.Context(), c.Scope, d.Auction.ContractID)
	if err != nil && laurel.CodeOf(err) != laurel.NotFound {
		return err
	}
	d.Contract = contract.Name
	if d.Auction.State == auctionEnded && len(items) > 0 {
		return c.readWinners(d)
	}
	if !d.Auction.Open() || !c.May(admins.ChangeProgram) || contract.ID.IsZero() {
		return nil
	}
	d.Offered, err = c.offeredItems(contract.ID, laurel.ID{}) // zero: none is chosen yet
	return err
}

// maxWinners is how many bidders win: an auction has no more items.
const maxWinners = 50

// readWinners adds to each item that was won its winner, the winning bid and the mint.
func (c *call) readWinners(d *auctionData) error {
	scope, page := c.Scope.At(c.Site.ID), laurel.PageRequest{Limit: maxWinners}
	f := report.BidFilter{AuctionID: d.Auction.ID, Statuses: []string{auctions.Fulfilled}}
	winningBids, err := c.Report.Bids(c.Context(), scope, f, page)
	if err != nil {
		return err
	}
	mints, err := c.Report.Mints(c.Context(), scope, report.MintFilter{AuctionID: d.Auction.ID}, page)
	if err != nil {
		return err
	}
	people, err := c.ReadPeople(web.UniqueIDs(winningBids.Data, func(b report.Bid) laurel.ID { return b.UserID }))
	for i := range d.Items {
		row := &d.Items[i]
		index := slices.IndexFunc(winningBids.Data, func(b report.Bid) bool { return b.ItemID == row.ID })
		if index < 0 {
			continue
		}
		bid := winningBids.Data[index]
		row.Winner, row.Bid = people[bid.UserID], bid.Amount
		for _, m := range mints.Data { // each bidder wins one item at most
			if m.UserID == row.Winner.ID {
				row.Mint = m
			}
		}
	}
	return err
}

// bidChartSpans is into how many spans of time the chart of bids parts an auction.
const bidChartSpans = 48

// readBidChart draws the best bid over time, from the start of the auction until now, its end or its cancellation,
// whichever came first. It draws nothing if nobody has bid.
func (c *call) readBidChart(d *auctionData) error {
	a := d.Auction
	if a.Bids == 0 {
		return nil
	}
	ends := a.EndsAt.Time
	if now := c.Now(); now.Before(ends) {
		ends = now
	}
	if a.State == auctionCancelled && a.UpdatedAt.Before(ends) {
		ends = a.UpdatedAt.Time
	}
	duration := max(ends.Sub(a.StartsAt.Time), time.Second)
	span := (duration/bidChartSpans + time.Second).Truncate(time.Second) // whole seconds, at least one
	found, err := c.Report.BidSpans(c.Context(), c.Scope.At(c.Site.ID), a.ID, a.StartsAt.Time, span)
	if err != nil {
		return err
	}
	chart := web.DrawSteps(bidSteps(found, a.StartsAt.Time, span, int(duration/span)+1), "span", "best bid")
	d.Chart = &chart
	return nil
}

// bidSteps returns the steps of a chart: for each of count spans of time, of which the first begins at since, the best
// bid at its end and by how much that rose. spans are those with bids, in their order; bids after the last span count
// in it. A span without a bid keeps the best bid of the span before. Each step has a Label, its full time, and a Mark,
// the shorter text at the axis; how short depends on how long all spans are together.
func bidSteps(spans []report.BidSpan, since time.Time, span time.Duration, count int) []web.ChartStep {
	const day, sixDays = 24 * time.Hour, 6 * 24 * time.Hour
	label, mark := "2 Jan, 15:04", "2 Jan"
	switch total := span * time.Duration(count); {
	case total < day:
		label, mark = "15:04:05", "15:04"
	case total < sixDays:
		mark = "Mon 15:04"
	}
	out := make([]web.ChartStep, count)
	best := laurel.Amount(0)
	for i := range out {
		at := since.Add(span * time.Duration(i)).UTC()
		out[i] = web.ChartStep{At: at, Label: at.Format(label), Mark: at.Format(mark)}
		for len(spans) > 0 && (spans[0].Nr <= int64(i) || i == count-1) { // the bids of this span
			out[i].Change += max(0, spans[0].Best-best)
			best, spans = max(best, spans[0].Best), spans[1:]
		}
		out[i].Amount = best
	}
	return out
}

// readBids reads a page of the auction's bids, the highest first, if the role may see members.
func (c *call) readBids(d *auctionData) error {
	if !c.May(admins.SeeMembers) {
		return nil
	}
	page, err := c.PageRequest()
	if err != nil {
		return err
	}
	page.Limit = web.SideListLimit
	list, err := c.auctionBids(d.Auction)(page)
	if err != nil {
		return err
	}
	d.Pager = c.Pager(page, list.HasNextPage, web.LastID(list, bidID))
	d.Bids, err = c.bidRows(list.Data)
	return err
}

func bidID(b report.Bid) laurel.ID { return b.ID }

// auctionBids returns a function that lists a page of the bids of an auction. Bids whose amounts are hidden from the
// admin are left out.
func (c *call) auctionBids(a auctionRow) func(laurel.PageRequest) (laurel.Page[report.Bid], error) {
	return func(page laurel.PageRequest) (laurel.Page[report.Bid], error) {
		f := report.BidFilter{AuctionID: a.ID, OnlyVisible: a.BidsHidden}
		return c.Report.Bids(c.Context(), c.Scope.At(c.Site.ID), f, page)
	}
}

// bidRows adds to each bid the member who made it.
func (c *call) bidRows(list []report.Bid) ([]bidRow, error) {
	people, err := c.ReadPeople(web.UniqueIDs(list, func(b report.Bid) laurel.ID { return b.UserID }))
	out := make([]bidRow, len(list))
	for i, b := range list {
		out[i] = bidRow{b, people[b.UserID]}
	}
	return out, err
}

// exportBids exports the bids of an auction as CSV, the highest first, with the members who made them.
func exportBids(c *call) (web.View, error) {
	a, err := c.getAuction()
	if err != nil {
		return web.View{}, err
	}
	rows := func(list []report.Bid) ([][]string, error) {
		found, err := c.bidRows(list)
		return web.CellRows(found, func(b bidRow) []string {
			return []string{
				web.IdCell(b.ID), web.IdCell(b.UserID), b.Who.Name, b.Who.Wallet, b.Amount.String(), b.Status, web.IdCell(b.ItemID),
				web.TimeCell(b.CreatedAt), web.TimeCell(b.UpdatedAt),
			}
		}), err
	}
	head := []string{"id", "member", "name", "walletAddress", "amount", "status", "itemId", "made", "changed"}
	return web.ExportCSV("bids-"+a.ID.String()+".csv", head, web.PagedRows(c.auctionBids(a), bidID, rows))
}

// addAuctionItem adds an item to an auction that has not ended. If the service refuses it, the page of the auction is
// shown with the faults.
func addAuctionItem(c *call) (web.View, error) {
	a, err := c.getAuction()
	if err != nil {
		return web.View{}, err
	}
	var faults laurel.Faults
	lines := []auctionItem{{Asset: c.PostFormValue("item"), Quantity: c.PostFormValue("quantity")}}
	items := itemInputs(lines, &faults)
	if err = faults.Err(); err == nil {
		_, err = c.Auctions.AddItems(c.Context(), c.Scope.At(c.Site.ID), a.ID, items)
	}
	if err == nil {
		return c.Redirect(c.SitePath("auctions", a.ID), "Item added. Its stock is reserved.")
	}
	d, readErr := c.readAuctionData(a)
	if readErr != nil {
		return web.View{}, fmt.Errorf("%w, after: %w", readErr, err)
	}
	return c.ShowRefused(err, "auction", a.Name+", auction", func(refusal web.Refusal) any {
		d.Input = form.TypedOf(c.PostForm, "item", "quantity")
		d.Refusal = web.Refusal{Faults: map[string]string{}, Error: refusal.Error}
		fieldOf := map[string]string{ // the form has one item, so its fields have no place in a list
			auctionItem{}.Path("quantity"): "quantity", auctionItem{}.Path("mintingContractAssetId"): "item",
		}
		for path, fault := range refusal.Faults {
			d.Faults[fieldOf[path]] = fault
		}
		return d
	})
}

// confirmCancelAuction shows the page that asks before an auction is cancelled.
func confirmCancelAuction(c *call) (web.View, error) {
	a, err := c.getAuction()
	if err != nil {
		return web.View{}, err
	}
	d := &auctionData{Auction: a}
	if err := c.readAuctionItems(d); err != nil {
		return web.View{}, err
	}
	return web.Show("auction-cancel", "Cancel "+a.Name+"?", d)
}

// cancelAuction cancels an auction. Its notice says how many points went back to how many members.
func cancelAuction(c *call) (web.View, error) {
	a, err := c.getAuction()
	if err != nil {
		return web.View{}, err
	}
	if _, err := c.Auctions.Cancel(c.Context(), c.Scope.At(c.Site.ID), a.ID); err != nil {
		return web.View{}, err
	}
	notice := "Auction cancelled. There were no bids."
	if a.BidTotals.Holding > 0 {
		notice = fmt.Sprintf("Auction cancelled. %s were returned to %s.", a.Sum(a.BidTotals.Held), web.Plural(a.BidTotals.Holding, "member", "members"))
	}
	return c.Redirect(c.SitePath("auctions", a.ID), notice)
}

// parseQuantity parses how many of an item its winner gets. For an empty text it returns nil, which means one. For a
// malformed text it adds a fault with the path.
func parseQuantity(text, path string, faults *laurel.Faults) *int64 {
	if text == "" {
		return nil
	}
	quantity, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		faults.Add(path, "must be a whole number")
	}
	return &quantity
}
