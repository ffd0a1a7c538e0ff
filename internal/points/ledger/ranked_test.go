package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// TestRankedListsLeaveOutWhoHasNoRank walks the keys, both orders, the past and pages of one.
func TestRankedListsLeaveOutWhoHasNoRank(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		r := apptest.Ranking{Server: s, Known: map[int]string{}}
		for n := range 6 {
			s.Transact(apptest.Points(apptest.Wallet(n), 60-10*n)).OK()
		}
		block(r, 0, true)
		block(r, 3, true)
		past := s.Clock.Now()
		s.Clock.Advance(time.Hour)
		ranked, unranked, all := "[50 40 20 10]", "[60 30]", "[60 50 40 30 20 10]"
		list := func(key, query string) (amounts []any) {
			t.Helper()
			path := "/api/loyalty/accounts?limit=1&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String() + query
			for after := ""; ; {
				page := s.Call(key, "GET", path+after, nil)
				for _, a := range page.Data() {
					amounts, after = append(amounts, a["amount"]), "&startingAfter="+a["id"].(string)
				}
				if page.JSON()["hasNextPage"] == false {
					return amounts
				}
			}
		}
		then := "&" + apptest.AsOf(past)
		for _, c := range []struct{ key, query, want string }{
			{s.ReadOnlyAPIKey, "", ranked}, {s.ClientAPIKey, "", ranked},
			{s.ReadOnlyAPIKey, then, ranked}, {s.ClientAPIKey, then, ranked},
			{s.ReadOnlyAPIKey, "&isRanked=true", ranked}, {s.ClientAPIKey, "&sortDir=asc", "[10 20 40 50]"},
			{s.WebsiteAPIKey, "", all}, {s.OrganizationAPIKey, "", all}, {s.WebsiteAPIKey, then, all},
			{s.WebsiteAPIKey, "&isRanked=true", ranked}, {s.OrganizationAPIKey, "&isRanked=true" + then, ranked},
			{s.WebsiteAPIKey, "&isRanked=false", unranked}, {s.WebsiteAPIKey, "&isRanked=false" + then, unranked},
			{s.OrganizationAPIKey, "&isRanked=false&sortDir=asc", "[30 60]"},
			// Naming a member is no ranked list.
			{s.ReadOnlyAPIKey, "&walletAddress=" + apptest.Wallet(0), "[60]"},
		} {
			if got := fmt.Sprint(list(c.key, c.query)); got != c.want {
				t.Errorf("%s: %s, want %s", c.query, got, c.want)
			}
		}
		for _, key := range []string{s.ReadOnlyAPIKey, s.ClientAPIKey} {
			s.Call(key, "GET", "/api/loyalty/accounts?isRanked=false", nil).
				Refused(400, "isRanked can be false through secret keys only")
		}
		// A page goes on behind an account whose member was blocked meanwhile.
		path := "/api/loyalty/accounts?limit=1&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()
		first := s.Call(s.ReadOnlyAPIKey, "GET", path, nil).Data()[0]
		block(r, 1, true)
		next := s.Call(s.ReadOnlyAPIKey, "GET", path+"&startingAfter="+first["id"].(string), nil).Data()
		if len(next) != 1 || fmt.Sprint(next[0]["amount"]) != "40" {
			t.Errorf("behind a blocked member come %v", next)
		}
	})
}
