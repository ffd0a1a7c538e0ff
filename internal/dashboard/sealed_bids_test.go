package dashboard_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// TestViewersSeeNoSealedBids: who neither adjusts balances nor makes keys sees what everybody sees.
func TestViewersSeeNoSealedBids(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		v, support := s.SignInAdmin(tenancy.RoleViewer), s.SignInAdmin(tenancy.RoleModerator)
		contract := createContract(s, nil)
		item := createItem(s, contract, nil)
		maren := s.User("maren-1", object{"displayName": "Maren"})
		s.Credit("maren-1", 500)
		s.Credit(apptest.Bob, 450)
		a := createAuction(s, contract, "first_price", object{"auctionItems": []object{{"mintingContractAssetId": item}}})
		s.Clock.Advance(time.Minute)
		for wallet, amount := range map[string]string{"maren-1": "123.4567", apptest.Bob: "27.8764"} {
			s.Post("/api/auction_bids", object{"auctionId": a, "walletAddress": wallet, "amount": amount}).OK()
		}
		s.Clock.Advance(time.Minute)
		hides := func(b *apptest.Browser, hidden bool) {
			t.Helper()
			for _, path := range []string{
				"", "/members", "/members/" + maren, "/members/members.csv", "/ledger", "/ledger/entries.csv", "/leaderboard",
				"/leaderboard/members.csv", "/auctions",
				"/auctions/auctions.csv", "/auctions/" + a, "/auctions/" + a + "/bids.csv", "/currencies",
			} {
				page := b.Get(b.Site(path)).Shows(200)
				for _, secret := range []string{"123.4567", "376.5433", "422.1236", "151.3331", "798.6669", "Bid on Sketch"} {
					if hidden && strings.Contains(page.Body, secret) {
						t.Errorf("%s shows %s", path, secret)
					}
				}
			}
		}
		hides(v, true)
		s.UpdateFigures()
		hides(v, true)
		hides(support, false)
		support.Get(support.Site("")).Shows(200, "151.3331")
		v.Get(v.Site("/members/"+maren)).Shows(200, "500")
		support.Get(support.Site("/members/"+maren)).Shows(200, "376.5433")
		support.Get(support.Site("/auctions/"+a)).Shows(200, "123.4567", "151.3331")
		v.Get(v.Site("/auctions/"+a)).Shows(200, "Bids are hidden until the end", "Your role can see bids after the auction ends.")
		v.Get(v.Site("/members/" + maren + "/lots.csv")).Shows(403)
		s.Clock.Advance(time.Hour)
		if err := s.App.Auctions.CloseDueBatch(context.Background()); err != nil {
			t.Fatal(err)
		}
		v.Get(v.Site("/members/"+maren)).Shows(200, "376.5433")
		v.Get(v.Site("/auctions/"+a)).Shows(200, "bid 123.4567 and paid 123.4567")
	})
}
