package ledger_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

// book is what the ledger should hold of a few wallets.
type book map[string]struct{ amount, changes int64 }

// post applies entries to a copy; false where one of them would overdraw.
func (b book) post(entries []object) (book, bool) {
	after := maps.Clone(b)
	for _, e := range entries {
		a := after[e["walletAddress"].(string)]
		moved := e["millionths"].(int64)
		if e["direction"] == "debit" {
			moved = -moved
		}
		if a.amount += moved; a.amount < 0 {
			return b, false
		}
		a.changes++
		after[e["walletAddress"].(string)] = a
	}
	return after, true
}

func TestTheLedgerIsWhatASmallBookSays(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"interval": "unlimited"})
		round := 0
		rapid.Check(t, func(rt *rapid.T) {
			round++
			wallets := make([]string, 5)
			for i := range wallets {
				wallets[i] = apptest.Wallet(round*10 + i)
			}
			model := book{}
			amount := rapid.OneOf(
				rapid.Int64Range(1, 3_000_000),
				rapid.SampledFrom([]int64{1, 100_000, 1_000_000, 999_999_999_999}),
			)
			entry := rapid.Custom(func(rt *rapid.T) object {
				m := amount.Draw(rt, "amount")
				return object{
					"walletAddress": rapid.SampledFrom(wallets).Draw(rt, "wallet"),
					"direction":     rapid.SampledFrom([]string{"credit", "debit"}).Draw(rt, "direction"),
					"amount":        json.Number(laurel.Amount(m).String()),
					"millionths":    m,
				} // an unknown property is ignored
			})
			for range rapid.IntRange(1, 8).Draw(rt, "steps") {
				var fine bool
				if rapid.Bool().Draw(rt, "completion") {
					e := entry.Draw(rt, "reward")
					e["direction"] = "credit"
					model, _ = model.post([]object{e})
					if got := s.Complete(rule, object{"walletAddress": e["walletAddress"], "amount": e["amount"]}); got.Status != 200 {
						rt.Fatalf("completion: %d %s", got.Status, got.Body)
					}
					continue
				}
				entries := rapid.SliceOfN(entry, 1, 4).Draw(rt, "entries")
				model, fine = model.post(entries)
				if got := s.Transact(
					entries...); fine != (got.Status == 200) ||
					!fine && got.JSON()["message"] != "Insufficient balance" {
					rt.Fatalf("%v: %d %s, want a success: %v", entries, got.Status, got.Body, fine)
				}
			}
			for _, w := range wallets {
				model.compare(rt, s, w)
			}
		})
		zero(s)
		s.Sound()
	})
}

// compare checks a wallet's account and the running amounts of its entries.
func (b book) compare(t *rapid.T, s *apptest.Server, wallet string) {
	want, known := b[wallet]
	accounts := s.Get("/api/loyalty/accounts?walletAddress=" + wallet).Data()
	if !known {
		if len(accounts) != 0 {
			t.Fatalf("a refused transaction left %v", accounts)
		}
		return
	}
	if len(accounts) != 1 || accounts[0]["amount"].(json.Number).String() != laurel.Amount(want.amount).String() ||
		accounts[0]["lockVersion"].(json.Number).String() != fmt.Sprint(want.changes) {
		t.Fatalf("account %v, want %v", accounts, want)
	}
	running := json.Number("0")
	entries := s.Get(
		apptest.EntriesPath + "?limit=100&sortBy=loyaltyAccountLockVersion&sortDir=asc&walletAddress=" + wallet,
	).
		Data()
	for i, e := range entries {
		if apptest.Number(e["loyaltyAccountLockVersion"]) != i+1 || e["loyaltyAccountStartAmount"] != running {
			t.Fatalf("entry %d of %s starts at %v, want %s: %v", i, wallet, e["loyaltyAccountStartAmount"], running, e)
		}
		running = e["loyaltyAccountEndAmount"].(json.Number)
	}
	if int64(len(entries)) != want.changes || running != accounts[0]["amount"] {
		t.Fatalf("%d entries end at %s, account %v", len(entries), running, accounts[0])
	}
}

// zero fails unless the accounts of every currency sum to zero, the main account included.
func zero(s *apptest.Server) {
	s.T.Helper()
	sums := map[any]int64{}
	after := ""
	for {
		page := s.Get("/api/loyalty/accounts?limit=1000" + after)
		list := page.Data()
		for _, a := range list {
			sums[a["loyaltyCurrencyId"]] += laurelAmount(s.T, a["amount"].(json.Number).String())
		}
		if page.JSON()["hasNextPage"] == false {
			break
		}
		after = "&startingAfter=" + list[len(list)-1]["id"].(string)
	}
	for _, a := range s.Get("/api/loyalty/accounts?userId=").Data() {
		sums[a["loyaltyCurrencyId"]] += laurelAmount(s.T, a["amount"].(json.Number).String())
	}
	for currency, sum := range sums {
		if sum != 0 {
			s.T.Errorf("accounts of %v sum to %d millionths", currency, sum)
		}
	}
}
