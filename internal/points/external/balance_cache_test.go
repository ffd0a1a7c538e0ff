package external_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

// outsideKnown is beyond the time for which a balance outside is remembered.
const outsideKnown = 6 * time.Second

// boardOf lists the accounts of a currency with the key that stands in every page.
func boardOf(s *apptest.Server, currency, query string) []object {
	s.T.Helper()
	return s.Call(s.ClientAPIKey, http.MethodGet, "/api/loyalty/accounts?loyaltyCurrencyId="+currency+query, nil).Data()
}

// standsAt demands the amounts of a board, and where they come from, from the top.
func standsAt(t *testing.T, what string, board []object, want string) {
	t.Helper()
	found := []string{}
	for _, a := range board {
		found = append(found, fmt.Sprint(a["amount"].(json.Number), " ", a["amountFrom"]))
	}
	if got := fmt.Sprint(found); got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func TestReadsThatTheOutsideRefusesNeverStopPosts(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		set(b, func(b *apptest.Bank) { b.Busy = true })
		for range 12 { // far more than it takes until the host is left alone
			standsAt(t, "while reads are refused", boardOf(s, currency, ""), "[10 mirror]")
			s.Clock.Advance(outsideKnown)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Bob, 3, nil)).OK()
		b.CheckBalance(t, apptest.Alice, "20")
		s.Sound()
	})
}

func TestManyReadersAskTheOutsideOnce(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 5, nil)).OK()
		set(b, func(b *apptest.Bank) { b.Balances[apptest.Alice] = 7 * laurel.One })
		const readers = 30
		asked, release := make(chan struct{}), make(chan struct{})
		set(b, func(b *apptest.Bank) {
			b.Reading = func() { asked <- struct{}{}; <-release }
		})
		var all sync.WaitGroup
		read := func() {
			defer all.Done()
			standsAt(t, "at once", boardOf(s, currency, ""), "[7 outside]")
		}
		all.Add(1)
		go read()
		<-asked
		all.Add(readers)
		for range readers {
			go read()
		}
		close(release)
		go func() {
			for range asked { // a repeated request is let through, and counted
			}
		}()
		all.Wait()
		set(b, func(b *apptest.Bank) { b.Reading = nil })
		standsAt(t, "a little later", boardOf(s, currency, ""), "[7 outside]")
		if b.Reads != 1 {
			t.Errorf("asked %d times by %d readers", b.Reads, readers+2)
		}
		s.Clock.Advance(outsideKnown)
		set(b, func(b *apptest.Bank) { b.Balances[apptest.Alice] = 8 * laurel.One })
		standsAt(t, "after the time", boardOf(s, currency, ""), "[8 outside]")
		if b.Reads != 2 {
			t.Errorf("asked %d times in all", b.Reads)
		}
		close(asked)
	})
}

func TestAMembersOwnWriteIsSeenAtOnceOutside(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 20, nil)).OK()
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Bob, 5, nil)).OK()
		standsAt(t, "before", boardOf(s, currency, ""), "[20 outside 5 outside]")
		set(b, func(b *apptest.Bank) { b.Balances[apptest.Bob] = 6 * laurel.One }) // which nobody here knows of
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		standsAt(t, "after a completion", boardOf(s, currency, ""), "[30 outside 5 outside]")
		s.Post("/api/loyalty/transactions", object{"description": "Spent", "loyaltyCurrencyId": currency, "entries": []any{object{"walletAddress": apptest.Alice, "amount": 4, "direction": "debit"}}}).
			OK()
		standsAt(t, "after a debit", boardOf(s, currency, ""), "[26 outside 5 outside]")
		s.Clock.Advance(outsideKnown)
		standsAt(t, "after the time", boardOf(s, currency, ""), "[26 outside 6 outside]")
	})
}

func TestAReadThatAWriteOvertakesIsNotRemembered(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 20, nil)).OK()
		asked, release := make(chan struct{}), make(chan struct{})
		set(b, func(b *apptest.Bank) {
			b.Answered = func() { close(asked); <-release } // it knows the balance, and the answer is under way
		})
		var reading sync.WaitGroup
		reading.Go(func() { standsAt(t, "read before", boardOf(s, currency, ""), "[20 outside]") })
		<-asked
		set(b, func(b *apptest.Bank) { b.Answered = nil })
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 1, nil)).OK()
		close(release)
		reading.Wait()
		standsAt(t, "read after", boardOf(s, currency, ""), "[21 outside]")
	})
}

func TestAnEditedCurrencyIsNotAnsweredFromItsFormerAddress(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		s.Post("/api/loyalty/transactions", apptest.CreditBody(currency, apptest.Alice, 5, nil)).OK()
		standsAt(t, "before", boardOf(s, currency, ""), "[5 outside]")
		other := apptest.NewBank(t)
		set(other, func(b *apptest.Bank) { b.Balances[apptest.Alice] = 9 * laurel.One })
		s.Post("/api/loyalty/currencies/"+currency, object{"apiGetUrl": other.URL + "/get"}).OK()
		standsAt(t, "elsewhere", boardOf(s, currency, ""), "[9 outside]")
		set(other, func(b *apptest.Bank) { b.Balances[apptest.Alice] = 10 * laurel.One })
		s.Post("/api/loyalty/currencies/"+currency, object{"apiAuthType": "bearer", "apiAuthValue": "another"}).OK()
		standsAt(t, "as another caller", boardOf(s, currency, ""), "[10 outside]")
		s.Post("/api/loyalty/currencies/"+currency, object{"apiGetUrl": nil}).OK()
		standsAt(t, "here", boardOf(s, currency, ""), "[5 <nil>]")
	})
}
