package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"laurel"
)

// laurelAmount returns the millionths of an amount.
func laurelAmount(t testing.TB, text string) int64 {
	t.Helper()
	a, err := laurel.ParseAmount(text)
	if err != nil {
		t.Fatal(err)
	}
	return int64(a)
}

// ranking asks for ranks of accounts.
type ranking struct {
	*server
	known map[int]string // wallet → account
}

func (r ranking) account(n int) string {
	r.t.Helper()
	if r.known[n] == "" {
		r.known[n] = r.find(n)
	}
	return r.known[n]
}

func (r ranking) find(n int) string {
	r.t.Helper()
	return r.get("/api/loyalty/accounts?walletAddress=" + wallet(n) + "&loyaltyCurrencyId=" + r.LoyaltyCurrencyID.String()).data()[0]["id"].(string)
}

func (r ranking) path(account, currency string) string {
	return "/api/loyalty/accounts/" + account + "/rank?websiteId=" + r.WebsiteID.String() + "&organizationId=" + r.OrganizationID.String() + "&loyaltyCurrencyId=" + currency
}

// rank returns the JSON of the rank of a wallet.
func (r ranking) rank(n int) string {
	r.t.Helper()
	got := r.get(r.path(r.account(n), r.LoyaltyCurrencyID.String()))
	if c := got.header.Get("Cache-Control"); got.status != 200 || c != "private, max-age=5" {
		r.t.Fatalf("%d %s, Cache-Control %q", got.status, got.body, c)
	}
	return strings.TrimSuffix(strings.TrimPrefix(got.body, `{"rank":`), "}")
}

func (r ranking) demand(when string, want ...string) {
	r.t.Helper()
	for i, rank := range want {
		if got := r.rank(i + 1); got != rank {
			r.t.Errorf("%s: wallet %d has rank %s, want %s", when, i+1, got, rank)
		}
	}
}

func (r ranking) block(n int, blocked bool) {
	r.t.Helper()
	r.post("/api/users/metadatas", object{"walletAddress": wallet(n), "isBlocked": blocked}).ok()
}

func TestRanksShareTiesAndLeaveOutWhoHasNone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		r := ranking{s, map[int]string{}}
		s.transact(points(wallet(1), 50), points(wallet(2), 40), points(wallet(3), 40), points(wallet(4), 30), points(wallet(5), 1), points(wallet(5), 1, debit)).
			ok()
		r.demand("ties", "1", "2", "2", "4", "null")
		r.block(2, true)
		r.demand("second blocked", "1", "null", "2", "3", "null")
		s.transact(points(wallet(2), 100)).ok() // blocked users may be given points
		r.demand("blocked user given points", "1", "null", "2", "3", "null")
		r.block(2, false)
		r.demand("second unblocked", "2", "1", "3", "4", "null")
		s.post("/api/users/metadatas", object{"walletAddress": wallet(2), "isBlocked": true, "isBlockExempt": true}).ok()
		s.transact(points(wallet(1), json.Number("90.000001"))).ok()
		s.post("/api/users/metadatas", object{"walletAddress": wallet(2), "isBlocked": false, "isBlockExempt": false}).ok()
		r.demand("by a millionth", "1", "2", "3", "4", "null")
		s.transact(points(wallet(3), 40, debit)).ok()
		r.demand("third spent all", "1", "2", "null", "3", "null")
		// A group is ranked account by account; a mate's block counts for all.
		for n := 1; n <= 2; n++ {
			s.post("/api/users/metadatas", object{"walletAddress": wallet(n), "userGroupExternalIdentifier": "family"}).ok()
		}
		r.demand("in a group", "1", "2", "null", "3", "null")
	})
}

func TestNewAccountsOfBlockedUsersAreNotRanked(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		r := ranking{s, map[int]string{}}
		r.block(1, true)
		s.transact(points(wallet(1), 50), points(wallet(2), 40)).ok()
		r.demand("given points while blocked", "null", "1")
		r.block(1, false)
		r.demand("unblocked", "1", "2")
	})
}

func TestRankNeedsItsParameters(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		r := ranking{s, map[int]string{}}
		gold := s.post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		s.transact(points(wallet(1), 5)).ok()
		account := r.account(1)
		good := r.path(account, s.LoyaltyCurrencyID.String())
		main := s.get("/api/loyalty/accounts?userId=&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).data()[0]["id"].(string)
		for _, path := range []string{r.path(account, gold), r.path(account, nobody), r.path(main, s.LoyaltyCurrencyID.String())} {
			if got := s.get(path); got.status != 200 || got.body != `{"rank":null}` {
				t.Errorf("%s: %d %s", path, got.status, got.body)
			}
		}
		if got := s.get(strings.Replace(good, account, strings.ToUpper(account), 1)); got.body != `{"rank":1}` {
			t.Errorf("an id in capitals: %s", got.body)
		}
		for _, key := range []string{s.OrganizationAPIKey, s.WebsiteAPIKey, s.ReadOnlyAPIKey, s.ClientAPIKey} {
			s.call(key, "GET", good, nil).ok()
			for _, name := range []string{"websiteId", "organizationId", "loyaltyCurrencyId"} {
				for value, message := range map[string]string{"": name + " is required", "5": name + " must be a uuid"} {
					var kept []string
					base, query, _ := strings.Cut(good, "?")
					for _, pair := range strings.Split(query, "&") {
						if !strings.HasPrefix(pair, name+"=") {
							kept = append(kept, pair)
						}
					}
					if value != "" {
						kept = append(kept, name+"="+value)
					}
					got := s.call(key, "GET", base+"?"+strings.Join(kept, "&"), nil)
					if errors, _ := got.json()["errors"].([]any); got.status != 400 || got.json()["message"] != message ||
						len(errors) != 1 {
						t.Errorf("%s %q: %d %s", name, value, got.status, got.body)
					}
				}
			}
		}
		if got := s.get("/api/loyalty/accounts/" + account + "/rank").json()["errors"].([]any); len(got) != 3 {
			t.Errorf("errors: %v", got)
		}
		s.get(r.path(nobody, s.LoyaltyCurrencyID.String())).refused(404, "Account not found")
		s.get(r.path("00000000-0000-0000-0000-000000000000", s.LoyaltyCurrencyID.String())).refused(404, "Account not found")
		s.get(r.path("alice", s.LoyaltyCurrencyID.String())).refused(400, "id must be a uuid")
		s.get(strings.Replace(good, s.OrganizationID.String(), nobody, 1)).
			refused(403, "API key does not have access to this organization")
		s.get(strings.Replace(good, s.WebsiteID.String(), nobody, 1)).
			refused(403, "API key does not have access to this website")
		s.call(s.FunctionAPIKey, "GET", good, nil).refused(403, "API key is not allowed to perform this operation")
	})
}

// standings reads every account by its wallet from the accounts list, which knows nothing of cutoffs.
func (r ranking) standings() map[string]int64 {
	r.t.Helper()
	found, after := map[string]int64{}, ""
	for {
		page := r.get("/api/loyalty/accounts?limit=1000&loyaltyCurrencyId=" + r.LoyaltyCurrencyID.String() + after)
		list := page.data()
		for _, a := range list {
			found[a["user"].(object)["walletAddress"].(string)] = laurelAmount(r.t, a["amount"].(json.Number).String())
		}
		if page.json()["hasNextPage"] == false {
			return found
		}
		after = "&startingAfter=" + list[len(list)-1]["id"].(string)
	}
}

// placeOf counts a rank from the standings.
func placeOf(standings map[string]int64, n int) string {
	own, above := standings[wallet(n)], 0
	for _, amount := range standings {
		if amount > own {
			above++
		}
	}
	switch {
	case own == 0:
		return "null"
	case above >= 5000:
		return `"5000+"`
	}
	return fmt.Sprint(above + 1)
}

func TestRanksBeyond5000AreNeverWrong(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		r := ranking{s, map[int]string{}}
		const members = 5010 // wallet n has 10,000 - n points, in pairs: 9998, 9998, 9996, 9996, …
		for first := 1; first <= members; first += 100 {
			var entries []object
			for n := first; n < first+100 && n <= members; n++ {
				entries = append(entries, points(wallet(n), 10_000-(n+1)/2*2))
			}
			s.transact(entries...).ok()
		}
		watched := []int{1, 2, 3, 4999, 5001, 5003, 5010}
		check := func(when string, blocked ...int) {
			t.Helper()
			standings := r.standings()
			for _, b := range blocked {
				standings[wallet(b)] = 0
			}
			for range 2 { // before the cutoff is refreshed, and with it
				for _, n := range watched {
					if got, want := r.rank(n), placeOf(standings, n); got != want {
						t.Errorf("%s: wallet %d has rank %s, want %s", when, n, got, want)
					}
				}
				if err := s.app.Ledger.RefreshCutoffs(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := r.rank(5000); got != "4999" {
			t.Errorf("wallet 5000 shares rank 4999, got %s", got)
		}
		if got := r.rank(5001); got != `"5000+"` {
			t.Errorf("wallet 5001 has rank %s", got)
		}
		check("at first")
		s.transact(points(wallet(1), 9_998, debit)).ok()
		check("the first spent all")
		r.block(2, true)
		check("the second blocked", 2)
		r.block(5, true)
		check("the fifth blocked", 2, 5)
		s.transact(points(wallet(3), 9_000, debit), points(wallet(4), 1, debit)).ok()
		check("two spent some", 2, 5)
		s.transact(points(wallet(5010), 9_000), points(wallet(1), json.Number("4998.5"))).ok()
		check("two rose", 2, 5)
		r.block(2, false)
		check("the second unblocked", 5)
		s.sound()
	})
}
