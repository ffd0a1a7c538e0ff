package app_test

import (
	"net/http"
	"testing"
)

func TestPublishableKeysSeeNoChainsOfRulesThatTheyDoNotSee(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		shown, hidden, later := s.free(
			object{"name": "Shown"},
		), s.free(
			object{"name": "Hidden", "hideInUi": true},
		), s.free(
			object{"name": "Later", "startTime": "2026-02-01T00:00:00Z"},
		)
		told, gone := s.free(
			object{"name": "Told", "startTime": "2026-02-01T00:00:00Z", "showBeforeStart": true},
		), s.free(
			object{"name": "Gone"},
		)
		condition := object{"type": "rules", "loyaltyRuleIds": []string{shown, hidden, later, told, gone}}
		locked := s.free(object{"name": "Locked"})
		s.chain(locked, "AND", condition)
		for _, rule := range []string{hidden, later} {
			s.chain(rule, "AND", object{"type": "rule", "loyaltyRuleId": shown})
		}
		ended := s.free(object{"name": "Ended"})
		s.chain(ended, "AND", object{"type": "rule", "loyaltyRuleId": shown})
		s.remove("/api/loyalty/rules/" + gone)
		s.remove("/api/loyalty/rules/" + ended)
		names := func(chain object) string {
			out := ""
			for _, c := range chain["loyaltyConditions"].([]any) {
				for _, a := range c.(object)["association"].([]any) {
					if rule, ok := a.(object)["loyaltyRule"].(object); ok {
						out += rule["name"].(string) + " "
					}
				}
			}
			return out
		}
		key := s.clientKey(s.WebsiteID.String())
		seen := s.call(key, http.MethodGet, chainsPath, nil).data()
		if len(seen) != 1 || seen[0]["loyaltyRuleId"] != locked || names(seen[0]) != "Shown Told " {
			t.Errorf("a publishable key sees %d chains: %v", len(seen), seen)
		}
		if n := len(s.call(key, http.MethodGet, chainsPath+"?loyaltyRuleId="+hidden, nil).data()); n != 0 {
			t.Errorf("asked for by name: %d", n)
		}
		for _, rule := range s.call(key, http.MethodGet, "/api/loyalty/rules?loyaltyRuleId="+locked, nil).data() {
			if got := names(rule["loyaltyRuleChain"].([]any)[0].(object)); got != "Shown Told " {
				t.Errorf("in the rule: %q", got)
			}
		}
		for _, secret := range []string{s.WebsiteAPIKey, s.ReadOnlyAPIKey} {
			all := s.call(secret, http.MethodGet, chainsPath+"?loyaltyRuleId="+locked+","+hidden+","+later, nil).data()
			if len(all) != 3 || names(all[2]) != "Shown Hidden Later Told Gone " {
				t.Errorf("another key sees %v", all)
			}
		}
	})
}

func TestOnlySecretKeysSeeWhereListsAreReadFrom(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		links := object{
			onList:                s.upload("a.csv", alice+"\n"),
			"customRewardsCsvUrl": s.upload("b.csv", "1,2\n"),
			"customRewardsApiUrl": "https://feed.example/rewards",
		}
		group := s.section(nil)
		rule := s.rule("token_hold", over(links, object{"loyaltyRuleGroupId": group}))
		s.update(rule, object{"customRewardsCsvUrl": nil})
		address := s.upload("c.csv", alice+"\n")
		s.chain(rule, "AND", csv(address))
		csvURL := func(chain any) any { return chain.(object)["loyaltyConditions"].([]any)[0].(object)["csvUrl"] }
		for name, key := range map[string]string{"website": s.WebsiteAPIKey, "read-only": s.ReadOnlyAPIKey, "client": s.clientKey(s.WebsiteID.String())} {
			listed := s.call(key, http.MethodGet, "/api/loyalty/rules?loyaltyRuleId="+rule, nil).data()[0]
			grouped := s.call(key, http.MethodGet, "/api/loyalty/rule_groups", nil).data()[0]["loyaltyGroupItems"].([]any)[0].(object)["loyaltyRule"].(object)
			chains := s.call(key, http.MethodGet, chainsPath+"?loyaltyRuleId="+rule, nil).data()
			for where, chain := range map[string]any{"chains": chains[0], "rules": listed["loyaltyRuleChain"].([]any)[0], "groups": grouped["loyaltyRuleChain"].([]any)[0]} {
				if got := csvURL(chain); name == "website" && got != address || name != "website" && got != nil {
					t.Errorf("%s key: a condition's list in %s is %v", name, where, got)
				}
			}
			for _, told := range []object{listed, grouped} {
				for field, url := range links {
					want := url
					if name != "website" || field == "customRewardsCsvUrl" {
						want = nil
					}
					if got, there := told[field]; got != want || !there {
						t.Errorf("%s key: %s is %v, want %v", name, field, got, want)
					}
				}
			}
		}
		edits := s.call(s.ReadOnlyAPIKey, http.MethodGet, "/api/loyalty/rule_edits?loyaltyRuleId="+rule, nil).data()
		if data := edits[1]["data"].(object); data[onList] != nil || data["customRewardsApiUrl"] != nil ||
			edits[0]["previousData"].(object)["customRewardsCsvUrl"] != nil ||
			data["name"] != "A token_hold" {
			t.Errorf("edits tell a read-only key %v", edits)
		}
	})
}

func TestGroupsTellTheChainsOfTheirRules(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		group := s.section(nil)
		rule := s.free(object{"loyaltyRuleGroupId": group})
		chain := s.chain(rule, "AND", object{"type": "rule", "loyaltyRuleId": s.free(nil)})
		chains := func(group object) []any {
			return group["loyaltyGroupItems"].([]any)[0].(object)["loyaltyRule"].(object)["loyaltyRuleChain"].([]any)
		}
		for name, told := range map[string]object{"list": s.sections(s.WebsiteAPIKey, "")[0], "update": s.post("/api/loyalty/rule_groups/"+group, object{"name": "G"}).ok()} {
			if got := chains(told); len(got) != 1 || got[0].(object)["id"] != chain["id"] {
				t.Errorf("%s: %v", name, got)
			}
		}
	})
}

func TestContentIsAnAddressOfTheWeb(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.free(nil)
		for _, address := range []string{"javascript://x/%0aalert(1)", "ftp://files.example/a", "file://host/etc", "//posts.example/1", "posts.example/1"} {
			refusal := s.complete(rule, object{"walletAddress": "w", "contentUrl": address}).refused(400, "Invalid request")
			if got := refusal["errors"].([]any); len(got) != 1 ||
				got[0].(object)["message"] != "contentUrl must be a valid url" {
				t.Errorf("%s: %v", address, got)
			}
		}
		for _, address := range []string{"https://posts.example/1", "http://posts.example/1?a=b#c"} {
			s.complete(rule, object{"walletAddress": "w", "contentUrl": address}).ok()
		}
	})
}
