package app_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

// TestGroupsMadeAtOnceComeOneAfterAnother makes groups without sortId from many callers: no two get the same number.
func TestGroupsMadeAtOnceComeOneAfterAnother(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		var wg sync.WaitGroup
		for range 40 {
			wg.Go(func() { s.section(nil) })
		}
		wg.Wait()
		for i, group := range s.sections(s.WebsiteAPIKey, "") {
			if group["sortId"] != jsonNumber(fmt.Sprint(i)) {
				t.Fatalf("place %d has sortId %v", i, group["sortId"])
			}
		}
	})
}

// TestAPageOfGroupsHoldsAThousandRules fills a group, beside which no other fits on a page.
func TestAPageOfGroupsHoldsAThousandRules(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		small, full, last := s.section(
			object{"name": "small"},
		), s.section(
			object{"name": "full"},
		), s.section(
			object{"name": "last"},
		)
		rule := s.rule("check_in", object{"loyaltyRuleGroupId": small})
		s.rule("check_in", object{"loyaltyRuleGroupId": last})
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 250 {
					s.rule("check_in", object{"loyaltyRuleGroupId": full})
				}
			})
		}
		wg.Wait()
		const refusal = "Loyalty rule group has 1000 rules already"
		s.post("/api/loyalty/rules", object{"name": "R", "type": "check_in", "loyaltyRuleGroupId": full}).
			refused(400, refusal)
		s.post("/api/loyalty/rules/"+rule, object{"loyaltyRuleGroupId": full}).refused(400, refusal)

		var pages [][]int
		for after := ""; ; {
			page := s.get("/api/loyalty/rule_groups?limit=10" + after)
			var sizes []int
			for _, group := range page.data() {
				sizes = append(sizes, len(rulesIn(group)))
				after = "&startingAfter=" + group["id"].(string)
			}
			pages = append(pages, sizes)
			if page.ok()["hasNextPage"] == false {
				break
			}
		}
		if want := [][]int{{1}, {1000}, {1}}; !slices.EqualFunc(pages, want, slices.Equal) {
			t.Errorf("pages of %v rules, want %v", pages, want)
		}
		if got := len(
			s.post("/api/loyalty/rule_groups/"+full, object{"name": "full"}).ok()["loyaltyGroupItems"].([]any),
		); got != 1000 {
			t.Errorf("an update answers %d rules", got)
		}

		var inside []string
		for _, r := range s.get("/api/loyalty/rules?limit=4&loyaltyRuleGroupId=" + full).data() {
			inside = append(inside, r["id"].(string))
		}
		s.remove("/api/loyalty/rules/" + inside[0])
		var joined int
		var mu sync.Mutex
		for range 4 { // one of them finds room
			wg.Go(func() {
				if a := s.post(
					"/api/loyalty/rules",
					object{"name": "R", "type": "check_in", "loyaltyRuleGroupId": full},
				); a.status == 200 {
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
		s.post("/api/loyalty/rules/"+inside[0], object{"deletedAt": nil}).refused(400, refusal)
		s.restore(s.edits(inside[0])[0], nil).refused(400, refusal)
		s.update(inside[1], object{"loyaltyRuleGroupId": nil})
		s.restore(s.edits(inside[0])[0], nil).ok()
		s.restore(s.edits(inside[1])[0], nil).refused(400, refusal)
		s.update(inside[2], object{"name": "a full group's rule can be changed"})
	})
}
