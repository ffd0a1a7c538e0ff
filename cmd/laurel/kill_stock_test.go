package main_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// buyers want the last items, one each, and have points for one.
const (
	buyers    = 200
	lastItems = 50
	itemPrice = 7
)

// sale is an asset of which there are lastItems.
type sale struct {
	t               testing.TB
	contract, asset string
	mu              sync.Mutex
	got             map[int]int // how many successful responses each buyer got
	refused         map[int]bool
}

func newSale(site caller) *sale {
	site.t.Helper()
	made := func(path string, body object) string { return site.post(path, body).ok(site.t)["id"].(string) }
	s := &sale{t: site.t, got: map[int]int{}, refused: map[int]bool{}}
	s.contract = made("/api/minting/contracts", object{"name": "Posters", "contractKind": "OFFCHAIN", "isListed": true})
	s.asset = made("/api/minting/assets", object{
		"mintingContractId": s.contract, "name": "Poster", "price": itemPrice, "loyaltyCurrencyId": site.currency,
		"quantity": lastItems, "isListed": true,
	})
	for from := 0; from < buyers; from += 100 {
		var moves []move
		for i := from; i < from+100; i++ {
			moves = append(moves, move{walletOf(i), itemPrice})
		}
		site.post(transactions, site.transfer("", moves...)).ok(site.t)
	}
	return s
}

// buy asks for an item under the buyer's key, and notes what is answered.
func (s *sale) buy(site caller, buyer int) {
	r, err := site.send(http.MethodPost, "/api/minting/contracts/mint", object{
		"assetId": s.asset, "contractId": s.contract, "walletAddress": walletOf(buyer),
	}, "Idempotency-Key", fmt.Sprintf("buyer-%d", buyer))
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err != nil || r.status == http.StatusServiceUnavailable:
	case r.status == http.StatusOK:
		s.got[buyer]++
	case r.status == http.StatusBadRequest:
		s.refused[buyer] = true
	default:
		s.t.Errorf("buyer %d: %d %s", buyer, r.status, r.body)
	}
}

func (s *sale) sold() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.got)
}

func TestAServerThatIsKilledOverTheLastItemsSellsEachOnce(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		first := serve(t, database)
		s := newSale(first.site(p))
		site := first.site(p)
		var all sync.WaitGroup
		all.Go(func() {
			for i := range buyers {
				all.Go(func() { s.buy(site, i) })
				time.Sleep(time.Millisecond) // else all of them may share one commit
			}
		})
		wait.Until(t, "some have one", func() bool { return s.sold() >= 10 })
		first.kill()
		all.Wait()
		sold := s.sold()
		again := serve(t, database)
		site = again.site(p)
		for i := range buyers {
			if !s.refused[i] { // a refused member is refused again
				all.Go(func() { s.buy(site, i) })
			}
		}
		all.Wait()
		t.Logf("%d got a response before the kill", sold)
		s.check(site)
		green(t, database)
	})
}

// check demands that each item was sold once, to the buyer who got the response and paid, and no one else paid.
func (s *sale) check(site caller) {
	s.t.Helper()
	if len(s.got) != lastItems || len(s.got)+len(s.refused) != buyers {
		s.t.Errorf("%d have one and %d were refused, of %d buyers", len(s.got), len(s.refused), buyers)
	}
	if minted := site.get("/api/minting/assets/" + s.asset).ok(s.t)["quantityMinted"]; minted != float64(lastItems) {
		s.t.Errorf("%v are minted", minted)
	}
	mints := map[string]int{}
	for _, m := range site.get("/api/minting/status?limit=1000").ok(s.t)["data"].([]any) {
		mints[m.(object)["walletAddress"].(string)]++
	}
	balances := map[string]any{}
	for _, a := range site.get("/api/loyalty/accounts?limit=1000").ok(s.t)["data"].([]any) {
		if user, ok := a.(object)["user"].(object); ok {
			balances[user["walletAddress"].(string)] = a.(object)["amount"]
		}
	}
	for i := range buyers {
		want, left := 0, float64(itemPrice)
		if s.got[i] > 0 {
			want, left = 1, 0
		}
		if wallet := walletOf(i); mints[wallet] != want || balances[wallet] != left {
			s.t.Errorf("buyer %d got %d successful responses: it has %d and %v points", i, s.got[i], mints[wallet], balances[wallet])
		}
	}
}
