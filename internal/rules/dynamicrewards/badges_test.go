package dynamicrewards_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestABadgeOfADynamicRuleComesAndGoesWithWhatTheRuleAsksFor(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := s.Post("/api/loyalty/badges", object{
			"name": "Connected", "imageUrl": "https://files.example/c.png", "conditions": []any{object{"type": "api"}},
			"rewards": []any{
				object{"rewardType": "points", "amount": 5, "loyaltyCurrencyId": s.LoyaltyCurrencyID},
				object{"rewardType": "multiplier", "multiplier": 2},
			},
		}).OK()["id"].(string)
		rule := s.Rule("connected_chat_server", object{
			"rewardType": "badge", "loyaltyBadgeId": badge, "rewardLifetime": "dynamic",
		})
		is := func(status, points string, multipliers int) {
			t.Helper()
			row := s.Get("/api/loyalty/badge_users?loyaltyBadgeId=" + badge).Data()[0]
			if row["status"] != status || s.Balance(apptest.Alice) != points || len(s.MultiplierValues(apptest.Alice)) != multipliers {
				t.Errorf("%v, %s points, multipliers %v; want %s, %s, %d", row["status"], s.Balance(apptest.Alice),
					s.MultiplierValues(apptest.Alice), status, points, multipliers)
			}
		}
		s.User(apptest.Alice, object{"chatServerUserId": "c1"})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		is("active", "5", 1)
		s.CheckDynamicRewards(25 * time.Hour)
		is("active", "5", 1)
		s.User(apptest.Alice, object{"chatServerUserId": nil})
		s.CheckDynamicRewards(25 * time.Hour)
		is("inactive", "5", 0)
		s.User(apptest.Alice, object{"chatServerUserId": "c1"})
		s.CheckDynamicRewards(25 * time.Hour)
		is("active", "5", 1) // its multiplier is back, its points are not paid again
		s.Post("/api/loyalty/badges/"+badge+"/revoke", object{"walletAddress": apptest.Alice}).OK()
		s.CheckDynamicRewards(25 * time.Hour)
		is("revoked", "5", 0) // what was revoked does not come back by itself
		s.Sound()
	})
}
