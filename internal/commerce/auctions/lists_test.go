package auctions_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestAuctionsAndItemsAreListed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		first := s.auction("english", s.items(1), object{"reservePrice": 500})
		second := s.auction("first_price", s.items(3))
		s.Post("/api/auctions/"+first+"/cancel", object{}).OK()
		for query, want := range map[string]int{"": 2, "?status=cancelled": 1, "?status=completed": 0, "?type=first_price": 1,
			"?limit=1": 1, "?startingAfter=" + second: 1, "?includeDeleted=true": 2, "?startingAfter=" + first: 0} {
			if got := s.Count("/api/auctions" + query); got != want {
				t.Errorf("%s lists %d, want %d", query, got, want)
			}
		}
		s.Get("/api/auctions?status=open").Refused(400, "status must be one of: in_progress, completed, cancelled")
		s.Get("/api/auctions?startingAfter="+apptest.UnknownID).Refused(400, "startingAfter not found")
		for _, got := range []object{s.Get("/api/auctions?includeItems=true").Data()[0], s.Get("/api/auctions/" + second + "?includeItems=1").OK()} {
			items := got["auctionItems"].([]any)
			if len(items) != 3 || items[0].(object)["mintingContractAsset"].(object)["name"] != "Poster" {
				t.Errorf("items %v", items)
			}
		}
		if _, isIncluded := s.Get("/api/auctions").Data()[0]["auctionItems"]; isIncluded {
			t.Error("items are returned without includeItems")
		}
		s.Get("/api/auctions/items").Refused(400, "auctionId is required")
		items := s.Get("/api/auctions/items?limit=2&auctionId=" + second).Data()
		rest := s.Get("/api/auctions/items?auctionId=" + second + "&startingAfter=" + items[1]["id"].(string)).Data()
		if len(items) != 2 || len(rest) != 1 || s.Get("/api/auctions/items/" + rest[0]["id"].(string)).OK()["sortId"] != json.Number("2") {
			t.Errorf("items %v, then %v", items, rest)
		}
		if n := s.Count("/api/auctions/items?auctionId=" + first + "&auctionId=" + second); n != 4 {
			t.Errorf("%d items of both", n)
		}
		if named := s.Get("/api/minting/assets/" + s.asset).OK()["auctionItems"].([]any); len(named) != 4 {
			t.Errorf("the asset tells of items %v", named)
		}
		for key, want := range map[string]any{s.WebsiteAPIKey: "500", s.OrganizationAPIKey: "500", s.ReadOnlyAPIKey: nil, s.ClientAPIKey: nil} {
			if got := s.Call(key, "GET", "/api/auctions/"+first, nil).OK()["reservePrice"]; got != want {
				t.Errorf("reservePrice %v, want %v", got, want)
			}
		}
	})
}

func TestOfEqualBidsTheEarliestStandFirstAndWin(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		a := s.auction("first_price", s.items(1))
		var ids []string
		for i := range auctions.MaxTopBids + 2 {
			wallet := fmt.Sprintf("0x%040x", 0xb1d+i)
			s.Credit(wallet, 50)
			ids = append(ids, s.bid(a, wallet, 33).OK()["id"].(string))
		}
		s.pass(time.Hour)
		won := s.Get("/api/auction_bids?status=fulfilled&auctionId=" + a).Data()
		if len(won) != 1 || won[0]["id"] != ids[0] {
			t.Fatalf("of %v these win: %v", ids, won)
		}
		for i, top := range s.Get("/api/auctions/" + a).OK()["auctionBids"].([]any) {
			if id := top.(object)["id"]; id != ids[i] {
				t.Errorf("the bid at place %d is %v, want %s", i, id, ids[i])
			}
		}
	})
}

// Of equal bids the earlier comes first in every list, whatever its direction, also across its pages.
func TestOfEqualBidsEveryListHasTheEarlierFirst(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		a := s.auction("first_price", s.items(1))
		amounts := map[int][]string{}
		for i := range 8 {
			wallet := fmt.Sprintf("0x%040x", 0xe9a1+i)
			s.Credit(wallet, 50)
			amount := 30 + i%2
			amounts[amount] = append(amounts[amount], s.bid(a, wallet, amount).OK()["id"].(string))
		}
		s.pass(time.Hour)
		for _, filter := range []string{"?auctionId=" + a, "?websiteId=" + s.WebsiteID.String()} {
			for order, want := range map[string][]string{
				"":              slices.Concat(amounts[31], amounts[30]),
				"&orderBy=desc": slices.Concat(amounts[31], amounts[30]),
				"&orderBy=asc":  slices.Concat(amounts[30], amounts[31]),
			} {
				var got []string
				for after := ""; ; {
					page := s.Get("/api/auction_bids" + filter + order + "&limit=3" + after).OK()
					for _, b := range page["data"].([]any) {
						got = append(got, b.(object)["id"].(string))
					}
					if page["hasNextPage"] != true {
						break
					}
					after = "&startingAfter=" + got[len(got)-1]
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s%s lists %v, want %v", filter, order, got, want)
				}
			}
		}
		if won := s.Get("/api/auction_bids?status=fulfilled&auctionId=" + a).Data(); len(won) != 1 || won[0]["id"] != amounts[31][0] {
			t.Errorf("%v has won, want %s", won, amounts[31][0])
		}
	})
}

// What an auction gives back expires on the day on which it would have expired unbid.
func TestBidsGiveBackPointsWithTheirExpiry(t *testing.T) {
	t.Parallel()
	first, second := apptest.Wallet(0x7401), apptest.Wallet(0x7402)
	for name, end := range map[string]struct {
		kind string
		end  func(s stage, a string)
		left string // of the first's 40, before they expire
	}{
		"outbid":    {"english", func(s stage, a string) { s.bid(a, second, 35).OK() }, "40"},
		"lost":      {"first_price", func(s stage, a string) { s.bid(a, second, 35).OK(); s.pass(time.Hour) }, "40"},
		"surplus":   {"second_price", func(s stage, a string) { s.bid(a, second, 25).OK(); s.pass(time.Hour) }, "15"},
		"cancelled": {"first_price", func(s stage, a string) { s.Post("/api/auctions/"+a+"/cancel", object{}).OK() }, "40"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, s stage) {
				s.SetPointLifetime(30, 0)
				s.Credit(first, 40)
				s.Clock.Advance(29 * apptest.Day)
				s.Credit(second, 40)
				a := s.auction(end.kind, s.items(1))
				s.bid(a, first, 30).OK()
				end.end(s, a)
				if got := s.Balance(first); got != end.left {
					t.Errorf("given back, the balance is %s, want %s", got, end.left)
				}
				s.AdvanceAndExpire(apptest.Day)
				if got := s.Balance(first); got != "0" {
					t.Errorf("a day later the balance is %s, want 0", got)
				}
				s.Sound()
			})
		})
	}
}

func TestAnAssetTellsOfItsNewestItems(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		asset := s.stock(1000)
		many := make([]object, 50)
		for i := range many {
			many[i] = object{"mintingContractAssetId": asset}
		}
		for range 3 {
			s.auction("first_price", object{"auctionItems": many})
		}
		newest := s.Get("/api/auctions?limit=2&includeItems=true").Data()
		itemIDs := map[any]bool{}
		for _, item := range s.Get("/api/minting/assets/" + asset).OK()["auctionItems"].([]any) {
			itemIDs[item.(object)["id"]] = true
		}
		if len(itemIDs) != 100 {
			t.Errorf("the asset tells of %d items", len(itemIDs))
		}
		for _, a := range newest {
			for _, item := range a["auctionItems"].([]any) {
				if id := item.(object)["id"]; !itemIDs[id] {
					t.Errorf("the asset does not tell of %v, which is newer", id)
				}
			}
		}
	})
}

func TestAPageOfAuctionsWithItemsIsBoundedInBytes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		asset := s.Post("/api/minting/assets", object{
			"mintingContractId": s.contract, "name": strings.Repeat("ö", 1000), "price": 1, "quantity": 2000,
			"loyaltyCurrencyId": s.LoyaltyCurrencyID, "imageUrl": "https://pictures.example/" + strings.Repeat("x", 2000),
		}).OK()["id"].(string)
		many := make([]object, 50)
		for i := range many {
			many[i] = object{"mintingContractAssetId": asset}
		}
		want := map[string]bool{}
		for range 30 {
			want[s.auction("first_price", object{"auctionItems": many})] = true
		}
		path, got := "/api/auctions?includeItems=true&limit=1000", 0
		for after := ""; ; {
			answer := s.Get(path + after)
			if n := len(answer.Body); n > budget.MaxPageBytes*5/4 {
				t.Errorf("a page has %d bytes", n)
			}
			page := answer.OK()
			var last string
			for _, a := range page["data"].([]any) {
				last = a.(object)["id"].(string)
				if !want[last] || len(a.(object)["auctionItems"].([]any)) != 50 {
					t.Errorf("the auction %s has not what it should", last)
				}
				delete(want, last)
				got++
			}
			if page["hasNextPage"] != true {
				break
			}
			after = "&startingAfter=" + last
		}
		if got != 30 || len(want) != 0 {
			t.Errorf("%d auctions are listed, and %d are not", got, len(want))
		}
	})
}

func TestHiddenBidsAreShownToTheirBiddersAlone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		open, sealed := s.auction("english", s.items(1)), s.auction("first_price", s.items(1))
		hidden := s.auction("english", object{"hideBids": true})
		mine := map[string]string{}
		for _, a := range []string{open, sealed, hidden} {
			mine[a] = s.bid(a, apptest.Alice, 20).OK()["id"].(string)
		}
		token := []string{"Authorization", "Bearer " + s.Token(apptest.Alice)}
		sees := func(query string, want int, headers ...string) {
			t.Helper()
			got := s.Call(s.ClientAPIKey, "GET", "/api/auction_bids?includeCount=true"+query, nil, headers...).OK()
			if len(got["data"].([]any)) != want || apptest.Number(got["count"]) != want {
				t.Errorf("%s shows %d of %v, want %d", query, len(got["data"].([]any)), got["count"], want)
			}
		}
		sees("", 1)
		sees("", 3, token...)
		sees("&auctionId="+sealed, 0)
		sees("&auctionId="+sealed, 1, token...)
		sees("&id="+mine[sealed], 0)
		sees("&userId="+s.UserOf(apptest.Alice), 1)
		sees("", 1, "Authorization", "Bearer "+s.Token(apptest.Bob))
		s.Call(s.ClientAPIKey, "GET", "/api/auction_bids?startingAfter="+mine[sealed], nil).Refused(400, "startingAfter not found")
		s.Call(s.ClientAPIKey, "GET", "/api/auction_bids/"+mine[hidden], nil).Refused(404, "Bid not found")
		s.Call(s.ClientAPIKey, "GET", "/api/auction_bids/"+mine[hidden], nil, token...).OK()
		for key, want := range map[string]int{s.WebsiteAPIKey: 3, s.OrganizationAPIKey: 3, s.ReadOnlyAPIKey: 3} {
			if n := len(s.Call(key, "GET", "/api/auction_bids", nil).Data()); n != want {
				t.Errorf("another key sees %d, want %d", n, want)
			}
		}
		for a, want := range map[string]int{open: 1, sealed: 0, hidden: 0} {
			if got := s.Get("/api/auctions/" + a).OK()["auctionBids"].([]any); len(got) != want {
				t.Errorf("the auction shows %v", got)
			}
		}
		s.pass(time.Hour)
		sees("", 2) // that of the sealed auction is no secret any more
		if got := s.Get("/api/auctions/" + sealed).OK()["auctionBids"].([]any); len(got) != 1 || got[0].(object)["amount"] != "20" {
			t.Errorf("after the end: %v", got)
		}
	})
}

func TestBidsAreListedByAmount(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s stage) {
		a, other := s.auction("english"), s.auction("first_price")
		for i, amount := range []int{10, 20, 30} {
			s.bid(a, []string{apptest.Alice, apptest.Bob}[i%2], amount).OK()
		}
		best := s.bid(other, apptest.Carol, 25).OK()["id"].(string)
		for query, want := range map[string]string{
			"": "30 25 20 10", "?orderBy=asc": "10 20 25 30", "?limit=2": "30 25", "?startingAfter=" + best: "20 10",
			"?orderBy=asc&startingAfter=" + best: "30", "?skip=1&limit=2": "25 20", "?auctionId=" + other: "25",
			"?status=accepted": "30 25", "?statuses=accepted&statuses=rejected": "30 25 20 10", "?statuses=fulfilled": "",
			"?walletAddress=" + apptest.Bob: "20", "?userId=" + s.UserOf(apptest.Alice): "30 10", "?id=" + best: "25",
		} {
			var got []string
			for _, b := range s.Get("/api/auction_bids" + query).Data() {
				got = append(got, b["amount"].(string))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s lists %s, want %s", query, strings.Join(got, " "), want)
			}
		}
		if got := s.Get("/api/auction_bids?includeCount=true&limit=1").OK(); got["count"] != json.Number("4") || got["hasNextPage"] != true {
			t.Errorf("counted %v", got)
		}
		if _, counted := s.Get("/api/auction_bids").OK()["count"]; counted {
			t.Error("counted without being asked to")
		}
		s.Get("/api/auction_bids?orderBy=up").Refused(400, "orderBy must be one of: asc, desc")
		s.Get("/api/auction_bids?skip=-1").Refused(400, "skip must be between 0 and 100000")
	})
}

func TestBidsThroughClientKeysNeedTheMembersTokenAlways(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{}, func(t *testing.T, server *apptest.Server) {
		s := staged(server)
		a := s.auction("english")
		bid := func(wallet string, amount int, headers ...string) apptest.Response {
			return s.Call(s.ClientAPIKey, "POST", "/api/auction_bids",
				object{"auctionId": a, "walletAddress": wallet, "amount": amount}, headers...)
		}
		token := []string{"Authorization", "Bearer " + s.Token(apptest.Alice)}
		for _, trusting := range []bool{false, true} {
			s.Post("/api/websites/"+s.WebsiteID.String(), object{"trustClientUsers": trusting}).OK()
			bid(apptest.Alice, 10).Refused(403, apptest.TokenMissing)
			bid(apptest.Bob, 10, token...).Refused(403, "Member token does not belong to this user")
		}
		for i := range 20 {
			bid(apptest.Alice, 20+i, token...).OK()
		}
		if got := bid(apptest.Alice, 100, token...); got.Status != 429 {
			t.Errorf("the 21st bid of a minute: %d", got.Status)
		}
	})
}

func TestEventsTellOfBids(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, server *apptest.Server) {
		s := staged(server)
		r := apptest.NewReceiver(t)
		s.Subscribe(r.URL, nil, "AuctionBid")
		a := s.auction("english", s.items(1))
		s.bid(a, apptest.Alice, 20).OK()
		s.bid(a, apptest.Bob, 30).OK()
		s.pass(time.Hour)
		s.DeliverEvents()
		received := map[string]string{}
		for _, call := range r.TakeCalls() {
			var event struct {
				Type string
				Data object
			}
			if err := json.Unmarshal([]byte(call.Body), &event); err != nil {
				t.Fatal(err)
			}
			money := event.Data["loyaltyCurrency"].(object)
			if _, leaks := money["apiPostUrl"]; leaks || money["name"] == nil {
				t.Errorf("of the currency events tell %v", money)
			}
			amount := event.Data["amount"].(string)
			received[amount] += strings.TrimPrefix(event.Type, "AuctionBid.") + " " + event.Data["status"].(string) + "; "
		}
		if received["20"] != "created accepted; updated rejected; " || received["30"] != "created accepted; updated fulfilled; " {
			t.Errorf("got %v", received)
		}
	})
}
