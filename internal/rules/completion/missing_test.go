package completion_test

import (
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestASimulationTellsInNumbersWhatIsLacking(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		checkMissing := func(what, rule string, body object, want string) {
			t.Helper()
			if got := fmt.Sprint(
				s.Simulate(rule, apptest.Over(object{"walletAddress": "w"}, body)).OK()["missing"],
			); got != want {
				t.Errorf("%s: missing %s, want %s", what, got, want)
			}
		}
		s.Post("/api/users/metadatas", object{"walletAddress": "w", "displayName": "W"}).OK()
		many := s.Rule(
			"code_entry",
			object{"interval": "daily", "metadata": object{"promoCode": "A", "allowMultipleRedemptions": true}},
		)
		s.EnterCode(many, "w", "A").OK()
		checkMissing("a code that was used", many, object{"verificationCode": "A"}, "<nil>")
		gift := s.CreateMultiplierRule(2, object{"interval": "daily"})
		s.Complete(gift, object{"walletAddress": "w"}).OK()
		checkMissing("a multiplier that is held", gift, nil, "<nil>")
		followed := s.Rule("connected_microblog", object{"metadata": object{"minimumFollowerCount": "100"}})
		checkMissing("nobody follows", followed, nil, "map[followers:map[have:0 need:100]]")
		s.User("w", object{"microblogUserId": "m1", "microblogFollowersCount": 99})
		checkMissing("too few follow", followed, nil, "map[followers:map[have:99 need:100]]")
		filled := s.Rule(
			"profile_completed",
			object{
				"metadata": object{
					"completeProfileConditions": object{"displayName": true, "bio": true, "location": true, "email": false},
				},
			},
		)
		checkMissing("fields", filled, nil, "map[fields:map[have:1 need:3]]")
		locked := s.Free(nil)
		first := s.Rule("external_rule", object{"isRequired": true})
		s.Rule("external_rule", object{"isRequired": true})
		checkMissing("required rules", locked, nil, "map[required:map[have:0 need:2]]")
		s.Complete(first, object{"walletAddress": "w"}).OK()
		checkMissing("one of them", locked, nil, "map[required:map[have:1 need:2]]")
		checkMissing("passed over", locked, object{"skipChainOrRequiredCheck": true}, "<nil>")
	})
}

// TestASimulationAsOfALaterMomentKnowsThatAccountsMayEarnAgain: the account has a memory of its own, which is asked
// about the same moment.
func TestASimulationAsOfALaterMomentKnowsThatAccountsMayEarnAgain(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("connected_microblog", object{"interval": "daily"})
		s.User("w", object{"microblogUserId": "m1"})
		s.Complete(rule, object{"walletAddress": "w"}).OK()
		for at, would := range map[time.Time]bool{apptest.Noon.Add(time.Hour): false, apptest.Noon.Add(apptest.Day): true} {
			if simulation := s.Simulate(rule, object{"walletAddress": "w", "at": at.Format(time.RFC3339)}).
				OK(); simulation["wouldComplete"] != would {
				t.Errorf("at %v: %v", at, simulation)
			}
		}
		s.User("w", object{"microblogUserId": nil})
		s.User("v", object{"microblogUserId": "m1"})
		if got := fmt.Sprint(
			s.Simulate(rule, object{"walletAddress": "v"}).OK()["missing"],
		); got != "map[opensAt:2026-01-15T00:00:00.000Z]" {
			t.Errorf("with an account that has earned it today: missing %s", got)
		}
	})
}
