package ledger_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
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

func path(r apptest.Ranking, account, currency string) string {
	return "/api/loyalty/accounts/" + account + "/rank?websiteId=" + r.WebsiteID.String() + "&organizationId=" + r.OrganizationID.String() + "&loyaltyCurrencyId=" + currency
}

// rankOf returns the JSON of the rank of a wallet.
func rankOf(r apptest.Ranking, n int) string {
	r.T.Helper()
	got := r.Get(path(r, r.Account(n), r.LoyaltyCurrencyID.String()))
	if c := got.Header.Get("Cache-Control"); got.Status != 200 || c != "private, max-age=5" {
		r.T.Fatalf("%d %s, Cache-Control %q", got.Status, got.Body, c)
	}
	return strings.TrimSuffix(strings.TrimPrefix(got.Body, `{"rank":`), "}")
}

func cutoffRequests(r apptest.Ranking, when string, want ...string) {
	r.T.Helper()
	for i, rank := range want {
		if got := rankOf(r, i+1); got != rank {
			r.T.Errorf("%s: wallet %d has rank %s, want %s", when, i+1, got, rank)
		}
	}
}

func block(r apptest.Ranking, n int, blocked bool) {
	r.T.Helper()
	r.Post("/api/users/metadatas", object{"walletAddress": apptest.Wallet(n), "isBlocked": blocked}).OK()
}

func TestRanksShareTiesAndLeaveOutWhoHasNone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		r := apptest.Ranking{Server: s, Known: map[int]string{}}
		s.Transact(apptest.Points(apptest.Wallet(1), 50), apptest.Points(apptest.Wallet(2), 40), apptest.Points(apptest.Wallet(3), 40), apptest.Points(apptest.Wallet(4), 30), apptest.Points(apptest.Wallet(5), 1), apptest.Points(apptest.Wallet(5), 1, apptest.Debit)).
			OK()
		cutoffRequests(r, "ties", "1", "2", "2", "4", "null")
		block(r, 2, true)
		cutoffRequests(r, "second blocked", "1", "null", "2", "3", "null")
		s.Transact(apptest.Points(apptest.Wallet(2), 100)).OK() // blocked users may be given points
		cutoffRequests(r, "blocked user given points", "1", "null", "2", "3", "null")
		block(r, 2, false)
		cutoffRequests(r, "second unblocked", "2", "1", "3", "4", "null")
		s.Post(
			"/api/users/metadatas",
			object{"walletAddress": apptest.Wallet(2), "isBlocked": true, "isBlockExempt": true},
		).OK()
		s.Transact(apptest.Points(apptest.Wallet(1), json.Number("90.000001"))).OK()
		s.Post(
			"/api/users/metadatas",
			object{"walletAddress": apptest.Wallet(2), "isBlocked": false, "isBlockExempt": false},
		).OK()
		cutoffRequests(r, "by a millionth", "1", "2", "3", "4", "null")
		s.Transact(apptest.Points(apptest.Wallet(3), 40, apptest.Debit)).OK()
		cutoffRequests(r, "third spent all", "1", "2", "null", "3", "null")
		// A group is ranked account by account; a mate's block counts for all.
		for n := 1; n <= 2; n++ {
			s.Post(
				"/api/users/metadatas",
				object{"walletAddress": apptest.Wallet(n), "userGroupExternalIdentifier": "family"},
			).OK()
		}
		cutoffRequests(r, "in a group", "1", "2", "null", "3", "null")
	})
}

func TestNewAccountsOfBlockedUsersAreNotRanked(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		r := apptest.Ranking{Server: s, Known: map[int]string{}}
		block(r, 1, true)
		s.Transact(apptest.Points(apptest.Wallet(1), 50), apptest.Points(apptest.Wallet(2), 40)).OK()
		cutoffRequests(r, "given points while blocked", "null", "1")
		block(r, 1, false)
		cutoffRequests(r, "unblocked", "1", "2")
	})
}

func TestRankNeedsItsParameters(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		r := apptest.Ranking{Server: s, Known: map[int]string{}}
		gold := s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		s.Transact(apptest.Points(apptest.Wallet(1), 5)).OK()
		account := r.Account(1)
		good := path(r, account, s.LoyaltyCurrencyID.String())
		main := s.Get("/api/loyalty/accounts?userId=&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).Data()[0]["id"].(string)
		for _, path := range []string{path(r, account, gold), path(r, account, apptest.SecondUnknownID), path(r, main, s.LoyaltyCurrencyID.String())} {
			if got := s.Get(path); got.Status != 200 || got.Body != `{"rank":null}` {
				t.Errorf("%s: %d %s", path, got.Status, got.Body)
			}
		}
		if got := s.Get(strings.Replace(good, account, strings.ToUpper(account), 1)); got.Body != `{"rank":1}` {
			t.Errorf("an id in capitals: %s", got.Body)
		}
		for _, key := range []string{s.OrganizationAPIKey, s.WebsiteAPIKey, s.ReadOnlyAPIKey, s.ClientAPIKey} {
			s.Call(key, "GET", good, nil).OK()
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
					got := s.Call(key, "GET", base+"?"+strings.Join(kept, "&"), nil)
					if errors, _ := got.JSON()["errors"].([]any); got.Status != 400 || got.JSON()["message"] != message ||
						len(errors) != 1 {
						t.Errorf("%s %q: %d %s", name, value, got.Status, got.Body)
					}
				}
			}
		}
		if got := s.Get("/api/loyalty/accounts/" + account + "/rank").JSON()["errors"].([]any); len(got) != 3 {
			t.Errorf("errors: %v", got)
		}
		s.Get(path(r, apptest.SecondUnknownID, s.LoyaltyCurrencyID.String())).Refused(404, "Account not found")
		s.Get(path(r, "00000000-0000-0000-0000-000000000000", s.LoyaltyCurrencyID.String())).Refused(404, "Account not found")
		s.Get(path(r, "alice", s.LoyaltyCurrencyID.String())).Refused(400, "id must be a uuid")
		s.Get(strings.Replace(good, s.OrganizationID.String(), apptest.SecondUnknownID, 1)).
			Refused(403, "API key does not have access to this organization")
		s.Get(strings.Replace(good, s.WebsiteID.String(), apptest.SecondUnknownID, 1)).
			Refused(403, "API key does not have access to this website")
		s.Call(s.FunctionAPIKey, "GET", good, nil).Refused(403, "API key is not allowed to perform this operation")
	})
}

// standings reads every account by its wallet from the accounts list, which knows nothing of cutoffs.
func standings(r apptest.Ranking) map[string]int64 {
	r.T.Helper()
	found, after := map[string]int64{}, ""
	for {
		page := r.Get("/api/loyalty/accounts?limit=1000&loyaltyCurrencyId=" + r.LoyaltyCurrencyID.String() + after)
		list := page.Data()
		for _, a := range list {
			found[a["user"].(object)["walletAddress"].(string)] = laurelAmount(r.T, a["amount"].(json.Number).String())
		}
		if page.JSON()["hasNextPage"] == false {
			return found
		}
		after = "&startingAfter=" + list[len(list)-1]["id"].(string)
	}
}

// expectedPlace counts a rank from the balances.
func expectedPlace(standings map[string]int64, n int) string {
	own, above := standings[apptest.Wallet(n)], 0
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
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		r := apptest.Ranking{Server: s, Known: map[int]string{}}
		const members = 5010 // wallet n has 10,000 - n points, in pairs: 9998, 9998, 9996, 9996, …
		for first := 1; first <= members; first += 100 {
			var entries []object
			for n := first; n < first+100 && n <= members; n++ {
				entries = append(entries, apptest.Points(apptest.Wallet(n), 10_000-(n+1)/2*2))
			}
			s.Transact(entries...).OK()
		}
		watched := []int{1, 2, 3, 4999, 5001, 5003, 5010}
		check := func(when string, blocked ...int) {
			t.Helper()
			standings := standings(r)
			for _, b := range blocked {
				standings[apptest.Wallet(b)] = 0
			}
			for range 2 { // before the cutoff is refreshed, and with it
				for _, n := range watched {
					if got, want := rankOf(r, n), expectedPlace(standings, n); got != want {
						t.Errorf("%s: wallet %d has rank %s, want %s", when, n, got, want)
					}
				}
				if err := s.App.Ledger.RefreshCutoffs(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := rankOf(r, 5000); got != "4999" {
			t.Errorf("wallet 5000 shares rank 4999, got %s", got)
		}
		if got := rankOf(r, 5001); got != `"5000+"` {
			t.Errorf("wallet 5001 has rank %s", got)
		}
		check("at first")
		s.Transact(apptest.Points(apptest.Wallet(1), 9_998, apptest.Debit)).OK()
		check("the first spent all")
		block(r, 2, true)
		check("the second blocked", 2)
		block(r, 5, true)
		check("the fifth blocked", 2, 5)
		s.Transact(
			apptest.Points(apptest.Wallet(3), 9_000, apptest.Debit),
			apptest.Points(apptest.Wallet(4), 1, apptest.Debit),
		).OK()
		check("two spent some", 2, 5)
		s.Transact(apptest.Points(apptest.Wallet(5010), 9_000), apptest.Points(apptest.Wallet(1), json.Number("4998.5"))).OK()
		check("two rose", 2, 5)
		block(r, 2, false)
		check("the second unblocked", 5)
		s.Sound()
	})
}
