package dashboard_test

import (
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestARuleIsSaidInShort(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		streaks := object{"enableStreaks": true, "streakArray": []any{
			object{"streakMilestone": 3, "streakAmount": 5}, object{"streakMilestone": 7, "streakAmount": 20.5},
		}}
		ranges := object{"range": []any{
			object{"startRange": 1, "endRange": 9, "amount": 5}, object{"startRange": 10, "endRange": 99, "amount": 50},
		}}
		for _, one := range []struct {
			kind string
			with object
			want string
		}{
			{"bonus", object{"amount": 1500, "interval": "once"}, "Members get 1,500 Acme points, once per member."},
			{"check_in", object{"amount": 5, "interval": "daily", "metadata": streaks},
				"Members get 5 Acme points, once a day, plus 5 for a streak of 3 and 20.5 for a streak of 7."},
			{"external_rule", object{"amount": 1, "interval": "unlimited", "metadata": ranges},
				"Members get 5 to 50 Acme points depending on the value, as often as they like."},
			{"external_rule", object{"amount": 1.5, "interval": "unlimited", "metadata": object{"rewardPerValue": true}},
				"Members get 1.5 Acme points times the value, as often as they like."},
			{"external_rule", object{"amount": 5, "interval": "unlimited", "maxAmountPerInterval": 50, "maxAmountInterval": "weekly"},
				"Members get 5 Acme points, as often as they like, up to 50 per week."},
			{"external_rule", object{"amount": 5, "interval": "unlimited", "maxAmountPerInterval": 50, "maxAmountInterval": "lifetime"},
				"Members get 5 Acme points, as often as they like, up to 50 in total."},
			{"bonus", object{"amount": 2, "rewardType": "multiplier", "interval": "once"}, "Members get a multiplier of 2, once per member."},
			{"bonus", object{"amount": 2, "interval": "once", apptest.OnList: s.Upload("a.csv", apptest.Alice+"\n")},
				"Members on the list get 2 Acme points, once per member."},
			{"points_airdrop", object{"amount": 10, "interval": "once", "frequency": "daily"}, "Members get 10 Acme points, once per member."},
		} {
			rule := s.Rule(one.kind, one.with)
			b.Get(b.Site("/rules/"+rule)).Shows(200, "In short:</b> "+one.want).Hides("points, .")
		}
		rule := s.Rule("bonus", object{"amount": 5, "interval": "once", "metadata": object{"isRestrictedToNewUsers": true}})
		page := b.Get(b.Site("/rules/"+rule)).Shows(200, "In short:</b> New members get 5 Acme points, once per member.")
		b.Post(b.Site("/rules/"+rule+"/try"), with(formOn(page), "amount", "8")...).
			Shows(200, "In short:</b> New members get 8 Acme points, once per member.")
	})
}

func TestARuleThatPaysByValueIsFilledInAndTested(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		rule := s.Free(object{"amount": 1.5})
		path := b.Site("/rules/" + rule)
		page := b.Get(path).Shows(200, "Multiply by a value", "Decimal places", "To the nearest, half up", `for="f-tryValue">Value <span`)
		typed := []string{"metadata.rewardPerValue", "on", "metadata.roundTo", "2", "metadata.rounding", "half_up"}
		b.Post(path+"/try", with(formOn(page), typed...)...).Shows(200, `id="f-tryValue"`, "Would be refused", "Enter a value: the reward is multiplied by it.",
			`<a href="#f-metadata.rewardPerValue">`)
		b.Post(path+"/try", with(formOn(page), append(typed, "tryValue", "10.35")...)...).
			Shows(200, "Would be rewarded", "15.53 Acme points", "saved: 1.5 Acme points")
		b.Post(path, with(formOn(page), "metadata.rewardPerValue", "on", "metadata.roundTo", "7")...).
			Shows(400, "an integer between 0 and 6")
		b.Post(path, with(formOn(page), typed...)...)
		if got := s.CompletePaid(rule, apptest.Alice, object{"rangeValue": "10.35"}); got != "15.53" {
			t.Errorf("the saved rule pays %s", got)
		}
	})
}
