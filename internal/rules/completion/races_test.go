package completion_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestAThousandCompletionsThroughTwoNodesPayOnce(t *testing.T) {
	t.Parallel()
	both := apptest.Nodes(t)
	s := both[0]
	for name, properties := range map[string]object{
		"once": {"interval": "once"}, "daily": {"interval": "daily"},
		"rolling": {"interval": "custom", "metadata": object{"customIntervalSeconds": 3600}},
		"capped":  {"interval": "unlimited", "maxAmountInterval": "daily", "maxAmountPerInterval": 10},
	} {
		rule := s.Rule("external_rule", properties)
		wallet := "w-" + name
		var paid, refused atomic.Int64
		start := make(chan struct{})
		var wg sync.WaitGroup
		for i := range 1000 {
			wg.Go(func() {
				<-start
				a := both[i%2].Complete(rule, object{"walletAddress": wallet})
				switch {
				case a.Status == 200:
					paid.Add(1)
				case a.Status == 400 && a.JSON()["rewarded"] == true:
					refused.Add(1)
				default:
					t.Errorf("%d %s", a.Status, a.Body)
				}
			})
		}
		close(start)
		wg.Wait()
		entries := s.Get("/api/loyalty/transaction_entries?walletAddress=" + wallet).Data()
		if paid.Load() != 1 || refused.Load() != 999 || s.Balance(wallet) != "10" || len(entries) != 1 {
			t.Errorf(
				"%s: %d paid, %d refused, balance %s, %d entries",
				name,
				paid.Load(),
				refused.Load(),
				s.Balance(wallet),
				len(entries),
			)
		}
	}
}

func TestOneKeyThroughTwoNodesIsOnePayment(t *testing.T) {
	t.Parallel()
	both := apptest.Nodes(t)
	rule := both[0].Rule("external_rule", nil)
	answers := make([]apptest.Response, 64)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			answers[i] = both[i%2].Complete(rule, object{"walletAddress": apptest.Alice, "idempotencyKey": "k"})
		})
	}
	wg.Wait()
	for _, a := range answers {
		if a.Status != 200 || a.Body != answers[0].Body {
			t.Fatalf("%d %s, another got %s", a.Status, a.Body, answers[0].Body)
		}
	}
	if got := both[1].Balance(apptest.Alice); got != "10" {
		t.Errorf("balance %s, want 10", got)
	}
}

// TestOppositeOrdersDoNotDeadlock posts the same accounts in opposite orders, with completions for the same wallets
// between them.
func TestOppositeOrdersDoNotDeadlock(t *testing.T) {
	t.Parallel()
	both := apptest.Nodes(t)
	s := both[0]
	rule := s.Rule("external_rule", object{"interval": "unlimited", "amount": 1})
	const rounds, wallets = 60, 6
	var wg sync.WaitGroup
	for i := range rounds {
		wg.Go(func() {
			node := both[i%2]
			entries := []object{}
			for w := range wallets {
				entries = append(
					entries,
					object{
						"walletAddress":     fmt.Sprint("w", (w*(1+4*(i/2%2))+i)%wallets),
						"amount":            "0.5",
						"loyaltyCurrencyId": s.LoyaltyCurrencyID,
					},
				)
			}
			node.Post("/api/loyalty/transactions", object{"description": "", "entries": entries}).OK()
			node.Complete(rule, object{"walletAddress": fmt.Sprint("w", i%wallets)}).OK()
		})
	}
	wg.Wait()
	for w := range wallets {
		if got := s.Balance(fmt.Sprint("w", w)); got != "40" { // a half of each round, and one of each tenth completion
			t.Errorf("w%d has %s, want 40", w, got)
		}
	}
}

// TestJoiningRacesWithPayment completes for two wallets while they become a group: the day pays once, or twice when
// both paid before they met.
func TestJoiningRacesWithPayment(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("check_in", object{"interval": "daily"})
		for i := range 20 {
			a, b := fmt.Sprint("a", i), fmt.Sprint("b", i)
			s.In(a, fmt.Sprint("g", i))
			s.Post("/api/users/metadatas", object{"walletAddress": b}).OK()
			var wg sync.WaitGroup
			var paid atomic.Int64
			for _, wallet := range []string{a, b, a, b} {
				wg.Go(func() {
					if s.Complete(rule, object{"walletAddress": wallet}).Status == 200 {
						paid.Add(1)
					}
				})
			}
			wg.Go(func() { s.In(b, fmt.Sprint("g", i)) })
			wg.Wait()
			if n := paid.Load(); n < 1 || n > 2 {
				t.Errorf("%d payments", n)
			}
			for _, wallet := range []string{a, b} {
				s.Complete(rule, object{"walletAddress": wallet}).Refused(400, "You have already been rewarded")
			}
		}
	})
}

// TestNoOrderOfCompletionsExceedsACap draws a cap and amounts, and sends them at once for the wallets of a group.
func TestNoOrderOfCompletionsExceedsACap(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		runs := 0
		rapid.Check(t, func(r *rapid.T) {
			runs++
			limit := laurel.Amount(rapid.Int64Range(1, 50_000_000).Draw(r, "cap"))
			amounts := rapid.SliceOfN(rapid.Int64Range(0, 20_000_000), 1, 12).Draw(r, "amounts")
			group := rapid.Bool().Draw(r, "group")
			rule := s.Rule(
				"external_rule",
				object{"interval": "unlimited", "maxAmountInterval": "lifetime", "maxAmountPerInterval": limit},
			)
			wallets := []string{fmt.Sprint("a", runs)}
			if group {
				wallets = append(wallets, fmt.Sprint("b", runs))
				for _, w := range wallets {
					s.In(w, fmt.Sprint("g", runs))
				}
			}
			var wg sync.WaitGroup
			var paid atomic.Int64
			for i, amount := range amounts {
				wg.Go(func() {
					body := object{"walletAddress": wallets[i%len(wallets)], "amount": laurel.Amount(amount)}
					if i%3 == 0 {
						body["idempotencyKey"] = fmt.Sprint("k", runs, "-", i)
					}
					a := s.Call(s.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rules/"+rule+"/complete", body)
					if a.Status != 200 {
						if a.JSON()["rewarded"] != true {
							t.Errorf("%d %s", a.Status, a.Body)
						}
						return
					}
					reward := a.JSON()["data"].(object)["rewards"].([]any)[0].(object)["amount"].(json.Number)
					v, err := laurel.ParseAmount(reward.String())
					if err != nil {
						t.Error(err)
					}
					paid.Add(int64(v))
				})
			}
			wg.Wait()
			sum := laurel.Amount(0)
			for _, a := range amounts {
				sum += laurel.Amount(a)
			}
			balances := laurel.Amount(0)
			for _, w := range wallets {
				if text := s.Balance(w); text != "" {
					v, err := laurel.ParseAmount(text)
					if err != nil {
						r.Fatal(err)
					}
					balances += v
				}
			}
			if want := min(sum, limit); laurel.Amount(paid.Load()) != want || balances != want {
				r.Fatalf(
					"cap %s, asked %s: answers say %s, balances %s, want %s",
					limit,
					sum,
					laurel.Amount(paid.Load()),
					balances,
					want,
				)
			}
		})
	})
}
