package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"laurel"
)

// sale is an auction.
type sale struct {
	*deal
	id        string
	kind      string
	items     int
	least     laurel.Amount // minBidAmount
	reserve   laurel.Amount // 0: none
	ends      time.Time     // without extensions
	cancelled bool          // that was acknowledged
	top       laurel.Amount // the best acknowledged bid
}

// bid is an offer of a member. No two bids of an auction have one amount.
type bid struct {
	*deal
	sale          *sale
	house, wallet string
	amount        laurel.Amount
}

// bid bids in one of the last auctions: in an open one more than the best that is known, else more than before.
func (m *trader) bid(ctx context.Context) {
	m.mu.Lock()
	if len(m.sales) == 0 {
		m.mu.Unlock()
		return
	}
	s := m.sales[len(m.sales)-1-m.rng.IntN(min(6, len(m.sales)))]
	floor := m.best[s]
	if s.kind == "english" {
		floor = max(floor, s.top)
	}
	m.mu.Unlock()
	whole := (max(floor, s.least)/laurel.One + 1 + laurel.Amount(m.rng.IntN(4))) * laurel.One
	op := m.name("bid")
	unlike := laurel.Amount(1000*(m.number+1) + m.count%1000)
	b := &bid{sale: s, house: m.house, wallet: m.wallet, amount: whole + unlike}
	b.deal = m.repeatUntilKnown(ctx, m.number, &deal{op: op, request: post("/api/auction_bids", map[string]any{
		"auctionId": s.id, "walletAddress": m.wallet, "amount": b.amount,
	})})
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bids = append(m.bids, b)
	if b.outcome == done {
		m.best[s] = b.amount
		s.top = max(s.top, b.amount)
	}
}

// shopkeeper makes auctions and shelves, and cancels some auctions.
type shopkeeper struct {
	*trade
	rng   *rand.Rand
	count int
}

// run goes on until the members stop.
func (k *shopkeeper) run(ctx context.Context) {
	every := 1500 * time.Millisecond
	if !k.long {
		every = 300 * time.Millisecond
	}
	for !k.stopped.Load() && ctx.Err() == nil {
		if k.count%3 == 0 {
			k.replenish(ctx)
		}
		k.createAuction(ctx)
		time.Sleep(every)
	}
}

func (k *shopkeeper) name(what string) string {
	k.count++
	return fmt.Sprintf("%s-%d", what, k.count)
}

// replenish makes a shelf, without a limit per user or with one.
func (k *shopkeeper) replenish(ctx context.Context) {
	s := &shelf{contract: k.contract, price: laurel.Amount(k.rng.IntN(12)) * 250_000, quantity: 10 + k.rng.IntN(60)}
	if k.rng.IntN(2) == 0 {
		s.contract, s.limit = k.limited, userLimit
	}
	op := k.name("shelf")
	d := k.repeatUntilKnown(ctx, k.count, &deal{op: op, request: post("/api/minting/assets", map[string]any{
		"mintingContractId": s.contract, "name": op, "price": s.price, "quantity": s.quantity, "isListed": true,
		"loyaltyCurrencyId": k.made.LoyaltyCurrencyID,
	})})
	if s.id = idOf(d.body); s.id == "" {
		return // the answer was lost, and nobody buys there
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.shelves = append(k.shelves, s)
}

func idOf(body []byte) string {
	var response struct{ ID string }
	_ = json.Unmarshal(body, &response)
	return response.ID
}

// createAuction makes one that ends soon, and has every fifth cancelled meanwhile.
func (k *shopkeeper) createAuction(ctx context.Context) {
	s := &sale{
		kind: []string{"english", "first_price", "second_price"}[k.rng.IntN(3)], items: k.rng.IntN(4),
		least: points(1 + k.rng.IntN(5)),
	}
	lasts := time.Duration(4000+k.rng.IntN(8000)) * time.Millisecond
	if !k.long {
		lasts /= 6
	}
	s.ends = time.Now().Add(lasts)
	items := []map[string]any{}
	if s.kind == "english" {
		s.items = min(s.items, 1)
	}
	for range s.items {
		items = append(items, map[string]any{"mintingContractAssetId": k.prize})
	}
	op := k.name("auction")
	body := map[string]any{
		"name": op, "type": s.kind, "startsAt": s.ends.Add(-time.Hour), "endsAt": s.ends,
		"loyaltyCurrencyId": k.made.LoyaltyCurrencyID, "minBidAmount": s.least, "mintingContractId": k.contract,
		"auctionItems": items,
	}
	if k.rng.IntN(3) == 0 {
		s.reserve = points(6 + k.rng.IntN(20))
		body["reservePrice"] = s.reserve
	}
	if s.kind == "english" && k.rng.IntN(2) == 0 {
		body["extendedDurationInSeconds"], body["minBidIncrement"] = 1, "0.5"
	}
	s.deal = k.repeatUntilKnown(ctx, k.count, &deal{op: op, request: post("/api/auctions", body)})
	s.id = idOf(s.body)
	k.mu.Lock()
	k.sales = append(k.sales, s)
	if s.id == "" {
		k.sales = k.sales[:len(k.sales)-1] // the answer was lost, and nobody bids there
	}
	k.mu.Unlock()
	if s.id == "" || k.rng.IntN(5) > 0 {
		return
	}
	after, cancel := time.Duration(k.rng.Int64N(int64(lasts*5/4))), k.name("cancel")
	k.wg.Go(func() { k.cancel(ctx, s, cancel, after) })
}

// cancel cancels an auction after a while; by then it may have ended.
func (t *trade) cancel(ctx context.Context, s *sale, op string, after time.Duration) {
	time.Sleep(after)
	d := t.repeatUntilKnown(ctx, 0, &deal{op: op, request: post("/api/auctions/"+s.id+"/cancel", map[string]any{})})
	t.mu.Lock()
	defer t.mu.Unlock()
	s.cancelled = d.outcome == done
	if d.outcome == refused && (d.refusal != msgEnded || time.Now().Before(s.ends)) {
		t.wrong = append(t.wrong, fmt.Sprintf("refused: %s was not cancelled before its end: %s", s.op, d.refusal))
	}
}

// finalBids returns the bids of an auction that stand at the end, the best first: in an english one the best alone,
// else each member's last.
func finalBids(s *sale, bids []*bid) []*bid {
	last := map[string]*bid{}
	for _, b := range bids {
		key := b.wallet
		if s.kind == "english" {
			key = ""
		}
		if b.outcome == done && (last[key] == nil || b.amount > last[key].amount) {
			last[key] = b
		}
	}
	out := make([]*bid, 0, len(last))
	for _, b := range last {
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b *bid) int { return cmp.Compare(b.amount, a.amount) })
	return out
}

// prices returns what winners pay, by bid, worked out anew (contract 5.18).
func prices(s *sale, final []*bid) map[*bid]laurel.Amount {
	out := map[*bid]laurel.Amount{}
	for i, b := range final {
		if i >= s.items || b.amount < s.reserve {
			break
		}
		out[b] = b.amount
		if s.kind != "second_price" {
			continue
		}
		price := s.least
		if i+1 < len(final) {
			price = final[i+1].amount
		}
		out[b] = max(price, s.reserve)
	}
	return out
}
