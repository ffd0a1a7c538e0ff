package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"laurel.example/laurel"
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

type auctionRow struct {
	ID, Name, Status string
	EndsAt           time.Time
}

func (r auctionRow) id() string { return r.ID }

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

// tradeBooks has the records of the service about everything that was traded.
type tradeBooks struct {
	balances map[string]laurel.Amount // by wallet
	issued   laurel.Amount            // the main account
	holds    []holdRow
	mints    []mintRow
	assets   map[string]assetRow
	auctions map[string]auctionRow // by id
	bids     []bidRow
	claims   []allocationRow
}

// isSettled reports whether no points are still to be given back: no hold is past its expiry, no auction runs and no
// bid is open.
func (b tradeBooks) isSettled(now time.Time) bool {
	for _, h := range b.holds {
		if h.Status == "held" && h.ExpiresAt.Before(now) {
			return false
		}
	}
	for _, s := range b.auctions {
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

// readStableTradeBooks reads all records, and then those that change by themselves once more. If these have changed
// meanwhile, it reads everything again, up to 20 times.
func (t *trade) readStableTradeBooks(ctx context.Context) (tradeBooks, error) {
	for range 20 {
		b, err := t.readTradeBooks(ctx)
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

// fingerprint returns, as a text, how many holds, auctions and bids there are of each status. So it changes when one of
// them ends by itself.
func (b tradeBooks) fingerprint() string {
	count := map[string]int{}
	for _, h := range b.holds {
		count["hold "+h.Status]++
	}
	for _, s := range b.auctions {
		count["auction "+s.Status]++
	}
	for _, r := range b.bids {
		count["bid "+r.Status]++
	}
	return fmt.Sprint(count)
}

// readMovingRecords reads the records that change by themselves: holds, auctions and bids.
func (t *trade) readMovingRecords(ctx context.Context) (b tradeBooks, err error) {
	address := t.address(0)
	if b.holds, err = readAll[holdRow](ctx, t.client, address, "/api/loyalty/holds?limit=1000"); err != nil {
		return b, err
	}
	sales, err := readAll[auctionRow](ctx, t.client, address, "/api/auctions?limit=1000")
	if err != nil {
		return b, err
	}
	b.auctions = map[string]auctionRow{}
	for _, s := range sales {
		b.auctions[s.ID] = s
	}
	b.bids, err = readAll[bidRow](ctx, t.client, address, "/api/auction_bids?limit=1000")
	return b, err
}

// readTradeBooks reads all records of the service about the trade.
func (t *trade) readTradeBooks(ctx context.Context) (tradeBooks, error) {
	b, err := t.readMovingRecords(ctx)
	if err != nil {
		return b, err
	}
	address, currency := t.address(0), "loyaltyCurrencyId="+t.created.LoyaltyCurrencyID
	b.balances, b.assets = map[string]laurel.Amount{}, map[string]assetRow{}
	accounts, err := readAll[account](ctx, t.client, address, "/api/loyalty/accounts?limit=1000&"+currency)
	if err != nil {
		return b, err
	}
	for _, a := range accounts {
		if a.User != nil {
			b.balances[a.User.WalletAddress] = a.Amount
		}
	}
	main, err := readAll[account](ctx, t.client, address, "/api/loyalty/accounts?userId=&"+currency)
	if err != nil {
		return b, err
	}
	for _, a := range main {
		b.issued += a.Amount
	}
	if b.mints, err = readAll[mintRow](ctx, t.client, address, "/api/minting/status?limit=1000"); err != nil {
		return b, err
	}
	assets, err := readAll[assetRow](ctx, t.client, address, "/api/minting/assets?limit=1000")
	if err != nil {
		return b, err
	}
	for _, a := range assets {
		b.assets[a.ID] = a
	}
	b.claims, err = readAll[allocationRow](ctx, t.client, address, "/api/token_claims/"+t.tokenClaim+"/users?limit=1000")
	return b, err
}

// tradeChecker is one comparison of the books with the model. expectedBalances are the points that each house must have
// left.
type tradeChecker struct {
	*trade
	tradeBooks
	expectedBalances map[string]laurel.Amount
	findings         []string
}

// check compares the books, which are the records of the service, with the model, which is what the members know, and
// returns what is wrong. Each finding begins with its kind: lost, twice, refused, stranger, amount, final, stock, sale,
// claim, balance.
func (t *trade) check(b tradeBooks) []string {
	c := &tradeChecker{trade: t, tradeBooks: b, expectedBalances: map[string]laurel.Amount{}}
	for _, m := range t.members {
		c.expectedBalances[m.house] += m.funds()
	}
	c.checkHolds()
	c.checkMints()
	c.checkAuctions()
	c.checkTokenClaims()
	c.checkBalances()
	return c.findings
}

// addMismatch records that something is wrong.
func (c *tradeChecker) addMismatch(format string, args ...any) {
	c.findings = append(c.findings, fmt.Sprintf(format, args...))
}

// checkOnce checks that the record which a request makes is there as often as its outcome says; times is how often it
// is there. It reports whether that is exactly once.
func (c *tradeChecker) checkOnce(d *keyedRequest, times int) bool {
	switch {
	case d.outcome == done && times == 0:
		c.addMismatch("lost: %s was acknowledged and is not there", d.op)
	case times > 1:
		c.addMismatch("twice: %s is there %d times", d.op, times)
	case d.outcome == refused && times > 0:
		c.addMismatch("refused: %s was refused (%q) and is there all the same", d.op, d.refusal)
	}
	return times == 1
}

// checkHolds checks holds: their amounts, and that an acknowledged capture or release is final. It subtracts what is
// held and captured from the expected balances.
func (c *tradeChecker) checkHolds() {
	rows := map[string][]holdRow{}
	for _, r := range c.holds {
		rows[r.Metadata.Op] = append(rows[r.Metadata.Op], r)
	}
	for _, h := range c.placedHolds {
		found := rows[h.op]
		delete(rows, h.op)
		if !c.checkOnce(h.keyedRequest, len(found)) {
			continue
		}
		r := found[0]
		switch {
		case r.Amount != h.amount:
			c.addMismatch("amount: %s is of %s, want %s", h.op, r.Amount, h.amount)
		case h.end != "" && (r.Status != h.end || r.CapturedAmount != h.captured):
			c.addMismatch("final: %s was %s with %s and is %s with %s", h.op, h.end, h.captured, r.Status, r.CapturedAmount)
		case h.end == "" && r.Status != "held" && (r.Status != "expired" || r.ExpiresAt.After(time.Now())):
			c.addMismatch("final: nobody ended %s, and it is %s", h.op, r.Status)
		}
		if r.Status == "held" {
			c.expectedBalances[h.house] -= r.Amount
		}
		c.expectedBalances[h.house] -= r.CapturedAmount
	}
	for op := range rows {
		c.addMismatch("stranger: nobody asked for the hold %q", op)
	}
}

// checkMints checks mints, the stock of assets and the limit per user. It subtracts prices from the expected balances.
func (c *tradeChecker) checkMints() {
	rows, sum := map[string][]mintRow{}, map[string]int{}
	for _, r := range c.mints {
		sum[r.MintingContractAssetID] += r.Quantity
		if r.Status != "minted" {
			c.addMismatch("stock: mint %s is %s", r.ID, r.Status)
		}
		if r.CustomInputValue != nil {
			rows[*r.CustomInputValue] = append(rows[*r.CustomInputValue], r)
		}
	}
	taken := map[[2]string]int{} // by asset and wallet
	for _, p := range c.purchases {
		found := rows[p.op]
		delete(rows, p.op)
		left := c.assets[p.asset.id].Quantity - c.assets[p.asset.id].QuantityMinted
		if p.outcome == refused && p.refusal == msgSoldOut && left >= p.quantity {
			c.addMismatch("refused: %s was told that %d are too many, and %d are left", p.op, p.quantity, left)
		}
		if !c.checkOnce(p.keyedRequest, len(found)) {
			continue
		}
		price := p.asset.price * laurel.Amount(p.quantity)
		if r := found[0]; r.Price == nil || *r.Price != price || r.Quantity != p.quantity || r.WalletAddress != p.wallet ||
			r.MintingContractAssetID != p.asset.id {
			c.addMismatch("amount: %s is %+v, want %d for %s", p.op, r, p.quantity, price)
		}
		c.expectedBalances[p.house] -= price
		taken[[2]string{p.asset.id, p.wallet}] += p.quantity
		if n := taken[[2]string{p.asset.id, p.wallet}]; p.asset.limit > 0 && n > p.asset.limit {
			c.addMismatch("stock: %s has %d of shelf %s, the limit is %d", p.wallet, n, p.asset.id, p.asset.limit)
		}
	}
	for op := range rows {
		c.addMismatch("stranger: nobody asked for the mint %q", op)
	}
	for id, a := range c.assets {
		if a.QuantityMinted != sum[id] || a.QuantityMinted > a.Quantity {
			c.addMismatch("stock: of %d of asset %s %d are minted, its mints are %d", a.Quantity, id, a.QuantityMinted, sum[id])
		}
	}
}

// checkAuctions checks auctions, their bids, and that winners have their mints. The winners follow from the bids that
// were acknowledged.
func (c *tradeChecker) checkAuctions() {
	bidsOf := map[*auction][]*bid{}
	for _, b := range c.placedBids {
		bidsOf[b.auction] = append(bidsOf[b.auction], b)
	}
	rows := map[string][]bidRow{}
	for _, r := range c.bids {
		key := r.AuctionID + " " + r.Amount.String()
		rows[key] = append(rows[key], r)
	}
	wins := map[string]int{}
	for _, s := range c.trade.auctions {
		row, exists := c.tradeBooks.auctions[s.id]
		switch {
		case !exists:
			c.addMismatch("lost: %s was acknowledged and is not there", s.op)
			continue
		case s.cancelled != (row.Status == "cancelled"):
			c.addMismatch("sale: %s is %s; its cancellation was acknowledged: %v", s.op, row.Status, s.cancelled)
		}
		c.checkBids(s, row, bidsOf[s], rows, wins)
	}
	for key := range rows {
		c.addMismatch("stranger: nobody made the bid %s", key)
	}
	for _, r := range c.mints {
		if r.CustomInputValue == nil { // a mint for a won item: those of purchases have the id of the request
			wins[r.WalletAddress]--
		}
	}
	for wallet, n := range wins {
		if n != 0 {
			c.addMismatch("sale: %s has %d mints less than it has won", wallet, n)
		}
	}
}

// checkBids checks the bids of one auction, and subtracts what they cost from the expected balances. It removes their
// rows from rows, which are by auction and amount, and counts the wins of each wallet in wins.
func (c *tradeChecker) checkBids(
	s *auction, row auctionRow, bids []*bid, rows map[string][]bidRow, wins map[string]int,
) {
	best, isEffective := effectiveBids(s, bids), map[*bid]bool{}
	for _, b := range best {
		isEffective[b] = true
	}
	price := winningPrices(s, best) // of winning bids only
	for _, b := range bids {
		key := s.id + " " + b.amount.String()
		found := rows[key]
		delete(rows, key)
		if !c.checkOnce(b.keyedRequest, len(found)) {
			continue
		}
		if found[0].User.WalletAddress != b.wallet {
			c.addMismatch("sale: the bid %s is of %s, want %s", b.op, found[0].User.WalletAddress, b.wallet)
		}
		allowed := []string{"rejected"}
		switch _, won := price[b]; {
		case row.Status == "completed" && won:
			allowed = []string{"fulfilled"}
			wins[b.wallet]++
		case row.Status == "in_progress" && isEffective[b]:
			allowed = []string{"accepted"}
		case isEffective[b]:
			allowed = []string{"rejected", "accepted"} // until it is paid back
		}
		status := found[0].Status
		if status != allowed[0] && status != allowed[len(allowed)-1] {
			c.addMismatch("sale: the bid %s of %s in the %s auction %s, which is %s, is %s, want %s", b.op, b.amount, s.kind, s.op, row.Status, status, allowed)
		}
		switch status {
		case "accepted":
			c.expectedBalances[b.house] -= b.amount
		case "fulfilled":
			c.expectedBalances[b.house] -= price[b]
		}
	}
}

// checkTokenClaims checks that the service shows a member as having claimed if, and only if, a claim of that member was
// acknowledged.
func (c *tradeChecker) checkTokenClaims() {
	want := maps.Clone(c.claimed)
	for _, r := range c.claims {
		if r.ClaimedAt == nil {
			continue
		}
		if !want[r.User.WalletAddress] {
			c.addMismatch("claim: %s has claimed, and was never told so", r.User.WalletAddress)
		}
		delete(want, r.User.WalletAddress)
	}
	for wallet := range want {
		c.addMismatch("claim: the claim of %s was acknowledged and is not there", wallet)
	}
}

// checkBalances checks that each house has its expected balance, and that the main account has paid all of it.
func (c *tradeChecker) checkBalances() {
	has, all := map[string]laurel.Amount{}, laurel.Amount(0)
	for _, m := range c.members {
		amount := c.balances[m.wallet]
		if amount < 0 {
			c.addMismatch("balance: %s has %s", m.wallet, amount)
		}
		has[m.house] += amount
		all += amount
	}
	for house, want := range c.expectedBalances {
		if has[house] != want {
			c.addMismatch("balance: %s has %s, want %s", house, has[house], want)
		}
	}
	if c.issued != -all {
		c.addMismatch("balance: the main account is %s, the members have %s", c.issued, all)
	}
}
