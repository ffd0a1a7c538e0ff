package badges_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// list reads badges with a key.
func list(s *apptest.Server, key, query string) []object {
	s.T.Helper()
	return s.Call(key, http.MethodGet, apptest.BadgesPath+query, nil).Data()
}

// fields demands exactly these fields; "*" stands for a text that is there.
func fields(t *testing.T, name string, got, want object) {
	t.Helper()
	for field, value := range want {
		if value == "*" {
			if text, _ := got[field].(string); text == "" {
				t.Errorf("%s: %s is %v", name, field, got[field])
			}
		} else if !reflect.DeepEqual(plain(got[field]), plain(value)) {
			t.Errorf("%s: %s is %s, not %s", name, field, text(got[field]), text(value))
		}
	}
	for field := range got {
		if _, expected := want[field]; !expected {
			t.Errorf("%s: there is a field %s: %v", name, field, got[field])
		}
	}
}

func text(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// plain brings both sides into one form.
func plain(v any) (out any) {
	d := json.NewDecoder(strings.NewReader(text(v)))
	d.UseNumber()
	_ = d.Decode(&out)
	return out
}

func TestABadgeIsToldAsItWasMade(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other := s.Rule("external_rule", object{"name": "Visit"}), s.Rule("external_rule", object{"name": "Order"})
		section := s.CreateGroup(object{"name": "Basics"})
		currency := s.LoyaltyCurrencyID.String()
		first := s.CreateBadge()
		made := s.Post(apptest.BadgesPath, object{
			"name": "Regular", "description": "Ten visits", "imageUrl": "https://files.example/b.png", "hideInUi": true,
			"conditions": []object{
				{"type": "rule", "loyaltyRuleIds": []string{rule}, "repeatCount": 10, "description": "Visit us"},
				{"type": "rules", "loyaltyRuleIds": []string{rule, other}},
				{"type": "rules", "loyaltyRuleIds": []string{rule, other}, "requiredCount": 1},
				{"type": "section", "loyaltyRuleGroupIds": []string{section}, "requiredCount": 3},
				{"type": "points", "loyaltyCurrencyIds": []string{currency}, "amount": "12.5"},
				{"type": "level", "loyaltyCurrencyIds": []string{currency}, "amount": 100},
				{"type": "badge", "loyaltyBadgeIds": []string{first}}, {"type": "api"},
				{"type": "csv", "csvUrl": "https://files.example/list.csv"},
			},
			"csvFiles": []object{{"src": "https://files.example/more.csv", "name": "More"}},
			"rewards": []object{
				{"rewardType": "points", "amount": 50, "loyaltyCurrencyId": currency},
				{"rewardType": "multiplier", "multiplier": 1.5, "isRetroactive": true},
				{"rewardType": "multiplier", "multiplier": 2, "loyaltyCurrencyIds": []string{currency}},
				{"rewardType": "badge", "loyaltyBadgeId": first},
			},
		}).OK()
		id := made["id"].(string)
		want := object{
			"id": "*", "organizationId": s.OrganizationID.String(), "websiteId": s.WebsiteID.String(), "name": "Regular",
			"description": "Ten visits", "imageUrl": "https://files.example/b.png", "hideInUi": true,
			"loyaltyConditions": made["loyaltyConditions"], "rewards": made["rewards"], "loyaltyBadgeUsers": []any{},
			"loyaltyRules": []object{{"id": rule, "name": "Visit"}, {"id": other, "name": "Order"}},
			"dataJobs":     made["dataJobs"], "createdAt": "*", "updatedAt": "*",
		}
		fields(t, "the badge", made, want)
		conditions := made["loyaltyConditions"].([]any)
		names := func(of, id, name string) object {
			a := object{
				"loyaltyRule": nil, "loyaltyRuleGroup": nil, "loyaltyBadge": nil, "loyaltyCurrency": nil,
				"loyaltyLeaderboardView": nil,
			}
			a[of] = object{"id": id, "name": name}
			return a
		}
		program := s.Get(apptest.CurrenciesPath).Data()[0]["name"].(string)
		both := []object{names("loyaltyRule", rule, "Visit"), names("loyaltyRule", other, "Order")}
		base := object{
			"id": "*", "description": "", "amount": 0, "repeatCount": 1, "requiredCount": 1, "loyaltyRuleGroupId": nil,
			"loyaltyCurrencyId": nil, "association": []object{}, "csvUrl": nil, "csvFiles": []object{},
		}
		for i, c := range []object{
			{"type": "rule", "description": "Visit us", "repeatCount": 10, "association": both[:1]},
			{"type": "rules", "requiredCount": 2, "association": both},
			{"type": "rules", "requiredCount": 1, "association": both},
			{"type": "section", "requiredCount": 3, "loyaltyRuleGroupId": section,
				"association": []object{names("loyaltyRuleGroup", section, "Basics")}},
			{"type": "points", "amount": json.Number("12.5"), "loyaltyCurrencyId": currency,
				"association": []object{names("loyaltyCurrency", currency, program)}},
			{"type": "level", "amount": 100, "loyaltyCurrencyId": currency,
				"association": []object{names("loyaltyCurrency", currency, program)}},
			{"type": "badge", "association": []object{names("loyaltyBadge", first, "Regular")}},
			{"type": "api"},
			{"type": "csv", "csvUrl": "https://files.example/list.csv", "csvFiles": conditions[8].(object)["csvFiles"]},
		} {
			fields(t, fmt.Sprint("condition ", i), conditions[i].(object), apptest.Over(base, c))
		}
		fields(t, "the file", conditions[8].(object)["csvFiles"].([]any)[0].(object), object{
			"id": "*", "url": "https://files.example/more.csv", "name": "More", "description": nil,
		})
		reward := object{
			"id": "*", "loyaltyBadgeId": nil, "loyaltyCurrencyId": nil, "loyaltyCurrencyIds": []string{}, "amount": 0,
			"multiplier": 1, "isRetroactive": false,
		}
		for i, r := range []object{
			{"rewardType": "points", "amount": 50, "loyaltyCurrencyId": currency},
			{"rewardType": "multiplier", "multiplier": json.Number("1.5"), "isRetroactive": true},
			{"rewardType": "multiplier", "multiplier": 2, "loyaltyCurrencyIds": []string{currency}},
			{"rewardType": "badge", "loyaltyBadgeId": first},
		} {
			fields(t, fmt.Sprint("reward ", i), made["rewards"].([]any)[i].(object), apptest.Over(reward, r))
		}
		if got := list(s, s.WebsiteAPIKey, "?badgeIds="+strings.ToUpper(id)); len(got) != 1 || text(got[0]) != text(made) {
			t.Errorf("the list has %s, not %s", text(got), text(made))
		}
		if got := list(s, s.ReadOnlyAPIKey, "?badgeIds="+id)[0]["loyaltyConditions"].([]any)[8].(object); got["csvUrl"] != nil ||
			len(got["csvFiles"].([]any)) != 0 {
			t.Errorf("a read-only key sees %v", got)
		}
		if got := list(s, s.ClientAPIKey, ""); len(got) != 1 || got[0]["id"] != first {
			t.Errorf("a client key sees %v", got)
		}
		plainest := s.Post(apptest.BadgesPath, object{
			"name": "N", "imageUrl": "https://files.example/b.png", "conditions": []object{{"type": "api"}},
		}).OK()
		if plainest["description"] != "" || plainest["hideInUi"] != false || len(plainest["rewards"].([]any)) != 0 {
			t.Errorf("the least badge is %v", plainest)
		}
	})
}

func TestABadgeIsChangedInWhatItNames(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := s.CreateBadgeWith(object{
			"rewards":    []object{s.PointsReward(5)},
			"conditions": []object{{"type": "csv", "csvUrl": "https://files.example/list.csv"}},
		})
		before := list(s, s.WebsiteAPIKey, "")[0]
		s.Clock.Advance(time.Minute)
		path := apptest.BadgesPath + "/" + badge
		after := s.Post(path, object{"description": "New", "conditions": []object{{"type": "api"}}}).OK()
		for field, value := range after {
			changed := text(value) != text(before[field])
			if changed != (field == "description" || field == "updatedAt") {
				t.Errorf("%s went from %v to %v", field, before[field], value)
			}
		}
		after = s.Post(path, object{
			"name": "Other", "imageUrl": "https://files.example/c.png", "hideInUi": true, "rewards": []object{s.PointsReward(7)},
			"csvFiles": []object{{"src": "https://files.example/more.csv"}},
		}).OK()
		if after["name"] != "Other" || after["imageUrl"] != "https://files.example/c.png" || after["hideInUi"] != true ||
			after["rewards"].([]any)[0].(object)["amount"] != json.Number("7") ||
			len(after["loyaltyConditions"].([]any)[0].(object)["csvFiles"].([]any)) != 1 {
			t.Errorf("changed to %v", after)
		}
		s.Post(path, object{"name": nil}).Refused(400, "name is required")
		s.Post(path, object{"imageUrl": ""}).Refused(400, "imageUrl must be a valid url")
		s.Post(path, object{"csvFiles": []object{{"src": "https://10.0.0.1/list.csv"}}}).
			Refused(400, "csvFiles.0.src must not point to a private address")
		s.Post(apptest.BadgesPath+"/"+apptest.UnknownID, object{"name": "N"}).Refused(404, "Badge not found")
		s.Post(apptest.BadgesPath+"/x", object{"name": "N"}).Refused(400, "id must be a uuid")
		if got := list(s, s.WebsiteAPIKey, "")[0]; text(got) != text(after) {
			t.Errorf("refusals made it %v", got)
		}
	})
}

func TestBadBadgesAreRefusedByName(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, _ *apptest.Bank, kept string) {
		stranger := *s
		stranger.Program = s.NewProgram("Rival")
		foreign := stranger.Rule("external_rule", nil)
		foreignBadge := stranger.CreateBadge()
		s.CreateTokenRule("external_rule", nil)
		token := tokenOf(s)
		ours := s.LoyaltyCurrencyID.String()
		condition := func(c object) object { return object{"conditions": []object{{"type": "api"}, c}} }
		reward := func(r object) object { return object{"rewards": []object{s.PointsReward(1), r}} }
		for i, c := range []struct {
			change        object
			message, path string
		}{
			{object{"name": ""}, "name is required", "name"},
			{object{"name": strings.Repeat("n", 1001)}, "name must be at most 1000 characters", "name"},
			{object{"description": strings.Repeat("n", 10001)}, "description must be at most 10000 characters", "description"},
			{object{"imageUrl": nil}, "imageUrl is required", "imageUrl"},
			{object{"imageUrl": "ftp://x"}, "imageUrl must be a valid url", "imageUrl"},
			{object{"conditions": []object{}}, "conditions must have between 1 and 20 items", "conditions"},
			{object{"csvFiles": []object{{"src": "https://x.example/a"}}}, "csvFiles need a condition of type csv", "csvFiles"},
			{condition(object{"type": "lottery"}), "conditions.1.type must be one of: rule, rules, section, points, level, api, badge, badges, csv",
				"conditions.1.type"},
			{condition(object{"type": "rule"}), "conditions.1.loyaltyRuleIds is required", "conditions.1.loyaltyRuleIds"},
			{condition(object{"type": "rules", "loyaltyRuleIds": []string{s.Rule("external_rule", object{"loyaltyCurrencyId": s.LoyaltyCurrencyID.String()}), foreign}}), "Loyalty rule not found",
				"conditions.1.loyaltyRuleIds.1"},
			{condition(object{"type": "section", "loyaltyRuleGroupIds": []string{apptest.UnknownID}}), "Loyalty rule group not found",
				"conditions.1.loyaltyRuleGroupIds.0"},
			{condition(object{"type": "points", "amount": 1, "loyaltyCurrencyIds": []string{stranger.LoyaltyCurrencyID.String()}}),
				"Loyalty currency not found", "conditions.1.loyaltyCurrencyIds.0"},
			{condition(object{"type": "level", "amount": 1, "loyaltyLeaderboardViewIds": []string{apptest.UnknownID}}),
				"Loyalty leaderboard view not found", "conditions.1.loyaltyLeaderboardViewIds.0"},
			{condition(object{"type": "badges", "loyaltyBadgeIds": []string{s.CreateBadge(), foreignBadge}}), "Badge not found", "conditions.1.loyaltyBadgeIds.1"},
			{condition(object{"type": "csv", "csvUrl": "https://10.0.0.1/list"}), "conditions.1.csvUrl must not point to a private address",
				"conditions.1.csvUrl"},
			{reward(object{"rewardType": "cash"}), "rewards.1.rewardType must be one of: points, multiplier, badge, token", "rewards.1.rewardType"},
			{reward(object{"rewardType": "points", "loyaltyCurrencyId": ours}), "rewards.1.amount is required", "rewards.1.amount"},
			{reward(object{"rewardType": "points", "loyaltyCurrencyId": ours, "amount": 0}), "rewards.1.amount must be greater than 0", "rewards.1.amount"},
			{reward(object{"rewardType": "points", "amount": 1}), "rewards.1.loyaltyCurrencyId is required", "rewards.1.loyaltyCurrencyId"},
			{reward(object{"rewardType": "points", "amount": 1, "loyaltyCurrencyId": stranger.LoyaltyCurrencyID.String()}), "Loyalty currency not found",
				"rewards.1.loyaltyCurrencyId"},
			{reward(object{"rewardType": "points", "amount": 1, "loyaltyCurrencyId": kept}),
				"rewards.1.loyaltyCurrencyId must not be a currency on an external ledger", "rewards.1.loyaltyCurrencyId"},
			{reward(object{"rewardType": "points", "amount": 1, "loyaltyCurrencyId": token}),
				"rewards.1.loyaltyCurrencyId must not be the currency of a token reward", "rewards.1.loyaltyCurrencyId"},
			{reward(object{"rewardType": "token", "amount": 1, "loyaltyCurrencyId": ours}),
				"rewards.1.loyaltyCurrencyId must be the currency of a token reward", "rewards.1.loyaltyCurrencyId"},
			{reward(object{"rewardType": "multiplier"}), "rewards.1.multiplier is required", "rewards.1.multiplier"},
			{reward(object{"rewardType": "multiplier", "multiplier": 0}), "rewards.1.multiplier must be between 0.01 and 999.999999", "rewards.1.multiplier"},
			{reward(object{"rewardType": "multiplier", "multiplier": 2, "loyaltyCurrencyIds": []string{apptest.UnknownID}}), "Loyalty currency not found",
				"rewards.1.loyaltyCurrencyIds.0"},
			{reward(object{"rewardType": "multiplier", "multiplier": 2, "isRetroactive": true, "loyaltyCurrencyIds": []string{kept}}),
				"rewards.1.loyaltyCurrencyIds.0 must not be a currency on an external ledger", "rewards.1.loyaltyCurrencyIds.0"},
			{reward(object{"rewardType": "badge"}), "rewards.1.loyaltyBadgeId is required", "rewards.1.loyaltyBadgeId"},
			{reward(object{"rewardType": "badge", "loyaltyBadgeId": foreignBadge}), "Badge not found", "rewards.1.loyaltyBadgeId"},
		} {
			count := len(list(s, s.WebsiteAPIKey, ""))
			refusal := s.Post(apptest.BadgesPath, apptest.BadgeBody(c.change)).Refused(400, c.message)
			if got := refusal["errors"].([]any)[0].(object)["path"]; got != c.path {
				t.Errorf("case %d: the path is %v, not %s", i, got, c.path)
			}
			if got := len(list(s, s.WebsiteAPIKey, "")); got != count {
				t.Errorf("case %d made a badge", i)
			}
		}
	})
}

// tokenOf returns the hidden currency of the website's token.
func tokenOf(s *apptest.Server) string {
	s.T.Helper()
	for _, c := range s.Get(apptest.CurrenciesPath + "?excludeTokenRewardCurrencies=false").Data() {
		if c["isTokenRewardCurrency"] == true {
			return c["id"].(string)
		}
	}
	s.T.Fatal("there is no token")
	return ""
}

func TestRewardsOfBadgesLeadBackNowhere(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		gives := func(badge string) object { return object{"rewardType": "badge", "loyaltyBadgeId": badge} }
		change := func(badge, to string) apptest.Response {
			return s.Post(apptest.BadgesPath+"/"+badge, object{"rewards": []object{gives(to)}})
		}
		first := s.CreateBadge()
		second := s.CreateBadge(gives(first))
		third := s.CreateBadge(gives(second))
		change(first, first).Refused(400, "Badge rewards form a cycle")
		change(first, second).Refused(400, "Badge rewards form a cycle")
		change(first, third).Refused(400, "Badge rewards form a cycle")
		s.CreateBadgeWith(object{ // conditions lead wherever they like
			"conditions": []object{{"type": "badge", "loyaltyBadgeIds": []string{third}}}, "rewards": []object{gives(third)},
		})
		top := third
		for range 8 {
			top = s.CreateBadge(gives(top))
		}
		const tooDeep = "Badge rewards may lead to at most 10 further badges in a row"
		s.Post(apptest.BadgesPath, apptest.BadgeBody(object{"rewards": []object{gives(top)}})).Refused(400, tooDeep)
		change(first, s.CreateBadge()).Refused(400, tooDeep) // from above, too
		s.GrantBadge(top, apptest.Alice)
		if got := s.BadgeStatus(first, apptest.Alice); got != "active" {
			t.Errorf("the last of the row is %q", got)
		}
		a, b := s.CreateBadge(), s.CreateBadge()
		apptest.CheckOutcomes(t, apptest.CallConcurrently(2, func(i int) apptest.Response {
			return change([]string{a, b}[i], []string{b, a}[i])
		}), 1, "Badge rewards form a cycle")
	})
}
