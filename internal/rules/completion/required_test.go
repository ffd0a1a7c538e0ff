package completion_test

import (
	"net/http"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestRequiredRulesComeFirst(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		quest := s.Rule("external_rule", object{"interval": "unlimited"})
		s.Complete(quest, object{"walletAddress": "early"}).OK()
		hidden := s.Rule("external_rule", object{"isRequired": true, "hideInUi": true})
		second := s.Rule("check_in", object{"isRequired": true, "interval": "daily"})
		s.Rule("external_rule", object{"isRequired": true, "startTime": apptest.Noon.Add(time.Hour)})
		s.Rule(
			"external_rule",
			object{"isRequired": true, "startTime": apptest.Noon.Add(-time.Hour), "endTime": apptest.Noon.Add(-time.Minute)},
		)
		s.Remove("/api/loyalty/rules/" + s.Rule("external_rule", object{"isRequired": true}))
		s.Call(s.NewProgram("Rival").WebsiteAPIKey, http.MethodPost, "/api/loyalty/rules", object{"name": "theirs", "type": "check_in", "isRequired": true}).
			OK()
		user := object{"walletAddress": "w"}
		s.Complete(quest, user).Refused(400, apptest.Locked)
		s.Complete(quest, object{"walletAddress": "w", "verifyOnly": true}).Refused(400, apptest.Locked)
		s.Complete(second, user).OK() // required rules ask for nothing themselves
		s.Complete(quest, user).Refused(400, apptest.Locked)
		s.Progress(hidden, "w", object{"progress": 100}).OK() // progress is no completion
		s.Complete(quest, user).Refused(400, apptest.Locked)
		s.Complete(hidden, user).OK()
		s.Complete(quest, user).OK()
		s.Clock.Set(
			apptest.Noon.Add(24 * time.Hour),
		) // the rule that starts later has begun, and yesterday's check-in still counts
		s.Complete(quest, user).Refused(400, apptest.Locked)
		for _, r := range s.Get("/api/loyalty/rules?isActive=true").Data() {
			if r["startTime"] != nil {
				s.Complete(r["id"].(string), user).OK()
			}
		}
		s.Complete(quest, user).OK()
		s.Complete(quest, object{"walletAddress": "other"}).Refused(400, apptest.Locked)
		s.Remove("/api/loyalty/rules/" + hidden)
		s.Update(quest, object{"isRequired": true})
		s.Complete(quest, object{"walletAddress": "other"}).OK()
	})
}

func TestRulesOfRequiredGroupsComeFirst(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		group := s.CreateGroup(object{"isRequired": true})
		one, two := s.Rule(
			"check_in",
			object{"loyaltyRuleGroupId": group},
		), s.Rule(
			"check_in",
			object{"loyaltyRuleGroupId": group},
		)
		quest := s.Rule("external_rule", object{"interval": "unlimited"})
		user := object{"walletAddress": "w"}
		demand := func(wallet string, free bool) {
			t.Helper()
			if a := s.Complete(quest, object{"walletAddress": wallet}); free {
				a.OK()
			} else {
				a.Refused(400, apptest.Locked)
			}
		}
		demand("w", false)
		s.Complete(one, user).OK()
		demand("w", false)
		s.Complete(two, user).OK()
		demand("w", true)
		path := "/api/loyalty/rule_groups/" + group
		demand("v", false)
		s.Post(path, object{"isRequired": false}).OK()
		demand("v", true)
		s.Post(path, object{"isRequired": true}).OK()
		demand("v", false)
		s.Update(one, object{"loyaltyRuleGroupId": nil})
		s.Update(two, object{"loyaltyRuleGroupId": "no-section"})
		demand("v", true)
		s.Update(one, object{"loyaltyRuleGroupId": group})
		demand("v", false)
		s.Remove(path)
		demand("v", true)
	})
}

func TestAGroupOfWalletsCompletesRequiredRulesTogether(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		first, quest := s.Rule("check_in", object{"isRequired": true}), s.Rule("check_in", object{"interval": "unlimited"})
		s.In("a", "g")
		s.In("b", "g")
		s.Complete(first, object{"walletAddress": "a"}).OK()
		s.Complete(quest, object{"walletAddress": "b"}).OK()
		s.Complete(quest, object{"walletAddress": "c"}).Refused(400, apptest.Locked)
		s.In("c", "g")
		s.Complete(quest, object{"walletAddress": "c"}).OK()
		s.Complete(first, object{"walletAddress": "b"}).Refused(400, "You have already been rewarded")
	})
}

func TestSecretKeysSkipRequiredRules(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		first, quest := s.Rule("check_in", object{"isRequired": true}), s.Rule("check_in", object{"interval": "unlimited"})
		path := "/api/loyalty/rules/" + quest + "/complete"
		skip := object{"walletAddress": "w", "skipChainOrRequiredCheck": true}
		for _, key := range []string{s.WebsiteAPIKey, s.OrganizationAPIKey} {
			s.Call(key, http.MethodPost, path, skip).OK()
			s.Call(key, http.MethodPost, path, object{"walletAddress": "w", "skipChainOrRequiredCheck": false}).
				Refused(400, apptest.Locked)
		}
		bearer := "Bearer " + s.Token("w")
		client := func(rule string, body object) apptest.Response {
			return s.Call(s.ClientAPIKey, http.MethodPost, "/api/loyalty/rules/"+rule+"/complete", body, "Authorization", bearer)
		}
		client(quest, skip).Refused(400, "Api key is required to skip chain or required check")
		client(first, skip).Refused(400, "Api key is required to skip chain or required check")
		client(quest, object{"walletAddress": "w", "skipChainOrRequiredCheck": false}).Refused(400, apptest.Locked)
		client(quest, object{"walletAddress": "w", "skipChainOrRequiredCheck": nil}).Refused(400, apptest.Locked)
		client(first, object{"walletAddress": "w"}).OK()
		client(quest, object{"walletAddress": "w"}).OK()
		if got := s.Balance("w"); got != "40" {
			t.Errorf("balance %s, want 40", got)
		}
	})
}
