package ledger_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/rules/schema"
)

// ledgerOf is a website with entries of every sort, each with its own combination of the properties that the list
// filters by.
type ledgerOf struct {
	*apptest.Server
	gold, external, checkIn string
	users                   map[string]string // wallet → id
	entries                 []object          // all user entries, oldest first
}

func varied(s *apptest.Server) ledgerOf {
	s.T.Helper()
	l := ledgerOf{Server: s, users: map[string]string{}}
	l.gold = s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
	l.external = s.Rule("external_rule", object{"interval": "unlimited", "loyaltyCurrencyId": s.LoyaltyCurrencyID})
	l.checkIn = s.Rule("check_in", object{"interval": "unlimited", "loyaltyCurrencyId": l.gold})
	for n := 1; n <= 3; n++ {
		group := "family"
		if n == 3 {
			group = "others"
		}
		l.users[apptest.Wallet(n)] = s.Post("/api/users/metadatas", object{"walletAddress": apptest.Wallet(n), "userGroupExternalIdentifier": group,
			"walletGroupIdentifier": fmt.Sprintf("label-%d", n%2)}).OK()["userId"].(string)
	}
	for n := 1; n <= 3; n++ {
		s.Transact(apptest.Points(apptest.Wallet(n), 100), apptest.Points(apptest.Wallet(n), 50, object{"loyaltyCurrencyId": l.gold, "idempotencyKey": fmt.Sprintf("gift-%d", n)})).
			OK()
		s.Complete(l.external, object{"walletAddress": apptest.Wallet(n)}).OK()
		s.Complete(l.checkIn, object{"walletAddress": apptest.Wallet(n)}).OK()
		s.Post("/api/loyalty/transactions", object{"description": "An order", "type": "order", "loyaltyCurrencyId": s.LoyaltyCurrencyID,
			"entries": []object{apptest.Points(apptest.Wallet(n), 3, apptest.Debit)}}).
			OK()
	}
	l.entries = s.Get(apptest.EntriesPath + "?limit=100&sortDir=asc").Data()
	if len(l.entries) != 15 {
		s.T.Fatalf("%d entries, want 15", len(l.entries))
	}
	return l
}

// filter is a query and the entries that it must find.
type filter struct {
	query string
	holds func(e object) bool
}

func (l ledgerOf) filters() []filter {
	owner := func(e object) object { return e["loyaltyAccount"].(object)["user"].(object) }
	equal := func(field string, value any) func(object) bool {
		return func(e object) bool { return e[field] == value }
	}
	rule := func(field string, value any) func(object) bool {
		return func(e object) bool {
			r, ok := e["loyaltyTransaction"].(object)["loyaltyRule"].(object)
			return ok && r[field] == value
		}
	}
	fifth := l.entries[5]
	at := fifth["createdAt"].(string)
	return []filter{
		{"walletAddress=" + strings.ToUpper(apptest.Wallet(1)[2:]), func(object) bool { return false }},
		{"walletAddress=0X" + apptest.Wallet(1)[2:], func(object) bool { return false }},
		{"walletAddress=" + apptest.Wallet(1), func(e object) bool { return owner(e)["walletAddress"] == apptest.Wallet(1) }},
		{
			"userId=" + l.users[apptest.Wallet(2)] + "," + l.users[apptest.Wallet(3)],
			func(e object) bool { return owner(e)["walletAddress"] != apptest.Wallet(1) },
		},
		{
			"userId=" + strings.ToUpper(l.users[apptest.Wallet(2)]),
			func(e object) bool { return owner(e)["id"] == l.users[apptest.Wallet(2)] },
		},
		{"userId=" + apptest.SecondUnknownID, func(object) bool { return false }},
		{"userGroupExternalIdentifier=family", func(e object) bool { return owner(e)["walletAddress"] != apptest.Wallet(3) }},
		{"walletGroupIdentifier=label-1", func(e object) bool { return owner(e)["walletAddress"] != apptest.Wallet(2) }},
		{"loyaltyCurrencyId=" + l.gold, equal("loyaltyCurrencyId", l.gold)},
		{"loyaltyRuleId=" + l.external, rule("id", l.external)},
		{"loyaltyRuleType=check_in", rule("type", "check_in")},
		{"loyaltyRuleType=check_in,external_rule", equal("type", "loyalty_rule")},
		{"loyaltyRuleGroupId=" + apptest.SecondUnknownID, func(object) bool { return false }},
		{
			"loyaltyTransactionId=" + fifth["loyaltyTransactionId"].(string),
			equal("loyaltyTransactionId", fifth["loyaltyTransactionId"]),
		},
		{"loyaltyAccountId=" + fifth["loyaltyAccountId"].(string), equal("loyaltyAccountId", fifth["loyaltyAccountId"])},
		{"idempotencyKey=gift-2", equal("idempotencyKey", "gift-2")},
		{"type=order", equal("type", "order")},
		{"type=api_key", equal("type", "api_key")},
		{"type=loyalty_rule", equal("type", "loyalty_rule")},
		{"type=auction_bid", func(object) bool { return false }},
		{"direction=debit", equal("direction", "debit")},
		{"direction=credit", equal("direction", "credit")},
		{"createdAtStart=" + at, func(e object) bool { return e["createdAt"].(string) >= at }},
		{"createdAtEnd=" + at, func(e object) bool { return e["createdAt"].(string) < at }},
		{"createdAtStart=2026-01-14", func(object) bool { return true }},
		{"createdAtEnd=2026-01-14T13:00:00%2B02:00", func(object) bool { return false }},
	}
}

func TestEntriesAreFoundByEveryFilterAndEveryPair(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		l := varied(s)
		check := func(query string, holds func(object) bool) {
			var want []any
			for _, e := range slices.Backward(l.entries) {
				if holds(e) {
					want = append(want, e["id"])
				}
			}
			var got []any
			for _, e := range s.Get(apptest.EntriesPath + "?limit=100&" + query).Data() {
				got = append(got, e["id"])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s finds %v, want %v", query, got, want)
			}
		}
		filters := l.filters()
		for i, f := range filters {
			check(f.query, f.holds)
			name, _, _ := strings.Cut(f.query, "=")
			for _, g := range filters[i+1:] {
				if other, _, _ := strings.Cut(
					g.query,
					"=",
				); other != name &&
					(name != "createdAtStart" || other != "createdAtEnd") {
					check(f.query+"&"+g.query, func(e object) bool { return f.holds(e) && g.holds(e) })
				}
			}
		}
	})
}

func TestEntriesOfManyMainAccountsAreOneListInOrder(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		const currencies, gifts = 18, 2 // more than one statement reads
		for n := range currencies {
			made := s.Post("/api/loyalty/currencies", object{"name": fmt.Sprint("Currency ", n), "symbol": "C", "decimals": 0}).OK()["id"]
			for range gifts {
				s.Transact(apptest.Points(apptest.Wallet(n%3), 1, object{"loyaltyCurrencyId": made})).OK()
				s.Clock.Advance(time.Second)
			}
		}
		for _, dir := range []string{"asc", "desc"} {
			var ids, places []string
			for after := ""; ; after = "&startingAfter=" + ids[len(ids)-1] {
				page := s.Get(apptest.EntriesPath + "?userId=&limit=7&sortDir=" + dir + after)
				for _, e := range page.Data() {
					ids, places = append(ids, e["id"].(string)), append(places, e["createdAt"].(string))
				}
				if len(page.Data()) < 7 {
					break
				}
			}
			if dir == "desc" {
				slices.Reverse(places)
			}
			distinct := slices.Compact(slices.Sorted(slices.Values(ids)))
			if len(distinct) != currencies*gifts || len(ids) != len(distinct) || !slices.IsSorted(places) {
				t.Errorf("%s: %d entries, %d different, in the order %v", dir, len(ids), len(distinct), places)
			}
		}
	})
}

func TestManyValuesAreTakenInEveryForm(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		l := varied(s)
		a, b := l.users[apptest.Wallet(1)], l.users[apptest.Wallet(2)]
		want := s.Get(apptest.EntriesPath + "?limit=100&userGroupExternalIdentifier=family").Body
		for _, query := range []string{"userId=" + a + "&userId=" + b, "userId[]=" + a + "&userId[]=" + b, "userId%5B0%5D=" + a + "&userId%5B1%5D=" + b,
			"userId=" + a + "," + b, "userId=" + a + "," + b + "&userId=" + a, "userId=" + a + "%2C" + b, "userId[1]=" + b + "&userId=" + a,
			"walletAddress=" + apptest.Wallet(
				1,
			) + "," + apptest.Wallet(2), "walletAddress[]=" + apptest.Wallet(2) + "&walletAddress[]=" + apptest.Wallet(1)} {
			if got := s.Get(apptest.EntriesPath + "?limit=100&" + query).Body; got != want {
				t.Errorf("%s: %s", query, got)
			}
		}
		many := strings.Repeat(","+apptest.SecondUnknownID, 150) + "," + a
		if n := s.Count(apptest.EntriesPath + "?limit=100&userId=" + many[1:]); n != 5 {
			t.Errorf("duplicates counted: %d entries", n)
		}
		var all []string
		for n := range 101 {
			all = append(all, fmt.Sprintf("019bbc60-0000-7000-8000-%012d", n))
		}
		s.Get(apptest.EntriesPath+"?userId="+strings.Join(all, ",")).Refused(400, "userId must have at most 100 items")
		s.Get(apptest.EntriesPath + "?userId=" + strings.Join(all[1:], ",")).OK()
	})
}

func TestBadEntryQueriesAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for query, message := range map[string]string{
			"limit=0": "limit must be between 1 and 100", "limit=101": "limit must be between 1 and 100", "limit=-1": "limit must be between 1 and 100",
			"limit=ten": "limit must be a number", "limit=1.5": "limit must be a number", "limit=99999999999999999999": "limit must be between 1 and 100",
			"startingAfter=x": "startingAfter must be a uuid", "startingAfter=" + apptest.SecondUnknownID: "startingAfter not found",
			"userId=me": "userId must be a uuid", "userId=" + apptest.SecondUnknownID + ",me": "userId must be a uuid", "loyaltyRuleId=5": "loyaltyRuleId must be a uuid",
			"userCompletedLoyaltyRuleId=5&userId=" + apptest.SecondUnknownID: "userCompletedLoyaltyRuleId must be a uuid", "loyaltyCurrencyId=gold": "loyaltyCurrencyId must be a uuid",
			"loyaltyTransactionId=1": "loyaltyTransactionId must be a uuid", "loyaltyAccountId=1": "loyaltyAccountId must be a uuid",
			"loyaltyRuleGroupId=no-section": "loyaltyRuleGroupId must be a uuid", "userGroupId=1": "userGroupId must be a uuid",
			"type=points": "type must be one of: auction_bid, direct_mint, loyalty_rule, api_key, order", "type=API_KEY": "type must be one of: auction_bid, direct_mint, loyalty_rule, api_key, order",
			"direction=up": "direction must be one of: credit, debit", "sortBy=amount": "sortBy must be one of: createdAt, updatedAt, loyaltyAccountLockVersion",
			"sortDir=up": "sortDir must be one of: asc, desc", "createdAtStart=yesterday": "createdAtStart must be an ISO 8601 date-time",
			"createdAtEnd=2026-13-01": "createdAtEnd must be an ISO 8601 date-time", "createdAtStart=2026-01-02&createdAtEnd=2026-01-01": "createdAtStart must not be after createdAtEnd",
			"userCompletedLoyaltyRuleId=" + apptest.SecondUnknownID: "userCompletedLoyaltyRuleId requires userId or walletAddress", "organizationId=x": "organizationId must be a uuid",
			"websiteId=1": "websiteId must be a uuid", "walletAddress=%00": "walletAddress must be valid text without NUL", "idempotencyKey=" + strings.Repeat("k", 2049): "idempotencyKey must be at most 2048 characters",
			"loyaltyRuleType=unknown": "loyaltyRuleType must be one of: " + strings.Join(schema.TypeNames(), ", "),
		} {
			got := s.Get(apptest.EntriesPath + "?" + query)
			field, _, _ := strings.Cut(message, " ")
			errors, _ := got.JSON()["errors"].([]any)
			if got.Status != 400 || got.JSON()["message"] != message || len(errors) != 1 || errors[0].(object)["path"] != field {
				t.Errorf("%s: %d %s", query, got.Status, got.Body)
			}
		}
		if got := s.Get(apptest.EntriesPath + "?unknown=1&limit=&startingAfter=&type=&direction="); len(got.Data()) != 0 {
			t.Errorf("empty and unknown parameters: %s", got.Body)
		}
	})
}

func TestEntriesAreSortedAndPagedStably(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for n := range 3 {
			s.Transact(repeat(apptest.Points(apptest.Wallet(n+1), 1), 9)...).OK() // equal times: the id decides
		}
		if n := s.Count(apptest.EntriesPath); n != 10 {
			t.Errorf("%d entries by default, want 10", n)
		}
		s.Clock.Advance(time.Hour)
		less := map[string]func(a, b object) int{
			"createdAt": func(a, b object) int { return strings.Compare(a["createdAt"].(string), b["createdAt"].(string)) },
			"loyaltyAccountLockVersion": func(a, b object) int {
				return apptest.Number(a["loyaltyAccountLockVersion"]) - apptest.Number(b["loyaltyAccountLockVersion"])
			},
		}
		less["updatedAt"] = less["createdAt"]
		less[""] = less["createdAt"]
		for by, compare := range less {
			for _, dir := range []string{"asc", "desc", ""} {
				query := url.Values{"limit": {"4"}, "sortBy": {by}, "sortDir": {dir}, "createdAtEnd": {"2026-01-14T12:30:00Z"}}
				var listed []object
				for {
					page := s.Get(apptest.EntriesPath + "?" + query.Encode())
					listed = append(listed, page.Data()...)
					s.Transact(
						apptest.Points(apptest.Wallet(1), 1),
						apptest.Points(apptest.Wallet(3), 1),
					).OK() // rows are added meanwhile
					if page.JSON()["hasNextPage"] == false {
						break
					}
					query.Set("startingAfter", listed[len(listed)-1]["id"].(string))
				}
				sorted := slices.IsSortedFunc(listed, func(a, b object) int {
					order := compare(a, b)
					if order == 0 {
						order = strings.Compare(a["id"].(string), b["id"].(string))
					}
					if order == 0 {
						return 1 // twice
					}
					if dir != "asc" {
						return -order
					}
					return order
				})
				if len(listed) != 27 || !sorted {
					t.Errorf("sorted by %q %q: %d entries, sorted %v", by, dir, len(listed), sorted)
				}
			}
		}
	})
}

func TestEntriesOfOneAccountArePagedByVersion(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for range 4 {
			s.Transact(repeat(apptest.Points(apptest.Alice, 1), 3)...).OK() // equal times: the version decides
			s.Transact(apptest.Points(apptest.Bob, 1)).OK()
			s.Clock.Advance(time.Second)
		}
		paged := func(account, dir string) (versions []any, ids []string) {
			query := url.Values{
				"limit":            {"2"},
				"sortBy":           {"loyaltyAccountLockVersion"},
				"sortDir":          {dir},
				"loyaltyAccountId": {account},
			}
			for {
				page := s.Get(apptest.EntriesPath + "?" + query.Encode())
				for _, e := range page.Data() {
					versions, ids = append(versions, e["loyaltyAccountLockVersion"]), append(ids, e["id"].(string))
				}
				if page.JSON()["hasNextPage"] == false {
					return versions, ids
				}
				query.Set("startingAfter", ids[len(ids)-1])
			}
		}
		mine := s.Get(apptest.EntriesPath + "?walletAddress=" + apptest.Alice).Data()[0]["loyaltyAccountId"].(string)
		main := s.Get(apptest.EntriesPath + "?userId=").Data()[0]["loyaltyAccountId"].(string)
		for account, count := range map[string]int{mine: 12, main: 8} {
			rising, up := paged(account, "asc")
			_, down := paged(account, "desc")
			slices.Reverse(down)
			if len(up) != count || !slices.Equal(up, down) {
				t.Errorf("%d entries of %s upwards, %d downwards, want %d", len(up), account, len(down), count)
			}
			for i, v := range rising {
				if account == mine && apptest.Number(v) != i+1 {
					t.Errorf("version %v at place %d", v, i)
				}
			}
		}
	})
}

func TestEntriesOfSeveralRulesArePagedInOneOrder(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		group := s.Post("/api/loyalty/rule_groups/create", object{"name": "G", "websiteId": s.WebsiteID, "organizationId": s.OrganizationID}).OK()["id"].(string)
		var rules, want []string
		for range 3 {
			rules = append(
				rules,
				s.Rule("external_rule", object{"interval": "unlimited", "amount": 1, "loyaltyRuleGroupId": group}),
			)
		}
		stranger := s.Rule("external_rule", object{"interval": "unlimited", "amount": 1})
		for i := range 12 {
			s.Complete(rules[i%3], object{"walletAddress": apptest.Wallet(i)}).OK()
			s.Complete(stranger, object{"walletAddress": apptest.Wallet(i)}).OK()
			s.Clock.Advance(time.Second)
			want = append(want, apptest.Wallet(i))
		}
		for _, filter := range []url.Values{{"loyaltyRuleGroupId": {group}}, {"loyaltyRuleId": rules}, {"loyaltyRuleGroupId": {group}, "loyaltyRuleId": append(rules, stranger)}} {
			for _, dir := range []string{"asc", "desc"} {
				query := url.Values{"limit": {"5"}, "sortDir": {dir}}
				maps.Copy(query, filter)
				var got []string
				for {
					page := s.Get(apptest.EntriesPath + "?" + query.Encode())
					var last string
					for _, e := range page.Data() {
						got, last = append(got, e["loyaltyAccount"].(object)["user"].(object)["walletAddress"].(string)), e["id"].(string)
					}
					if page.JSON()["hasNextPage"] == false {
						break
					}
					query.Set("startingAfter", last)
				}
				if dir == "desc" {
					slices.Reverse(got)
				}
				if !slices.Equal(got, want) {
					t.Errorf("%v %s: %v", filter, dir, got)
				}
			}
		}
	})
}
