package apptest

import (
	"context"
	"fmt"
	"time"
)

// SetPointLifetime makes the program's currency let points live for some days and wait for some hours; 0: not.
func (s *Server) SetPointLifetime(days, hours int) {
	s.T.Helper()
	orNull := func(n int) any {
		if n == 0 {
			return nil
		}
		return n
	}
	s.Post(CurrenciesPath+"/"+s.LoyaltyCurrencyID.String(), Object{"pointsExpireAfterDays": orNull(days), "pointsWaitHours": orNull(hours)}).
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

// AdvanceAndExpire lets time go by and carries out what is due.
func (s *Server) AdvanceAndExpire(d time.Duration) {
	s.T.Helper()
	s.Clock.Advance(d)
	s.RunExpiry()
}

// RunExpiry takes back the points that have expired and gives those that were held.
func (s *Server) RunExpiry() {
	s.T.Helper()
	if err := s.App.Expiry.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// CheckLots fails unless the wallet has these lots and this balance, and the ledger is sound.
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
