package catalog_test

import (
	"net/http"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestPublishableKeysSeeNoChainsOfRulesThatTheyDoNotSee(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		shown, hidden, later := s.Free(
			object{"name": "Shown"},
		), s.Free(
			object{"name": "Hidden", "hideInUi": true},
		), s.Free(
			object{"name": "Later", "startTime": "2026-02-01T00:00:00Z"},
		)
		announced, gone := s.Free(
			object{"name": "Told", "startTime": "2026-02-01T00:00:00Z", "showBeforeStart": true},
		), s.Free(
			object{"name": "Gone"},
		)
		condition := object{"type": "rules", "loyaltyRuleIds": []string{shown, hidden, later, announced, gone}}
		locked := s.Free(object{"name": "Locked"})
		s.CreateChain(locked, "AND", condition)
		for _, rule := range []string{hidden, later} {
			s.CreateChain(rule, "AND", object{"type": "rule", "loyaltyRuleId": shown})
		}
		ended := s.Free(object{"name": "Ended"})
		s.CreateChain(ended, "AND", object{"type": "rule", "loyaltyRuleId": shown})
		s.Remove("/api/loyalty/rules/" + gone)
		s.Remove("/api/loyalty/rules/" + ended)
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
		key := s.ClientKey(s.WebsiteID.String())
		chains := s.Call(key, http.MethodGet, apptest.ChainsPath, nil).Data()
		if len(chains) != 1 || chains[0]["loyaltyRuleId"] != locked || names(chains[0]) != "Shown Told " {
			t.Errorf("a publishable key sees %d chains: %v", len(chains), chains)
		}
		if n := len(s.Call(key, http.MethodGet, apptest.ChainsPath+"?loyaltyRuleId="+hidden, nil).Data()); n != 0 {
			t.Errorf("asked for by name: %d", n)
		}
		for _, rule := range s.Call(key, http.MethodGet, "/api/loyalty/rules?loyaltyRuleId="+locked, nil).Data() {
			if got := names(rule["loyaltyRuleChain"].([]any)[0].(object)); got != "Shown Told " {
				t.Errorf("in the rule: %q", got)
			}
		}
		for _, secret := range []string{s.WebsiteAPIKey, s.ReadOnlyAPIKey} {
			all := s.Call(secret, http.MethodGet, apptest.ChainsPath+"?loyaltyRuleId="+locked+","+hidden+","+later, nil).Data()
			if len(all) != 3 || names(all[2]) != "Shown Hidden Later Told Gone " {
				t.Errorf("another key sees %v", all)
			}
		}
	})
}

func TestOnlySecretKeysSeeWhereListsAreReadFrom(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		links := object{
			apptest.OnList:        s.Upload("a.csv", apptest.Alice+"\n"),
			"customRewardsCsvUrl": s.Upload("b.csv", "1,2\n"),
			"customRewardsApiUrl": "https://feed.example/rewards",
		}
		group := s.CreateGroup(nil)
		rule := s.Rule("token_hold", apptest.Over(links, object{"loyaltyRuleGroupId": group}))
		s.Update(rule, object{"customRewardsCsvUrl": nil})
		address := s.Upload("c.csv", apptest.Alice+"\n")
		s.CreateChain(rule, "AND", apptest.CSV(address))
		csvURL := func(chain any) any { return chain.(object)["loyaltyConditions"].([]any)[0].(object)["csvUrl"] }
		for name, key := range map[string]string{"website": s.WebsiteAPIKey, "read-only": s.ReadOnlyAPIKey, "client": s.ClientKey(s.WebsiteID.String())} {
			listed := s.Call(key, http.MethodGet, "/api/loyalty/rules?loyaltyRuleId="+rule, nil).Data()[0]
			grouped := s.Call(key, http.MethodGet, "/api/loyalty/rule_groups", nil).Data()[0]["loyaltyGroupItems"].([]any)[0].(object)["loyaltyRule"].(object)
			chains := s.Call(key, http.MethodGet, apptest.ChainsPath+"?loyaltyRuleId="+rule, nil).Data()
			for where, chain := range map[string]any{"chains": chains[0], "rules": listed["loyaltyRuleChain"].([]any)[0], "groups": grouped["loyaltyRuleChain"].([]any)[0]} {
				if got := csvURL(chain); name == "website" && got != address || name != "website" && got != nil {
					t.Errorf("%s key: a condition's list in %s is %v", name, where, got)
				}
			}
			for _, announced := range []object{listed, grouped} {
				for field, url := range links {
					want := url
					if name != "website" || field == "customRewardsCsvUrl" {
						want = nil
					}
					if got, there := announced[field]; got != want || !there {
						t.Errorf("%s key: %s is %v, want %v", name, field, got, want)
					}
				}
			}
		}
		edits := s.Call(s.ReadOnlyAPIKey, http.MethodGet, "/api/loyalty/rule_edits?loyaltyRuleId="+rule, nil).Data()
		if data := edits[1]["data"].(object); data[apptest.OnList] != nil || data["customRewardsApiUrl"] != nil ||
			edits[0]["previousData"].(object)["customRewardsCsvUrl"] != nil ||
			data["name"] != "A token_hold" {
			t.Errorf("edits tell a read-only key %v", edits)
		}
	})
}

func TestGroupsTellTheChainsOfTheirRules(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		group := s.CreateGroup(nil)
		rule := s.Free(object{"loyaltyRuleGroupId": group})
		chain := s.CreateChain(rule, "AND", object{"type": "rule", "loyaltyRuleId": s.Free(nil)})
		chains := func(group object) []any {
			return group["loyaltyGroupItems"].([]any)[0].(object)["loyaltyRule"].(object)["loyaltyRuleChain"].([]any)
		}
		for name, announced := range map[string]object{"list": s.ListGroups(s.WebsiteAPIKey, "")[0], "update": s.Post("/api/loyalty/rule_groups/"+group, object{"name": "G"}).OK()} {
			if got := chains(announced); len(got) != 1 || got[0].(object)["id"] != chain["id"] {
				t.Errorf("%s: %v", name, got)
			}
		}
	})
}

func TestContentIsAnAddressOfTheWeb(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(nil)
		for _, address := range []string{"javascript://x/%0aalert(1)", "ftp://files.example/a", "file://host/etc", "//posts.example/1", "posts.example/1"} {
			refusal := s.Complete(rule, object{"walletAddress": "w", "contentUrl": address}).Refused(400, "Invalid request")
			if got := refusal["errors"].([]any); len(got) != 1 ||
				got[0].(object)["message"] != "contentUrl must be a valid url" {
				t.Errorf("%s: %v", address, got)
			}
		}
		for _, address := range []string{"https://posts.example/1", "http://posts.example/1?a=b#c"} {
			s.Complete(rule, object{"walletAddress": "w", "contentUrl": address}).OK()
		}
	})
}
