package ledger_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// The hash of a call covers its user, and a new user has another id in every attempt. If calls reach two nodes at once,
// each must find the user that another call created, even if the rule was edited before, which takes an attempt of its
// own. The moment that matters lies between two statements of PostgreSQL, so there are many rounds.
func TestAKeySentToTwoNodesForANewWalletIsOneCall(t *testing.T) {
	t.Parallel()
	const rounds = 150
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true})
		other := apptest.Open(t, address, app.Config{NoRateLimits: true, Now: s.Clock.Now})
		other.Program = s.Program
		rule := s.Rule("external_rule", object{"interval": "unlimited", "amount": 1})
		for i := range rounds {
			body := object{"walletAddress": apptest.Wallet(1000 + i), "idempotencyKey": fmt.Sprint("order-", i)}
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK() // this node remembers the rule
			other.Post("/api/loyalty/rules/"+rule, object{"name": fmt.Sprint("R", i)}).OK()
			var calls sync.WaitGroup
			calls.Go(func() { s.Complete(rule, body).OK() })
			calls.Go(func() {
				time.Sleep(time.Duration(i%40) * 100 * time.Microsecond)
				other.Complete(rule, body).OK()
			})
			calls.Go(func() { s.Complete(rule, body).OK() })
			calls.Wait()
		}
		for _, i := range []int{0, rounds / 2, rounds - 1} {
			if n := s.Count(apptest.EntriesPath + "?walletAddress=" + apptest.Wallet(1000+i)); n != 1 {
				t.Errorf("%d entries of one key", n)
			}
		}
	})
}
