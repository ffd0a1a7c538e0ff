package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"laurel"
)

// outsideKnown is beyond the time for which a balance outside is remembered.
const outsideKnown = 6 * time.Second

// boardOf lists the accounts of a currency with the key that stands in every page.
func (s *server) boardOf(currency, query string) []object {
	s.t.Helper()
	return s.call(s.ClientAPIKey, http.MethodGet, "/api/loyalty/accounts?loyaltyCurrencyId="+currency+query, nil).data()
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
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		s.complete(rule, object{"walletAddress": alice}).ok()
		b.set(func(b *bank) { b.busy = true })
		for range 12 { // far more than it takes until the host is left alone
			standsAt(t, "while reads are refused", s.boardOf(currency, ""), "[10 mirror]")
			s.clock.advance(outsideKnown)
		}
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.post("/api/loyalty/transactions", gift(currency, bob, 3, nil)).ok()
		b.has(t, alice, "20")
		s.sound()
	})
}

func TestManyReadersAskTheOutsideOnce(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		s.post("/api/loyalty/transactions", gift(currency, alice, 5, nil)).ok()
		b.set(func(b *bank) { b.balances[alice] = 7 * laurel.One })
		const readers = 30
		asked, release := make(chan struct{}), make(chan struct{})
		b.set(func(b *bank) {
			b.reading = func() { asked <- struct{}{}; <-release }
		})
		var all sync.WaitGroup
		read := func() {
			defer all.Done()
			standsAt(t, "at once", s.boardOf(currency, ""), "[7 outside]")
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
			for range asked { // whoever asks again is let through, and counted
			}
		}()
		all.Wait()
		b.set(func(b *bank) { b.reading = nil })
		standsAt(t, "a little later", s.boardOf(currency, ""), "[7 outside]")
		if b.reads != 1 {
			t.Errorf("asked %d times by %d readers", b.reads, readers+2)
		}
		s.clock.advance(outsideKnown)
		b.set(func(b *bank) { b.balances[alice] = 8 * laurel.One })
		standsAt(t, "after the time", s.boardOf(currency, ""), "[8 outside]")
		if b.reads != 2 {
			t.Errorf("asked %d times in all", b.reads)
		}
		close(asked)
	})
}

func TestAMembersOwnWriteIsSeenAtOnceOutside(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		s.post("/api/loyalty/transactions", gift(currency, alice, 20, nil)).ok()
		s.post("/api/loyalty/transactions", gift(currency, bob, 5, nil)).ok()
		standsAt(t, "before", s.boardOf(currency, ""), "[20 outside 5 outside]")
		b.set(func(b *bank) { b.balances[bob] = 6 * laurel.One }) // which nobody here knows of
		s.complete(rule, object{"walletAddress": alice}).ok()
		standsAt(t, "after a completion", s.boardOf(currency, ""), "[30 outside 5 outside]")
		s.post("/api/loyalty/transactions", object{"description": "Spent", "loyaltyCurrencyId": currency, "entries": []any{object{"walletAddress": alice, "amount": 4, "direction": "debit"}}}).
			ok()
		standsAt(t, "after a debit", s.boardOf(currency, ""), "[26 outside 5 outside]")
		s.clock.advance(outsideKnown)
		standsAt(t, "after the time", s.boardOf(currency, ""), "[26 outside 6 outside]")
	})
}

func TestAReadThatAWriteOvertakesIsNotRemembered(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		s.post("/api/loyalty/transactions", gift(currency, alice, 20, nil)).ok()
		asked, release := make(chan struct{}), make(chan struct{})
		b.set(func(b *bank) {
			b.told = func() { close(asked); <-release } // it knows the balance, and the answer is under way
		})
		var reading sync.WaitGroup
		reading.Go(func() { standsAt(t, "read before", s.boardOf(currency, ""), "[20 outside]") })
		<-asked
		b.set(func(b *bank) { b.told = nil })
		s.post("/api/loyalty/transactions", gift(currency, alice, 1, nil)).ok()
		close(release)
		reading.Wait()
		standsAt(t, "read after", s.boardOf(currency, ""), "[21 outside]")
	})
}

func TestAnEditedCurrencyIsNotAnsweredFromItsFormerAddress(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		s.post("/api/loyalty/transactions", gift(currency, alice, 5, nil)).ok()
		standsAt(t, "before", s.boardOf(currency, ""), "[5 outside]")
		other := newBank(t)
		other.set(func(b *bank) { b.balances[alice] = 9 * laurel.One })
		s.post("/api/loyalty/currencies/"+currency, object{"apiGetUrl": other.URL + "/get"}).ok()
		standsAt(t, "elsewhere", s.boardOf(currency, ""), "[9 outside]")
		other.set(func(b *bank) { b.balances[alice] = 10 * laurel.One })
		s.post("/api/loyalty/currencies/"+currency, object{"apiAuthType": "bearer", "apiAuthValue": "another"}).ok()
		standsAt(t, "as another caller", s.boardOf(currency, ""), "[10 outside]")
		s.post("/api/loyalty/currencies/"+currency, object{"apiGetUrl": nil}).ok()
		standsAt(t, "here", s.boardOf(currency, ""), "[5 <nil>]")
	})
}
