package app_test

import (
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// section makes a rule group and returns its id.
func (s *server) section(properties object) string {
	s.t.Helper()
	return s.post("/api/loyalty/rule_groups/create", over(object{"name": "G"}, properties)).ok()["id"].(string)
}

// sections returns the groups that a key sees.
func (s *server) sections(key, query string) []object {
	s.t.Helper()
	return s.call(key, http.MethodGet, "/api/loyalty/rule_groups"+query, nil).data()
}

// rulesIn returns the names of the rules in a group, in order.
func rulesIn(group object) []string {
	names := []string{}
	for _, item := range group["loyaltyGroupItems"].([]any) {
		names = append(names, item.(object)["loyaltyRule"].(object)["name"].(string))
	}
	return names
}

func TestAGroupIsStoredAndAnsweredWhole(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		made := s.post("/api/loyalty/rule_groups/create", object{"name": "Daily", "subtitle": "each day", "isCollapsible": true, "unheardOf": 1}).
			ok()
		want := object{
			"id":                made["id"],
			"organizationId":    s.OrganizationID.String(),
			"websiteId":         s.WebsiteID.String(),
			"name":              "Daily",
			"subTitle":          "each day",
			"isCollapsible":     true,
			"isRequired":        false,
			"sortId":            jsonNumber("0"),
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
			got := s.post(path, change).ok()
			for name, value := range change {
				if name != "subtitle" {
					want[name] = value
				} else if _, both := change["subTitle"]; !both {
					want["subTitle"] = value
				}
			}
			if change["sortId"] != nil {
				want["sortId"] = jsonNumber("-3")
			}
			want["updatedAt"] = got["updatedAt"]
			if !reflect.DeepEqual(got, want) {
				t.Errorf("after %v: %v, want %v", change, got, want)
			}
		}
		if list := s.sections(s.WebsiteAPIKey, ""); len(list) != 1 || !reflect.DeepEqual(list[0], want) {
			t.Errorf("listed: %v", list)
		}
		gone := s.remove(path)
		want["updatedAt"], want["deletedAt"] = gone["updatedAt"], gone["deletedAt"]
		if gone["deletedAt"] == nil || !reflect.DeepEqual(gone, want) || len(s.sections(s.WebsiteAPIKey, "")) != 0 {
			t.Errorf("deleted: %v, want %v", gone, want)
		}
		s.post(path, object{"name": "x"}).refused(404, "Loyalty rule group not found")
		s.call(s.WebsiteAPIKey, http.MethodDelete, path, nil).refused(404, "Loyalty rule group not found")
	})
}

func TestBadGroupsAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		group := "/api/loyalty/rule_groups/" + s.section(nil)
		for _, c := range []struct {
			body    object
			message string
		}{
			{object{"name": ""}, "name is required"}, {object{"name": nil}, "name is required"}, {object{"name": 5}, "name must be a string"},
			{object{"name": strings.Repeat("é", 1001)}, "name must be at most 1000 characters"}, {object{"name": "a\x00"}, "name must not contain NUL characters"},
			{object{"subTitle": strings.Repeat("é", 1001)}, "subTitle must be at most 1000 characters"},
			{object{"isRequired": nil}, "isRequired must be a boolean"}, {object{"isCollapsible": "yes"}, "isCollapsible must be a boolean"},
			{object{"sortId": nil}, "sortId must be an integer"}, {object{"sortId": 1.5}, "sortId must be an integer"},
			{object{"sortId": 1e30}, "sortId must be an integer"},
		} {
			s.post("/api/loyalty/rule_groups/create", over(object{"name": "G"}, c.body)).refused(400, c.message)
			s.post(group, c.body).refused(400, c.message)
		}
		s.post("/api/loyalty/rule_groups/create", nil).refused(400, "name is required")
		s.post("/api/loyalty/rule_groups/"+unknownID, object{"name": "x"}).refused(404, "Loyalty rule group not found")
		s.post("/api/loyalty/rule_groups/x", object{"name": "x"}).refused(400, "id must be a uuid")
		s.call(s.program("Rival").WebsiteAPIKey, http.MethodDelete, group, nil).refused(404, "Loyalty rule group not found")
		if list := s.sections(s.WebsiteAPIKey, ""); len(list) != 1 || list[0]["name"] != "G" {
			t.Errorf("refused writes left %v", list)
		}
	})
}

func TestGroupsAreListedBySortID(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.section(object{"name": "a"})              // 0
		s.section(object{"name": "b", "sortId": 5}) //
		s.section(object{"name": "c"})              // 6
		s.section(object{"name": "d", "sortId": 0})
		s.section(object{"name": "e", "sortId": -1})
		last := s.section(object{"name": "f"}) // 7
		s.remove("/api/loyalty/rule_groups/" + last)
		s.section(object{"name": "g"}) // 7, which is free again
		want := []string{"e", "a", "d", "b", "c", "g"}
		if got := namesOf(s.sections(s.ReadOnlyAPIKey, "")); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if list := s.sections(
			s.ReadOnlyAPIKey,
			"",
		); list[5]["sortId"] != jsonNumber("7") ||
			list[4]["sortId"] != jsonNumber("6") {
			t.Errorf("next free sortIds: %v", list)
		}
		var seen []string
		for after := ""; ; {
			page := s.get("/api/loyalty/rule_groups?limit=4" + after)
			seen = append(seen, namesOf(page.data())...)
			if page.ok()["hasNextPage"] == false {
				break
			}
			after = "&startingAfter=" + page.data()[3]["id"].(string)
		}
		if !slices.Equal(seen, want) {
			t.Errorf("in pages %v", seen)
		}
		s.get("/api/loyalty/rule_groups?startingAfter="+unknownID).refused(400, "startingAfter not found")
		s.get("/api/loyalty/rule_groups?limit=1001").refused(400, "limit must be between 1 and 1000")
		s.section(object{"name": "end", "sortId": math.MaxInt64})
		s.section(object{"name": "beyond the end"})
	})
}

func TestAGroupListsItsLiveRulesInFull(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		group, other := s.section(nil), s.section(object{"name": "other"})
		in := func(name string, properties object) string {
			return s.rule(
				"code_entry",
				over(
					object{"name": name, "loyaltyRuleGroupId": group, "metadata": object{"promoCode": "S", "buttonText": "B"}},
					properties,
				),
			)
		}
		plain := in("plain", nil)
		in("hidden", object{"hideInUi": true})
		in("later", object{"startTime": noon.Add(time.Hour)})
		in("shown later", object{"startTime": noon.Add(time.Hour), "showBeforeStart": true})
		s.remove("/api/loyalty/rules/" + in("gone", nil))
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
			list := s.sections(c.key, c.query)
			if got := rulesIn(list[0]); !slices.Equal(got, c.want) || !slices.Equal(rulesIn(list[1]), []string{"elsewhere"}) {
				t.Errorf("%s%s: %v and %v, want %v", c.key[:6], c.query, got, rulesIn(list[1]), c.want)
			}
		}
		item := s.sections(s.WebsiteAPIKey, "")[0]["loyaltyGroupItems"].([]any)[0].(object)
		if item["id"] == nil || item["sortId"] != jsonNumber("0") ||
			!reflect.DeepEqual(item["loyaltyRule"], s.stored(plain)) {
			t.Errorf("item: %v", item)
		}
		item = s.sections(s.ClientAPIKey, "")[0]["loyaltyGroupItems"].([]any)[0].(object)
		if got := item["loyaltyRule"].(object)["metadata"]; !reflect.DeepEqual(got, object{"buttonText": "B"}) {
			t.Errorf("a publishable key sees %v", got)
		}
		s.get("/api/loyalty/rule_groups?excludeHidden=maybe").refused(400, "excludeHidden must be a boolean")
	})
}

func TestRulesMoveBetweenGroupsAndOutliveThem(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		one, two := s.section(object{"name": "one"}), s.section(object{"name": "two"})
		rule := s.rule("check_in", object{"loyaltyRuleGroupId": strings.ToUpper(one)})
		for _, c := range []struct {
			sent, want any
		}{{two, two}, {"no-section", nil}, {one, one}, {nil, nil}, {two, two}} {
			if got := s.update(rule, object{"loyaltyRuleGroupId": c.sent})["loyaltyRuleGroupId"]; got != c.want {
				t.Errorf("after %v the rule is in %v", c.sent, got)
			}
		}
		rival := s.program("Rival")
		foreign := s.call(rival.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rule_groups/create", object{"name": "theirs"}).ok()["id"]
		for _, unknown := range []any{unknownID, foreign, rule} {
			s.post("/api/loyalty/rules/"+rule, object{"loyaltyRuleGroupId": unknown}).
				refused(400, "Loyalty rule group not found")
			s.post("/api/loyalty/rules", object{"name": "R", "type": "check_in", "loyaltyRuleGroupId": unknown}).
				refused(400, "Loyalty rule group not found")
		}
		gone, undone := s.rule(
			"check_in",
			object{"loyaltyRuleGroupId": two},
		), s.rule(
			"check_in",
			object{"loyaltyRuleGroupId": two},
		)
		s.remove("/api/loyalty/rules/" + gone)
		s.remove("/api/loyalty/rules/" + undone)
		count := len(s.edits(rule))
		s.call(s.OrganizationAPIKey, http.MethodDelete, "/api/loyalty/rule_groups/"+two, nil).ok()
		s.post("/api/loyalty/rules/"+rule, object{"loyaltyRuleGroupId": two}).refused(400, "Loyalty rule group not found")
		if got := s.stored(rule)["loyaltyRuleGroupId"]; got != nil {
			t.Errorf("a rule of a deleted group is in %v", got)
		}
		tells(t, s.edits(rule)[0], told{"update", object{"loyaltyRuleGroupId": nil}, object{"loyaltyRuleGroupId": two}, nil})
		if got := len(s.edits(rule)); got != count+1 {
			t.Errorf("%d edits, want one more than %d", got, count)
		}
		s.complete(rule, object{"walletAddress": alice}).ok()
		if got := len(s.edits(gone)); got != 2 {
			t.Errorf("a deleted rule has %d edits: there may be any number of such rules, so the group leaves them alone", got)
		}
		restored := s.edits(undone)[0]
		s.update(gone, object{"deletedAt": nil})
		s.restore(restored, nil).ok()
		for _, r := range []string{gone, undone} { // like the others that were in the group
			if got := s.stored(r); got["loyaltyRuleGroupId"] != nil || got["deletedAt"] != nil {
				t.Errorf("a rule came back as %v", got)
			}
			if edit := s.edits(r)[0]; edit["previousData"].(object)["loyaltyRuleGroupId"] != two ||
				edit["data"].(object)["deletedAt"] != nil {
				t.Errorf("the edit says %v", edit)
			}
		}
		s.remove("/api/loyalty/rules/" + gone)
		s.post("/api/loyalty/rules/"+gone, object{"deletedAt": nil, "loyaltyRuleGroupId": one}).ok()
		s.remove("/api/loyalty/rules/" + gone)
		s.post("/api/loyalty/rules/"+gone, object{"deletedAt": nil, "loyaltyRuleGroupId": two}).
			refused(400, "Loyalty rule group not found")
		s.update(gone, object{"deletedAt": nil})
		s.complete(gone, object{"walletAddress": alice}).ok()
	})
}

func TestSeveralGroupsShareOneCursor(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		one, two, three := s.section(nil), s.section(nil), s.section(nil)
		for i, group := range []string{one, two, three, two, one, two, three, one} {
			s.rule("check_in", object{"name": string(rune('a' + i)), "loyaltyRuleGroupId": group})
		}
		s.rule("check_in", object{"name": "none"})
		entry := s.rule("check_in", object{"name": "paid", "loyaltyRuleGroupId": three})
		s.complete(entry, object{"walletAddress": alice}).ok()
		for _, query := range []string{
			"loyaltyRuleGroupId=" + one + "&loyaltyRuleGroupId=" + two, "loyaltyRuleGroupId[]=" + two + "&loyaltyRuleGroupId[]=" + one,
			"loyaltyRuleGroupId[0]=" + one + "&loyaltyRuleGroupId[1]=" + two, "loyaltyRuleGroupId=" + one + "," + strings.ToUpper(two) + "," + one,
			"loyaltyRuleGroupId=" + one + "," + two + "," + unknownID,
		} {
			var seen []string
			for after := ""; ; {
				page := s.get("/api/loyalty/rules?limit=2&" + query + after)
				list := page.data()
				seen = append(seen, namesOf(list)...)
				if page.ok()["hasNextPage"] == false {
					break
				}
				after = "&startingAfter=" + list[len(list)-1]["id"].(string)
			}
			if strings.Join(seen, "") != "hfedba" {
				t.Errorf("%s: %v", query, seen)
			}
		}
		s.get("/api/loyalty/rules?loyaltyRuleGroupId="+unknownID[:34]).refused(400, "loyaltyRuleGroupId must be a uuid")
		if list := s.get("/api/loyalty/transaction_entries?loyaltyRuleGroupId=" + strings.ToUpper(three)).
			data(); len(list) != 1 {
			t.Errorf("entries of the group: %v", list)
		}
		if list := s.get("/api/loyalty/transaction_entries?loyaltyRuleGroupId=" + two).data(); len(list) != 0 {
			t.Errorf("entries of another group: %v", list)
		}
	})
}

// TestNoRuleEndsInADeletedGroup moves and makes rules while their group is deleted.
func TestNoRuleEndsInADeletedGroup(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for range 15 {
			group, start := s.section(nil), make(chan struct{})
			rules := []string{
				s.rule("check_in", nil),
				s.rule("check_in", nil),
				s.rule("check_in", object{"loyaltyRuleGroupId": group}),
			}
			var wg sync.WaitGroup
			for i, rule := range rules {
				wg.Go(func() {
					<-start
					a := s.post("/api/loyalty/rules/"+rule, object{"loyaltyRuleGroupId": group, "amount": i})
					if a.status != 200 && a.json()["message"] != "Loyalty rule group not found" {
						t.Errorf("%d %s", a.status, a.body)
					}
				})
			}
			wg.Go(func() { <-start; s.remove("/api/loyalty/rule_groups/" + group) })
			close(start)
			wg.Wait()
			for _, rule := range rules {
				if got := s.stored(rule)["loyaltyRuleGroupId"]; got != nil {
					t.Fatalf("rule %s is in the deleted group %v", rule, got)
				}
			}
		}
	})
}
