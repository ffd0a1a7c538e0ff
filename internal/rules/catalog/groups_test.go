package catalog_test

import (
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestAGroupIsStoredAndAnsweredWhole(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Post("/api/loyalty/rule_groups/create", object{"name": "Daily", "subtitle": "each day", "isCollapsible": true, "unheardOf": 1}).
			OK()
		want := object{
			"id":                made["id"],
			"organizationId":    s.OrganizationID.String(),
			"websiteId":         s.WebsiteID.String(),
			"name":              "Daily",
			"subTitle":          "each day",
			"isCollapsible":     true,
			"isRequired":        false,
			"sortId":            apptest.JSONNumber("0"),
			"loyaltyGroupItems": []any{},
			"createdAt":         made["createdAt"],
			"updatedAt":         made["createdAt"],
			"deletedAt":         nil,
		}
		if !reflect.DeepEqual(made, want) {
			t.Errorf("made %v, want %v", made, want)
		}
		path := "/api/loyalty/rule_groups/" + made["id"].(string)
		for _, change := range []object{
			{"name": "Weekly"}, {"subTitle": "each week"}, {"subtitle": nil}, {"subtitle": "a", "subTitle": "b"}, {"isRequired": true, "sortId": -3}, {"isCollapsible": false}, {},
		} {
			got := s.Post(path, change).OK()
			for name, value := range change {
				if name != "subtitle" {
					want[name] = value
				} else if _, both := change["subTitle"]; !both {
					want["subTitle"] = value
				}
			}
			if change["sortId"] != nil {
				want["sortId"] = apptest.JSONNumber("-3")
			}
			want["updatedAt"] = got["updatedAt"]
			if !reflect.DeepEqual(got, want) {
				t.Errorf("after %v: %v, want %v", change, got, want)
			}
		}
		if list := s.ListGroups(s.WebsiteAPIKey, ""); len(list) != 1 || !reflect.DeepEqual(list[0], want) {
			t.Errorf("listed: %v", list)
		}
		gone := s.Remove(path)
		want["updatedAt"], want["deletedAt"] = gone["updatedAt"], gone["deletedAt"]
		if gone["deletedAt"] == nil || !reflect.DeepEqual(gone, want) || len(s.ListGroups(s.WebsiteAPIKey, "")) != 0 {
			t.Errorf("deleted: %v, want %v", gone, want)
		}
		s.Post(path, object{"name": "x"}).Refused(404, "Loyalty rule group not found")
		s.Call(s.WebsiteAPIKey, http.MethodDelete, path, nil).Refused(404, "Loyalty rule group not found")
	})
}

func TestBadGroupsAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		group := "/api/loyalty/rule_groups/" + s.CreateGroup(nil)
		for _, c := range []struct {
			body    object
			message string
		}{
			{object{"name": ""}, "name is required"}, {object{"name": nil}, "name is required"}, {object{"name": " \t"}, "name is required"},
			{object{"name": 5}, "name must be a string"},
			{object{"name": strings.Repeat("é", 1001)}, "name must be at most 1000 characters"}, {object{"name": "a\x00"}, "name must not contain NUL characters"},
			{object{"subTitle": strings.Repeat("é", 1001)}, "subTitle must be at most 1000 characters"},
			{object{"subtitle": strings.Repeat("é", 1001)}, "subtitle must be at most 1000 characters"},
			{object{"isRequired": nil}, "isRequired must be a boolean"}, {object{"isCollapsible": "yes"}, "isCollapsible must be a boolean"},
			{object{"sortId": nil}, "sortId must be an integer"}, {object{"sortId": 1.5}, "sortId must be an integer"},
			{object{"sortId": 1e30}, "sortId must be an integer"},
		} {
			s.Post("/api/loyalty/rule_groups/create", apptest.Over(object{"name": "G"}, c.body)).Refused(400, c.message)
			s.Post(group, c.body).Refused(400, c.message)
		}
		s.Post("/api/loyalty/rule_groups/create", nil).Refused(400, "name is required")
		s.Post(
			"/api/loyalty/rule_groups/"+apptest.UnknownID,
			object{"name": "x"},
		).Refused(404, "Loyalty rule group not found")
		s.Post("/api/loyalty/rule_groups/x", object{"name": "x"}).Refused(400, "id must be a uuid")
		s.Call(s.NewProgram("Rival").WebsiteAPIKey, http.MethodDelete, group, nil).Refused(404, "Loyalty rule group not found")
		if list := s.ListGroups(s.WebsiteAPIKey, ""); len(list) != 1 || list[0]["name"] != "G" {
			t.Errorf("refused writes left %v", list)
		}
	})
}

func TestGroupsAreListedBySortID(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.CreateGroup(object{"name": "a"})              // 0
		s.CreateGroup(object{"name": "b", "sortId": 5}) //
		s.CreateGroup(object{"name": "c"})              // 6
		s.CreateGroup(object{"name": "d", "sortId": 0})
		s.CreateGroup(object{"name": "e", "sortId": -1})
		last := s.CreateGroup(object{"name": "f"}) // 7
		s.Remove("/api/loyalty/rule_groups/" + last)
		s.CreateGroup(object{"name": "g"}) // 7, which is free again
		want := []string{"e", "a", "d", "b", "c", "g"}
		if got := namesOf(s.ListGroups(s.ReadOnlyAPIKey, "")); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if list := s.ListGroups(
			s.ReadOnlyAPIKey,
			"",
		); list[5]["sortId"] != apptest.JSONNumber("7") ||
			list[4]["sortId"] != apptest.JSONNumber("6") {
			t.Errorf("next free sortIds: %v", list)
		}
		var listed []string
		for after := ""; ; {
			page := s.Get("/api/loyalty/rule_groups?limit=4" + after)
			listed = append(listed, namesOf(page.Data())...)
			if page.OK()["hasNextPage"] == false {
				break
			}
			after = "&startingAfter=" + page.Data()[3]["id"].(string)
		}
		if !slices.Equal(listed, want) {
			t.Errorf("in pages %v", listed)
		}
		s.Get("/api/loyalty/rule_groups?startingAfter="+apptest.UnknownID).Refused(400, "startingAfter not found")
		s.Get("/api/loyalty/rule_groups?limit=1001").Refused(400, "limit must be between 1 and 1000")
		s.CreateGroup(object{"name": "end", "sortId": math.MaxInt64})
		s.CreateGroup(object{"name": "beyond the end"})
	})
}

func TestAGroupListsItsLiveRulesInFull(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		group, other := s.CreateGroup(nil), s.CreateGroup(object{"name": "other"})
		in := func(name string, properties object) string {
			return s.Rule(
				"code_entry",
				apptest.Over(
					object{"name": name, "loyaltyRuleGroupId": group, "metadata": object{"promoCode": "S", "buttonText": "B"}},
					properties,
				),
			)
		}
		plain := in("plain", nil)
		in("hidden", object{"hideInUi": true})
		in("later", object{"startTime": apptest.Noon.Add(time.Hour)})
		in("shown later", object{"startTime": apptest.Noon.Add(time.Hour), "showBeforeStart": true})
		s.Remove("/api/loyalty/rules/" + in("gone", nil))
		in("elsewhere", object{"loyaltyRuleGroupId": other})
		for _, c := range []struct {
			key, query string
			want       []string
		}{
			{s.WebsiteAPIKey, "", []string{"plain", "hidden", "later", "shown later"}},
			{s.ReadOnlyAPIKey, "?excludeHidden=false", []string{"plain", "hidden", "later", "shown later"}},
			{s.OrganizationAPIKey, "?excludeHidden=1", []string{"plain", "later", "shown later"}},
			{s.ClientAPIKey, "", []string{"plain", "shown later"}},
			{s.ClientAPIKey, "?excludeHidden=false", []string{"plain", "shown later"}},
		} {
			list := s.ListGroups(c.key, c.query)
			if got := apptest.RulesIn(list[0]); !slices.Equal(got, c.want) || !slices.Equal(
				apptest.RulesIn(list[1]),
				[]string{"elsewhere"},
			) {
				t.Errorf("%s%s: %v and %v, want %v", c.key[:6], c.query, got, apptest.RulesIn(list[1]), c.want)
			}
		}
		item := s.ListGroups(s.WebsiteAPIKey, "")[0]["loyaltyGroupItems"].([]any)[0].(object)
		if item["id"] == nil || item["sortId"] != apptest.JSONNumber("0") ||
			!reflect.DeepEqual(item["loyaltyRule"], stored(s, plain)) {
			t.Errorf("item: %v", item)
		}
		item = s.ListGroups(s.ClientAPIKey, "")[0]["loyaltyGroupItems"].([]any)[0].(object)
		if got := item["loyaltyRule"].(object)["metadata"]; !reflect.DeepEqual(got, object{"buttonText": "B"}) {
			t.Errorf("a publishable key sees %v", got)
		}
		s.Get("/api/loyalty/rule_groups?excludeHidden=maybe").Refused(400, "excludeHidden must be a boolean")
	})
}

func TestRulesMoveBetweenGroupsAndOutliveThem(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		one, two := s.CreateGroup(object{"name": "one"}), s.CreateGroup(object{"name": "two"})
		rule := s.Rule("check_in", object{"loyaltyRuleGroupId": strings.ToUpper(one)})
		for _, c := range []struct {
			sent, want any
		}{{two, two}, {"no-section", nil}, {one, one}, {nil, nil}, {two, two}} {
			if got := s.Update(rule, object{"loyaltyRuleGroupId": c.sent})["loyaltyRuleGroupId"]; got != c.want {
				t.Errorf("after %v the rule is in %v", c.sent, got)
			}
		}
		rival := s.NewProgram("Rival")
		foreign := s.Call(rival.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rule_groups/create", object{"name": "theirs"}).OK()["id"]
		for _, unknown := range []any{apptest.UnknownID, foreign, rule} {
			s.Post("/api/loyalty/rules/"+rule, object{"loyaltyRuleGroupId": unknown}).
				Refused(400, "Loyalty rule group not found")
			s.Post("/api/loyalty/rules", object{"name": "R", "type": "check_in", "loyaltyRuleGroupId": unknown}).
				Refused(400, "Loyalty rule group not found")
		}
		gone, undone := s.Rule(
			"check_in",
			object{"loyaltyRuleGroupId": two},
		), s.Rule(
			"check_in",
			object{"loyaltyRuleGroupId": two},
		)
		s.Remove("/api/loyalty/rules/" + gone)
		s.Remove("/api/loyalty/rules/" + undone)
		count := len(s.Edits(rule))
		s.Call(s.OrganizationAPIKey, http.MethodDelete, "/api/loyalty/rule_groups/"+two, nil).OK()
		s.Post("/api/loyalty/rules/"+rule, object{"loyaltyRuleGroupId": two}).Refused(400, "Loyalty rule group not found")
		if got := stored(s, rule)["loyaltyRuleGroupId"]; got != nil {
			t.Errorf("a rule of a deleted group is in %v", got)
		}
		checkEdit(t, s.Edits(rule)[0], editView{"update", object{"loyaltyRuleGroupId": nil}, object{"loyaltyRuleGroupId": two}, nil})
		if got := len(s.Edits(rule)); got != count+1 {
			t.Errorf("%d edits, want one more than %d", got, count)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		if got := len(s.Edits(gone)); got != 2 {
			t.Errorf("a deleted rule has %d edits: there may be any number of such rules, so the group leaves them alone", got)
		}
		restored := s.Edits(undone)[0]
		s.Update(gone, object{"deletedAt": nil})
		s.Restore(restored, nil).OK()
		for _, r := range []string{gone, undone} { // like the others that were in the group
			if got := stored(s, r); got["loyaltyRuleGroupId"] != nil || got["deletedAt"] != nil {
				t.Errorf("a rule came back as %v", got)
			}
			if edit := s.Edits(r)[0]; edit["previousData"].(object)["loyaltyRuleGroupId"] != two ||
				edit["data"].(object)["deletedAt"] != nil {
				t.Errorf("the edit says %v", edit)
			}
		}
		s.Remove("/api/loyalty/rules/" + gone)
		s.Post("/api/loyalty/rules/"+gone, object{"deletedAt": nil, "loyaltyRuleGroupId": one}).OK()
		s.Remove("/api/loyalty/rules/" + gone)
		s.Post("/api/loyalty/rules/"+gone, object{"deletedAt": nil, "loyaltyRuleGroupId": two}).
			Refused(400, "Loyalty rule group not found")
		s.Update(gone, object{"deletedAt": nil})
		s.Complete(gone, object{"walletAddress": apptest.Alice}).OK()
	})
}

func TestSeveralGroupsShareOneCursor(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		one, two, three := s.CreateGroup(nil), s.CreateGroup(nil), s.CreateGroup(nil)
		for i, group := range []string{one, two, three, two, one, two, three, one} {
			s.Rule("check_in", object{"name": string(rune('a' + i)), "loyaltyRuleGroupId": group})
		}
		s.Rule("check_in", object{"name": "none"})
		entry := s.Rule("check_in", object{"name": "paid", "loyaltyRuleGroupId": three})
		s.Complete(entry, object{"walletAddress": apptest.Alice}).OK()
		for _, query := range []string{
			"loyaltyRuleGroupId=" + one + "&loyaltyRuleGroupId=" + two, "loyaltyRuleGroupId[]=" + two + "&loyaltyRuleGroupId[]=" + one,
			"loyaltyRuleGroupId[0]=" + one + "&loyaltyRuleGroupId[1]=" + two, "loyaltyRuleGroupId=" + one + "," + strings.ToUpper(two) + "," + one,
			"loyaltyRuleGroupId=" + one + "," + two + "," + apptest.UnknownID,
		} {
			var listed []string
			for after := ""; ; {
				page := s.Get("/api/loyalty/rules?limit=2&" + query + after)
				list := page.Data()
				listed = append(listed, namesOf(list)...)
				if page.OK()["hasNextPage"] == false {
					break
				}
				after = "&startingAfter=" + list[len(list)-1]["id"].(string)
			}
			if strings.Join(listed, "") != "hfedba" {
				t.Errorf("%s: %v", query, listed)
			}
		}
		s.Get(
			"/api/loyalty/rules?loyaltyRuleGroupId="+apptest.UnknownID[:34],
		).Refused(400, "loyaltyRuleGroupId must be a uuid")
		if list := s.Get("/api/loyalty/transaction_entries?loyaltyRuleGroupId=" + strings.ToUpper(three)).
			Data(); len(list) != 1 {
			t.Errorf("entries of the group: %v", list)
		}
		if list := s.Get("/api/loyalty/transaction_entries?loyaltyRuleGroupId=" + two).Data(); len(list) != 0 {
			t.Errorf("entries of another group: %v", list)
		}
	})
}

// TestNoRuleEndsInADeletedGroup moves and makes rules while their group is deleted.
func TestNoRuleEndsInADeletedGroup(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for range 15 {
			group, start := s.CreateGroup(nil), make(chan struct{})
			rules := []string{
				s.Rule("check_in", nil),
				s.Rule("check_in", nil),
				s.Rule("check_in", object{"loyaltyRuleGroupId": group}),
			}
			var wg sync.WaitGroup
			for i, rule := range rules {
				wg.Go(func() {
					<-start
					a := s.Post("/api/loyalty/rules/"+rule, object{"loyaltyRuleGroupId": group, "amount": i})
					if a.Status != 200 && a.JSON()["message"] != "Loyalty rule group not found" {
						t.Errorf("%d %s", a.Status, a.Body)
					}
				})
			}
			wg.Go(func() { <-start; s.Remove("/api/loyalty/rule_groups/" + group) })
			close(start)
			wg.Wait()
			for _, rule := range rules {
				if got := stored(s, rule)["loyaltyRuleGroupId"]; got != nil {
					t.Fatalf("rule %s is in the deleted group %v", rule, got)
				}
			}
		}
	})
}
