package dashboard_test

import (
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestGroupsAreMadeOrderedAndDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get(b.Site("/groups")).Shows(200, "No groups yet", "New group")
		b.Post(b.Site("/groups"), "name", "", "subTitle", "<i>Kept</i>").Shows(400, "Is required", "<i>Kept</i>")
		for _, name := range []string{"One", "Two", "Three & <b>more</b>"} {
			b.Post(b.Site("/groups"), "name", name, "isRequired", "on").FollowsTo(b.Site("/groups")).Shows(200, name, "Required")
		}
		order := func() string {
			var names []string
			for _, g := range s.ListGroups(s.WebsiteAPIKey, "") {
				names = append(names, strings.Fields(g["name"].(string))[0])
			}
			return strings.Join(names, " ")
		}
		group := func(i int) string { return s.ListGroups(s.WebsiteAPIKey, "")[i]["id"].(string) }
		b.Post(b.Site("/groups/"+group(2)+"/move"), "to", "up").FollowsTo(b.Site("/groups"))
		b.Post(b.Site("/groups/"+group(0)+"/move"), "to", "down").FollowsTo(b.Site("/groups"))
		b.Post(b.Site("/groups/"+group(0)+"/move"), "to", "up").FollowsTo(b.Site("/groups"))
		if got := order(); got != "Three One Two" {
			t.Errorf("the order is %s", got)
		}
		path := b.Site("/groups/" + group(1))
		b.Get(path).Shows(200, "One", " checked")
		baseVersion := func() string { return hidden(b.Get(path), "seen") }
		b.Post(path, "seen", baseVersion(), "name", " ", "subTitle", "x").Shows(400, "Is required")
		b.Post(path, "seen", baseVersion(), "name", "First", "subTitle", "Below").FollowsTo(b.Site("/groups")).Shows(200, "First", "Below")
		rule := s.Rule("bonus", object{"loyaltyRuleGroupId": group(1)})
		b.Get(path+"/delete").Shows(200, "Delete First?")
		b.Post(path+"/delete").FollowsTo(b.Site("/groups")).Shows(200, "Group First deleted")
		if getRule(s, rule)["loyaltyRuleGroupId"] != nil || order() != "Three Two" {
			t.Errorf("left: %s", order())
		}
		b.Get(path).Shows(404)
		b.Post(path+"/move", "to", "up").Shows(404)
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(b.Site("/groups")).Shows(200, "Two").Hides("New group", "Move Two")
		v.Post(b.Site("/groups"), "name", "No").Shows(403)
	})
}

func TestARuleIsDeletedByItsName(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b, owner := s.SignInAdmin(tenancy.RoleAdmin), s.SignInAdmin(tenancy.RoleSuperAdmin)
		id, debited := s.Free(object{"name": "Gift <x>"}), s.Free(object{"name": "Taken"})
		s.Complete(debited, object{"walletAddress": apptest.Alice}).OK()
		path := b.Site("/rules/" + id + "/delete")
		b.Get(path).Shows(200, "Delete Gift <x>?").Hides("Take back")
		b.Post(path, "name", "gift").Shows(400, "Must match the name of the rule", `value="gift"`)
		b.Post(path, "name", "Gift <x>", "debit", "on").Shows(403, "take back the rewards of deleted rules")
		page := b.Post(path, "name", "Gift <x>").FollowsTo(b.Site("/rules/"+id+"/history")).Shows(200, "Rule deleted",
			"Deleted")
		b.Get(path).Shows(404)
		b.Get(b.Site("/rules/"+id)).Shows(200, "Deleted", " disabled").Hides("Save changes", "Test this rule")
		b.Post(match(t, page, `action="([^"]+/undo)"`)).FollowsTo(b.Site("/rules/" + id))
		if getRule(s, id)["deletedAt"] != nil {
			t.Error("the rule did not come back")
		}
		path = b.Site("/rules/" + debited + "/delete")
		owner.Get(path).Shows(200, "Take back the rule’s rewards")
		owner.Post(path, "name", "Taken", "debit", "on").FollowsTo(b.Site("/rules/"+debited)).Shows(200, "are being taken back")
		if got := s.Get("/api/loyalty/accounts?walletAddress=" + apptest.Alice).Data()[0]["amount"]; got != apptest.JSONNumber("0") {
			t.Errorf("left: %v", got)
		}
		s.SignInAdmin(tenancy.RoleViewer).Get(path).Shows(403)
	})
}

func TestChainsSayWhatTheyAskFor(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleViewer)
		b.Get(b.Site("/chains")).Shows(200, "No chains yet")
		first, second := s.Rule("bonus", object{"name": "First <i>"}), s.Rule("quiz", object{"name": "Locked"})
		s.CreateChain(second, "OR", object{"type": "rule", "loyaltyRuleIds": []any{first}, "repeatCount": 3,
			"description": "Say <b>"},
			object{"type": "points", "loyaltyCurrencyIds": []any{s.LoyaltyCurrencyID}, "amount": 1500})
		page := b.Get(b.Site("/chains")).
			Shows(200, "Locked", "Completed “First <i>” 3 times", "At least one of these", "At least 1,500", "Say <b>")
		if containsRaw(page, "Say <b>") {
			t.Error("a description is not escaped")
		}
	})
}

func TestAGroupThatSomebodyElseSavedIsNotOverwritten(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Post(b.Site("/groups"), "name", "Group")
		id := s.ListGroups(s.WebsiteAPIKey, "")[0]["id"].(string)
		path := b.Site("/groups/" + id)
		baseVersion := hidden(b.Get(path), "seen")
		b.Post(path, "seen", baseVersion, "name", "Theirs <b>", "subTitle", "A").FollowsTo(b.Site("/groups"))
		page := b.Post(path, "seen", baseVersion, "name", "Group", "subTitle", "Mine").
			Shows(400, "Someone else changed this while you were editing", "Theirs <b>", "Mine", "Overwrite their changes")
		if got := s.ListGroups(s.WebsiteAPIKey, "")[0]["name"]; got != "Theirs <b>" {
			t.Fatalf("saved as %v", got)
		}
		b.Post(path, "seen", hidden(page, "seen"), "name", "Group", "subTitle", "Mine").
			FollowsTo(b.Site("/groups")).Shows(200, "Mine")
	})
}

func TestAChainIsMadeAndDeleted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		first, second := s.Free(object{"name": "First <i>"}), s.Free(object{"name": "Second"})
		locked, group := s.Free(object{"name": "Locked"}), s.CreateGroup(object{"name": "Start <b>"})
		tab := b.Site("/rules/" + locked + "/chains")
		b.Get(tab).Shows(200, "This rule isn’t locked by any chain", "Create chain")
		page := b.Get(b.Site("/chains/new?rule="+locked)).
			Shows(200, `<option value="`+locked+`" selected>`, "1. Completed one rule", "First <i>")
		form := with(formOn(page), "name", "After <u>", "loyaltyConditions.0.loyaltyRuleIds", first,
			"loyaltyConditions.0.description", "Do <s>")
		more := b.Post(b.Site("/chains"), append(form, "add", "condition", "kind", "rules")...).
			Shows(200, "2. Completed several rules", "After <u>")
		b.Post(b.Site("/chains"), append(form, "add", "condition", "kind", "section")...).Shows(200, "Start <b>")
		more = b.Post(b.Site("/chains"), with(formOn(more), "add", "condition", "kind", "points")...).Shows(200, "3. Has points")
		b.Post(b.Site("/chains"), with(formOn(more), "loyaltyConditions.2.amount", "many")...).
			Shows(400, "Must be a number such as 3", "After <u>")
		b.Post(b.Site("/chains"), with(formOn(more))...).Shows(400, "Is required", "After <u>", "Do <s>")
		less := b.Post(b.Site("/chains"), with(formOn(more), "remove", "1")...).Shows(200, "2. Has points").Hides("3. Has")
		ready := with(formOn(less), "loyaltyConditions.1.loyaltyCurrencyIds", s.LoyaltyCurrencyID.String(),
			"loyaltyConditions.1.amount", "1,500", "operatorType", "OR")
		if n := len(s.Call(s.WebsiteAPIKey, "GET", apptest.ChainsPath, nil).Data()); n != 0 {
			t.Fatalf("%d chains were made by forms that were refused", n)
		}
		b.Post(b.Site("/chains"), ready...).FollowsTo(tab).
			Shows(200, "Chain created", "Completed “First <i>”", "At least one of these", "At least 1,500", "Do <s>")
		b.Post(b.Site("/chains"), ready...).FollowsTo(tab).Shows(200, "applied only once")
		chains := s.Call(s.WebsiteAPIKey, "GET", apptest.ChainsPath, nil).Data()
		if len(chains) != 1 || chains[0]["name"] != "After <u>" || chains[0]["loyaltyRuleId"] != locked {
			t.Fatalf("made: %v", chains)
		}
		s.Complete(locked, object{"walletAddress": apptest.Alice}).Refused(400, "Please complete other required rules to unlock this quest.")

		b.Get(b.Site("/chains/chains.csv?rule="+locked)).Shows(200, "Completed “First <i>”")
		b.Get(b.Site("/chains/chains.csv?rule=" + first)).Shows(200).Hides("Completed “First <i>”")
		cycle := b.Get(b.Site("/chains/new?rule=" + first))
		b.Post(b.Site("/chains"), with(formOn(cycle), "name", "Back", "loyaltyConditions.0.loyaltyRuleIds", locked)...).
			Shows(400, "Rule chain has a cycle", "Back")
		b.Post(b.Site("/chains"), with(formOn(cycle), "name", "Gone", "loyaltyConditions.0.loyaltyRuleIds", group)...).
			Shows(400, "Loyalty rule not found")

		del := b.Site("/chains/" + chains[0]["id"].(string) + "/delete")
		b.Get(del).Shows(200, "Delete the “After <u>” chain?", "Completed “First <i>”")
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(tab).Shows(200, "Completed “First <i>”").Hides("Create chain", "/delete")
		v.Get(b.Site("/chains/new")).Shows(403)
		v.Post(b.Site("/chains"), ready...).Shows(403)
		v.Post(del).Shows(403)
		other := s.NewProgram("Other")
		b.Get("/admin/" + other.WebsiteID.String() + "/chains/" + chains[0]["id"].(string) + "/delete").Shows(404)
		b.Post(del).FollowsTo(tab).Shows(200, "Chain deleted", "This rule isn’t locked by any chain")
		b.Post(del).Shows(404)
		s.Complete(locked, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(second, object{"walletAddress": apptest.Alice}).OK()
	})
}
