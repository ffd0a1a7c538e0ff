package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"laurel"
)

type holdRow struct {
	ID, Status             string
	Amount, CapturedAmount laurel.Amount
	ExpiresAt              time.Time
	Metadata               struct{ Op string }
}

func (r holdRow) id() string { return r.ID }

type mintRow struct {
	ID, Status, WalletAddress, MintingContractAssetID string
	Quantity                                          int
	Price                                             *laurel.Amount
	CustomInputValue                                  *string
}

func (r mintRow) id() string { return r.ID }

type assetRow struct {
	ID                       string
	Quantity, QuantityMinted int
}

func (r assetRow) id() string { return r.ID }

type saleRow struct {
	ID, Name, Status string
	EndsAt           time.Time
}

func (r saleRow) id() string { return r.ID }

type bidRow struct {
	ID, AuctionID, Status string
	Amount                laurel.Amount
	User                  struct{ WalletAddress string }
}

func (r bidRow) id() string { return r.ID }

type allocationRow struct {
	ID        string
	ClaimedAt *time.Time
	User      struct{ WalletAddress string }
}

func (r allocationRow) id() string { return r.ID }

// tradeBooks is what the service says of everything that was traded.
type tradeBooks struct {
	balances map[string]laurel.Amount // by wallet
	issued   laurel.Amount            // the main account
	holds    []holdRow
	mints    []mintRow
	assets   map[string]assetRow
	sales    map[string]saleRow // by id
	bids     []bidRow
	claims   []allocationRow
}

// isSettled reports whether nothing is still to be given back.
func (b tradeBooks) isSettled(now time.Time) bool {
	for _, h := range b.holds {
		if h.Status == "held" && h.ExpiresAt.Before(now) {
			return false
		}
	}
	for _, s := range b.sales {
		if s.Status == "in_progress" {
			return false
		}
	}
	for _, r := range b.bids {
		if r.Status == "accepted" {
			return false
		}
	}
	return true
}

// tradeBooks reads everything between two looks at what moves by itself that are the same.
func (t *trade) tradeBooks(ctx context.Context) (tradeBooks, error) {
	for range 20 {
		b, err := t.readTrade(ctx)
		if err != nil {
			return b, err
		}
		again, err := t.readMovingRecords(ctx)
		if err != nil {
			return b, err
		}
		if again.fingerprint() == b.fingerprint() {
			return b, nil
		}
	}
	return tradeBooks{}, errors.New("what is traded never rests")
}

// fingerprint stands for the statuses of all that may end by itself.
func (b tradeBooks) fingerprint() string {
	count := map[string]int{}
	for _, h := range b.holds {
		count["hold "+h.Status]++
	}
	for _, s := range b.sales {
		count["auction "+s.Status]++
	}
	for _, r := range b.bids {
		count["bid "+r.Status]++
	}
	return fmt.Sprint(count)
}

// readMovingRecords reads holds, auctions and bids.
func (t *trade) readMovingRecords(ctx context.Context) (b tradeBooks, err error) {
	address := t.address(0)
	if b.holds, err = all[holdRow](ctx, t.client, address, "/api/loyalty/holds?limit=1000"); err != nil {
		return b, err
	}
	sales, err := all[saleRow](ctx, t.client, address, "/api/auctions?limit=1000")
	if err != nil {
		return b, err
	}
	b.sales = map[string]saleRow{}
	for _, s := range sales {
		b.sales[s.ID] = s
	}
	b.bids, err = all[bidRow](ctx, t.client, address, "/api/auction_bids?limit=1000")
	return b, err
}

func (t *trade) readTrade(ctx context.Context) (tradeBooks, error) {
	b, err := t.readMovingRecords(ctx)
	if err != nil {
		return b, err
	}
	address, currency := t.address(0), "loyaltyCurrencyId="+t.made.LoyaltyCurrencyID
	b.balances, b.assets = map[string]laurel.Amount{}, map[string]assetRow{}
	accounts, err := all[account](ctx, t.client, address, "/api/loyalty/accounts?limit=1000&"+currency)
	if err != nil {
		return b, err
	}
	for _, a := range accounts {
		if a.User != nil {
			b.balances[a.User.WalletAddress] = a.Amount
		}
	}
	main, err := all[account](ctx, t.client, address, "/api/loyalty/accounts?userId=&"+currency)
	if err != nil {
		return b, err
	}
	for _, a := range main {
		b.issued += a.Amount
	}
	if b.mints, err = all[mintRow](ctx, t.client, address, "/api/minting/status?limit=1000"); err != nil {
		return b, err
	}
	assets, err := all[assetRow](ctx, t.client, address, "/api/minting/assets?limit=1000")
	if err != nil {
		return b, err
	}
	for _, a := range assets {
		b.assets[a.ID] = a
	}
	b.claims, err = all[allocationRow](ctx, t.client, address, "/api/token_claims/"+t.claim+"/users?limit=1000")
	return b, err
}

// tradeChecker compares the books with the model. owed is what each house must have left.
type tradeChecker struct {
	*trade
	tradeBooks
	owed  map[string]laurel.Amount
	found []string
}

// check returns what is wrong, each finding under its name: lost, twice, refused, stranger, amount, final, stock, sale,
// claim, balance.
func (t *trade) check(b tradeBooks) []string {
	c := &tradeChecker{trade: t, tradeBooks: b, owed: map[string]laurel.Amount{}}
	for _, m := range t.members {
		c.owed[m.house] += m.funds()
	}
	c.checkHolds()
	c.checkMints()
	c.checkAuctions()
	c.checkTokenClaims()
	c.checkBalances()
	return c.found
}

func (c *tradeChecker) report(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

// checkOnce demands that a deal is there as often as its outcome says, and reports whether it is.
func (c *tradeChecker) checkOnce(d *deal, times int) bool {
	switch {
	case d.outcome == done && times == 0:
		c.report("lost: %s was acknowledged and is not there", d.op)
	case times > 1:
		c.report("twice: %s is there %d times", d.op, times)
	case d.outcome == refused && times > 0:
		c.report("refused: %s was refused (%q) and is there all the same", d.op, d.refusal)
	}
	return times == 1
}

// checkHolds checks holds: what was acknowledged of their ends is final.
func (c *tradeChecker) checkHolds() {
	rows := map[string][]holdRow{}
	for _, r := range c.tradeBooks.holds {
		rows[r.Metadata.Op] = append(rows[r.Metadata.Op], r)
	}
	for _, h := range c.trade.holds {
		found := rows[h.op]
		delete(rows, h.op)
		if !c.checkOnce(h.deal, len(found)) {
			continue
		}
		r := found[0]
		switch {
		case r.Amount != h.amount:
			c.report("amount: %s is of %s, want %s", h.op, r.Amount, h.amount)
		case h.end != "" && (r.Status != h.end || r.CapturedAmount != h.captured):
			c.report("final: %s was %s with %s and is %s with %s", h.op, h.end, h.captured, r.Status, r.CapturedAmount)
		case h.end == "" && r.Status != "held" && (r.Status != "expired" || r.ExpiresAt.After(time.Now())):
			c.report("final: nobody ended %s, and it is %s", h.op, r.Status)
		}
		if r.Status == "held" {
			c.owed[h.house] -= r.Amount
		}
		c.owed[h.house] -= r.CapturedAmount
	}
	for op := range rows {
		c.report("stranger: nobody asked for the hold %q", op)
	}
}

// checkMints checks mints and the stock that they come from.
func (c *tradeChecker) checkMints() {
	rows, sum := map[string][]mintRow{}, map[string]int{}
	for _, r := range c.mints {
		sum[r.MintingContractAssetID] += r.Quantity
		if r.Status != "minted" {
			c.report("stock: mint %s is %s", r.ID, r.Status)
		}
		if r.CustomInputValue != nil {
			rows[*r.CustomInputValue] = append(rows[*r.CustomInputValue], r)
		}
	}
	taken := map[[2]string]int{} // by shelf and member
	for _, p := range c.purchases {
		found := rows[p.op]
		delete(rows, p.op)
		left := c.assets[p.shelf.id].Quantity - c.assets[p.shelf.id].QuantityMinted
		if p.outcome == refused && p.refusal == msgSoldOut && left >= p.n {
			c.report("refused: %s was told that %d are too many, and %d are left", p.op, p.n, left)
		}
		if !c.checkOnce(p.deal, len(found)) {
			continue
		}
		price := p.shelf.price * laurel.Amount(p.n)
		if r := found[0]; r.Price == nil || *r.Price != price || r.Quantity != p.n || r.WalletAddress != p.wallet ||
			r.MintingContractAssetID != p.shelf.id {
			c.report("amount: %s is %+v, want %d for %s", p.op, r, p.n, price)
		}
		c.owed[p.house] -= price
		taken[[2]string{p.shelf.id, p.wallet}] += p.n
		if n := taken[[2]string{p.shelf.id, p.wallet}]; p.shelf.limit > 0 && n > p.shelf.limit {
			c.report("stock: %s has %d of shelf %s, the limit is %d", p.wallet, n, p.shelf.id, p.shelf.limit)
		}
	}
	for op := range rows {
		c.report("stranger: nobody asked for the mint %q", op)
	}
	for id, a := range c.assets {
		if a.QuantityMinted != sum[id] || a.QuantityMinted > a.Quantity {
			c.report("stock: of %d of asset %s %d are minted, its mints are %d", a.Quantity, id, a.QuantityMinted, sum[id])
		}
	}
}

// checkAuctions checks auctions and their bids: who won follows from the bids that were acknowledged.
func (c *tradeChecker) checkAuctions() {
	of := map[*sale][]*bid{}
	for _, b := range c.trade.bids {
		of[b.sale] = append(of[b.sale], b)
	}
	rows := map[string][]bidRow{}
	for _, r := range c.tradeBooks.bids {
		key := r.AuctionID + " " + r.Amount.String()
		rows[key] = append(rows[key], r)
	}
	wins := map[string]int{}
	for _, s := range c.trade.sales {
		row, there := c.tradeBooks.sales[s.id]
		switch {
		case !there:
			c.report("lost: %s was acknowledged and is not there", s.op)
			continue
		case s.cancelled != (row.Status == "cancelled"):
			c.report("sale: %s is %s; its cancellation was acknowledged: %v", s.op, row.Status, s.cancelled)
		}
		c.checkBids(s, row, of[s], rows, wins)
	}
	for key := range rows {
		c.report("stranger: nobody made the bid %s", key)
	}
	for _, r := range c.mints {
		if r.CustomInputValue == nil {
			wins[r.WalletAddress]--
		}
	}
	for wallet, n := range wins {
		if n != 0 {
			c.report("sale: %s has %d mints less than it has won", wallet, n)
		}
	}
}

// checkBids checks the bids of one auction.
func (c *tradeChecker) checkBids(s *sale, row saleRow, bids []*bid, rows map[string][]bidRow, wins map[string]int) {
	best, stands := finalBids(s, bids), map[*bid]bool{}
	for _, b := range best {
		stands[b] = true
	}
	price := prices(s, best)
	for _, b := range bids {
		key := s.id + " " + b.amount.String()
		found := rows[key]
		delete(rows, key)
		if !c.checkOnce(b.deal, len(found)) {
			continue
		}
		if found[0].User.WalletAddress != b.wallet {
			c.report("sale: the bid %s is of %s, want %s", b.op, found[0].User.WalletAddress, b.wallet)
		}
		may := []string{"rejected"}
		switch _, won := price[b]; {
		case row.Status == "completed" && won:
			may = []string{"fulfilled"}
			wins[b.wallet]++
		case row.Status == "in_progress" && stands[b]:
			may = []string{"accepted"}
		case stands[b]:
			may = []string{"rejected", "accepted"} // until it is paid back
		}
		status := found[0].Status
		if status != may[0] && status != may[len(may)-1] {
			c.report("sale: the bid %s of %s in the %s auction %s, which is %s, is %s, want %s", b.op, b.amount, s.kind, s.op, row.Status, status, may)
		}
		switch status {
		case "accepted":
			c.owed[b.house] -= b.amount
		case "fulfilled":
			c.owed[b.house] -= price[b]
		}
	}
}

// checkTokenClaims checks claims: exactly those that were acknowledged are there.
func (c *tradeChecker) checkTokenClaims() {
	want := maps.Clone(c.claimed)
	for _, r := range c.claims {
		if r.ClaimedAt == nil {
			continue
		}
		if !want[r.User.WalletAddress] {
			c.report("claim: %s has claimed, and was never told so", r.User.WalletAddress)
		}
		delete(want, r.User.WalletAddress)
	}
	for wallet := range want {
		c.report("claim: the claim of %s was acknowledged and is not there", wallet)
	}
}

// checkBalances checks balances: nobody has more or less than is left of his funds, and the main account gave all of
// it.
func (c *tradeChecker) checkBalances() {
	has, all := map[string]laurel.Amount{}, laurel.Amount(0)
	for _, m := range c.members {
		amount := c.balances[m.wallet]
		if amount < 0 {
			c.report("balance: %s has %s", m.wallet, amount)
		}
		has[m.house] += amount
		all += amount
	}
	for house, want := range c.owed {
		if has[house] != want {
			c.report("balance: %s has %s, want %s", house, has[house], want)
		}
	}
	if c.issued != -all {
		c.report("balance: the main account is %s, the members have %s", c.issued, all)
	}
}
