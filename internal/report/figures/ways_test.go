package figures_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report/figures"
)

// counted is what a way adds to the figures of a day, in units.
type counted struct{ issued, spent, returned, expired, takenBack, moved, opening int64 }

// way is one of the ways in which entries come to be. It begins with members who have what they pay.
type way struct {
	name string
	act  func(s *apptest.Server)
	want counted
}

// given is what alice and bob have each before a way is gone.
const given = 100

func hold(s *apptest.Server, amount int) string {
	s.T.Helper()
	return s.Post("/api/loyalty/holds", object{
		"walletAddress": apptest.Alice, "loyaltyCurrencyId": s.LoyaltyCurrencyID, "amount": amount,
	}).OK()["id"].(string)
}

func offChain(s *apptest.Server) (contract, asset string) {
	s.T.Helper()
	contract = s.Post("/api/minting/contracts",
		object{"name": "Posters", "contractKind": "OFFCHAIN", "isListed": true}).OK()["id"].(string)
	return contract, s.Post("/api/minting/assets", object{
		"mintingContractId": contract, "name": "Poster", "price": 6, "quantity": 9, "isListed": true,
		"loyaltyCurrencyId": s.LoyaltyCurrencyID.String(),
	}).OK()["id"].(string)
}

// bid has alice outbid by bob, who wins.
func bid(s *apptest.Server) {
	s.T.Helper()
	contract, asset := offChain(s)
	now := s.Clock.Now()
	auction := s.Post("/api/auctions", object{
		"name": "Poster", "type": "english", "startsAt": now.Add(-time.Minute), "endsAt": now.Add(time.Minute),
		"loyaltyCurrencyId": s.LoyaltyCurrencyID, "minBidAmount": "1", "mintingContractId": contract,
		"auctionItems": []object{{"mintingContractAssetId": asset}},
	}).OK()["id"].(string)
	for i, wallet := range []string{apptest.Alice, apptest.Bob} {
		s.Post("/api/auction_bids", object{"auctionId": auction, "walletAddress": wallet, "amount": 20 + 10*i}).OK()
	}
	s.Clock.Advance(2 * time.Minute)
	if err := s.App.Auctions.CloseDueBatch(always); err != nil {
		s.T.Fatal(err)
	}
}

func ways() []way {
	post := func(path string, body object) func(s *apptest.Server) {
		return func(s *apptest.Server) { s.Post(path, body).OK() }
	}
	return []way{
		{"a rule pays", func(s *apptest.Server) {
			s.Complete(s.Free(object{"amount": 45}), object{"walletAddress": apptest.Alice}).OK()
		}, counted{issued: 45}},
		{"a badge pays", func(s *apptest.Server) {
			s.GrantBadge(s.CreateBadge(s.PointsReward(4)), apptest.Alice)
		}, counted{issued: 4}},
		{"a caller gives", func(s *apptest.Server) { s.Transact(apptest.Points(apptest.Alice, 7)).OK() }, counted{issued: 7}},
		{"a caller takes", func(s *apptest.Server) {
			s.Transact(apptest.Points(apptest.Alice, 7, apptest.Debit)).OK()
		}, counted{spent: 7}},
		{"a member gives to another", func(s *apptest.Server) {
			s.Transact(apptest.Points(apptest.Alice, 9, apptest.Debit), apptest.Points(apptest.Bob, 8)).OK()
		}, counted{spent: 1, moved: 8}},
		{"a hold is released", func(s *apptest.Server) {
			post("/api/loyalty/holds/"+hold(s, 60)+"/release", object{})(s)
		}, counted{returned: 60}},
		{"a hold expires", func(s *apptest.Server) {
			hold(s, 30)
			s.Clock.Advance(48 * time.Hour)
			if err := s.App.Holds.RunDue(always); err != nil {
				s.T.Fatal(err)
			}
		}, counted{returned: 30}},
		{"a hold is captured", func(s *apptest.Server) {
			post("/api/loyalty/holds/"+hold(s, 12)+"/capture", object{})(s)
		}, counted{spent: 12}},
		{"a hold is captured in part", func(s *apptest.Server) {
			post("/api/loyalty/holds/"+hold(s, 12)+"/capture", object{"amount": 5})(s)
		}, counted{spent: 5, returned: 7}},
		{"a bid is outbid, another wins", bid, counted{spent: 30, returned: 20}},
		{"a mint is paid", func(s *apptest.Server) {
			contract, asset := offChain(s)
			post("/api/minting/contracts/mint", object{
				"assetId": asset, "contractId": contract, "walletAddress": apptest.Alice,
			})(s)
		}, counted{spent: 6}},
		{"points expire", func(s *apptest.Server) {
			s.SetPointLifetime(5, 0)
			s.Transact(apptest.Points(apptest.Carol, 11)).OK()
			s.AdvanceAndExpire(6 * 24 * time.Hour)
			s.SetPointLifetime(0, 0)
		}, counted{issued: 11, expired: 11 + 2*given}},
		{"held points are given", func(s *apptest.Server) {
			s.SetPointLifetime(0, 2)
			s.Complete(s.Free(object{"amount": 3}), object{"walletAddress": apptest.Alice}).OK()
			s.AdvanceAndExpire(3 * time.Hour)
			s.SetPointLifetime(0, 0)
		}, counted{issued: 3}},
		{"a deleted rule takes back", func(s *apptest.Server) {
			rule := s.Free(object{"amount": 13})
			s.Complete(rule, object{"walletAddress": apptest.Carol}).OK()
			s.DeleteRuleAndDebit(rule).OK()
		}, counted{issued: 13, takenBack: 13}},
		{"a block leaves the chain", func(s *apptest.Server) { s.ReorganizePaidEvent() }, counted{issued: 15, takenBack: 15}},
		{"a reward is reversed", func(s *apptest.Server) {
			s.Complete(s.Free(object{"amount": 13}), object{"walletAddress": apptest.Carol}).OK()
			paid := s.Get("/api/loyalty/transaction_entries?walletAddress=" + apptest.Carol).Data()[0]
			post("/api/loyalty/transactions/"+paid["loyaltyTransactionId"].(string)+"/reverse", object{})(s)
		}, counted{issued: 13, takenBack: 13}},
		{"a payment is reversed", func(s *apptest.Server) {
			paid := s.Transact(apptest.Points(apptest.Alice, 7, apptest.Debit)).OK()["id"].(string)
			post("/api/loyalty/transactions/"+paid+"/reverse", object{"amount": 3})(s)
		}, counted{spent: 4, returned: 3}},
		{"a currency is reset", func(s *apptest.Server) {
			s.Transact(apptest.Points(apptest.Carol, 14)).OK()
			s.Reset("balances").OK()
		}, counted{issued: 14, takenBack: 14 + 2*given}},
		{"a member is imported", func(s *apptest.Server) {
			s.ImportMembers("walletAddress,balance\n"+apptest.Carol+",17\n", nil)
		}, counted{opening: 17}},
	}
}

// TestEveryWayCountsInOneFigure brings about entries in every way and compares what the figures say. A cause that no
// way here brings about fails it, and so does a way after which figures and balances differ.
func TestEveryWayCountsInOneFigure(t *testing.T) {
	t.Parallel()
	for _, w := range ways() {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
				s.Transact(apptest.Points(apptest.Alice, given), apptest.Points(apptest.Bob, given)).OK()
				w.act(s)
				s.UpdateFigures()
				want := w.want
				want.issued += 2 * given
				if got := sum(t, s); got != want {
					t.Errorf("figures are %+v, want %+v", got, want)
				}
				equalsBalances(t, s, db)
			})
		})
	}
}

// sum adds up the figures of some days.
func sum(t *testing.T, s *apptest.Server) (out counted) {
	t.Helper()
	for _, f := range must(s.App.Figures.Flows(always, s.WebsiteScope(), laurel.Visibility{All: true}, s.LoyaltyCurrencyID, figures.Until(s.Clock.Now(), 30)))(t) {
		for into, value := range map[*int64]int64{
			&out.issued: int64(f.Issued), &out.spent: int64(f.Spent), &out.returned: int64(f.Returned),
			&out.expired: int64(f.Expired), &out.takenBack: int64(f.TakenBack), &out.moved: int64(f.Moved),
			&out.opening: int64(f.Opening),
		} {
			*into += value / int64(whole(1))
		}
	}
	return out
}

// equalsBalances: what members hold is what was issued and what they were imported with, less what was spent, expired
// and was taken back.
func equalsBalances(t *testing.T, s *apptest.Server, db apptest.Database) {
	t.Helper()
	var held int64
	if err := db.Get(always, &held, `SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM loyalty_accounts
		WHERE user_id IS NOT NULL`); err != nil {
		t.Fatal(err)
	}
	got := sum(t, s)
	if want := held / int64(whole(1)); got.issued+got.opening-got.spent-got.expired-got.takenBack != want {
		t.Errorf("figures %+v, members hold %d", got, want)
	}
}

// TestEveryCauseIsBroughtAbout walks all ways on one website: together they have every cause there is.
func TestEveryCauseIsBroughtAbout(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		for _, w := range ways() {
			s.Transact(apptest.Points(apptest.Alice, 200), apptest.Points(apptest.Bob, 200)).OK()
			w.act(s)
		}
		s.UpdateFigures()
		equalsBalances(t, s, db)
		var causes []string
		query := "SELECT DISTINCT COALESCE(cause, 'reward') FROM loyalty_transactions ORDER BY 1"
		if err := db.Select(context.Background(), &causes, query); err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, c := range ledger.Causes() {
			want = append(want, string(c))
		}
		slices.Sort(want)
		if fmt.Sprint(causes) != fmt.Sprint(want) {
			t.Errorf("the ways have the causes %v, there are %v", causes, want)
		}
	})
}
