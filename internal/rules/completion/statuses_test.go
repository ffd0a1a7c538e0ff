package completion_test

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestProgressIsSetAddedAndClamped(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		hundred, wide, narrow := s.Rule("external_rule", object{"trackProgress": true}), s.CreateCounterRule("350.5"), s.CreateCounterRule(nil)
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
				if got := s.Progress(rule.id, "w", c.body).
					OK(); got["progress"] != apptest.JSONNumber(c.want) ||
					got["loyaltyRuleId"] != rule.id {
					t.Errorf("target %s, after %v: %v, want %s", rule.target, c.body, got, c.want)
				}
			}
			s.Progress(rule.id, "w", object{"progress": 400}).OK()
		}
		if got := s.Balance("w"); got != "" {
			t.Errorf("progress paid %s by itself", got)
		}
		if list := s.Get("/api/loyalty/rule_statuses?walletAddress=w").Data(); len(list) != 3 { // one row per rule and user
			t.Errorf("%d statuses: %v", len(list), list)
		}
		s.Complete(wide, object{"walletAddress": "w"}).OK()
	})
}

func TestBadProgressIsRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, gone := s.Rule("external_rule", nil), s.Rule("external_rule", nil)
		s.Remove("/api/loyalty/rules/" + gone)
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
			{object{"progress": 1, "userId": apptest.UnknownID}, 404, "User not found"}, {object{"progress": 1, "loyaltyRuleId": apptest.UnknownID}, 404, "Loyalty rule not found"},
			{object{"progress": 1, "loyaltyRuleId": gone}, 404, "Loyalty rule not found"},
		} {
			s.Progress(rule, "w", c.body).Refused(c.status, c.message)
		}
		s.Post("/api/loyalty/rule_statuses", object{"walletAddress": "w", "progress": 1}).
			Refused(400, "loyaltyRuleId is required")
		body := object{"loyaltyRuleId": rule, "walletAddress": "w", "progress": 1}
		s.Call(s.NewProgram("Rival").WebsiteAPIKey, http.MethodPost, "/api/loyalty/rule_statuses", body).
			Refused(404, "Loyalty rule not found")
		s.Call(s.ReadOnlyAPIKey, http.MethodPost, "/api/loyalty/rule_statuses", body).Refused(403, "API key is read-only")
		s.Call(s.ClientAPIKey, http.MethodPost, "/api/loyalty/rule_statuses", body, "Authorization", "Bearer "+s.Token("somebody")).
			Refused(403, "API key is not allowed to perform this operation")
		if list := s.Get("/api/loyalty/rule_statuses").Data(); len(list) != 0 {
			t.Errorf("refused writes left %v", list)
		}
		if list := s.Get("/api/users?walletAddress=w").Data(); len(list) != 0 {
			t.Errorf("refused writes made %v", list)
		}
	})
}

func TestConcurrentIncrementsAddUp(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateCounterRule(1000)
		s.In("a", "g")
		s.In("b", "g")
		var wg sync.WaitGroup
		for i := range 64 {
			wg.Go(func() { s.Progress(rule, []string{"a", "b"}[i%2], object{"incProgress": 3}).OK() })
		}
		wg.Wait()
		if list := s.Get("/api/loyalty/rule_statuses?walletAddress=a").
			Data(); len(list) != 1 ||
			list[0]["progress"] != apptest.JSONNumber("192") {
			t.Errorf("64 increments of 3 by a group: %v", list)
		}
	})
}

func TestTrackedProgressIsRefusedAt60AndPaidAt100(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		wide := s.CreateCounterRule(400)
		for _, c := range []struct {
			rule        string
			short, full object
		}{
			{s.Rule("external_rule", object{"trackProgress": true}), object{"progress": 60}, object{"incProgress": 40}},
			{s.Rule("check_in", object{"trackProgress": true, "progressType": "percentage"}), object{"progress": "99.999999"}, object{"progress": 100}},
			{s.Rule("bonus", object{"trackProgress": true, "progressType": "counter"}), object{"progress": 99}, object{"incProgress": 1}},
			{wide, object{"progress": 399}, object{"incProgress": 50}},
		} {
			s.Complete(c.rule, object{"walletAddress": "w"}).Refused(400, "Quest not completed")
			s.Progress(c.rule, "w", c.short).OK()
			s.Complete(c.rule, object{"walletAddress": "w"}).Refused(400, "Quest not completed")
			s.Complete(c.rule, object{"walletAddress": "w", "verifyOnly": true}).Refused(400, "Quest not completed")
			s.Progress(c.rule, "w", c.full).OK()
			s.Complete(c.rule, object{"walletAddress": "w"}).OK()
			s.Complete(c.rule, object{"walletAddress": "w"}).Refused(400, "You have already been rewarded")
		}
		s.Complete(wide, object{"walletAddress": "w", "idempotencyKey": "k"}).OK()
		s.Progress(wide, "w", object{"progress": 1}).OK() // progress may fall again, and a key does not help
		s.Complete(wide, object{"walletAddress": "w", "idempotencyKey": "k2"}).Refused(400, "Quest not completed")
	})
}

func TestACompletionWithoutTrackingSetsProgressToTheTarget(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule(
			"external_rule",
			object{
				"progressType": "counter",
				"metadata":     object{"range": []object{{"startRange": 1, "endRange": 7, "amount": 1}}},
			},
		)
		s.Complete(rule, object{"walletAddress": "w", "rangeValue": 3}).OK()
		plain := s.Rule("check_in", nil)
		s.Complete(plain, object{"walletAddress": "w"}).OK()
		for r, want := range map[string]string{rule: "7", plain: "100"} {
			if list := s.Get("/api/loyalty/rule_statuses?loyaltyRuleId=" + r).
				Data(); len(list) != 1 ||
				list[0]["progress"] != apptest.JSONNumber(want) {
				t.Errorf("progress %v, want %s", list, want)
			}
		}
	})
}

func TestStatusesAreFoundByRulesAndUsers(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		one, two := s.Rule("external_rule", nil), s.Rule("external_rule", nil)
		first := s.Progress(one, "a", object{"progress": 1}).OK()
		s.Progress(two, "b", object{"progress": 2}).OK()
		s.Progress(one, "b", object{"progress": 3}).OK()
		s.In("c", "g")
		s.Progress(two, "c", object{"progress": 4}).OK()
		user := first["userId"].(string)
		list := func(key, query string, headers ...string) []string {
			t.Helper()
			out := []string{}
			for _, status := range s.Call(key, http.MethodGet, "/api/loyalty/rule_statuses?"+query, nil, headers...).Data() {
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
		s.Get("/api/loyalty/rule_statuses?loyaltyRuleId="+distinct(101)).
			Refused(400, "loyaltyRuleId must have at most 100 items")
		s.Get("/api/loyalty/rule_statuses?startingAfter="+apptest.UnknownID).Refused(400, "startingAfter not found")
		s.Get("/api/loyalty/rule_statuses?limit=1001").Refused(400, "limit must be between 1 and 1000")

		for _, path := range []string{"/api/loyalty/rule_statuses", "/api/loyalty/rules/status"} {
			bearer := []string{"Authorization", "Bearer " + s.Token("a")}
			s.Call(s.ClientAPIKey, http.MethodGet, path, nil).Refused(400, "userId or walletAddress is required")
			s.Call(s.ClientAPIKey, http.MethodGet, path+"?walletAddress=a", nil).Refused(403, "Member token is required")
			s.Call(s.ClientAPIKey, http.MethodGet, path+"?walletAddress=b", nil, bearer...).
				Refused(403, "Member token does not belong to this user")
			if got := s.Call(s.ClientAPIKey, http.MethodGet, path+"?walletAddress=a", nil, bearer...).
				Data(); len(got) != 1 ||
				got[0]["userId"] != user {
				t.Errorf("a member sees %v", got)
			}
			if got := s.Call(s.NewProgram("Rival "+path).WebsiteAPIKey, http.MethodGet, path, nil).Data(); len(got) != 0 {
				t.Errorf("another program sees %v", got)
			}
		}
	})
}

// distinct returns n unknown ids between commas.
func distinct(n int) string {
	ids := []string{}
	for i := range n {
		ids = append(ids, apptest.UnknownID[:33]+apptest.Wallet(i)[39:])
	}
	return strings.Join(ids, ",")
}

func TestTheProcessingViewTellsWhatBecameOfACompletion(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		view := func(rule, wallet string) object {
			t.Helper()
			list := s.Get("/api/loyalty/rules/status?loyaltyRuleId=" + rule + "&walletAddress=" + wallet).Data()
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
		none := s.Rule("external_rule", nil)
		if list := s.Get("/api/loyalty/rules/status?loyaltyRuleId=" + none).Data(); len(list) != 0 {
			t.Errorf("nothing happened: %v", list)
		}
		s.Progress(none, "w", object{"progress": 60}).OK()
		item := view(none, "w")
		same(
			"progress only",
			item,
			object{"progress": apptest.JSONNumber(
				"60",
			), "fulfilledAt": nil, "loyaltyRuleId": none, "websiteId": s.WebsiteID.String(),
				"organizationId": s.OrganizationID.String(), "message": ""},
		)
		if _, there := item["status"]; there {
			t.Errorf("progress only has a status: %v", item)
		}
		s.Complete(none, object{"walletAddress": "w"}).OK()
		item = view(none, "w")
		same("completed", item, object{"status": "completed", "message": "Completed", "progress": apptest.JSONNumber("100")})
		if item["fulfilledAt"] == nil {
			t.Errorf("completed and not fulfilled: %v", item)
		}

		click := s.Rule("link_click", object{"interval": "daily", "metadata": object{"link": "https://a.example"}})
		dead := s.Rule("link_click", object{"metadata": object{"link": "https://a.example"}})
		for _, r := range []string{click, dead} {
			s.Complete(r, object{"walletAddress": "w"}).OK()
			same("clicked", view(r, "w"), object{"status": "pending", "fulfilledAt": nil, "progress": nil,
				"message": "Link click being verified, come back later to check the status"})
		}
		s.Update(dead, object{"metadata": object{}})
		s.Clock.Advance(time.Minute)
		s.RunCompletionJobs()
		same(
			"paid",
			view(click, "w"),
			object{"status": "completed", "message": "Completed", "progress": apptest.JSONNumber("100")},
		)
		same(
			"not paid",
			view(dead, "w"),
			object{"status": "failed", "message": "Rule is not setup", "fulfilledAt": nil, "progress": nil},
		)
		if fulfilled := view(click, "w")["fulfilledAt"]; fulfilled == nil || fulfilled != view(click, "w")["updatedAt"] {
			t.Errorf("fulfilled at %v: %v", fulfilled, view(click, "w"))
		}
		s.Clock.Advance(9 * time.Minute)
		same("nine minutes later", view(dead, "w"), object{"status": "failed"})
		s.Clock.Advance(2 * time.Minute)
		if list := s.Get("/api/loyalty/rules/status?loyaltyRuleId=" + dead).Data(); len(list) != 0 {
			t.Errorf("a failure is seen after 10 minutes: %v", list)
		}
		same("what was fulfilled stays", view(click, "w"), object{"status": "completed", "message": "Completed"})
		s.Clock.Advance(24 * time.Hour)
		s.Complete(click, object{"walletAddress": "w"}).OK()
		same("clicked the next day", view(click, "w"), object{"status": "pending", "fulfilledAt": nil})
		var listed []any
		for after := ""; ; {
			page := s.Get("/api/loyalty/rules/status?limit=1" + after)
			listed = append(listed, page.Data()[0]["loyaltyRuleId"])
			if page.OK()["hasNextPage"] == false {
				break
			}
			after = "&startingAfter=" + page.Data()[0]["id"].(string)
		}
		if !slices.Equal(listed, []any{click, none}) {
			t.Errorf("in pages: %v", listed)
		}
		s.Get("/api/loyalty/rules/status?startingAfter="+apptest.UnknownID).Refused(400, "startingAfter not found")
	})
}
