package main

import (
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
)

// fairStory is a small trade with books that agree with it: three members. One captured half of a hold,
// bought two items, won an auction at second price and claimed; the others bid, too.
func fairStory() (*trade, tradeBooks) {
	t := newTrade(&world{seed: 1}, options{short: true})
	t.members, t.tokenClaim = t.members[10:13], "claim"
	w := func(i int) string { return t.members[i].wallet }
	did := func(op string) *keyedRequest { return &keyedRequest{op: op, outcome: done} }
	rack := &assetForSale{id: "shelf", price: points(3), quantity: 5, limit: 2}
	sold := &auction{keyedRequest: did("auction-1"), id: "sale", kind: "second_price", items: 1, minBid: points(1), reservePrice: points(5)}
	t.auctions = []*auction{sold}
	t.placedHolds = []*placedHold{
		{keyedRequest: did("hold-1"), house: w(0), amount: points(10), end: "captured", captured: points(5)},
		{keyedRequest: did("hold-2"), house: w(1), amount: points(10)},
	}
	t.purchases = []*purchase{
		{keyedRequest: did("buy-1"), house: w(0), wallet: w(0), asset: rack, quantity: 2},
		{keyedRequest: &keyedRequest{op: "buy-2", outcome: refused, refusal: msgSoldOut}, house: w(1), wallet: w(1), asset: rack, quantity: 3},
	}
	row := func(id string, amount laurel.Amount, status, wallet string) bidRow {
		r := bidRow{ID: id, AuctionID: "sale", Status: status, Amount: amount}
		r.User.WalletAddress = wallet
		return r
	}
	b := tradeBooks{
		auctions: map[string]auctionRow{"sale": {ID: "sale", Name: "auction-1", Status: "completed"}},
		holds: []holdRow{
			{ID: "h1", Status: "captured", Amount: points(10), CapturedAmount: points(5)},
			{ID: "h2", Status: "held", Amount: points(10), ExpiresAt: time.Now().Add(time.Hour)},
		},
		assets: map[string]assetRow{"shelf": {"shelf", 4, 2}, "prize": {"prize", 10, 1}},
		bids: []bidRow{
			row("b1", points(9), "fulfilled", w(0)), row("b2", points(7), "rejected", w(1)), row("b3", points(2), "accepted", w(2)),
			row("b4", points(6), "rejected", w(0)),
		},
		claims: make([]allocationRow, 2),
	}
	b.holds[0].Metadata.Op, b.holds[1].Metadata.Op = "hold-1", "hold-2"
	for i, r := range b.bids {
		t.placedBids = append(t.placedBids, &bid{
			keyedRequest: did("bid-" + r.ID), auction: sold, house: r.User.WalletAddress, wallet: r.User.WalletAddress, amount: b.bids[i].Amount,
		})
	}
	op, price, now := "buy-1", points(6), time.Now()
	b.mints = []mintRow{
		{ID: "m1", Status: "minted", WalletAddress: w(0), MintingContractAssetID: "shelf", Quantity: 2, Price: &price, CustomInputValue: &op},
		{ID: "m2", Status: "minted", WalletAddress: w(0), MintingContractAssetID: "prize", Quantity: 1},
	}
	b.claims[0].ClaimedAt, b.claims[0].User.WalletAddress, b.claims[1].User.WalletAddress = &now, w(0), w(1)
	t.claimed[w(0)] = true
	b.balances = map[string]laurel.Amount{
		w(0): points(richFunds - 5 - 6 - 7), w(1): points(richFunds - 10), w(2): points(richFunds - 2),
	}
	b.issued = -points(3*richFunds - 5 - 6 - 7 - 10 - 2)
	return t, b
}

func TestEachFaultOfTradeIsNamed(t *testing.T) {
	t.Parallel()
	if tr, b := fairStory(); len(tr.check(b)) > 0 {
		t.Fatalf("sound books: %v", tr.check(b))
	}
	for _, c := range []struct {
		want  string
		fault func(tr *trade, b *tradeBooks)
	}{
		{"lost: hold-1 was acknowledged", func(_ *trade, b *tradeBooks) { b.holds = b.holds[1:] }},
		{"twice: hold-1 is there 2 times", func(_ *trade, b *tradeBooks) { b.holds = append(b.holds, b.holds[0]) }},
		{"stranger: nobody asked for the hold", func(_ *trade, b *tradeBooks) { b.holds[0].Metadata.Op = "hold-x" }},
		{"amount: hold-1 is of 11", func(_ *trade, b *tradeBooks) { b.holds[0].Amount = points(11) }},
		{"final: hold-1 was captured with 5 and is released", func(_ *trade, b *tradeBooks) { b.holds[0].Status = "released" }},
		{"final: hold-1 was captured with 5", func(_ *trade, b *tradeBooks) { b.holds[0].CapturedAmount = points(10) }},
		{"final: nobody ended hold-2, and it is released", func(_ *trade, b *tradeBooks) { b.holds[1].Status = "released" }},
		{"final: nobody ended hold-2, and it is expired", func(_ *trade, b *tradeBooks) { b.holds[1].Status = "expired" }},
		{"lost: buy-1", func(_ *trade, b *tradeBooks) { b.mints = b.mints[1:] }},
		{"twice: buy-1", func(_ *trade, b *tradeBooks) { b.mints = append(b.mints, b.mints[0]) }},
		{"refused: buy-1 was refused", func(tr *trade, _ *tradeBooks) { tr.purchases[0].outcome = refused }},
		{"refused: buy-2 was told that 3 are too many, and 3 are left", func(_ *trade, b *tradeBooks) { b.assets["shelf"] = assetRow{"shelf", 5, 2} }},
		{"stranger: nobody asked for the mint", func(tr *trade, _ *tradeBooks) { tr.purchases = tr.purchases[1:] }},
		{"amount: buy-1", func(_ *trade, b *tradeBooks) { b.mints[0].Quantity = 1 }},
		{"stock: mint m1 is failed", func(_ *trade, b *tradeBooks) { b.mints[0].Status = "failed" }},
		{"stock: of 4 of asset shelf 3 are minted, its mints are 2", func(_ *trade, b *tradeBooks) { b.assets["shelf"] = assetRow{"shelf", 4, 3} }},
		{"stock: of 1 of asset shelf 2 are minted", func(_ *trade, b *tradeBooks) { b.assets["shelf"] = assetRow{"shelf", 1, 2} }},
		{"the limit is 1", func(tr *trade, _ *tradeBooks) { tr.purchases[0].asset.limit = 1 }},
		{"lost: auction-1", func(_ *trade, b *tradeBooks) { delete(b.auctions, "sale") }},
		{"sale: auction-1 is cancelled", func(_ *trade, b *tradeBooks) { b.auctions["sale"] = auctionRow{ID: "sale", Status: "cancelled"} }},
		{"sale: auction-1 is completed; its cancellation was acknowledged", func(tr *trade, _ *tradeBooks) { tr.auctions[0].cancelled = true }},
		{"lost: bid-b3", func(_ *trade, b *tradeBooks) { b.bids = append(b.bids[:2:2], b.bids[3]) }},
		{"stranger: nobody made the bid", func(tr *trade, _ *tradeBooks) { tr.placedBids = tr.placedBids[1:] }},
		{"sale: the bid bid-b1 of 9", func(_ *trade, b *tradeBooks) { b.bids[0].Status = "rejected" }},
		{"sale: the bid bid-b2 of 7", func(_ *trade, b *tradeBooks) { b.bids[1].Status = "fulfilled" }},
		{"sale: the bid bid-b4 of 6", func(_ *trade, b *tradeBooks) { b.bids[3].Status = "accepted" }},
		{"has 1 mints less than it has won", func(_ *trade, b *tradeBooks) { b.mints = b.mints[:1] }},
		{"claim: 0x", func(tr *trade, _ *tradeBooks) { clear(tr.claimed) }},
		{"claim: the claim of 0x", func(_ *trade, b *tradeBooks) { b.claims[0].ClaimedAt = nil }},
		{"balance: 0x", func(tr *trade, b *tradeBooks) { b.balances[tr.members[1].wallet]++; b.issued-- }},
		{"balance: the main account", func(_ *trade, b *tradeBooks) { b.issued++ }},
	} {
		tr, b := fairStory()
		c.fault(tr, &b)
		if found := strings.Join(tr.check(b), "\n"); !strings.Contains(found, c.want) {
			t.Errorf("want %q, found %q", c.want, found)
		}
	}
}

func TestPricesFollowFromTheBidsThatStand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind           string
		items          int
		reserve, least int
		bids           []int // by one member each, but in an english auction
		want           []int
	}{
		{"english", 1, 0, 1, []int{5, 7, 9}, []int{9}},
		{"english", 1, 10, 1, []int{5, 7, 9}, nil},
		{"first_price", 2, 0, 1, []int{5, 7, 9}, []int{9, 7}},
		{"first_price", 2, 8, 1, []int{5, 7, 9}, []int{9}},
		{"second_price", 2, 0, 1, []int{5, 7, 9}, []int{7, 5}},
		{"second_price", 2, 6, 1, []int{5, 7, 9}, []int{7, 6}},
		{"second_price", 3, 0, 2, []int{5, 7}, []int{5, 2}},
		{"second_price", 3, 4, 2, []int{5}, []int{4}},
		{"second_price", 0, 0, 2, []int{5}, nil},
	} {
		s := &auction{kind: c.kind, items: c.items, reservePrice: points(c.reserve), minBid: points(c.least)}
		var bids []*bid
		for i, n := range c.bids {
			bids = append(bids, &bid{keyedRequest: &keyedRequest{outcome: done}, wallet: walletOf(1, i), amount: points(n)})
		}
		best := effectiveBids(s, bids)
		paid := winningPrices(s, best)
		if len(paid) != len(c.want) {
			t.Errorf("%+v: %d win", c, len(paid))
			continue
		}
		for i, want := range c.want {
			if paid[best[i]] != points(want) {
				t.Errorf("%+v: place %d pays %s", c, i, paid[best[i]])
			}
		}
	}
}
