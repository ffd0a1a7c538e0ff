package auctions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

type object = apptest.Object

// stage is a server with something to auction off, and members who have 1000 points each.
type stage struct {
	*apptest.Server
	contract, asset string
}

func each(t *testing.T, f func(t *testing.T, s stage)) {
	t.Helper()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) { f(t, staged(s)) })
}

func staged(s *apptest.Server) stage {
	s.T.Helper()
	for _, wallet := range []string{apptest.Alice, apptest.Bob, apptest.Carol} {
		s.Credit(wallet, 1000)
	}
	out := stage{Server: s}
	out.contract = s.Post("/api/minting/contracts", object{"name": "Posters", "contractKind": "OFFCHAIN"}).OK()["id"].(string)
	out.asset = out.stock(10)
	return out
}

// stock makes an asset with so many items.
func (s stage) stock(quantity int) string {
	s.T.Helper()
	return s.Post("/api/minting/assets", object{
		"mintingContractId": s.contract, "name": "Poster", "price": 1, "loyaltyCurrencyId": s.LoyaltyCurrencyID,
		"quantity": quantity,
	}).OK()["id"].(string)
}

// body is a valid auction that is open for an hour.
func (s stage) body(kind string, changes ...object) object {
	now := s.Clock.Now()
	return apptest.Over(object{
		"name": "Signed poster", "type": kind, "startsAt": now.Add(-time.Minute), "endsAt": now.Add(time.Hour),
		"loyaltyCurrencyId": s.LoyaltyCurrencyID, "minBidAmount": "10", "mintingContractId": s.contract,
	}, changes...)
}

func (s stage) auction(kind string, changes ...object) string {
	s.T.Helper()
	return s.Post("/api/auctions", s.body(kind, changes...)).OK()["id"].(string)
}

// items are so many items of the stage's asset.
func (s stage) items(n int) object {
	list := make([]object, n)
	for i := range list {
		list[i] = object{"mintingContractAssetId": s.asset}
	}
	return object{"auctionItems": list}
}

func (s stage) bid(auction, wallet string, amount any) apptest.Response {
	s.T.Helper()
	return s.Post("/api/auction_bids", object{"auctionId": auction, "walletAddress": wallet, "amount": amount})
}

// pass lets time pass, and ends the auctions that are due.
func (s stage) pass(d time.Duration) {
	s.T.Helper()
	s.Clock.Advance(d)
	s.end()
}

func (s stage) end() {
	s.T.Helper()
	if err := s.App.Auctions.CloseDueBatch(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// has tells the balances of alice, bob and carol.
func (s stage) has(want string) {
	s.T.Helper()
	got := s.Balance(apptest.Alice) + " " + s.Balance(apptest.Bob) + " " + s.Balance(apptest.Carol)
	if got != want {
		s.T.Errorf("balances %s, want %s", got, want)
	}
}

// bids tells amounts and statuses of an auction's bids, the highest first.
func (s stage) bids(auction, want string) {
	s.T.Helper()
	var out []string
	for _, b := range s.Get("/api/auction_bids?auctionId=" + auction).Data() {
		out = append(out, b["amount"].(string)+" "+b["status"].(string))
	}
	if got := strings.Join(out, ", "); got != want {
		s.T.Errorf("bids %s, want %s", got, want)
	}
}

// minted fails the test unless an asset has want minted items.
func (s stage) minted(asset string, want int) {
	s.T.Helper()
	got := s.Get("/api/minting/assets/" + asset).OK()
	if apptest.Number(got["quantityMinted"]) != want {
		s.T.Errorf("minted %v, want %d", got["quantityMinted"], want)
	}
}

func TestAnOutbidMemberIsPaidBackInTheSameTransaction(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		a := s.auction("english", s.items(1), object{"minBidIncrement": 5, "description": "A poster"})
		s.bid(a, apptest.Alice, "9.99").Refused(400, "Bid must be at least 10")
		first := s.bid(a, apptest.Alice, 100).OK()
		for field, want := range (object{"auctionId": a, "amount": "100", "status": "accepted", "auctionItem": nil, "currencyAddress": nil}) {
			if first[field] != want {
				t.Errorf("%s is %v, want %v", field, first[field], want)
			}
		}
		if first["user"].(object)["walletAddress"] != apptest.Alice || first["auction"].(object)["name"] != "Signed poster" ||
			first["loyaltyCurrency"].(object)["id"] != s.LoyaltyCurrencyID.String() {
			t.Errorf("the bid tells %v", first)
		}
		s.has("900 1000 1000")
		s.bid(a, apptest.Bob, "104.999999").Refused(400, "Bid must be at least 105")
		s.bid(a, apptest.Bob, 105).OK()
		s.has("1000 895 1000")
		s.bid(a, apptest.Bob, 200).OK() // debits the difference
		s.has("1000 800 1000")
		s.bid(a, apptest.Bob, 204).Refused(400, "Bid must be at least 205")
		s.bid(a, apptest.Carol, 1001).Refused(400, "Insufficient balance")
		s.bids(a, "200 accepted, 105 rejected, 100 rejected")
		s.pass(time.Hour)
		s.bid(a, apptest.Carol, 500).Refused(400, "Auction has ended")
		s.has("1000 800 1000")
		s.bids(a, "200 fulfilled, 105 rejected, 100 rejected")
		if got := s.Get("/api/auctions/" + a).OK(); got["status"] != "completed" {
			t.Errorf("after the end: %v", got)
		}
		s.minted(s.asset, 1)
		won := s.Get("/api/minting/status").Data()
		if len(won) != 1 || won[0]["userId"] != s.UserOf(apptest.Bob) || won[0]["status"] != "minted" {
			t.Errorf("mints %v", won)
		}
		s.Sound()
	})
}

func TestEntriesOfBidsTellTheStory(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		a := s.auction("english", s.items(1))
		first := s.bid(a, apptest.Alice, 100).OK()["id"]
		s.bid(a, apptest.Bob, 150).OK()
		s.bid(a, apptest.Alice, 175).OK()
		var story []string
		entries := s.Get("/api/loyalty/transaction_entries?type=auction_bid&userId=" + s.UserOf(apptest.Alice)).Data()
		for _, e := range entries {
			m := e["metadata"].(object)
			story = append(story, fmt.Sprint(e["direction"], " ", e["amount"], " ", m["reason"], " ", m["auctionId"] == a))
		}
		if got := strings.Join(story, "; "); got != "debit 175 bid true; credit 100 outbid true; debit 100 bid true" {
			t.Errorf("the story of alice: %s", got)
		}
		if about := entries[1]["metadata"].(object)["auctionBidId"]; about != first {
			t.Errorf("what went back is about bid %v, not %v", about, first)
		}
	})
}

func TestABidShortlyBeforeTheEndMovesIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		a := s.auction("english", s.items(1), object{"extendedDurationInSeconds": 300})
		ends := func() time.Time {
			at, err := time.Parse(time.RFC3339, s.Get("/api/auctions/" + a).OK()["endsAt"].(string))
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		before := ends()
		s.bid(a, apptest.Alice, 10).OK()
		if !ends().Equal(before) {
			t.Error("a bid long before the end has moved it")
		}
		s.Clock.Set(before.Add(-4 * time.Minute))
		s.bid(a, apptest.Bob, 20).OK()
		if got := ends().Sub(before); got < 59*time.Second || got > 61*time.Second {
			t.Errorf("moved by %s", got)
		}
		s.Clock.Set(before)
		s.end() // the former end decides nothing
		s.bid(a, apptest.Alice, 30).OK()
		s.pass(5 * time.Minute)
		s.bids(a, "30 fulfilled, 20 rejected, 10 rejected")
		s.has("970 1000 1000")
	})
}

func TestFirstPriceTakesWhatTheBestHaveBid(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		a := s.auction("first_price", s.items(2))
		s.bid(a, apptest.Alice, 50).OK()
		s.bid(a, apptest.Bob, 40).OK()
		s.bid(a, apptest.Carol, 50).OK() // as much as alice, and later
		s.bid(a, apptest.Bob, 40).Refused(400, "Bid must be at least 40.000001")
		s.bid(a, apptest.Bob, 45).OK()
		s.has("950 955 950")
		s.pass(time.Hour)
		s.has("950 1000 950")
		s.bids(a, "50 fulfilled, 50 fulfilled, 45 rejected, 40 rejected")
		items := s.Get("/api/auctions/items?auctionId=" + a).Data()
		for i, wallet := range []string{apptest.Alice, apptest.Carol} {
			b := s.Get("/api/auction_bids?status=fulfilled&walletAddress=" + wallet).Data()[0]
			if b["auctionItemId"] != items[i]["id"] {
				t.Errorf("%s won %v, not item %d", wallet, b["auctionItemId"], i)
			}
		}
		s.minted(s.asset, 2)
		s.Sound()
	})
}

func TestSecondPriceTakesTheNextLowerBid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		items   int
		changes object
		bids    [3]int // 0: none
		want    string
	}{
		{"the second highest", 1, nil, [3]int{100, 70, 30}, "930 1000 1000"},
		{"alone: the minimum", 1, nil, [3]int{100, 0, 0}, "990 1000 1000"},
		{"alone: the reserve", 1, object{"reservePrice": 60}, [3]int{100, 0, 0}, "940 1000 1000"},
		{"at least the reserve", 1, object{"reservePrice": 80}, [3]int{100, 70, 30}, "920 1000 1000"},
		{"below the reserve", 1, object{"reservePrice": 101}, [3]int{100, 70, 30}, "1000 1000 1000"},
		{"several items", 2, nil, [3]int{100, 70, 30}, "930 970 1000"},
		{"more items than bidders", 3, nil, [3]int{100, 70, 0}, "930 990 1000"},
		{"one of two below the reserve", 2, object{"reservePrice": 80}, [3]int{100, 70, 30}, "920 1000 1000"},
		{"equal bids", 1, nil, [3]int{70, 70, 0}, "930 1000 1000"},
		{"nobody", 1, nil, [3]int{}, "1000 1000 1000"},
		{"without items", 0, nil, [3]int{100, 70, 30}, "1000 1000 1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s stage) {
				a := s.auction("second_price", s.items(c.items), c.changes)
				for i, wallet := range []string{apptest.Alice, apptest.Bob, apptest.Carol} {
					if c.bids[i] > 0 {
						s.bid(a, wallet, c.bids[i]).OK()
					}
				}
				s.pass(time.Hour)
				s.has(c.want)
				s.end() // nothing comes twice
				s.has(c.want)
				s.Sound()
			})
		})
	}
}

func TestACancelledAuctionGivesEverythingBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		scarce := s.stock(2)
		items := object{"auctionItems": []object{{"mintingContractAssetId": scarce, "quantity": 2}}}
		a := s.auction("first_price", items)
		s.Post("/api/auctions", s.body("first_price", items)).Refused(400, "Not enough quantity left")
		s.bid(a, apptest.Alice, 50).OK()
		s.bid(a, apptest.Bob, 60).OK()
		if got := s.Post("/api/auctions/"+a+"/cancel", object{}).OK(); got["status"] != "cancelled" {
			t.Errorf("cancelled: %v", got)
		}
		s.has("1000 1000 1000")
		s.bids(a, "60 rejected, 50 rejected")
		s.bid(a, apptest.Alice, 70).Refused(400, "Auction is cancelled")
		s.Post("/api/auctions/"+a+"/cancel", object{}).Refused(400, "Auction is cancelled")
		other := s.auction("first_price", items) // its stock is back
		s.pass(time.Hour)
		s.Post("/api/auctions/"+other+"/cancel", object{}).Refused(400, "Auction has ended")
		s.auction("first_price", items) // nobody won
		s.minted(scarce, 0)
		s.Sound()
	})
}

func TestDeletingACurrencyCancelsItsAuctions(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		scarce := s.stock(1)
		a := s.auction("english", object{"auctionItems": []object{{"mintingContractAssetId": scarce}}})
		s.bid(a, apptest.Alice, 50).OK()
		s.Remove("/api/loyalty/currencies/" + s.LoyaltyCurrencyID.String())
		if got := s.Get("/api/auctions/" + a).OK(); got["status"] != "cancelled" {
			t.Errorf("status %v", got["status"])
		}
		s.bid(a, apptest.Bob, 60).Refused(400, "Auction is cancelled")
		s.end()
		account := s.Get("/api/loyalty/accounts?walletAddress=" + apptest.Alice + "&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).Data()[0]
		if account["amount"] != json.Number("1000") {
			t.Errorf("alice has %v", account["amount"])
		}
		s.bids(a, "50 rejected")
		s.Post("/api/auctions", s.body("english")).Refused(400, "Loyalty currency not found")
		s.Sound()
	})
}

func TestBidsAreRefusedInTheOrderOfTheContract(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		later := s.auction("english", object{"startsAt": s.Clock.Now().Add(time.Minute)})
		s.bid(later, apptest.Alice, 1).Refused(400, "Auction has not started yet")
		owned := s.auction("english", object{"biddersOwnCollectionAddresses": []any{apptest.Bob}, "network": "polygon"})
		s.bid(owned, apptest.Alice, 5).Refused(400, "Bid must be at least 10")
		s.bid(owned, apptest.Alice, 5000).Refused(400, "You must own a token of the required collections")
		open := s.auction("english")
		s.User(apptest.Alice, object{"isBlocked": true})
		s.bid(open, apptest.Alice, 5).Refused(400, "Bid must be at least 10")
		s.bid(open, apptest.Alice, 5000).Refused(400, "Insufficient balance")
		s.bid(open, apptest.Alice, 50).Refused(400, "Access restricted. Your account is blocked.")
		s.bid(apptest.UnknownID, apptest.Bob, 50).Refused(404, "Auction not found")
		s.bid(open, apptest.Bob, 0).Refused(400, "amount must be greater than 0")
		s.Post("/api/auction_bids", object{"auctionId": open, "amount": 10}).Refused(400, "userId or walletAddress is required")
		s.Post("/api/auction_bids", object{"auctionId": open, "amount": 10, "walletAddress": apptest.Bob, "auctionItemId": apptest.UnknownID}).
			Refused(400, "Auction item not found")
		s.has("1000 1000 1000")
		if n := s.Count("/api/auction_bids"); n != 0 {
			t.Errorf("%d refused bids were kept", n)
		}
	})
}

func TestAGroupBidsTogether(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		a := s.auction("english", s.items(1))
		s.bid(a, apptest.Alice, 1200).OK()
		s.has("0 800 1000")
		s.bid(a, apptest.Alice, 1300).OK()
		s.has("0 700 1000")
		s.Credit(apptest.Carol, 1000)
		s.bid(a, apptest.Carol, 1400).OK()
		s.has("1000 1000 600")
		s.Sound()
	})
}

func TestBadAuctionsAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		foreign := s.Post("/api/minting/contracts", object{"name": "Others", "contractKind": "OFFCHAIN"}).OK()["id"]
		for _, c := range []struct {
			change  object
			path    string
			message string
		}{
			{object{"name": ""}, "name", "name is required"},
			{object{"type": "dutch"}, "type", "type must be one of: first_price, second_price, english"},
			{object{"startsAt": nil}, "startsAt", "startsAt is required"},
			{object{"endsAt": s.Clock.Now().Add(-time.Hour)}, "endsAt", "endsAt must be after startsAt"},
			{object{"loyaltyCurrencyId": nil}, "loyaltyCurrencyId", "loyaltyCurrencyId is required"},
			{object{"loyaltyCurrencyId": apptest.UnknownID}, "loyaltyCurrencyId", "Loyalty currency not found"},
			{object{"minBidAmount": "0"}, "minBidAmount", "minBidAmount must be greater than 0"},
			{object{"minBidAmount": "x"}, "minBidAmount", "minBidAmount must be a number"},
			{object{"minBidIncrement": 0}, "minBidIncrement", "minBidIncrement must be greater than 0"},
			{object{"reservePrice": -1}, "reservePrice", "reservePrice must be greater than 0"},
			{object{"extendedDurationInSeconds": 86401}, "extendedDurationInSeconds", "extendedDurationInSeconds must be between 0 and 86400"},
			{object{"network": "nowhere"}, "network", "network must be a known network"},
			{object{"mintingContractId": apptest.UnknownID}, "mintingContractId", "Minting contract not found"},
			{object{"biddersOwnCollectionAddresses": []any{""}}, "biddersOwnCollectionAddresses.0", "biddersOwnCollectionAddresses.0 is required"},
			{s.items(2), "auctionItems", "auctionItems must have one item in an english auction"},
			{object{"auctionItems": []object{{"mintingContractAssetId": apptest.UnknownID}}}, "auctionItems.0.mintingContractAssetId", "Asset not found"},
			{object{"auctionItems": []object{{"mintingContractAssetId": s.asset, "quantity": 0}}}, "auctionItems.0.quantity", "auctionItems.0.quantity must be between 1 and 1000000"},
			{apptest.Over(s.items(1), object{"mintingContractId": foreign}), "auctionItems.0.mintingContractAssetId", "Asset not found"},
			{apptest.Over(s.items(51), object{"type": "first_price"}), "auctionItems", "auctionItems must have at most 50 items"},
		} {
			a := s.Post("/api/auctions", s.body("english", c.change))
			faults, _ := a.JSON()["errors"].([]any)
			if a.Status != 400 || !strings.HasPrefix(a.JSON()["message"].(string), c.message) || len(faults) == 0 ||
				faults[0].(object)["path"] != c.path {
				t.Errorf("%v: %d %s", c.change, a.Status, a.Body)
			}
		}
		s.Post("/api/auctions", s.body("first_price", object{"auctionItems": []object{{"mintingContractAssetId": s.asset, "quantity": 6},
			{"mintingContractAssetId": s.asset, "quantity": 5}}})).Refused(400, "Not enough quantity left")
		if n := s.Count("/api/auctions"); n != 0 {
			t.Errorf("%d refused auctions were kept", n)
		}
		s.auction("first_price", object{"auctionItems": []object{{"mintingContractAssetId": s.asset, "quantity": 10}}}) // nothing was reserved
	})
}

func TestAuctionsChangeUntilThereIsABid(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		a := s.auction("english", object{"reservePrice": 40})
		change := func(body object) apptest.Response { return s.Post("/api/auctions/"+a, body) }
		end := s.Clock.Now().Add(2 * time.Hour).Truncate(time.Millisecond)
		got := change(object{"name": "Poster", "endsAt": end, "minBidIncrement": "2.5", "reservePrice": nil, "type": "first_price"}).OK()
		for field, want := range (object{"name": "Poster", "minBidIncrement": "2.5", "reservePrice": nil, "type": "english", "minBidAmount": "10"}) {
			if got[field] != want {
				t.Errorf("%s is %v, want %v", field, got[field], want)
			}
		}
		change(object{"endsAt": s.Clock.Now().Add(-time.Hour)}).Refused(400, "endsAt must be after startsAt")
		change(object{"minBidAmount": nil}).Refused(400, "minBidAmount is required")
		s.Post("/api/auctions/"+a+"/items", s.items(1)).OK()
		s.Post("/api/auctions/"+a+"/items", s.items(1)).Refused(400, "auctionItems must have one item in an english auction")
		s.Post("/api/auctions/"+a+"/items", object{}).Refused(400, "auctionItems is required")
		s.bid(a, apptest.Alice, 50).OK()
		change(object{"endsAt": end.Add(time.Hour)}).Refused(400, "Auction has bids")
		change(object{"endsAt": end, "description": "Framed"}).OK() // the same times are no change
		quiet := s.auction("english", object{"endsAt": end})
		s.Clock.Set(end.Add(time.Second))
		s.Post("/api/auctions/"+a+"/items", s.items(1)).Refused(400, "Auction has ended")
		for _, over := range []string{a, quiet} { // also while no node has looked at it yet
			s.Post("/api/auctions/"+over, object{"endsAt": end.Add(time.Hour)}).Refused(400, "Auction has ended")
		}
		s.end()
		change(object{"name": "Sold"}).OK()
		change(object{"endsAt": end.Add(time.Hour)}).Refused(400, "Auction has ended")
		s.bids(a, "50 fulfilled")
		s.Post("/api/auctions/"+apptest.UnknownID, object{}).Refused(404, "Auction not found")
	})
}
