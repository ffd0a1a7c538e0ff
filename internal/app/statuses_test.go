package app_test

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// progress writes a rule status with the website key.
func (s *server) progress(rule, wallet string, body object) answer {
	s.t.Helper()
	return s.post("/api/loyalty/rule_statuses", over(object{"loyaltyRuleId": rule, "walletAddress": wallet}, body))
}

// counter makes a counter rule with the range up to the end; no end: without range.
func (s *server) counter(end any) string {
	s.t.Helper()
	metadata := object{}
	if end != nil {
		metadata["range"] = []object{{"startRange": 300, "endRange": end}, {"startRange": 0, "endRange": 200}}
	}
	return s.rule("external_rule", object{"progressType": "counter", "trackProgress": true, "metadata": metadata})
}

func TestProgressIsSetAddedAndClamped(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		hundred, wide, narrow := s.rule("external_rule", object{"trackProgress": true}), s.counter("350.5"), s.counter(nil)
		for _, rule := range []struct{ id, target string }{{hundred, "100"}, {narrow, "100"}, {wide, "350.5"}} {
			for _, c := range []struct {
				body object
				want string
			}{
				{object{"progress": 60}, "60"}, {object{"incProgress": "20.000001"}, "80.000001"}, {object{"progress": 5}, "5"},
				{object{"progress": "10", "incProgress": 2}, "12"}, {object{"incProgress": 0}, "12"}, {object{"progress": 0}, "0"},
				{object{"progress": 50, "incProgress": nil}, "50"}, {object{"progress": 5000}, rule.target}, {object{"incProgress": 1}, rule.target},
				{object{"progress": 0, "incProgress": 8999999999999}, rule.target}, {object{"progress": 8999999999999, "incProgress": 8999999999999}, rule.target},
				{object{"progress": 1}, "1"},
			} {
				if got := s.progress(rule.id, "w", c.body).
					ok(); got["progress"] != jsonNumber(c.want) ||
					got["loyaltyRuleId"] != rule.id {
					t.Errorf("target %s, after %v: %v, want %s", rule.target, c.body, got, c.want)
				}
			}
			s.progress(rule.id, "w", object{"progress": 400}).ok()
		}
		if got := s.balance("w"); got != "" {
			t.Errorf("progress paid %s by itself", got)
		}
		if list := s.get("/api/loyalty/rule_statuses?walletAddress=w").data(); len(list) != 3 { // one row per rule and user
			t.Errorf("%d statuses: %v", len(list), list)
		}
		s.complete(wide, object{"walletAddress": "w"}).ok()
	})
}

func TestBadProgressIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, gone := s.rule("external_rule", nil), s.rule("external_rule", nil)
		s.remove("/api/loyalty/rules/" + gone)
		for _, c := range []struct {
			body    object
			status  int
			message string
		}{
			{object{}, 400, "progress or incProgress is required"}, {object{"progress": nil, "incProgress": nil}, 400, "progress or incProgress is required"},
			{object{"progress": -1}, 400, "progress must be at least 0"}, {object{"incProgress": -0.000001}, 400, "incProgress must be at least 0"},
			{object{"progress": "much"}, 400, "progress must be a number"}, {object{"progress": true}, 400, "progress must be a number"},
			{object{"incProgress": 1.0000001}, 400, "incProgress must have at most 6 decimal places"},
			{object{"progress": 9e12}, 400, "progress must be less than 9000000000000 in absolute value"},
			{object{"progress": 1, "loyaltyRuleId": "x"}, 400, "loyaltyRuleId must be a uuid"},
			{object{"progress": 1, "walletAddress": nil}, 400, "userId or walletAddress is required"},
			{object{"progress": 1, "userId": unknownID}, 404, "User not found"}, {object{"progress": 1, "loyaltyRuleId": unknownID}, 404, "Loyalty rule not found"},
			{object{"progress": 1, "loyaltyRuleId": gone}, 404, "Loyalty rule not found"},
		} {
			s.progress(rule, "w", c.body).refused(c.status, c.message)
		}
		s.post("/api/loyalty/rule_statuses", object{"walletAddress": "w", "progress": 1}).
			refused(400, "loyaltyRuleId is required")
		body := object{"loyaltyRuleId": rule, "walletAddress": "w", "progress": 1}
		s.call(s.program("Rival").WebsiteAPIKey, http.MethodPost, "/api/loyalty/rule_statuses", body).
			refused(404, "Loyalty rule not found")
		s.call(s.ReadOnlyAPIKey, http.MethodPost, "/api/loyalty/rule_statuses", body).refused(403, "API key is read-only")
		s.call(s.ClientAPIKey, http.MethodPost, "/api/loyalty/rule_statuses", body, "Authorization", "Bearer "+s.token("somebody")).
			refused(403, "API key is not allowed to perform this operation")
		if list := s.get("/api/loyalty/rule_statuses").data(); len(list) != 0 {
			t.Errorf("refused writes left %v", list)
		}
		if list := s.get("/api/users?walletAddress=w").data(); len(list) != 0 {
			t.Errorf("refused writes made %v", list)
		}
	})
}

func TestConcurrentIncrementsAddUp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.counter(1000)
		s.in("a", "g")
		s.in("b", "g")
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() { s.progress(rule, []string{"a", "b"}[i%2], object{"incProgress": 3}).ok() })
		}
		wg.Wait()
		if list := s.get("/api/loyalty/rule_statuses?walletAddress=a").
			data(); len(list) != 1 ||
			list[0]["progress"] != jsonNumber("192") {
			t.Errorf("64 increments of 3 by a group: %v", list)
		}
	})
}

func TestTrackedProgressIsRefusedAt60AndPaidAt100(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		wide := s.counter(400)
		for _, c := range []struct {
			rule        string
			short, full object
		}{
			{s.rule("external_rule", object{"trackProgress": true}), object{"progress": 60}, object{"incProgress": 40}},
			{s.rule("check_in", object{"trackProgress": true, "progressType": "percentage"}), object{"progress": "99.999999"}, object{"progress": 100}},
			{s.rule("bonus", object{"trackProgress": true, "progressType": "counter"}), object{"progress": 99}, object{"incProgress": 1}},
			{wide, object{"progress": 399}, object{"incProgress": 50}},
		} {
			s.complete(c.rule, object{"walletAddress": "w"}).refused(400, "Quest not completed")
			s.progress(c.rule, "w", c.short).ok()
			s.complete(c.rule, object{"walletAddress": "w"}).refused(400, "Quest not completed")
			s.complete(c.rule, object{"walletAddress": "w", "verifyOnly": true}).refused(400, "Quest not completed")
			s.progress(c.rule, "w", c.full).ok()
			s.complete(c.rule, object{"walletAddress": "w"}).ok()
			s.complete(c.rule, object{"walletAddress": "w"}).refused(400, "You have already been rewarded")
		}
		s.complete(wide, object{"walletAddress": "w", "idempotencyKey": "k"}).ok()
		s.progress(wide, "w", object{"progress": 1}).ok() // progress may fall again, and a key does not help
		s.complete(wide, object{"walletAddress": "w", "idempotencyKey": "k2"}).refused(400, "Quest not completed")
	})
}

func TestACompletionWithoutTrackingSetsProgressToTheTarget(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule(
			"external_rule",
			object{
				"progressType": "counter",
				"metadata":     object{"range": []object{{"startRange": 1, "endRange": 7, "amount": 1}}},
			},
		)
		s.complete(rule, object{"walletAddress": "w", "rangeValue": 3}).ok()
		plain := s.rule("check_in", nil)
		s.complete(plain, object{"walletAddress": "w"}).ok()
		for r, want := range map[string]string{rule: "7", plain: "100"} {
			if list := s.get("/api/loyalty/rule_statuses?loyaltyRuleId=" + r).
				data(); len(list) != 1 ||
				list[0]["progress"] != jsonNumber(want) {
				t.Errorf("progress %v, want %s", list, want)
			}
		}
	})
}

func TestStatusesAreFoundByRulesAndUsers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		one, two := s.rule("external_rule", nil), s.rule("external_rule", nil)
		first := s.progress(one, "a", object{"progress": 1}).ok()
		s.progress(two, "b", object{"progress": 2}).ok()
		s.progress(one, "b", object{"progress": 3}).ok()
		s.in("c", "g")
		s.progress(two, "c", object{"progress": 4}).ok()
		user := first["userId"].(string)
		list := func(key, query string, headers ...string) []string {
			t.Helper()
			out := []string{}
			for _, status := range s.call(key, http.MethodGet, "/api/loyalty/rule_statuses?"+query, nil, headers...).data() {
				out = append(out, status["progress"].(interface{ String() string }).String())
			}
			return out
		}
		for query, want := range map[string][]string{
			"":                     {"4", "3", "2", "1"},
			"loyaltyRuleId=" + one: {"3", "1"},
			"loyaltyRuleId[]=" + one + "&loyaltyRuleId[]=" + two: {"4", "3", "2", "1"},
			"loyaltyRuleId=" + two + "," + distinct(99):          {"4", "2"},
			"walletAddress=b":                        {"3", "2"},
			"walletAddress=a,b&loyaltyRuleId=" + one: {"3", "1"},
			"userId=" + user:                         {"1"},
			"userGroupExternalIdentifier=g":          {"4"},
			"walletAddress=nobody":                   {},
			"limit=1&walletAddress=b":                {"3"},
			"startingAfter=" + first["id"].(string):  {},
			"websiteId=" + s.WebsiteID.String() + "&organizationId=" + s.OrganizationID.String() + "&limit=2": {"4", "3"},
		} {
			for _, key := range []string{s.WebsiteAPIKey, s.ReadOnlyAPIKey, s.OrganizationAPIKey} {
				if got := list(key, query); !slices.Equal(got, want) {
					t.Errorf("%s: %v, want %v", query, got, want)
				}
			}
		}
		s.get("/api/loyalty/rule_statuses?loyaltyRuleId="+distinct(101)).
			refused(400, "loyaltyRuleId must have at most 100 items")
		s.get("/api/loyalty/rule_statuses?startingAfter="+unknownID).refused(400, "startingAfter not found")
		s.get("/api/loyalty/rule_statuses?limit=1001").refused(400, "limit must be between 1 and 1000")

		for _, path := range []string{"/api/loyalty/rule_statuses", "/api/loyalty/rules/status"} {
			bearer := []string{"Authorization", "Bearer " + s.token("a")}
			s.call(s.ClientAPIKey, http.MethodGet, path, nil).refused(400, "userId or walletAddress is required")
			s.call(s.ClientAPIKey, http.MethodGet, path+"?walletAddress=a", nil).refused(403, "Member token is required")
			s.call(s.ClientAPIKey, http.MethodGet, path+"?walletAddress=b", nil, bearer...).
				refused(403, "Member token does not belong to this user")
			if got := s.call(s.ClientAPIKey, http.MethodGet, path+"?walletAddress=a", nil, bearer...).
				data(); len(got) != 1 ||
				got[0]["userId"] != user {
				t.Errorf("a member sees %v", got)
			}
			if got := s.call(s.program("Rival "+path).WebsiteAPIKey, http.MethodGet, path, nil).data(); len(got) != 0 {
				t.Errorf("another program sees %v", got)
			}
		}
	})
}

// distinct returns n ids of nothing between commas.
func distinct(n int) string {
	ids := []string{}
	for i := range n {
		ids = append(ids, unknownID[:33]+wallet(i)[39:])
	}
	return strings.Join(ids, ",")
}

func TestTheProcessingViewTellsWhatBecameOfACompletion(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		view := func(rule, wallet string) object {
			t.Helper()
			list := s.get("/api/loyalty/rules/status?loyaltyRuleId=" + rule + "&walletAddress=" + wallet).data()
			if len(list) != 1 {
				t.Fatalf("%d items: %v", len(list), list)
			}
			return list[0]
		}
		same := func(when string, got, want object) {
			t.Helper()
			for name, value := range want {
				if !reflect.DeepEqual(got[name], value) {
					t.Errorf("%s: %s is %v in %v, want %v", when, name, got[name], got, value)
				}
			}
		}
		none := s.rule("external_rule", nil)
		if list := s.get("/api/loyalty/rules/status?loyaltyRuleId=" + none).data(); len(list) != 0 {
			t.Errorf("nothing happened: %v", list)
		}
		s.progress(none, "w", object{"progress": 60}).ok()
		item := view(none, "w")
		same(
			"progress only",
			item,
			object{"progress": jsonNumber("60"), "fulfilledAt": nil, "loyaltyRuleId": none, "websiteId": s.WebsiteID.String(),
				"organizationId": s.OrganizationID.String(), "message": ""},
		)
		if _, there := item["status"]; there {
			t.Errorf("progress only has a status: %v", item)
		}
		s.complete(none, object{"walletAddress": "w"}).ok()
		item = view(none, "w")
		same("completed", item, object{"status": "completed", "message": "Completed", "progress": jsonNumber("100")})
		if item["fulfilledAt"] == nil {
			t.Errorf("completed and not fulfilled: %v", item)
		}

		click := s.rule("link_click", object{"interval": "daily", "metadata": object{"link": "https://a.example"}})
		dead := s.rule("link_click", object{"metadata": object{"link": "https://a.example"}})
		for _, r := range []string{click, dead} {
			s.complete(r, object{"walletAddress": "w"}).ok()
			same("clicked", view(r, "w"), object{"status": "pending", "fulfilledAt": nil, "progress": nil,
				"message": "Link click being verified, come back later to check the status"})
		}
		s.update(dead, object{"metadata": object{}})
		s.clock.advance(time.Minute)
		s.jobs()
		same("paid", view(click, "w"), object{"status": "completed", "message": "Completed", "progress": jsonNumber("100")})
		same(
			"not paid",
			view(dead, "w"),
			object{"status": "failed", "message": "Rule is not setup", "fulfilledAt": nil, "progress": nil},
		)
		if fulfilled := view(click, "w")["fulfilledAt"]; fulfilled == nil || fulfilled != view(click, "w")["updatedAt"] {
			t.Errorf("fulfilled at %v: %v", fulfilled, view(click, "w"))
		}
		s.clock.advance(9 * time.Minute)
		same("nine minutes later", view(dead, "w"), object{"status": "failed"})
		s.clock.advance(2 * time.Minute)
		if list := s.get("/api/loyalty/rules/status?loyaltyRuleId=" + dead).data(); len(list) != 0 {
			t.Errorf("a failure is seen after 10 minutes: %v", list)
		}
		same("what was fulfilled stays", view(click, "w"), object{"status": "completed", "message": "Completed"})
		s.clock.advance(24 * time.Hour)
		s.complete(click, object{"walletAddress": "w"}).ok()
		same("clicked the next day", view(click, "w"), object{"status": "pending", "fulfilledAt": nil})
		var seen []any
		for after := ""; ; {
			page := s.get("/api/loyalty/rules/status?limit=1" + after)
			seen = append(seen, page.data()[0]["loyaltyRuleId"])
			if page.ok()["hasNextPage"] == false {
				break
			}
			after = "&startingAfter=" + page.data()[0]["id"].(string)
		}
		if !slices.Equal(seen, []any{click, none}) {
			t.Errorf("in pages: %v", seen)
		}
		s.get("/api/loyalty/rules/status?startingAfter="+unknownID).refused(400, "startingAfter not found")
	})
}
