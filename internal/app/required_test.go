package app_test

import (
	"net/http"
	"testing"
	"time"
)

const locked = "Please complete other required rules to unlock this quest."

func TestRequiredRulesComeFirst(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		quest := s.rule("external_rule", object{"interval": "unlimited"})
		s.complete(quest, object{"walletAddress": "early"}).ok()
		hidden := s.rule("external_rule", object{"isRequired": true, "hideInUi": true})
		second := s.rule("check_in", object{"isRequired": true, "interval": "daily"})
		s.rule("external_rule", object{"isRequired": true, "startTime": noon.Add(time.Hour)})
		s.rule(
			"external_rule",
			object{"isRequired": true, "startTime": noon.Add(-time.Hour), "endTime": noon.Add(-time.Minute)},
		)
		s.remove("/api/loyalty/rules/" + s.rule("external_rule", object{"isRequired": true}))
		s.call(s.program("Rival").WebsiteAPIKey, http.MethodPost, "/api/loyalty/rules", object{"name": "theirs", "type": "check_in", "isRequired": true}).
			ok()
		user := object{"walletAddress": "w"}
		s.complete(quest, user).refused(400, locked)
		s.complete(quest, object{"walletAddress": "w", "verifyOnly": true}).refused(400, locked)
		s.complete(second, user).ok() // required rules ask for nothing themselves
		s.complete(quest, user).refused(400, locked)
		s.progress(hidden, "w", object{"progress": 100}).ok() // progress is no completion
		s.complete(quest, user).refused(400, locked)
		s.complete(hidden, user).ok()
		s.complete(quest, user).ok()
		s.clock.set(noon.Add(24 * time.Hour)) // the rule that starts later has begun, and yesterday's check-in still counts
		s.complete(quest, user).refused(400, locked)
		for _, r := range s.get("/api/loyalty/rules?isActive=true").data() {
			if r["startTime"] != nil {
				s.complete(r["id"].(string), user).ok()
			}
		}
		s.complete(quest, user).ok()
		s.complete(quest, object{"walletAddress": "other"}).refused(400, locked)
		s.remove("/api/loyalty/rules/" + hidden)
		s.update(quest, object{"isRequired": true})
		s.complete(quest, object{"walletAddress": "other"}).ok()
	})
}

func TestRulesOfRequiredGroupsComeFirst(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		group := s.section(object{"isRequired": true})
		one, two := s.rule(
			"check_in",
			object{"loyaltyRuleGroupId": group},
		), s.rule(
			"check_in",
			object{"loyaltyRuleGroupId": group},
		)
		quest := s.rule("external_rule", object{"interval": "unlimited"})
		user := object{"walletAddress": "w"}
		demand := func(wallet string, free bool) {
			t.Helper()
			if a := s.complete(quest, object{"walletAddress": wallet}); free {
				a.ok()
			} else {
				a.refused(400, locked)
			}
		}
		demand("w", false)
		s.complete(one, user).ok()
		demand("w", false)
		s.complete(two, user).ok()
		demand("w", true)
		path := "/api/loyalty/rule_groups/" + group
		demand("v", false)
		s.post(path, object{"isRequired": false}).ok()
		demand("v", true)
		s.post(path, object{"isRequired": true}).ok()
		demand("v", false)
		s.update(one, object{"loyaltyRuleGroupId": nil})
		s.update(two, object{"loyaltyRuleGroupId": "no-section"})
		demand("v", true)
		s.update(one, object{"loyaltyRuleGroupId": group})
		demand("v", false)
		s.remove(path)
		demand("v", true)
	})
}

func TestAGroupOfWalletsCompletesRequiredRulesTogether(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		first, quest := s.rule("check_in", object{"isRequired": true}), s.rule("check_in", object{"interval": "unlimited"})
		s.in("a", "g")
		s.in("b", "g")
		s.complete(first, object{"walletAddress": "a"}).ok()
		s.complete(quest, object{"walletAddress": "b"}).ok()
		s.complete(quest, object{"walletAddress": "c"}).refused(400, locked)
		s.in("c", "g")
		s.complete(quest, object{"walletAddress": "c"}).ok()
		s.complete(first, object{"walletAddress": "b"}).refused(400, "You have already been rewarded")
	})
}

func TestSecretKeysSkipRequiredRules(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		first, quest := s.rule("check_in", object{"isRequired": true}), s.rule("check_in", object{"interval": "unlimited"})
		path := "/api/loyalty/rules/" + quest + "/complete"
		skip := object{"walletAddress": "w", "skipChainOrRequiredCheck": true}
		for _, key := range []string{s.WebsiteAPIKey, s.OrganizationAPIKey} {
			s.call(key, http.MethodPost, path, skip).ok()
			s.call(key, http.MethodPost, path, object{"walletAddress": "w", "skipChainOrRequiredCheck": false}).
				refused(400, locked)
		}
		bearer := "Bearer " + s.token("w")
		client := func(rule string, body object) answer {
			return s.call(s.ClientAPIKey, http.MethodPost, "/api/loyalty/rules/"+rule+"/complete", body, "Authorization", bearer)
		}
		client(quest, skip).refused(400, "Api key is required to skip chain or required check")
		client(first, skip).refused(400, "Api key is required to skip chain or required check")
		client(quest, object{"walletAddress": "w", "skipChainOrRequiredCheck": false}).refused(400, locked)
		client(quest, object{"walletAddress": "w", "skipChainOrRequiredCheck": nil}).refused(400, locked)
		client(first, object{"walletAddress": "w"}).ok()
		client(quest, object{"walletAddress": "w"}).ok()
		if got := s.balance("w"); got != "40" {
			t.Errorf("balance %s, want 40", got)
		}
	})
}
