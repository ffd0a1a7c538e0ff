package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/bulk"
)

// The sizes of the measurement of commerce.
const (
	bidders         = 500
	buyers          = 1000
	itemsForSale    = 100 // items that the buyers want, one each
	storeWorkers    = 64
	pointsPerMember = 10_000_000 // more points than any run bids
)

var storeLimit = limit{floor: 0.1, goal: 0.3}

// The refusals that late bidders and buyers get.
var (
	bidTooLow = []byte("Bid must be at least")
	soldOut   = []byte("Not enough quantity left")
)

// measureCommerce measures two auctions in which many members bid, and many members who order more than there is in
// stock.
func (b *bench) measureCommerce(ctx context.Context) (out []Result, err error) {
	database, p, err := b.createDatabase(ctx, "row16")
	if err != nil {
		return nil, err
	}
	s, err := b.serve(ctx, database, b.profile())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	a, err := s.api(ctx, p.WebsiteAPIKey)
	if err != nil {
		return nil, err
	}
	defer a.wire.close()
	shop, err := a.createShop(p)
	if err != nil {
		return nil, err
	}
	accepts := fmt.Sprintf("bids that %%s auction of %d bidders accepts, c%d", bidders, storeWorkers)
	for _, m := range []struct {
		name string
		run  func(context.Context) (measured, error)
	}{
		{fmt.Sprintf(accepts, "a first price"), shop.measureBids(b.Time, "first_price")},
		{fmt.Sprintf(accepts, "an english"), shop.measureBids(b.Time, "english")},
		{fmt.Sprintf("orders of %d buyers of %d items, c%d", buyers, itemsForSale, storeWorkers), shop.buyAtOnce},
	} {
		figures, pgbench, err := b.withPgbench(ctx, m.name, func() (measured, error) { return m.run(ctx) })
		if err != nil {
			return out, err
		}
		r := storeLimit.newResult(m.name, figures.perSecond/pgbench.mean(), figures)
		out = append(out, b.result(r, b.compareWith(pgbench)))
	}
	return out, nil
}

// shop calls the API of a site that sells items to members with points.
type shop struct {
	*api
	site     site
	contract laurel.ID
}

// createShop credits points to the members who are to bid and buy, and creates a minting contract.
func (a *api) createShop(p site) (*shop, error) {
	const perPost = 100
	for from := 0; from < buyers; from += perPost {
		entries := make([]object, perPost)
		for i := range entries {
			entries[i] = object{
				"loyaltyCurrencyId": p.LoyaltyCurrencyID, "userId": bulk.IDOf(bulk.KindUser, from+i),
				"amount": pointsPerMember, "direction": "credit",
			}
		}
		body := a.withTenant(p, object{"description": "Bench", "entries": entries})
		if err := a.post("/api/loyalty/transactions", body, nil); err != nil {
			return nil, err
		}
	}
	out := &shop{api: a, site: p}
	var made struct{ ID laurel.ID }
	err := a.post("/api/minting/contracts", a.withTenant(p, object{
		"name": "Bench", "contractKind": "OFFCHAIN", "isListed": true,
	}), &made)
	out.contract = made.ID
	return out, err
}

// withTenant sets the organization and the website of a body, and returns the body.
func (a *api) withTenant(p site, body object) object {
	body["websiteId"], body["organizationId"] = p.WebsiteID, p.OrganizationID
	return body
}

// createAsset creates an asset that costs one point, with a stock, and returns its id.
func (s *shop) createAsset(quantity int) (laurel.ID, error) {
	var made struct{ ID laurel.ID }
	err := s.post("/api/minting/assets", s.withTenant(s.site, object{
		"name": "Bench", "mintingContractId": s.contract, "price": 1, "loyaltyCurrencyId": s.site.LoyaltyCurrencyID,
		"quantity": quantity, "isListed": true,
	}), &made)
	return made.ID, err
}

// createAuction creates an auction of one item that is open for a day, and returns its id.
func (s *shop) createAuction(kind string) (laurel.ID, error) {
	asset, err := s.createAsset(1)
	if err != nil {
		return laurel.ID{}, err
	}
	var made struct{ ID laurel.ID }
	now := time.Now().UTC()
	err = s.post("/api/auctions", s.withTenant(s.site, object{
		"name": "Bench", "type": kind, "startsAt": now.Add(-time.Minute), "endsAt": now.Add(24 * time.Hour),
		"loyaltyCurrencyId": s.site.LoyaltyCurrencyID, "minBidAmount": "1", "mintingContractId": s.contract,
		"auctionItems": []object{{"mintingContractAssetId": asset}},
	}), &made)
	return made.ID, err
}

// memberRequest returns the bytes of a request that acts for a member, with further properties of the body.
func (s *shop) memberRequest(path string, member int, body string) []byte {
	text := fmt.Sprintf(`{"userId":%q,%s}`, bulk.IDOf(bulk.KindUser, member), body)
	return request{method: "POST", host: s.host, path: path, key: s.key, body: []byte(text)}.bytes()
}

// measureBids returns a function that measures bids in a new auction, each of which exceeds the last by one point. In
// an English auction a bid that others have overtaken is refused; it is then repeated above theirs, so each step ends
// with an accepted bid.
func (s *shop) measureBids(seconds time.Duration, kind string) func(context.Context) (measured, error) {
	return func(ctx context.Context) (measured, error) {
		auction, err := s.createAuction(kind)
		if err != nil {
			return measured{}, err
		}
		var amount, bidder atomic.Int64
		bid := func(w *wire) error {
			member := int(bidder.Add(1)) % bidders
			for {
				body := fmt.Sprintf(`"auctionId":%q,"amount":"%d"`, auction, amount.Add(1))
				status, err := w.send(s.memberRequest("/api/auction_bids", member, body))
				if err != nil || status == 200 {
					return err
				}
				if !bytes.Contains(w.body, bidTooLow) {
					return fmt.Errorf("the server answered a bid with %d: %s", status, w.body)
				}
			}
		}
		l := load{workers: storeWorkers, duration: seconds, worker: func(ctx context.Context) (func() error, func(), error) {
			w, err := dial(ctx, s.host)
			if err != nil {
				return nil, nil, err
			}
			stopClosing := context.AfterFunc(ctx, w.close)
			return func() error { return bid(w) }, func() { stopClosing(); w.close() }, nil
		}}
		return l.run(ctx)
	}
}

// buyAtOnce lets every buyer order one item, all at once, and measures the orders. It fails unless exactly the stock is
// sold.
func (s *shop) buyAtOnce(ctx context.Context) (measured, error) {
	asset, err := s.createAsset(itemsForSale)
	if err != nil {
		return measured{}, err
	}
	body := fmt.Sprintf(`"contractId":%q,"assetId":%q`, s.contract, asset)
	var sold atomic.Int64
	begun := time.Now()
	times, err := callOnceFor(ctx, s.host, storeWorkers, buyers, func(w *wire, i int) error {
		switch status, err := w.send(s.memberRequest("/api/minting/contracts/mint", i, body)); {
		case err != nil:
			return err
		case status == 200:
			sold.Add(1)
		case !bytes.Contains(w.body, soldOut):
			return fmt.Errorf("the server answered an order with %d: %s", status, w.body)
		}
		return nil
	})
	took := time.Since(begun)
	if err != nil {
		return measured{}, err
	}
	if n := sold.Load(); n != itemsForSale {
		return measured{}, fmt.Errorf("%d items were sold of %d", n, itemsForSale)
	}
	return measure(times, took), nil
}
