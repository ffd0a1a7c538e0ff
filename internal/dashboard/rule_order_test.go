package dashboard_test

import (
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// listRules returns the rules of the first group in order, as the API tells it.
func listRules(s *apptest.Server) []string {
	var out []string
	for _, item := range s.ListGroups(s.WebsiteAPIKey, "")[0]["loyaltyGroupItems"].([]any) {
		out = append(out, item.(object)["id"].(string))
	}
	return out
}

func TestTheRulesOfAGroupAreOrdered(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b, group := s.SignInAdmin(tenancy.RoleAdmin), s.CreateGroup(nil)
		var ids []string
		for _, name := range []string{"One", "Two", "Three <b>"} {
			ids = append(ids, s.Free(object{"name": name, "loyaltyRuleGroupId": group}))
		}
		order := func(places ...int) string {
			var out []string
			for _, i := range places {
				out = append(out, ids[i])
			}
			return strings.Join(out, " ")
		}
		is := func(want string) {
			t.Helper()
			if got := strings.Join(listRules(s), " "); got != want {
				t.Fatalf("the order is %s, want %s", got, want)
			}
		}
		is(order(0, 1, 2))
		path := b.Site("/groups/" + group + "/order")
		b.Post(path, "rule", ids[2], "to", "up").FollowsTo(b.Site("/groups")).Shows(200, "Order saved.")
		is(order(0, 2, 1))
		b.Post(path, "rule", ids[0], "to", "down").FollowsTo(b.Site("/groups"))
		is(order(2, 0, 1))
		b.Post(path, "rule", ids[1], "to", "down") // the last stays
		is(order(2, 0, 1))
		b.Post(path, "was", order(2, 0, 1), "order", order(1, 2, 0)).FollowsTo(b.Site("/groups")).Shows(200, "Order saved.")
		is(order(1, 2, 0))
		b.Post(path, "was", order(2, 0, 1), "order", order(0, 1, 2)).
			Shows(400, "Somebody else has changed the rules of the group meanwhile", "The current order is shown below")
		for _, bad := range []string{"", ids[1], order(1, 1, 0), order(1, 2, 0) + " " + group} {
			b.Post(path, "was", order(1, 2, 0), "order", bad).Shows(400, "The current order is shown below")
		}
		b.Post(path, "rule", group, "to", "up").Shows(404)
		is(order(1, 2, 0))

		// an edit leaves the place, a rule that joins comes last, and one that comes back has lost its place
		s.Update(ids[1], object{"amount": 7})
		ids = append(ids, s.Free(object{"name": "Four", "loyaltyRuleGroupId": group}))
		is(order(1, 2, 0, 3))
		s.Update(ids[1], object{"loyaltyRuleGroupId": nil})
		s.Update(ids[1], object{"loyaltyRuleGroupId": group})
		is(order(2, 0, 1, 3))
		if edits := s.Call(
			s.WebsiteAPIKey, "GET", "/api/loyalty/rule_edits?loyaltyRuleId="+ids[2], nil,
		).Data(); len(edits) != 1 {
			t.Errorf("an order is no edit of its rules: %v", edits)
		}
		s.SignInAdmin(tenancy.RoleViewer).Post(path, "rule", ids[0], "to", "up").Shows(403)
		other := s.NewProgram("Other")
		foreign := s.Call(
			other.WebsiteAPIKey, "POST", "/api/loyalty/rule_groups/create", object{"name": "Foreign"},
		).OK()["id"].(string)
		b.Post(b.Site("/groups/"+foreign+"/order"), "rule", ids[0], "to", "up").Shows(404)
	})
}

func TestAfterAMoveTheSameButtonHasTheFocus(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		one, _, three := s.CreateGroup(object{"name": "A"}), s.CreateGroup(object{"name": "B"}), s.CreateGroup(object{"name": "C"})
		focus := func(page apptest.Page, button string) {
			t.Helper()
			if strings.Count(page.Body, " autofocus") != 1 || !strings.Contains(page.Body, button) {
				t.Errorf("the focus is not on %s: %d", button, strings.Count(page.Body, " autofocus"))
			}
		}
		move := func(id, to string) apptest.Page {
			return b.Post(b.Site("/groups/"+id+"/move"), "to", to).FollowsTo(b.Site("/groups"))
		}
		focus(move(three, "up"), `value="up" autofocus`)
		focus(move(three, "up"), `value="down" autofocus`) // it is the first one now, and the other button is off
		focus(move(one, "down"), `value="down" disabled`)
		_, r2 := s.Free(object{"loyaltyRuleGroupId": one}), s.Free(object{"loyaltyRuleGroupId": one})
		focus(
			b.Post(b.Site("/groups/"+one+"/order"), "rule", r2, "to", "up").FollowsTo(b.Site("/groups")), `value="down" autofocus`,
		)
	})
}
