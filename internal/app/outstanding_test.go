package app_test

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"

	"laurel/internal/points/audit"
)

// grant gives a wallet an amount by a transaction.
func (s *server) grant(wallet, amount string) answer {
	s.t.Helper()
	return s.post("/api/loyalty/transactions", object{"description": "A gift", "loyaltyCurrencyId": s.LoyaltyCurrencyID,
		"entries": []any{object{"walletAddress": wallet, "amount": json.Number(amount)}}})
}

func (s *server) mainBalance() string {
	s.t.Helper()
	return s.get("/api/loyalty/accounts?userId=&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).data()[0]["amount"].(json.Number).String()
}

func TestWhatACurrencyOwesStaysInRange(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.grant("big-1", "8000000000000").ok()
		const refusal = "amount would take the sum of the currency to 9000000000000 units or more"
		s.grant("big-2", "8000000000000").refused(400, refusal)
		s.grant("big-3", "999999999999.999999").ok()
		s.grant("big-4", "0.000001").refused(400, refusal)
		if err := s.app.Ledger.FoldMainAccounts(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := s.mainBalance(); got != "-8999999999999.999999" {
			t.Errorf("the main account is %s", got)
		}
		if got := s.balance("big-2"); got != "" {
			t.Errorf("a refused grant made an account of %s", got)
		}
		report, err := s.app.Audit.Verify(context.Background(), audit.Trust{})
		if err != nil || len(report.Discrepancies) > 0 {
			t.Errorf("verify: %v %v", report.Discrepancies, err)
		}
	})
}

func TestConcurrentGrantsTogetherStayInRange(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		var given atomic.Int64
		var wg sync.WaitGroup
		for i := range 32 {
			wg.Go(func() {
				if s.grant("w"+string(rune('a'+i)), "1000000000000").status == 200 {
					given.Add(1)
				}
			})
		}
		wg.Wait()
		if got := s.mainBalance(); given.Load() != 8 || got != "-8000000000000" {
			t.Errorf("%d grants of 1e12, main account %s", given.Load(), got)
		}
	})
}
