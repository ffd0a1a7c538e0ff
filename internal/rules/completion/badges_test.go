package completion_test

import (
	"reflect"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

const badgesPath = "/api/loyalty/badges"

// badge makes one that nobody earns by itself, with rewards.
func badge(s *apptest.Server, name string, rewards ...object) string {
	s.T.Helper()
	return s.Post(badgesPath, object{
		"name": name, "imageUrl": "https://files.example/" + name + ".png",
		"conditions": []any{object{"type": "api"}}, "rewards": rewards,
	}).OK()["id"].(string)
}

// has returns the status of a member's badge and whether a rule gave it; "" where there is no row.
func has(s *apptest.Server, badge, wallet string) string {
	s.T.Helper()
	rows := s.Get("/api/loyalty/badge_users?loyaltyBadgeId=" + badge + "&walletAddress=" + wallet).Data()
	if len(rows) == 0 {
		return ""
	}
	return rows[0]["status"].(string)
}

func TestARuleGivesABadgeWithItsRewards(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		second := badge(s, "second", object{
			"rewardType": "points", "amount": 2, "loyaltyCurrencyId": s.LoyaltyCurrencyID,
		})
		first := badge(s, "first",
			object{"rewardType": "points", "amount": 5, "loyaltyCurrencyId": s.LoyaltyCurrencyID},
			object{"rewardType": "multiplier", "multiplier": 3}, object{"rewardType": "badge", "loyaltyBadgeId": second})
		made := object{"rewardType": "badge", "loyaltyBadgeId": first, "interval": "unlimited"}
		rule := s.Rule("external_rule", apptest.Over(made, object{"loyaltyCurrencyId": s.LoyaltyCurrencyID, "amount": 7}))
		shown := s.Get("/api/loyalty/rules?loyaltyRuleId=" + rule).Data()[0]
		want := object{
			"id": first, "name": "first", "description": "", "imageUrl": "https://files.example/first.png",
		}
		if shown["loyaltyBadgeId"] != first || !reflect.DeepEqual(shown["loyaltyBadge"], want) {
			t.Errorf("the rule shows %v and %v", shown["loyaltyBadgeId"], shown["loyaltyBadge"])
		}
		would := s.Simulate(rule, object{"walletAddress": apptest.Alice}).OK()
		rewards := []any{object{"rewardType": "badge", "loyaltyBadgeId": first}}
		if would["wouldComplete"] != true || !reflect.DeepEqual(would["rewards"], rewards) || has(s, first, apptest.Alice) != "" {
			t.Errorf("a dry run says %v", would)
		}
		got := s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()["data"].(object)
		if !reflect.DeepEqual(got["rewards"], rewards) {
			t.Errorf("it gives %v", got)
		}
		for range 2 { // who has it is completed again, and given nothing
			if has(s, first, apptest.Alice) != "active" || has(s, second, apptest.Alice) != "active" ||
				s.Balance(apptest.Alice) != "7" || len(s.MultiplierValues(apptest.Alice)) != 1 {
				t.Errorf("first %s, second %s, %s points, multipliers %v", has(s, first, apptest.Alice),
					has(s, second, apptest.Alice), s.Balance(apptest.Alice), s.MultiplierValues(apptest.Alice))
			}
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		}
		// an entry of 0 tells of each completion
		if n := len(s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data()); n != 3 {
			t.Errorf("%d entries of the rule", n)
		}
		s.Remove(badgesPath + "/" + first)
		shown = s.Get("/api/loyalty/rules?loyaltyRuleId=" + rule).Data()[0]
		if shown["loyaltyBadgeId"] != nil || shown["loyaltyBadge"] != nil {
			t.Errorf("of a deleted badge the rule shows %v and %v", shown["loyaltyBadgeId"], shown["loyaltyBadge"])
		}
		s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(400, "Rule is not setup")
		s.Update(rule, object{"name": "Another"}) // what it names is not named anew
		s.Sound()
	})
}

func TestARuleNamesBadgesThatThereAre(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		own := badge(s, "own")
		tiers := func(id any) object {
			return object{"rewardBadgePerRange": true, "range": []any{
				object{"startRange": 1, "endRange": 5, "loyaltyBadgeId": own},
				object{"startRange": 6, "endRange": 9, "loyaltyBadgeId": id},
			}}
		}
		rule := s.Rule("external_rule", object{"rewardType": "badge", "loyaltyBadgeId": own})
		for path, body := range map[string]object{
			"loyaltyBadgeId":                  {"loyaltyBadgeId": apptest.UnknownID},
			"metadata.range.1.loyaltyBadgeId": {"metadata": tiers(apptest.UnknownID)},
		} {
			for _, to := range []string{"/api/loyalty/rules", "/api/loyalty/rules/" + rule} {
				input := apptest.Over(object{"name": "N", "type": "external_rule", "rewardType": "badge", "loyaltyBadgeId": own}, body)
				faults := s.Post(to, input).Refused(400, "Badge not found")["errors"].([]any)
				if len(faults) != 1 || faults[0].(object)["path"] != path {
					t.Errorf("%s: %v", path, faults)
				}
			}
		}
		s.Post("/api/loyalty/rules", object{"name": "N", "type": "external_rule", "rewardType": "badge"}).
			Refused(400, "loyaltyBadgeId is required")
	})
}

func TestTiersGiveBadges(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		low, high := badge(s, "low"), badge(s, "high")
		metadata := object{"rewardBadgePerRange": true, "range": []any{
			object{"startRange": 1, "endRange": 5, "amount": 1, "loyaltyBadgeId": low},
			object{"startRange": 6, "endRange": 9, "amount": 2, "loyaltyBadgeId": high},
		}}
		points := s.Rule("external_rule", object{"metadata": metadata, "interval": "unlimited"})
		s.Complete(points, object{"walletAddress": apptest.Alice, "rangeValue": 7}).OK()
		if has(s, low, apptest.Alice) != "" || has(s, high, apptest.Alice) != "active" || s.Balance(apptest.Alice) != "2" {
			t.Errorf("low %q, high %q, %s points", has(s, low, apptest.Alice), has(s, high, apptest.Alice), s.Balance(apptest.Alice))
		}
		counter := s.Rule("external_rule", object{
			"metadata": metadata, "trackProgress": true, "progressType": "counter", "rewardType": "badge", "loyaltyBadgeId": low,
		})
		s.Progress(counter, apptest.Bob, object{"progress": 8}).OK()
		s.Complete(counter, object{"walletAddress": apptest.Bob}).Refused(400, "Quest not completed")
		s.Progress(counter, apptest.Bob, object{"progress": 9}).OK()
		got := s.Complete(counter, object{"walletAddress": apptest.Bob}).OK()["data"].(object)
		if len(got["rewards"].([]any)) != 2 || has(s, low, apptest.Bob) != "active" || has(s, high, apptest.Bob) != "active" {
			t.Errorf("every tier that was reached: %v", got)
		}
		s.Sound()
	})
}

func TestAFunctionNamesTheBadge(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		own, other := badge(s, "own"), badge(s, "other")
		for id, want := range map[string]string{other: "active", apptest.UnknownID: ""} {
			code := `module.exports.handler = async (input, output) => {
				output.setResult([{walletAddress: input.user.walletAddress, loyaltyBadgeId: "` + id + `"}]);
				return output.buildOutput();
			};`
			function := s.Post("/api/stratus/functions", object{"name": "f " + id, "code": code}).OK()["id"]
			rule := s.Rule("stratus_function", object{
				"functionId": function, "rewardType": "badge", "loyaltyBadgeId": own, "interval": "unlimited",
			})
			answer := s.Complete(rule, object{"walletAddress": apptest.Alice})
			if want == "" {
				answer.Refused(400, "Invalid Verification, try again")
				continue
			}
			answer.OK()
		}
		if has(s, own, apptest.Alice) != "" || has(s, other, apptest.Alice) != "active" {
			t.Errorf("own %q, other %q", has(s, own, apptest.Alice), has(s, other, apptest.Alice))
		}
	})
}

func TestABadgeOfManyAtOnceIsPaidOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := badge(s, "once", object{"rewardType": "points", "amount": 5, "loyaltyCurrencyId": s.LoyaltyCurrencyID})
		rule := s.Rule("external_rule", object{"rewardType": "badge", "loyaltyBadgeId": id, "interval": "unlimited"})
		apptest.CallConcurrently(8, func(int) apptest.Response {
			return s.Complete(rule, object{"walletAddress": apptest.Alice})
		})
		if s.Balance(apptest.Alice) != "5" || has(s, id, apptest.Alice) != "active" {
			t.Errorf("%s points", s.Balance(apptest.Alice))
		}
		if n := s.Count("/api/loyalty/badge_users?loyaltyBadgeId=" + id); n != 1 {
			t.Errorf("%d rows", n)
		}
		s.Sound()
	})
}
