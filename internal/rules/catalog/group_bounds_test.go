package catalog_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// TestGroupsMadeAtOnceComeOneAfterAnother makes groups without sortId from many callers: no two get the same number.
func TestGroupsMadeAtOnceComeOneAfterAnother(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var wg sync.WaitGroup
		for range 40 {
			wg.Go(func() { s.CreateGroup(nil) })
		}
		wg.Wait()
		for i, group := range s.ListGroups(s.WebsiteAPIKey, "") {
			if group["sortId"] != apptest.JSONNumber(fmt.Sprint(i)) {
				t.Fatalf("place %d has sortId %v", i, group["sortId"])
			}
		}
	})
}

// TestAPageOfGroupsHoldsAThousandRules fills a group, beside which no other fits on a page.
//
//racetests:plain
func TestAPageOfGroupsHoldsAThousandRules(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		small, full, last := s.CreateGroup(
			object{"name": "small"},
		), s.CreateGroup(
			object{"name": "full"},
		), s.CreateGroup(
			object{"name": "last"},
		)
		rule := s.Rule("check_in", object{"loyaltyRuleGroupId": small})
		s.Rule("check_in", object{"loyaltyRuleGroupId": last})
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 250 {
					s.Rule("check_in", object{"loyaltyRuleGroupId": full})
				}
			})
		}
		wg.Wait()
		const refusal = "Loyalty rule group has 1000 rules already"
		s.Post("/api/loyalty/rules", object{"name": "R", "type": "check_in", "loyaltyRuleGroupId": full}).
			Refused(400, refusal)
		s.Post("/api/loyalty/rules/"+rule, object{"loyaltyRuleGroupId": full}).Refused(400, refusal)

		var pages [][]int
		for after := ""; ; {
			page := s.Get("/api/loyalty/rule_groups?limit=10" + after)
			var sizes []int
			for _, group := range page.Data() {
				sizes = append(sizes, len(apptest.RulesIn(group)))
				after = "&startingAfter=" + group["id"].(string)
			}
			pages = append(pages, sizes)
			if page.OK()["hasNextPage"] == false {
				break
			}
		}
		if want := [][]int{{1}, {1000}, {1}}; !slices.EqualFunc(pages, want, slices.Equal) {
			t.Errorf("pages of %v rules, want %v", pages, want)
		}
		if got := len(
			s.Post("/api/loyalty/rule_groups/"+full, object{"name": "full"}).OK()["loyaltyGroupItems"].([]any),
		); got != 1000 {
			t.Errorf("an update answers %d rules", got)
		}

		var inside []string
		for _, r := range s.Get("/api/loyalty/rules?limit=4&loyaltyRuleGroupId=" + full).Data() {
			inside = append(inside, r["id"].(string))
		}
		s.Remove("/api/loyalty/rules/" + inside[0])
		var joined int
		var mu sync.Mutex
		for range 4 { // one of them finds room
			wg.Go(func() {
				if a := s.Post(
					"/api/loyalty/rules",
					object{"name": "R", "type": "check_in", "loyaltyRuleGroupId": full},
				); a.Status == 200 {
					mu.Lock()
					joined++
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if joined != 1 {
			t.Errorf("%d rules found the one place", joined)
		}
		s.Post("/api/loyalty/rules/"+inside[0], object{"deletedAt": nil}).Refused(400, refusal)
		s.Restore(s.Edits(inside[0])[0], nil).Refused(400, refusal)
		s.Update(inside[1], object{"loyaltyRuleGroupId": nil})
		s.Restore(s.Edits(inside[0])[0], nil).OK()
		s.Restore(s.Edits(inside[1])[0], nil).Refused(400, refusal)
		s.Update(inside[2], object{"name": "a full group's rule can be changed"})
	})
}
