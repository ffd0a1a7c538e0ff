package dashboard_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestTheHistoryOfARuleIsReadAndUndone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		group := s.CreateGroup(object{"name": "Everyday"})
		id := s.Rule("check_in", object{"name": "Daily", "metadata": object{"customRewardsApiKey": "very secret"}})
		path := b.Site("/rules/" + id)
		form := formOn(b.Get(path))
		b.Post(path, with(form, "amount", "8", "interval", "weekly", "loyaltyRuleGroupId", group, "name", "<u>Weekly</u>",
			"metadata.enableStreaks", "on", "editComment", "For <winter>", "metadata.customRewardsApiKey", "another secret")...).
			FollowsTo(path)
		s.Clock.Advance(time.Minute)
		s.Update(id, object{"hideInUi": true})
		history := b.Get(path+"/history").Shows(200, "Changed by Ines WEBSITE_ADMIN", "Changed by an API key",
			"Created by an API key",
			"For <winter>", "Once a week", "Once", "Everyday", "<u>Weekly</u>", "Count streaks", "Hide from members",
			"a key (not shown)", "Undo this edit").Hides("very secret", "another secret", "sealed")
		if containsRaw(history, "<u>") {
			t.Error("a name is not escaped")
		}
		first := s.Edits(id)[1]
		b.Post(path+"/history/"+first["id"].(string)+"/undo").FollowsTo(path+"/history").
			Shows(200, "Edit undone", "Edit undone by Ines WEBSITE_ADMIN")
		rule := getRule(s, id)
		if rule["name"] != "Daily" || rule["hideInUi"] != true || rule["amount"] != apptest.JSONNumber("10") {
			t.Errorf("after undoing: %v", rule)
		}
		made := s.Edits(id)[3]["id"].(string)
		b.Post(path+"/history/"+made+"/undo").Shows(400, "A create edit cannot be restored")
		b.Post(path + "/history/" + id + "/undo").Shows(404)
		other := s.Rule("bonus", nil)
		b.Post(b.Site("/rules/"+other) + "/history/" + first["id"].(string) + "/undo").Shows(404)
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(path+"/history").Shows(200, "Daily").Hides("Undo this edit")
		v.Post(path + "/history/" + first["id"].(string) + "/undo").Shows(403)
	})
}

func TestARuleIsTriedAsItIsTyped(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		id := s.Rule("check_in", object{"name": "Daily", "interval": "daily", "amount": 5})
		path := b.Site("/rules/" + id)
		page := b.Get(path).Shows(200, "Test this rule")
		form := formOn(page)
		b.Post(path+"/try", with(form)...).Shows(200, "Would be rewarded", "Tested as saved", "5 ", "Audience",
			"Required rules and chains")
		s.Complete(id, object{"walletAddress": apptest.Alice}).OK()
		page = b.Post(path+"/try", with(form, "tryMember", apptest.Alice)...).
			Shows(200, "Would be refused", "The member was already rewarded in this period.", "Once a day", "You have already been rewarded",
				"Test at that time", `<a href="#f-interval">Once a day</a>`)
		b.Post(path+"/try", with(form, "tryMember", apptest.Alice, "tryNew", "on")...).
			Shows(200, "Would be rewarded", apptest.Alice)
		then := match(t, page, `name="tryThen" value="([^"]+)"`)
		b.Post(path+"/try", with(formOn(page), "tryThen", then)...).Shows(200, "Would be rewarded")
		b.Get(path).Shows(200, apptest.Alice)
		b.Post(path+"/try", with(form, "tryMember", "", "amount", "7.5", "name", "Typed")...).
			Shows(200, "7.5", "Tested with your unsaved changes", `value="Typed"`, "was 5", "saved: 5 ")
		if got := getRule(s, id); got["name"] != "Daily" || len(s.Edits(id)) != 1 {
			t.Errorf("trying has saved %v", got)
		}
		b.Post(path+"/try", with(form, "startTime", "2030-01-01T00:00")...).Shows(200, "Would be refused",
			"has not started yet")
		b.Post(path+"/try", with(form, "amount", "much")...).Shows(400, "This rule can’t be tested", "Must be a number")
		b.Post(path+"/try", with(form, "tryAt", "soon")...).Shows(400, "Must be a date with a time")
		b.Post(path+"/try", with(form, "tryMember", id)...).Shows(400, "User not found")
		code := s.Rule("code_entry", object{"metadata": object{}})
		b.Post(b.Site("/rules/"+code+"/try"), "tryCode", "x").Shows(200, "Add a code.")
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Post(path+"/try", with(form)...).Shows(403, "test rules")
		v.Get(path).Shows(200).Hides("Test this rule", path+"/try")
		of := s.SignInAdmin(tenancy.RoleModerator)
		of.Post(path+"/try", with(form, "amount", "7.5")...).Shows(200, "Would be rewarded",
			"Tested as saved").Hides(`value="7.5"`, "With your changes")
		if users := s.Get("/api/users?limit=10").Data(); len(users) != 1 {
			t.Errorf("trying has made users: %v", users)
		}
	})
}
