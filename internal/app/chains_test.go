package app_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
)

const chainsPath = "/api/loyalty/rule_chains"

// chain locks a rule by conditions and returns the chain.
func (s *server) chain(rule, operator string, conditions ...object) object {
	s.t.Helper()
	return s.post(chainsPath, chainOf(rule, operator, conditions...)).ok()["data"].(object)
}

func chainOf(rule, operator string, conditions ...object) object {
	return object{"name": "C", "loyaltyRuleId": rule, "operatorType": operator, "loyaltyConditions": conditions}
}

// free is a rule that can be completed again and again.
func (s *server) free(properties object) string {
	return s.rule("external_rule", over(object{"interval": "unlimited"}, properties))
}

func TestAChainIsStoredAndAnsweredWhole(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, first, second := s.free(nil), s.free(object{"name": "First"}), s.free(object{"name": "Second"})
		group, currency := s.section(nil), s.LoyaltyCurrencyID.String()
		made := s.post(chainsPath+"?organizationId="+s.OrganizationID.String(), object{"name": "All of it", "loyaltyRuleId": rule, "websiteId": s.WebsiteID.String(), "loyaltyConditions": []any{
			object{"type": "rule", "loyaltyRuleId": first, "repeatCount": 2, "description": "twice"},
			object{"type": "rules", "loyaltyRuleIds": []any{first, second, first}, "requiredCount": 1},
			object{"type": "section", "loyaltyRuleGroupIds": []any{group}},
			object{"type": "points", "amount": "1.5", "loyaltyCurrencyIds": []any{strings.ToUpper(currency)}},
			object{"type": "level", "amount": 5000, "loyaltyCurrencyIds": []any{currency}, "unheardOf": 1},
			object{"type": "api"}, object{"type": "csv", "csvUrl": "https://lists.example/l.csv"},
		}}).ok()["data"].(object)
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
			return over(
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
			return over(
				object{
					"type":          kind,
					"amount":        jsonNumber("0"),
					"csvUrl":        nil,
					"description":   "",
					"repeatCount":   jsonNumber("1"),
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
					object{"repeatCount": jsonNumber("2"), "description": "twice"},
					thing("loyaltyRuleId", first, nil, "First"),
				),
				condition(
					"rules",
					object{"requiredCount": jsonNumber("1")},
					thing("loyaltyRuleId", first, nil, "First"),
					thing("loyaltyRuleId", second, nil, "Second"),
				),
				condition("section", nil, thing("loyaltyRuleGroupId", group, nil, nil)),
				condition("points", object{"amount": jsonNumber("1.5")}, thing("loyaltyCurrencyId", currency, "Acme points", nil)),
				condition("level", object{"amount": jsonNumber("5000")}, thing("loyaltyCurrencyId", currency, "Acme points", nil)),
				condition("api", nil),
				condition("csv", object{"csvUrl": "https://lists.example/l.csv"}),
			},
		}
		listed, told := s.get(chainsPath).data(), s.stored(rule)["loyaltyRuleChain"].([]any)
		if len(listed) != 1 || !reflect.DeepEqual(listed[0], made) || len(told) != 1 || !reflect.DeepEqual(told[0], made) {
			t.Errorf("listed %v, told by the rule %v, want %v", listed, told, made)
		}
		identified(made["loyaltyConditions"].([]any))
		for _, c := range made["loyaltyConditions"].([]any) {
			identified(c.(object)["association"].([]any))
		}
		if !reflect.DeepEqual(made, want) {
			t.Errorf("made %v, want %v", made, want)
		}
		if other := s.stored(first)["loyaltyRuleChain"].([]any); len(other) != 0 {
			t.Errorf("another rule tells %v", other)
		}
		gone := s.remove(chainsPath + "/" + made["id"].(string))["data"].(object)
		if gone["id"] != made["id"] || len(s.get(chainsPath).data()) != 0 ||
			len(s.stored(rule)["loyaltyRuleChain"].([]any)) != 0 {
			t.Errorf("deleted %v", gone)
		}
		s.call(s.WebsiteAPIKey, http.MethodDelete, chainsPath+"/"+made["id"].(string), nil).
			refused(404, "Rule chain not found")
	})
}

func TestBadChainsAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, other, currency := s.free(nil), s.free(nil), s.LoyaltyCurrencyID.String()
		rival := s.program("Rival")
		deleted := s.free(nil)
		s.remove("/api/loyalty/rules/" + deleted)
		group := s.section(nil)
		s.remove("/api/loyalty/rule_groups/" + group)
		good := object{"type": "rule", "loyaltyRuleId": other}
		for _, c := range []struct {
			body    object
			status  int
			message string
			path    string
		}{
			{object{"name": ""}, 400, "name is required", "name"}, {object{"name": strings.Repeat("é", 1001)}, 400, "name must be at most 1000 characters", "name"},
			{object{"loyaltyRuleId": nil}, 400, "loyaltyRuleId is required", "loyaltyRuleId"}, {object{"loyaltyRuleId": "x"}, 400, "loyaltyRuleId must be a uuid", "loyaltyRuleId"},
			{object{"loyaltyRuleId": unknownID}, 404, "Loyalty rule not found", ""}, {object{"loyaltyRuleId": deleted}, 404, "Loyalty rule not found", ""},
			{object{"operatorType": "XOR"}, 400, "operatorType must be one of: AND, OR", "operatorType"},
			{object{"loyaltyConditions": []any{}}, 400, "loyaltyConditions must have between 1 and 50 items", "loyaltyConditions"},
			{object{"loyaltyConditions": repeated(51, good)}, 400, "loyaltyConditions must have between 1 and 50 items", "loyaltyConditions"},
		} {
			got := s.post(chainsPath, over(chainOf(rule, "AND", good), c.body)).refused(c.status, c.message)
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
			{object{"type": "rule", "loyaltyRuleId": unknownID}, "Loyalty rule not found", ".loyaltyRuleId"},
			{object{"type": "rule", "loyaltyRuleId": "00000000-0000-0000-0000-000000000000"}, "Loyalty rule not found", ".loyaltyRuleId"},
			{object{"type": "rules", "loyaltyRuleIds": []any{other, deleted}}, "Loyalty rule not found", ".loyaltyRuleIds.1"},
			{object{"type": "section", "loyaltyRuleGroupIds": []any{group}}, "Loyalty rule group not found", ".loyaltyRuleGroupIds.0"},
			{object{"type": "points", "amount": 1, "loyaltyCurrencyIds": []any{rival.LoyaltyCurrencyID.String()}}, "Loyalty currency not found", ".loyaltyCurrencyIds.0"},
			{object{"type": "badge", "loyaltyBadgeIds": []any{unknownID}}, "Badge not found", ".loyaltyBadgeIds.0"},
			{object{"type": "badges", "loyaltyBadgeIds": []any{unknownID}}, "Badge not found", ".loyaltyBadgeIds.0"},
			{object{"type": "level", "amount": 1, "loyaltyLeaderboardViewIds": []any{unknownID}}, "Loyalty leaderboard view not found", ".loyaltyLeaderboardViewIds.0"},
		} {
			message := c.problem
			if message[0] == '.' {
				message = "loyaltyConditions.1" + message
			}
			got := s.post(chainsPath, chainOf(rule, "AND", good, c.condition)).refused(400, message)
			if path := got["errors"].([]any)[0].(object)["path"]; path != "loyaltyConditions.1"+c.path {
				t.Errorf("%v: path %v", c.condition, path)
			}
		}
		made := s.chain(rule, "AND", good)["id"].(string)
		s.call(rival.WebsiteAPIKey, http.MethodDelete, chainsPath+"/"+made, nil).refused(404, "Rule chain not found")
		s.call(rival.WebsiteAPIKey, http.MethodPost, chainsPath, chainOf(rule, "AND", good)).
			refused(404, "Loyalty rule not found")
		for range 19 {
			s.chain(rule, "OR", good)
		}
		s.post(chainsPath, chainOf(rule, "OR", good)).refused(400, "Loyalty rule has 20 chains already")
		if n := s.count(chainsPath + "?loyaltyRuleId=" + rule); n != 20 {
			t.Errorf("%d chains", n)
		}
	})
}

func TestChainsHaveNoCycle(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		group := s.section(nil)
		a, b, c := s.free(nil), s.free(nil), s.free(nil)
		inside := s.free(object{"loyaltyRuleGroupId": group})
		on := func(rules ...string) object {
			ids := []any{}
			for _, r := range rules {
				ids = append(ids, r)
			}
			return object{"type": "rules", "loyaltyRuleIds": ids}
		}
		whole := object{"type": "section", "loyaltyRuleGroupIds": []any{group}}
		some := over(whole, object{"requiredCount": 1})
		refused := func(rule, operator string, condition object) {
			t.Helper()
			s.post(chainsPath, chainOf(rule, operator, condition)).refused(400, "Rule chain has a cycle")
		}
		refused(a, "AND", on(a))
		refused(a, "OR", on(b, a))
		first := s.chain(b, "AND", on(a))["id"].(string)
		refused(a, "AND", on(b))
		s.chain(c, "OR", on(b))
		refused(a, "OR", on(c))
		s.chain(inside, "AND", whole) // all the others of its section
		s.chain(inside, "AND", on(c))
		refused(a, "AND", whole)
		s.chain(a, "AND", some)
		s.remove(chainsPath + "/" + first)
		s.chain(a, "AND", on(b)) // no longer one
		answers := atOnce(8, func(i int) answer {
			x, y := s.WebsiteAPIKey, chainOf([]string{b, c}[i%2], "AND", on([]string{c, b}[i%2]))
			return s.call(x, http.MethodPost, chainsPath, y)
		})
		for i, got := range answers { // c asks for b already
			if i%2 == 0 {
				got.refused(400, "Rule chain has a cycle")
			} else {
				got.ok()
			}
		}
		d, e := s.free(nil), s.free(nil)
		made := map[int]int{}
		for i, got := range atOnce(8, func(i int) answer {
			return s.post(chainsPath, chainOf([]string{d, e}[i%2], "AND", on([]string{e, d}[i%2])))
		}) {
			if got.status == http.StatusOK {
				made[i%2]++
			} else {
				got.refused(400, "Rule chain has a cycle")
			}
		}
		if len(made) != 1 {
			t.Errorf("two chains made at once close a cycle: %v", made)
		}
	})
}

func TestAChainOpensARuleWhenItsConditionsHold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		group, gold := s.section(nil), s.post(currenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		points := object{"loyaltyCurrencyId": s.LoyaltyCurrencyID.String()}
		x, y, z := s.free(points), s.free(points), s.free(over(points, object{"loyaltyRuleGroupId": group}))
		complete := func(rule, wallet string) { s.complete(rule, object{"walletAddress": wallet}).ok() }
		give := func(wallet, amount string) {
			s.transact(object{"amount": amount, "walletAddress": wallet, "loyaltyCurrencyId": gold}).ok()
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
			rule := s.free(points)
			s.chain(rule, c.operator, c.conditions...)
			members++
			member := wallet(members)
			for _, step := range c.steps {
				s.complete(rule, object{"walletAddress": member}).refused(400, locked)
				s.complete(rule, object{"walletAddress": member, "verifyOnly": true}).refused(400, locked)
				s.complete(rule, object{"walletAddress": member, "skipChainOrRequiredCheck": true}).ok()
				step(member)
			}
			if got := s.complete(rule, object{"walletAddress": member}); got.status != http.StatusOK {
				t.Errorf("%s: %s", name, got.body)
			}
			s.complete(rule, object{"walletAddress": wallet(999)}).refused(400, locked)
		}
		s.sound()
	})
}

func TestAConditionThatHeldMayCease(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		currency := s.LoyaltyCurrencyID.String()
		rich, best, after := s.free(object{"amount": 0}), s.free(object{"amount": 0}), s.free(object{"amount": 0})
		before, never := s.free(object{"amount": 0}), s.free(object{"amount": 0})
		s.chain(rich, "AND", object{"type": "points", "amount": 10, "loyaltyCurrencyIds": []any{currency}})
		s.chain(best, "AND", object{"type": "level", "amount": 1, "loyaltyCurrencyIds": []any{currency}})
		of := s.chain(after, "AND", object{"type": "rule", "loyaltyRuleId": before})["id"].(string)
		s.chain(never, "OR", object{"type": "api"}, object{"type": "csv", "csvUrl": "https://lists.example/l.csv"})
		try := func(when, rule, wallet string, open bool) {
			t.Helper()
			got := s.complete(rule, object{"walletAddress": wallet})
			if open && got.status != http.StatusOK || !open && got.json()["message"] != locked {
				t.Errorf("%s: %s", when, got.body)
			}
		}
		try("nothing held", rich, alice, false)
		try("no rank", best, alice, false)
		s.transact(points(alice, 10)).ok()
		try("enough", rich, alice, true)
		try("the first", best, alice, true)
		s.transact(points(bob, 11)).ok()
		try("the second", best, alice, false)
		try("the first", best, bob, true)
		s.transact(points(alice, 1, debit)).ok()
		try("spent", rich, alice, false)
		try("never", never, alice, false)
		s.complete(before, object{"walletAddress": alice}).ok()
		try("done before", after, alice, true)
		s.remove("/api/loyalty/rules/" + before)
		try("the condition's rule is deleted", after, alice, false)
		s.remove(chainsPath + "/" + of)
		try("the chain is deleted", after, alice, true)
	})
}

func TestAGroupMeetsConditionsTogether(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		before, twice, rich := s.free(object{"amount": 6}), s.free(object{"amount": 0}), s.free(object{"amount": 0})
		s.chain(twice, "AND", object{"type": "rule", "loyaltyRuleId": before, "repeatCount": 2})
		s.chain(
			rich,
			"AND",
			object{"type": "points", "amount": 12, "loyaltyCurrencyIds": []any{s.LoyaltyCurrencyID.String()}},
		)
		try := func(when, wallet string, open bool) {
			t.Helper()
			for _, rule := range []string{twice, rich} {
				got := s.complete(rule, object{"walletAddress": wallet})
				if open && got.status != http.StatusOK || !open && got.json()["message"] != locked {
					t.Errorf("%s: %s", when, got.body)
				}
			}
		}
		s.complete(before, object{"walletAddress": alice}).ok()
		s.complete(before, object{"walletAddress": bob}).ok()
		try("each once", alice, false)
		s.in(alice, "family")
		s.in(bob, "family")
		try("together twice", alice, true)
		try("together twice", bob, true)
		s.in(bob, nil)
		try("alone again", bob, false)
		try("left behind", alice, false)
	})
}

// TestAChainCountsFromItsAnswerOn shows that no node goes by what it remembers of a rule before its chain.
func TestAChainCountsFromItsAnswerOn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, before := s.free(nil), s.free(nil)
		for range 5 {
			s.complete(rule, object{"walletAddress": alice}).ok()
			made := s.chain(rule, "AND", object{"type": "rule", "loyaltyRuleId": before})["id"].(string)
			s.complete(rule, object{"walletAddress": alice}).refused(400, locked)
			s.remove(chainsPath + "/" + made)
		}
	})
}
