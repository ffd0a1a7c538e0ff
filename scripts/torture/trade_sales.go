package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"laurel.example/laurel"
)

// auction is an auction that the shopkeeper has created.
type auction struct {
	*keyedRequest
	id           string
	kind         string
	items        int
	minBid       laurel.Amount // minBidAmount
	reservePrice laurel.Amount // 0: none
	ends         time.Time     // without an extension by late bids
	cancelled    bool          // the cancellation was acknowledged
	bestBid      laurel.Amount // the best acknowledged bid
}

// bid is an offer of a member. No two bids of an auction have one amount.
type bid struct {
	*keyedRequest
	auction       *auction
	house, wallet string
	amount        laurel.Amount
}

// bid bids in one of the newest auctions. In an English auction, where bids are public, it bids more than the best bid
// that is known, else more than the member's own last bid.
func (m *trader) bid(ctx context.Context) {
	m.mu.Lock()
	if len(m.auctions) == 0 {
		m.mu.Unlock()
		return
	}
	s := m.auctions[len(m.auctions)-1-m.rng.IntN(min(6, len(m.auctions)))]
	floor := m.bestBids[s]
	if s.kind == "english" {
		floor = max(floor, s.bestBid)
	}
	m.mu.Unlock()
	whole := (max(floor, s.minBid)/laurel.One + 1 + laurel.Amount(m.rng.IntN(4))) * laurel.One
	op := m.newID("bid")
	// a fraction of a point by member and bid, so that no two bids of an auction have the same amount
	uniquePart := laurel.Amount(1000*(m.number+1) + m.idCount%1000)
	b := &bid{auction: s, house: m.house, wallet: m.wallet, amount: whole + uniquePart}
	b.keyedRequest = m.repeatUntilKnown(ctx, m.number, &keyedRequest{op: op, request: post("/api/auction_bids", map[string]any{
		"auctionId": s.id, "walletAddress": m.wallet, "amount": b.amount,
	})})
	m.mu.Lock()
	defer m.mu.Unlock()
	m.placedBids = append(m.placedBids, b)
	if b.outcome == done {
		m.bestBids[s] = b.amount
		s.bestBid = max(s.bestBid, b.amount)
	}
}

// shopkeeper creates auctions and assets for sale, and cancels some auctions.
type shopkeeper struct {
	*trade
	rng     *rand.Rand
	idCount int
}

// run creates auctions and assets until the members stop.
func (k *shopkeeper) run(ctx context.Context) {
	every := 1500 * time.Millisecond
	if !k.isLong {
		every = 300 * time.Millisecond
	}
	for !k.stopped.Load() && ctx.Err() == nil {
		if k.idCount%3 == 0 {
			k.createAssetForSale(ctx)
		}
		k.createAuction(ctx)
		time.Sleep(every)
	}
}

// newID returns an id for the next thing that the shopkeeper does.
func (k *shopkeeper) newID(what string) string {
	k.idCount++
	return fmt.Sprintf("%s-%d", what, k.idCount)
}

// createAssetForSale creates an asset with a small stock, with a limit per user or without.
func (k *shopkeeper) createAssetForSale(ctx context.Context) {
	s := &assetForSale{
		contract: k.unlimitedContract, price: laurel.Amount(k.rng.IntN(12)) * 250_000, quantity: 10 + k.rng.IntN(60),
	}
	if k.rng.IntN(2) == 0 {
		s.contract, s.limit = k.limitedContract, userLimit
	}
	op := k.newID("shelf")
	d := k.repeatUntilKnown(ctx, k.idCount, &keyedRequest{op: op, request: post("/api/minting/assets", map[string]any{
		"mintingContractId": s.contract, "name": op, "price": s.price, "quantity": s.quantity, "isListed": true,
		"loyaltyCurrencyId": k.created.LoyaltyCurrencyID,
	})})
	if s.id = decodeID(d.body); s.id == "" {
		return // the response was lost, so no one can buy it
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.assetsForSale = append(k.assetsForSale, s)
}

// decodeID returns the id in the body of a response; "" if there is none.
func decodeID(body []byte) string {
	var response struct{ ID string }
	_ = json.Unmarshal(body, &response)
	return response.ID
}

// createAuction creates an auction of random type and items that ends soon. One of five auctions is cancelled, at a
// random time before its end or shortly after.
func (k *shopkeeper) createAuction(ctx context.Context) {
	s := &auction{
		kind: []string{"english", "first_price", "second_price"}[k.rng.IntN(3)], items: k.rng.IntN(4),
		minBid: points(1 + k.rng.IntN(5)),
	}
	lasts := time.Duration(4000+k.rng.IntN(8000)) * time.Millisecond
	if !k.isLong {
		lasts /= 6
	}
	s.ends = time.Now().Add(lasts)
	items := []map[string]any{}
	if s.kind == "english" {
		s.items = min(s.items, 1)
	}
	for range s.items {
		items = append(items, map[string]any{"mintingContractAssetId": k.prizeAsset})
	}
	op := k.newID("auction")
	body := map[string]any{
		"name": op, "type": s.kind, "startsAt": s.ends.Add(-time.Hour), "endsAt": s.ends,
		"loyaltyCurrencyId": k.created.LoyaltyCurrencyID, "minBidAmount": s.minBid, "mintingContractId": k.unlimitedContract,
		"auctionItems": items,
	}
	if k.rng.IntN(3) == 0 {
		s.reservePrice = points(6 + k.rng.IntN(20))
		body["reservePrice"] = s.reservePrice
	}
	if s.kind == "english" && k.rng.IntN(2) == 0 {
		body["extendedDurationInSeconds"], body["minBidIncrement"] = 1, "0.5"
	}
	s.keyedRequest = k.repeatUntilKnown(ctx, k.idCount, &keyedRequest{op: op, request: post("/api/auctions", body)})
	s.id = decodeID(s.body)
	k.mu.Lock()
	k.auctions = append(k.auctions, s)
	if s.id == "" {
		k.auctions = k.auctions[:len(k.auctions)-1] // the response was lost, so no one can bid in it
	}
	k.mu.Unlock()
	if s.id == "" || k.rng.IntN(5) > 0 {
		return
	}
	delay, cancel := time.Duration(k.rng.Int64N(int64(lasts*5/4))), k.newID("cancel")
	k.wg.Go(func() { k.cancelAuction(ctx, s, cancel, delay) })
}

// cancelAuction cancels an auction after a delay. A refusal is a finding unless the auction may have ended.
func (t *trade) cancelAuction(ctx context.Context, s *auction, op string, delay time.Duration) {
	time.Sleep(delay)
	request := post("/api/auctions/"+s.id+"/cancel", map[string]any{})
	d := t.repeatUntilKnown(ctx, 0, &keyedRequest{op: op, request: request})
	t.mu.Lock()
	defer t.mu.Unlock()
	s.cancelled = d.outcome == done
	if d.outcome == refused && (d.refusal != msgEnded || time.Now().Before(s.ends)) {
		t.findings = append(t.findings, fmt.Sprintf("refused: %s was not cancelled before its end: %s", s.op, d.refusal))
	}
}

// effectiveBids returns the acknowledged bids of an auction that count at its end, the best first: in an English
// auction only the best, else the last one of each member.
func effectiveBids(s *auction, bids []*bid) []*bid {
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

// winningPrices returns what each winning bid pays, computed independently of the service (contract 5.18). best are the
// effective bids, the best first. Bids that are not in the result have lost.
func winningPrices(s *auction, best []*bid) map[*bid]laurel.Amount {
	out := map[*bid]laurel.Amount{}
	for i, b := range best {
		if i >= s.items || b.amount < s.reservePrice {
			break
		}
		out[b] = b.amount
		if s.kind != "second_price" {
			continue
		}
		price := s.minBid
		if i+1 < len(best) {
			price = best[i+1].amount
		}
		out[b] = max(price, s.reservePrice)
	}
	return out
}
