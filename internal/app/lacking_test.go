package app_test

import (
	"fmt"
	"testing"
	"time"
)

func TestASimulationTellsInNumbersWhatIsLacking(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		lacks := func(what, rule string, body object, want string) {
			t.Helper()
			if got := fmt.Sprint(s.simulate(rule, over(object{"walletAddress": "w"}, body)).ok()["missing"]); got != want {
				t.Errorf("%s: missing %s, want %s", what, got, want)
			}
		}
		s.post("/api/users/metadatas", object{"walletAddress": "w", "displayName": "W"}).ok()
		many := s.rule(
			"code_entry",
			object{"interval": "daily", "metadata": object{"promoCode": "A", "allowMultipleRedemptions": true}},
		)
		s.enter(many, "w", "A").ok()
		lacks("a code that was used", many, object{"verificationCode": "A"}, "<nil>")
		gift := s.gift(2, object{"interval": "daily"})
		s.complete(gift, object{"walletAddress": "w"}).ok()
		lacks("a multiplier that is held", gift, nil, "<nil>")
		followed := s.rule("connected_microblog", object{"metadata": object{"minimumFollowerCount": "100"}})
		lacks("nobody follows", followed, nil, "map[followers:map[have:0 need:100]]")
		s.user("w", object{"microblogUserId": "m1", "microblogFollowersCount": 99})
		lacks("too few follow", followed, nil, "map[followers:map[have:99 need:100]]")
		filled := s.rule(
			"profile_completed",
			object{
				"metadata": object{
					"completeProfileConditions": object{"displayName": true, "bio": true, "location": true, "email": false},
				},
			},
		)
		lacks("fields", filled, nil, "map[fields:map[have:1 need:3]]")
		locked := s.free(nil)
		first := s.rule("external_rule", object{"isRequired": true})
		s.rule("external_rule", object{"isRequired": true})
		lacks("required rules", locked, nil, "map[required:map[have:0 need:2]]")
		s.complete(first, object{"walletAddress": "w"}).ok()
		lacks("one of them", locked, nil, "map[required:map[have:1 need:2]]")
		lacks("passed over", locked, object{"skipChainOrRequiredCheck": true}, "<nil>")
	})
}

// TestASimulationAsOfALaterMomentKnowsThatAccountsMayEarnAgain: the account has a memory of its own, which is asked
// about the same moment.
func TestASimulationAsOfALaterMomentKnowsThatAccountsMayEarnAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("connected_microblog", object{"interval": "daily"})
		s.user("w", object{"microblogUserId": "m1"})
		s.complete(rule, object{"walletAddress": "w"}).ok()
		for at, would := range map[time.Time]bool{noon.Add(time.Hour): false, noon.Add(day): true} {
			if told := s.simulate(rule, object{"walletAddress": "w", "at": at.Format(time.RFC3339)}).
				ok(); told["wouldComplete"] != would {
				t.Errorf("at %v: %v", at, told)
			}
		}
		s.user("w", object{"microblogUserId": nil})
		s.user("v", object{"microblogUserId": "m1"})
		if got := fmt.Sprint(
			s.simulate(rule, object{"walletAddress": "v"}).ok()["missing"],
		); got != "map[opensAt:2026-01-15T00:00:00.000Z]" {
			t.Errorf("with an account that has earned it today: missing %s", got)
		}
	})
}
