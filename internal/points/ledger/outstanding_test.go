package ledger_test

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/points/audit"
)

// grant gives a wallet an amount by a transaction.
func grant(s *apptest.Server, wallet, amount string) apptest.Response {
	s.T.Helper()
	return s.Post("/api/loyalty/transactions", object{"description": "A gift", "loyaltyCurrencyId": s.LoyaltyCurrencyID,
		"entries": []any{object{"walletAddress": wallet, "amount": json.Number(amount)}}})
}

func mainBalance(s *apptest.Server) string {
	s.T.Helper()
	return s.Get("/api/loyalty/accounts?userId=&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).Data()[0]["amount"].(json.Number).String()
}

func TestWhatACurrencyOwesStaysInRange(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		grant(s, "big-1", "8000000000000").OK()
		const refusal = "amount would take the sum of the currency to 9000000000000 units or more"
		grant(s, "big-2", "8000000000000").Refused(400, refusal)
		grant(s, "big-3", "999999999999.999999").OK()
		grant(s, "big-4", "0.000001").Refused(400, refusal)
		if err := s.App.Ledger.FoldMainAccounts(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := mainBalance(s); got != "-8999999999999.999999" {
			t.Errorf("the main account is %s", got)
		}
		if got := s.Balance("big-2"); got != "" {
			t.Errorf("a refused grant made an account of %s", got)
		}
		report, err := s.App.Audit.Verify(context.Background(), audit.Trust{})
		if err != nil || len(report.Discrepancies) > 0 {
			t.Errorf("verify: %v %v", report.Discrepancies, err)
		}
	})
}

func TestConcurrentGrantsTogetherStayInRange(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var given atomic.Int64
		var wg sync.WaitGroup
		for i := range 32 {
			wg.Go(func() {
				if grant(s, "w"+string(rune('a'+i)), "1000000000000").Status == 200 {
					given.Add(1)
				}
			})
		}
		wg.Wait()
		if got := mainBalance(s); given.Load() != 8 || got != "-8000000000000" {
			t.Errorf("%d grants of 1e12, main account %s", given.Load(), got)
		}
	})
}
