package apptest

import (
	"context"
	"fmt"
	"time"
)

// SetPointLifetime sets after how many days points of the program's currency expire, and for how many hours they are
// held before they are credited. With 0 days they never expire; with 0 hours they are credited at once.
func (s *Server) SetPointLifetime(days, hours int) {
	s.T.Helper()
	nilIfZero := func(n int) any {
		if n == 0 {
			return nil
		}
		return n
	}
	s.Post(CurrenciesPath+"/"+s.LoyaltyCurrencyID.String(), Object{"pointsExpireAfterDays": nilIfZero(days), "pointsWaitHours": nilIfZero(hours)}).
		OK()
}

// Account returns the id of a wallet's account in the program's currency.
func (s *Server) Account(wallet string) string {
	s.T.Helper()
	return s.Get("/api/loyalty/accounts?walletAddress=" + wallet + "&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).Data()[0]["id"].(string)
}

// lots returns the lots of a wallet's account, oldest first, as "state amount remaining".
func (s *Server) lots(wallet string) []string {
	s.T.Helper()
	list := s.Get("/api/loyalty/accounts/" + s.Account(wallet) + "/lots").Data()
	out := make([]string, len(list))
	for i, l := range list {
		out[len(list)-1-i] = fmt.Sprintf("%s %s %s", l["state"], l["amount"], l["remaining"])
	}
	return out
}

// AdvanceAndExpire advances the clock and runs expiry.
func (s *Server) AdvanceAndExpire(d time.Duration) {
	s.T.Helper()
	s.Clock.Advance(d)
	s.RunExpiry()
}

// RunExpiry debits the points that have expired and credits held points whose time is over.
func (s *Server) RunExpiry() {
	s.T.Helper()
	if err := s.App.Expiry.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// CheckLots fails unless the wallet has this balance and these lots, as lots returns them, and the ledger is sound.
func (s *Server) CheckLots(wallet, balance string, lots ...string) {
	s.T.Helper()
	if got := s.Balance(wallet); got != balance {
		s.T.Fatalf("the balance is %s, want %s", got, balance)
	}
	if got := s.lots(wallet); fmt.Sprint(got) != fmt.Sprint(lots) {
		s.T.Fatalf("the lots are %q, want %q", got, lots)
	}
	s.Sound()
}
