package catalog_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestAChainIsStoredAndAnsweredWhole(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, first, second := s.Free(nil), s.Free(object{"name": "First"}), s.Free(object{"name": "Second"})
		group, currency := s.CreateGroup(nil), s.LoyaltyCurrencyID.String()
		made := s.Post(apptest.ChainsPath+"?organizationId="+s.OrganizationID.String(), object{"name": "All of it", "loyaltyRuleId": rule, "websiteId": s.WebsiteID.String(), "loyaltyConditions": []any{
			object{"type": "rule", "loyaltyRuleId": first, "repeatCount": 2, "description": "twice"},
			object{"type": "rules", "loyaltyRuleIds": []any{first, second, first}, "requiredCount": 1},
			object{"type": "section", "loyaltyRuleGroupIds": []any{group}},
			object{"type": "points", "amount": "1.5", "loyaltyCurrencyIds": []any{strings.ToUpper(currency)}},
			object{"type": "level", "amount": 5000, "loyaltyCurrencyIds": []any{currency}, "unheardOf": 1},
			object{"type": "api"}, object{"type": "csv", "csvUrl": "https://lists.example/l.csv"},
		}}).OK()["data"].(object)
		ids := map[any]bool{}
		identified := func(list []any) {
			for _, item := range list {
				id := item.(object)["id"]
				if id == nil || ids[id] {
					t.Errorf("id %v is missing or used twice", id)
				}
				ids[id] = true
				delete(item.(object), "id")
			}
		}
		thing := func(field string, id any, currencyName, ruleName any) object {
			name := func(n any) any {
				if n == nil {
					return nil
				}
				return object{"name": n}
			}
			return apptest.Over(
				object{
					"loyaltyBadgeId":     nil,
					"loyaltyCurrencyId":  nil,
					"loyaltyRuleGroupId": nil,
					"loyaltyRuleId":      nil,
					"loyaltyCurrency":    name(currencyName),
					"loyaltyRule":        name(ruleName),
				},
				object{field: id},
			)
		}
		condition := func(kind string, properties object, things ...any) object {
			return apptest.Over(
				object{
					"type":          kind,
					"amount":        apptest.JSONNumber("0"),
					"csvUrl":        nil,
					"description":   "",
					"repeatCount":   apptest.JSONNumber("1"),
					"requiredCount": nil,
					"association":   append([]any{}, things...),
				},
				properties,
			)
		}
		want := object{
			"id":             made["id"],
			"organizationId": s.OrganizationID.String(),
			"websiteId":      s.WebsiteID.String(),
			"name":           "All of it",
			"loyaltyRuleId":  rule,
			"operatorType":   "AND",
			"createdAt":      made["createdAt"],
			"updatedAt":      made["createdAt"],
			"loyaltyConditions": []any{
				condition(
					"rule",
					object{"repeatCount": apptest.JSONNumber("2"), "description": "twice"},
					thing("loyaltyRuleId", first, nil, "First"),
				),
				condition(
					"rules",
					object{"requiredCount": apptest.JSONNumber("1")},
					thing("loyaltyRuleId", first, nil, "First"),
					thing("loyaltyRuleId", second, nil, "Second"),
				),
				condition("section", nil, thing("loyaltyRuleGroupId", group, nil, nil)),
				condition(
					"points",
					object{"amount": apptest.JSONNumber("1.5")},
					thing("loyaltyCurrencyId", currency, "Acme points", nil),
				),
				condition(
					"level",
					object{"amount": apptest.JSONNumber("5000")},
					thing("loyaltyCurrencyId", currency, "Acme points", nil),
				),
				condition("api", nil),
				condition("csv", object{"csvUrl": "https://lists.example/l.csv"}),
			},
		}
		listed, fromRule := s.Get(apptest.ChainsPath).Data(), stored(s, rule)["loyaltyRuleChain"].([]any)
		if len(listed) != 1 || !reflect.DeepEqual(listed[0], made) || len(fromRule) != 1 || !reflect.DeepEqual(fromRule[0], made) {
			t.Errorf("listed %v, returned with the rule %v, want %v", listed, fromRule, made)
		}
		identified(made["loyaltyConditions"].([]any))
		for _, c := range made["loyaltyConditions"].([]any) {
			identified(c.(object)["association"].([]any))
		}
		if !reflect.DeepEqual(made, want) {
			t.Errorf("made %v, want %v", made, want)
		}
		if other := stored(s, first)["loyaltyRuleChain"].([]any); len(other) != 0 {
			t.Errorf("another rule tells %v", other)
		}
		gone := s.Remove(apptest.ChainsPath + "/" + made["id"].(string))["data"].(object)
		if gone["id"] != made["id"] || len(s.Get(apptest.ChainsPath).Data()) != 0 ||
			len(stored(s, rule)["loyaltyRuleChain"].([]any)) != 0 {
			t.Errorf("deleted %v", gone)
		}
		s.Call(s.WebsiteAPIKey, http.MethodDelete, apptest.ChainsPath+"/"+made["id"].(string), nil).
			Refused(404, "Rule chain not found")
	})
}

func TestBadChainsAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other, currency := s.Free(nil), s.Free(nil), s.LoyaltyCurrencyID.String()
		rival := s.NewProgram("Rival")
		deleted := s.Free(nil)
		s.Remove("/api/loyalty/rules/" + deleted)
		group := s.CreateGroup(nil)
		s.Remove("/api/loyalty/rule_groups/" + group)
		good := object{"type": "rule", "loyaltyRuleId": other}
		for _, c := range []struct {
			body    object
			status  int
			message string
			path    string
		}{
			{object{"name": ""}, 400, "name is required", "name"}, {object{"name": strings.Repeat("é", 1001)}, 400, "name must be at most 1000 characters", "name"},
			{object{"loyaltyRuleId": nil}, 400, "loyaltyRuleId is required", "loyaltyRuleId"}, {object{"loyaltyRuleId": "x"}, 400, "loyaltyRuleId must be a uuid", "loyaltyRuleId"},
			{object{"loyaltyRuleId": apptest.UnknownID}, 404, "Loyalty rule not found", ""}, {object{"loyaltyRuleId": deleted}, 404, "Loyalty rule not found", ""},
			{object{"operatorType": "XOR"}, 400, "operatorType must be one of: AND, OR", "operatorType"},
			{object{"loyaltyConditions": []any{}}, 400, "loyaltyConditions must have between 1 and 50 items", "loyaltyConditions"},
			{object{"loyaltyConditions": repeated(51, good)}, 400, "loyaltyConditions must have between 1 and 50 items", "loyaltyConditions"},
		} {
			got := s.Post(
				apptest.ChainsPath,
				apptest.Over(apptest.ChainBody(rule, "AND", good), c.body),
			).Refused(c.status, c.message)
			if c.path != "" && got["errors"].([]any)[0].(object)["path"] != c.path {
				t.Errorf("%v: %v", c.body, got)
			}
		}
		for _, c := range []struct {
			condition object
			problem   string // after the path of the condition, or the whole message
			path      string
		}{
			{object{"type": "lottery"}, ".type must be one of: rule, rules, section, points, level, api, badge, badges, csv", ".type"},
			{object{"type": "rule"}, ".loyaltyRuleIds is required", ".loyaltyRuleIds"},
			{object{"type": "rule", "loyaltyRuleIds": []any{rule, other}}, ".loyaltyRuleIds must have exactly 1 item for a condition of type rule", ".loyaltyRuleIds"},
			{object{"type": "rule", "loyaltyRuleId": other, "repeatCount": 0}, ".repeatCount must be between 1 and 1000000", ".repeatCount"},
			{object{"type": "rules", "loyaltyRuleIds": []any{other}, "requiredCount": 2}, ".requiredCount must be between 1 and 1", ".requiredCount"},
			{object{"type": "section"}, ".loyaltyRuleGroupIds is required", ".loyaltyRuleGroupIds"},
			{object{"type": "points", "loyaltyCurrencyIds": []any{currency}}, ".amount is required", ".amount"},
			{object{"type": "points", "loyaltyCurrencyIds": []any{currency}, "amount": 0}, ".amount must be greater than 0", ".amount"},
			{object{"type": "points", "amount": 1}, ".loyaltyCurrencyIds is required", ".loyaltyCurrencyIds"},
			{object{"type": "level", "loyaltyCurrencyIds": []any{currency}, "amount": 5001}, ".amount must be a whole number between 1 and 5000", ".amount"},
			{object{"type": "level", "loyaltyCurrencyIds": []any{currency}, "amount": "1.5"}, ".amount must be a whole number between 1 and 5000", ".amount"},
			{object{"type": "csv"}, ".csvUrl must be a valid url", ".csvUrl"}, {object{"type": "csv", "csvUrl": "lists"}, ".csvUrl must be a valid url", ".csvUrl"},
			{object{"type": "api", "description": strings.Repeat("é", 10_001)}, ".description must be at most 10000 characters", ".description"},
			{object{"type": "rule", "loyaltyRuleId": apptest.UnknownID}, "Loyalty rule not found", ".loyaltyRuleId"},
			{object{"type": "rule", "loyaltyRuleId": "00000000-0000-0000-0000-000000000000"}, "Loyalty rule not found", ".loyaltyRuleId"},
			{object{"type": "rules", "loyaltyRuleIds": []any{other, deleted}}, "Loyalty rule not found", ".loyaltyRuleIds.1"},
			{object{"type": "section", "loyaltyRuleGroupIds": []any{group}}, "Loyalty rule group not found", ".loyaltyRuleGroupIds.0"},
			{object{"type": "points", "amount": 1, "loyaltyCurrencyIds": []any{rival.LoyaltyCurrencyID.String()}}, "Loyalty currency not found", ".loyaltyCurrencyIds.0"},
			{object{"type": "badge", "loyaltyBadgeIds": []any{apptest.UnknownID}}, "Badge not found", ".loyaltyBadgeIds.0"},
			{object{"type": "badges", "loyaltyBadgeIds": []any{apptest.UnknownID}}, "Badge not found", ".loyaltyBadgeIds.0"},
			{object{"type": "level", "amount": 1, "loyaltyLeaderboardViewIds": []any{apptest.UnknownID}}, "Loyalty leaderboard view not found", ".loyaltyLeaderboardViewIds.0"},
		} {
			message := c.problem
			if message[0] == '.' {
				message = "loyaltyConditions.1" + message
			}
			got := s.Post(apptest.ChainsPath, apptest.ChainBody(rule, "AND", good, c.condition)).Refused(400, message)
			if path := got["errors"].([]any)[0].(object)["path"]; path != "loyaltyConditions.1"+c.path {
				t.Errorf("%v: path %v", c.condition, path)
			}
		}
		made := s.CreateChain(rule, "AND", good)["id"].(string)
		s.Call(rival.WebsiteAPIKey, http.MethodDelete, apptest.ChainsPath+"/"+made, nil).Refused(404, "Rule chain not found")
		s.Call(rival.WebsiteAPIKey, http.MethodPost, apptest.ChainsPath, apptest.ChainBody(rule, "AND", good)).
			Refused(404, "Loyalty rule not found")
		for range 19 {
			s.CreateChain(rule, "OR", good)
		}
		s.Post(apptest.ChainsPath, apptest.ChainBody(rule, "OR", good)).Refused(400, "Loyalty rule has 20 chains already")
		if n := s.Count(apptest.ChainsPath + "?loyaltyRuleId=" + rule); n != 20 {
			t.Errorf("%d chains", n)
		}
	})
}

func TestChainsHaveNoCycle(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		group := s.CreateGroup(nil)
		a, b, c := s.Free(nil), s.Free(nil), s.Free(nil)
		inside := s.Free(object{"loyaltyRuleGroupId": group})
		on := func(rules ...string) object {
			ids := []any{}
			for _, r := range rules {
				ids = append(ids, r)
			}
			return object{"type": "rules", "loyaltyRuleIds": ids}
		}
		whole := object{"type": "section", "loyaltyRuleGroupIds": []any{group}}
		some := apptest.Over(whole, object{"requiredCount": 1})
		refused := func(rule, operator string, condition object) {
			t.Helper()
			s.Post(apptest.ChainsPath, apptest.ChainBody(rule, operator, condition)).Refused(400, "Rule chain has a cycle")
		}
		refused(a, "AND", on(a))
		refused(a, "OR", on(b, a))
		first := s.CreateChain(b, "AND", on(a))["id"].(string)
		refused(a, "AND", on(b))
		s.CreateChain(c, "OR", on(b))
		refused(a, "OR", on(c))
		s.CreateChain(inside, "AND", whole) // all the others of its section
		s.CreateChain(inside, "AND", on(c))
		refused(a, "AND", whole)
		s.CreateChain(a, "AND", some)
		s.Remove(apptest.ChainsPath + "/" + first)
		s.CreateChain(a, "AND", on(b)) // no longer one
		answers := apptest.CallConcurrently(8, func(i int) apptest.Response {
			x, y := s.WebsiteAPIKey, apptest.ChainBody([]string{b, c}[i%2], "AND", on([]string{c, b}[i%2]))
			return s.Call(x, http.MethodPost, apptest.ChainsPath, y)
		})
		for i, got := range answers { // c asks for b already
			if i%2 == 0 {
				got.Refused(400, "Rule chain has a cycle")
			} else {
				got.OK()
			}
		}
		d, e := s.Free(nil), s.Free(nil)
		made := map[int]int{}
		for i, got := range apptest.CallConcurrently(8, func(i int) apptest.Response {
			return s.Post(apptest.ChainsPath, apptest.ChainBody([]string{d, e}[i%2], "AND", on([]string{e, d}[i%2])))
		}) {
			if got.Status == http.StatusOK {
				made[i%2]++
			} else {
				got.Refused(400, "Rule chain has a cycle")
			}
		}
		if len(made) != 1 {
			t.Errorf("two chains made at once close a cycle: %v", made)
		}
	})
}

func TestAChainOpensARuleWhenItsConditionsHold(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		group, gold := s.CreateGroup(nil), s.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		points := object{"loyaltyCurrencyId": s.LoyaltyCurrencyID.String()}
		x, y, z := s.Free(points), s.Free(points), s.Free(apptest.Over(points, object{"loyaltyRuleGroupId": group}))
		complete := func(rule, wallet string) { s.Complete(rule, object{"walletAddress": wallet}).OK() }
		give := func(wallet, amount string) {
			s.Transact(object{"amount": amount, "walletAddress": wallet, "loyaltyCurrencyId": gold}).OK()
		}
		members := 0
		for name, c := range map[string]struct {
			operator   string
			conditions []object
			steps      []func(wallet string) // the last one opens
		}{
			"once":     {"AND", []object{{"type": "rule", "loyaltyRuleId": x}}, []func(string){func(w string) { complete(x, w) }}},
			"repeated": {"AND", []object{{"type": "rule", "loyaltyRuleId": x, "repeatCount": 3}}, []func(string){func(w string) { complete(x, w); complete(x, w) }, func(w string) { complete(x, w) }}},
			"all of several": {"AND", []object{{"type": "rules", "loyaltyRuleIds": []any{x, y, z}}},
				[]func(string){func(w string) { complete(x, w); complete(x, w); complete(z, w) }, func(w string) { complete(y, w) }}},
			"some of several": {"AND", []object{{"type": "rules", "loyaltyRuleIds": []any{x, y, z}, "requiredCount": 2}},
				[]func(string){func(w string) { complete(y, w) }, func(w string) { complete(z, w) }}},
			"a section": {"AND", []object{{"type": "section", "loyaltyRuleGroupIds": []any{group}}}, []func(string){func(w string) { complete(x, w) }, func(w string) { complete(z, w) }}},
			"a balance": {"AND", []object{{"type": "points", "amount": 10, "loyaltyCurrencyIds": []any{gold}}},
				[]func(string){func(w string) { give(w, "9.999999") }, func(w string) { give(w, "0.000001") }}},
			"both": {"AND", []object{{"type": "rule", "loyaltyRuleId": x}, {"type": "rule", "loyaltyRuleId": y}},
				[]func(string){func(w string) { complete(x, w) }, func(w string) { complete(y, w) }}},
			"either": {"OR", []object{{"type": "rule", "loyaltyRuleId": x}, {"type": "rule", "loyaltyRuleId": y}}, []func(string){func(w string) { complete(y, w) }}},
		} {
			rule := s.Free(points)
			s.CreateChain(rule, c.operator, c.conditions...)
			members++
			member := apptest.Wallet(members)
			for _, step := range c.steps {
				s.Complete(rule, object{"walletAddress": member}).Refused(400, apptest.Locked)
				s.Complete(rule, object{"walletAddress": member, "verifyOnly": true}).Refused(400, apptest.Locked)
				s.Complete(rule, object{"walletAddress": member, "skipChainOrRequiredCheck": true}).OK()
				step(member)
			}
			if got := s.Complete(rule, object{"walletAddress": member}); got.Status != http.StatusOK {
				t.Errorf("%s: %s", name, got.Body)
			}
			s.Complete(rule, object{"walletAddress": apptest.Wallet(999)}).Refused(400, apptest.Locked)
		}
		s.Sound()
	})
}

func TestAConditionThatHeldMayCease(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		currency := s.LoyaltyCurrencyID.String()
		rich, best, after := s.Free(object{"amount": 0}), s.Free(object{"amount": 0}), s.Free(object{"amount": 0})
		before, never := s.Free(object{"amount": 0}), s.Free(object{"amount": 0})
		s.CreateChain(rich, "AND", object{"type": "points", "amount": 10, "loyaltyCurrencyIds": []any{currency}})
		s.CreateChain(best, "AND", object{"type": "level", "amount": 1, "loyaltyCurrencyIds": []any{currency}})
		of := s.CreateChain(after, "AND", object{"type": "rule", "loyaltyRuleId": before})["id"].(string)
		s.CreateChain(never, "OR", object{"type": "api"}, object{"type": "csv", "csvUrl": "https://lists.example/l.csv"})
		try := func(when, rule, wallet string, open bool) {
			t.Helper()
			got := s.Complete(rule, object{"walletAddress": wallet})
			if open && got.Status != http.StatusOK || !open && got.JSON()["message"] != apptest.Locked {
				t.Errorf("%s: %s", when, got.Body)
			}
		}
		try("nothing held", rich, apptest.Alice, false)
		try("no rank", best, apptest.Alice, false)
		s.Transact(apptest.Points(apptest.Alice, 10)).OK()
		try("enough", rich, apptest.Alice, true)
		try("the first", best, apptest.Alice, true)
		s.Transact(apptest.Points(apptest.Bob, 11)).OK()
		try("the second", best, apptest.Alice, false)
		try("the first", best, apptest.Bob, true)
		s.Transact(apptest.Points(apptest.Alice, 1, apptest.Debit)).OK()
		try("spent", rich, apptest.Alice, false)
		try("never", never, apptest.Alice, false)
		s.Complete(before, object{"walletAddress": apptest.Alice}).OK()
		try("done before", after, apptest.Alice, true)
		s.Remove("/api/loyalty/rules/" + before)
		try("the condition's rule is deleted", after, apptest.Alice, false)
		s.Remove(apptest.ChainsPath + "/" + of)
		try("the chain is deleted", after, apptest.Alice, true)
	})
}

func TestAGroupMeetsConditionsTogether(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		before, twice, rich := s.Free(object{"amount": 6}), s.Free(object{"amount": 0}), s.Free(object{"amount": 0})
		s.CreateChain(twice, "AND", object{"type": "rule", "loyaltyRuleId": before, "repeatCount": 2})
		s.CreateChain(
			rich,
			"AND",
			object{"type": "points", "amount": 12, "loyaltyCurrencyIds": []any{s.LoyaltyCurrencyID.String()}},
		)
		try := func(when, wallet string, open bool) {
			t.Helper()
			for _, rule := range []string{twice, rich} {
				got := s.Complete(rule, object{"walletAddress": wallet})
				if open && got.Status != http.StatusOK || !open && got.JSON()["message"] != apptest.Locked {
					t.Errorf("%s: %s", when, got.Body)
				}
			}
		}
		s.Complete(before, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(before, object{"walletAddress": apptest.Bob}).OK()
		try("each once", apptest.Alice, false)
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		try("together twice", apptest.Alice, true)
		try("together twice", apptest.Bob, true)
		s.In(apptest.Bob, nil)
		try("alone again", apptest.Bob, false)
		try("left behind", apptest.Alice, false)
	})
}

// TestAChainCountsFromItsAnswerOn shows that no node goes by what it remembers of a rule before its chain.
func TestAChainCountsFromItsAnswerOn(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, before := s.Free(nil), s.Free(nil)
		for range 5 {
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
			made := s.CreateChain(rule, "AND", object{"type": "rule", "loyaltyRuleId": before})["id"].(string)
			s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, apptest.Locked)
			s.Remove(apptest.ChainsPath + "/" + made)
		}
	})
}
