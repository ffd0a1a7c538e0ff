package figures_test

import (
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/report/figures"
)

// TestFlowsTellNothingOfSealedBids at any moment: before the reader of the feed has counted a bid, between two bids,
// and after. A group pays with several accounts, and outbid members get a refund.
func TestFlowsTellNothingOfSealedBids(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for i, wallet := range []string{apptest.Alice, apptest.Bob, apptest.Carol} {
			s.Transact(apptest.Points(wallet, 100)).OK()
			if i > 0 {
				s.In(wallet, "family")
			}
		}
		s.Transact(apptest.Points(apptest.Alice, 7, apptest.Debit)).OK()
		s.UpdateFigures()
		now := s.Clock.Now()
		auction := func(properties object) string {
			contract, asset := offChain(s)
			return s.Post("/api/auctions", apptest.Over(object{
				"name": "Poster", "startsAt": now.Add(-time.Minute), "endsAt": now.Add(72 * time.Hour),
				"loyaltyCurrencyId": s.LoyaltyCurrencyID, "minBidAmount": "1", "mintingContractId": contract,
				"auctionItems": []object{{"mintingContractAssetId": asset}},
			}, properties)).OK()["id"].(string)
		}
		sealed, hidden := auction(object{"type": "first_price"}), auction(object{"type": "english", "hideBids": true})
		read := func(visibility laurel.Visibility) figures.Flow {
			t.Helper()
			today := figures.Until(s.Clock.Now(), 1)
			return must(s.App.Figures.Flows(always, s.WebsiteScope(), visibility, s.LoyaltyCurrencyID, today))(t)[0]
		}
		want := read(laurel.Visibility{})
		if want.Spent != whole(7) || want.Issued != whole(300) {
			t.Fatalf("before: %+v", want)
		}
		check := func(when string) {
			t.Helper()
			if got := read(laurel.Visibility{}); got != want {
				t.Errorf("%s: %+v, want %+v", when, got, want)
			}
		}
		for i, b := range []struct {
			auction, wallet string
			amount          int
		}{
			{sealed, apptest.Alice, 20}, {sealed, apptest.Bob, 150}, {sealed, apptest.Alice, 30}, {hidden, apptest.Alice, 10},
			{hidden, apptest.Carol, 40},
		} {
			s.Post("/api/auction_bids", object{"auctionId": b.auction, "walletAddress": b.wallet, "amount": b.amount}).OK()
			check(fmt.Sprintf("bid %d is not counted", i))
			if i != 1 { // the next bid is made while this one is not counted either
				s.UpdateFigures()
				check(fmt.Sprintf("bid %d is counted", i))
			}
		}
		if got := read(laurel.Visibility{All: true}); got.Spent != whole(7+30+150+40) {
			t.Errorf("to those who see all: %+v", got)
		}
		s.Post("/api/auctions/"+hidden, object{"hideBids": false}).OK()
		if got := read(laurel.Visibility{}); got.Spent != whole(7+40) {
			t.Errorf("one shows its bids: %+v", got)
		}
	})
}
