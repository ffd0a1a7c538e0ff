package dashboard_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/tenancy"
)

func TestADroppedOrderOfGroupsIsSavedUnlessItIsLate(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		for _, name := range []string{"One", "Two", "<b>Three</b>"} {
			b.Post(b.Site("/groups"), "name", name).FollowsTo(b.Site("/groups"))
		}
		ids := func() []string {
			var out []string
			for _, g := range s.ListGroups(s.WebsiteAPIKey, "") {
				out = append(out, g["id"].(string))
			}
			return out
		}
		was := ids()
		page := b.Get(b.Site("/groups")).Shows(200, "sortable.", "order.", "No rules yet. Add a rule by choosing this group in its settings.")
		if containsRaw(page, "<b>Three</b>") {
			t.Error("a name is not escaped")
		}
		if shown := match(t, page, `name="was" value="([^"]*)"`); shown != strings.Join(was, " ") {
			t.Fatalf("the page starts from %s", shown)
		}
		path, order := b.Site("/groups/"+was[0]+"/move"), was[2]+" "+was[0]+" "+was[1]
		b.Post(path, "was", strings.Join(was, " "), "order", order).FollowsTo(b.Site("/groups")).Shows(200, "Order saved.")
		if got := strings.Join(ids(), " "); got != order {
			t.Errorf("the order is %s, want %s", got, order)
		}
		b.Post(path, "was", strings.Join(was, " "), "order", strings.Join(was, " ")).
			Shows(400, "Somebody else has changed the groups", "The current order is shown below")
		for _, bad := range []string{"", was[0], was[0] + " " + was[0] + " " + was[1], order + " " + was[0]} {
			b.Post(path, "was", order, "order", bad).Shows(400, "The current order is shown below")
		}
		if got := strings.Join(ids(), " "); got != order {
			t.Errorf("the order is %s after refusals", got)
		}
		other := s.NewProgram("Other")
		foreign := s.Call(
			other.WebsiteAPIKey, "POST", "/api/loyalty/rule_groups/create", object{"name": "Foreign"},
		).OK()["id"].(string)
		b.Post(path, "was", order, "order", strings.Replace(order, was[1], foreign, 1)).Shows(400)
		s.SignInAdmin(tenancy.RoleViewer).Post(path, "was", order, "order", order).Shows(403)
		s.SignInAdmin(tenancy.RoleViewer).Get(b.Site("/groups")).Shows(200, "One").Hides("sortable.", `name="was"`)
	})
}

func TestOfTwoOrdersAtOnceOneIsSaved(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for i := range 6 {
			made := catalog.GroupPatch{}.With("name", fmt.Sprint("Group ", i))
			if _, err := s.App.Rules.CreateGroup(t.Context(), s.WebsiteScope(), made); err != nil {
				t.Fatal(err)
			}
		}
		ids := func() (out []laurel.ID) {
			list, err := s.App.Rules.ListGroups(t.Context(), s.WebsiteScope(), catalog.GroupFilter{}, laurel.PageRequest{Limit: 100})
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range list.Data {
				out = append(out, g.ID)
			}
			return out
		}
		for range 20 {
			was := ids()
			one, two := slices.Clone(was), append(slices.Clone(was[1:]), was[0])
			slices.Reverse(one)
			orders, errs := [][]laurel.ID{one, two}, make([]error, 2)
			var both sync.WaitGroup
			for i, order := range orders {
				both.Go(func() { errs[i] = s.App.Rules.OrderGroups(t.Context(), s.WebsiteScope(), was, order) })
			}
			both.Wait()
			saved := slices.Index(errs, nil)
			if saved < 0 || !errors.Is(errs[1-saved], catalog.ErrGroupsChanged) || !slices.Equal(ids(), orders[saved]) {
				t.Fatalf("%v: %v from %v", errs, ids(), was)
			}
		}
	})
}

func TestMoreGroupsThanCanBeOrderedAreSaidToBe(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var ids []laurel.ID
		for range 1001 {
			g, err := s.App.Rules.CreateGroup(t.Context(), s.WebsiteScope(), catalog.GroupPatch{}.With("name", "Group"))
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, g.ID)
		}
		if err := s.App.Rules.OrderGroups(t.Context(), s.WebsiteScope(), ids, ids); !errors.Is(err, catalog.ErrTooManyGroups) {
			t.Errorf("ordered: %v", err)
		}
		if err := s.App.Rules.MoveGroup(t.Context(), s.WebsiteScope(), ids[1000], true); !errors.Is(err, catalog.ErrTooManyGroups) {
			t.Errorf("moved: %v", err)
		}
	})
}

func TestARuleIsMovedToAnotherGroup(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		for _, name := range []string{"One", "Two"} {
			b.Post(b.Site("/groups"), "name", name).FollowsTo(b.Site("/groups"))
		}
		one, two := s.ListGroups(s.WebsiteAPIKey, "")[0]["id"].(string), s.ListGroups(s.WebsiteAPIKey, "")[1]["id"].(string)
		rule := s.Rule("bonus", object{"name": "Mover <i>", "loyaltyRuleGroupId": one})
		b.Get(b.Site("/groups")).Shows(200, "Mover <i>", "Rules in groups")
		b.Post(b.Site("/groups/"+two+"/rules"), "rule", rule).FollowsTo(b.Site("/groups")).Shows(200, "Mover <i> moved to Two.")
		if got := getRule(s, rule)["loyaltyRuleGroupId"]; got != two {
			t.Errorf("the rule is in %v", got)
		}
		b.Post(b.Site("/groups/"+two+"/rules"), "rule", "x").Shows(404)
		b.Post(b.Site("/groups/"+rule+"/rules"), "rule", rule).Shows(404)
		s.SignInAdmin(tenancy.RoleViewer).Post(b.Site("/groups/"+one+"/rules"), "rule", rule).Shows(403)
	})
}

func TestAFormThatIsSentTwiceMakesOneThing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		key := match(t, b.Get(b.Site("/groups")), `name="once" value="([^"]+)"`)
		b.Post(b.Site("/groups"), "once", key, "name", "").Shows(400, key)
		b.Post(b.Site("/groups"), "once", key, "name", "Once").FollowsTo(b.Site("/groups")).Shows(200, "Group Once created")
		b.Post(b.Site("/groups"), "once", key, "name", "Once").FollowsTo(b.Site("/groups")).Shows(200, "applied only once")
		b.Post(b.Site("/groups"), "once", key, "name", "Other").Shows(400, "already submitted with other values")
		if n := len(s.ListGroups(s.WebsiteAPIKey, "")); n != 1 {
			t.Errorf("%d groups", n)
		}
		fields := formOn(b.Get(b.Site("/rules/new?type=check_in")))
		more := b.Post(b.Site("/rules"), with(fields, "name", "Daily", "amount", "1", "add", "metadata.streakArray")...).
			Shows(200, "First row")
		first := b.Post(b.Site("/rules"), with(formOn(more))...)
		again := b.Post(b.Site("/rules"), with(formOn(more))...)
		if first.Status != 303 || again.Location != first.Location || len(s.Get("/api/loyalty/rules").Data()) != 1 {
			t.Errorf("%d to %s, then to %s", first.Status, first.Location, again.Location)
		}
		form := b.Get(b.Site("/keys/new"))
		pairs := []string{"once", match(t, form, `name="once" value="([^"]+)"`), "roleType", "WEBSITE_API_KEY", "name", "Shop",
			"confirm", apptest.Password}
		b.Post(b.Site("/keys"), pairs...).Shows(200, "This key is shown only")
		list := b.Post(b.Site("/keys"), pairs...).FollowsTo(b.Site("/keys")).Shows(200, "applied only once")
		if n := strings.Count(list.Body, ">Shop<"); n != 1 {
			t.Errorf("%d keys of the name", n)
		}
		team := match(t, b.Get(b.Site("/team")), `name="once" value="([^"]+)"`)
		invitation := []string{"once", team, "email", "new@acme.example", "role", string(tenancy.RoleViewer), "where", "organization"}
		if b.Post(b.Site("/team"), invitation...).Status == 200 {
			b.Post(b.Site("/team"), invitation...).FollowsTo(b.Site("/team")).Shows(200, "applied only once")
		} else {
			t.Error("no invitation was made")
		}
		key = match(t, b.Get(b.Site("/currencies/new")), `name="once" value="([^"]+)"`)
		money := []string{"once", key, "name", "Gold", "symbol", "G", "decimals", "2"}
		b.Post(b.Site("/currencies"), money...).FollowsTo(b.Site("/currencies/"))
		b.Post(b.Site("/currencies"), money...).FollowsTo(b.Site("/currencies/")).Shows(200, "applied only once")
	})
}
