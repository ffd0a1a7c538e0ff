package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

const (
	pageBytes     = 4 << 20
	ruleMetadata  = 64 << 10
	entryMetadata = 16 << 10
)

// sized is metadata of so many bytes.
func sized(n int, first string) object {
	const frame = len(`{"conditionDescription":""}`)
	return object{"conditionDescription": first + strings.Repeat("x", n-frame-len(first))}
}

// walk reads a list page by page and demands that every item comes once, that each page has no more than its bytes,
// unless it is of one item, and that some page ends because of them. It returns the items.
func (s *server) walk(path string, limit int) map[string]object {
	s.t.Helper()
	found, cut := map[string]object{}, false
	for after := ""; ; {
		a := s.get(
			fmt.Sprintf(
				"%s%slimit=%d%s",
				path,
				map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")],
				limit,
				after,
			),
		)
		items, more := a.data(), a.ok()["hasNextPage"] == true
		if len(a.body) > pageBytes && len(items) > 1 || more && len(items) == 0 {
			s.t.Fatalf("%s: a page of %d items has %d bytes", path, len(items), len(a.body))
		}
		cut = cut || more && len(items) < limit
		for _, item := range items {
			id := item["id"].(string)
			if found[id] != nil {
				s.t.Fatalf("%s: %s comes twice", path, id)
			}
			found[id], after = item, "&startingAfter="+id
		}
		if !more {
			break
		}
	}
	if !cut {
		s.t.Errorf("%s: no page ended for its bytes", path)
	}
	return found
}

// all demands that the items are those with the ids.
func all(t *testing.T, found map[string]object, ids []string) {
	t.Helper()
	if len(found) != len(ids) {
		t.Errorf("%d items, want %d", len(found), len(ids))
	}
	for _, id := range ids {
		if found[id] == nil {
			t.Errorf("%s does not come", id)
		}
	}
}

func TestPagesOfRulesAndTheirHistoryEndAtFourMebibytes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		var rules []string
		for i := range 200 {
			rules = append(rules, s.free(object{"metadata": sized(ruleMetadata, fmt.Sprint(i))}))
		}
		all(t, s.walk("/api/loyalty/rules", 100), rules)
		for i := range 40 {
			s.update(rules[0], object{"metadata": sized(ruleMetadata, fmt.Sprint("edit ", i))})
		}
		edits := s.walk("/api/loyalty/rule_edits?loyaltyRuleId="+rules[0], 1000)
		if len(edits) != 41 {
			t.Errorf("%d edits", len(edits))
		}
		for i, rule := range rules[:80] {
			s.complete(rule, object{"walletAddress": wallet(i)}).ok()
		}
		if entries := s.walk("/api/loyalty/transaction_entries?direction=credit", 100); len(entries) != 80 {
			t.Errorf("%d entries", len(entries))
		}
	})
}

// TestPagesOfGroupsEndAtFourMebibytes has a group of more rules than a page has room for between others.
func TestPagesOfGroupsEndAtFourMebibytes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		var groups []string
		for i, size := range []int{40, 20, 10, 80, 1, 0} {
			groups = append(groups, s.section(object{"name": fmt.Sprint(i)}))
			for range size {
				s.free(object{"metadata": sized(ruleMetadata, ""), "loyaltyRuleGroupId": groups[i]})
			}
		}
		found := s.walk("/api/loyalty/rule_groups", 100)
		all(t, found, groups)
		for i, want := range []string{"40 <nil>", "20 <nil>", "10 <nil>", "63 true", "1 <nil>", "0 <nil>"} {
			group := found[groups[i]]
			if got := fmt.Sprint(len(rulesIn(group)), " ", group["hasMoreItems"]); got != want {
				t.Errorf("group %d has %s rules, want %s", i, got, want)
			}
		}
		if inside := s.walk("/api/loyalty/rules?loyaltyRuleGroupId="+groups[3], 100); len(inside) != 80 {
			t.Errorf("the list of rules has %d of the group", len(inside))
		}
		if group := s.post("/api/loyalty/rule_groups/"+groups[3], object{"name": "new"}).ok(); group["hasMoreItems"] != true {
			t.Error("the answer to a change has all rules")
		}
	})
}

// TestPagesEndForWhatHangsOnTheirItems has large chains, choices, metadata and milestones.
func TestPagesEndForWhatHangsOnTheirItems(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		t.Run("chains", func(t *testing.T) { s.largeChains(t) })
		t.Run("choices", func(t *testing.T) { s.largeChoices(t) })
		t.Run("users", func(t *testing.T) { s.largeUsers(t) })
		t.Run("milestones", func(t *testing.T) { s.largeMilestones(t) })
	})
}

// largeChains has ten rules of half a mebibyte of chains each, and one that is larger than a page, which comes alone
// and whole.
func (s *server) largeChains(t *testing.T) {
	target, group := s.free(nil), s.section(nil)
	var conditions []object
	for range 50 {
		conditions = append(
			conditions,
			object{"type": "rule", "loyaltyRuleId": target, "description": strings.Repeat("d", 10_000)},
		)
	}
	rules := []string{target}
	for i := range 11 {
		rules = append(rules, s.free(object{"loyaltyRuleGroupId": group}))
		s.chain(rules[i+1], "AND", conditions...)
	}
	for range 8 {
		s.chain(rules[3], "OR", conditions...)
	}
	found := s.walk("/api/loyalty/rules", 100)
	all(t, found, rules)
	if n := len(found[rules[3]]["loyaltyRuleChain"].([]any)); n != 9 {
		t.Errorf("the largest rule has %d chains", n)
	}
	if chains := s.walk(chainsPath, 1000); len(chains) != 19 {
		t.Errorf("%d chains", len(chains))
	}
	if list := s.sections(s.WebsiteAPIKey, ""); list[0]["hasMoreItems"] != true || len(rulesIn(list[0])) != 2 {
		t.Errorf("a group has %d rules in all of its page", len(rulesIn(list[0])))
	}
}

func (s *server) largeChoices(t *testing.T) {
	var choices []object
	for i := range 20 {
		choices = append(choices, choice(fmt.Sprint(i, strings.Repeat("€", 990)), i == 0))
	}
	var rules, questions []string
	for range 90 {
		q := s.ask("quiz", nil, object{"loyaltyQuestionAnswers": choices})
		rules, questions = append(rules, q.rule), append(questions, q.id)
		s.user(wallet(len(rules)), nil)
		s.respond(wallet(len(rules)), q.choices[choices[0]["text"].(string)]).ok()
	}
	all(t, s.walk(questionsPath+"?loyaltyRuleIds="+strings.Join(rules, ","), 100), questions)
	if responses := s.walk(responsesPath, 1000); len(responses) != 90 {
		t.Errorf("%d responses", len(responses))
	}
}

func (s *server) largeUsers(t *testing.T) {
	var users []string
	for i := range 120 {
		users = append(
			users,
			s.user(wallet(1000+i), object{"bio": strings.Repeat("ä", 10_000), "internalNotes": strings.Repeat("ö", 10_000)}),
		)
	}
	found := s.walk("/api/users", 1000)
	for _, id := range users {
		if found[id] == nil {
			t.Errorf("user %s does not come", id)
		}
	}
}

// largeMilestones reads a bare array, whose end only an empty page tells.
func (s *server) largeMilestones(t *testing.T) {
	milestones := []any{}
	for i := range 1000 {
		milestones = append(milestones, i+1, 1)
	}
	rule := s.counting(nil, milestones...)
	for n := range 150 {
		s.complete(rule, object{"walletAddress": wallet(n)}).ok()
	}
	found := map[any]bool{}
	for after := ""; ; {
		page := s.streaks(rule, "limit=1000"+after)
		if len(page) == 0 {
			break
		}
		if text, err := json.Marshal(page); err != nil || len(text) > pageBytes+pageBytes/4 {
			t.Fatalf("a page of %d streaks has %d bytes, %v", len(page), len(text), err)
		}
		for _, streak := range page {
			found[streak["id"]] = true
		}
		after = fmt.Sprint("&startingAfter=", page[len(page)-1]["id"])
	}
	if len(found) != 150 {
		t.Errorf("%d streaks", len(found))
	}
}

func TestMetadataHasALimitInBytes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		const tooLarge = "metadata must be at most 65536 bytes"
		rule := s.free(object{"metadata": sized(ruleMetadata, "")})
		s.post("/api/loyalty/rules", object{"name": "R", "type": "external_rule", "metadata": sized(ruleMetadata+1, "")}).
			refused(400, tooLarge)
		s.post("/api/loyalty/rules/"+rule, object{"metadata": sized(ruleMetadata+1, "")}).refused(400, tooLarge)
		text, err := json.MarshalIndent(object{"metadata": sized(ruleMetadata, "")}, "", strings.Repeat(" ", 100))
		if err != nil {
			t.Fatal(err)
		}
		s.post("/api/loyalty/rules/"+rule, string(text)).refused(400, tooLarge) // white space counts
		s.post("/api/loyalty/rules/"+rule, `{"metadata":{"conditionDescription":"`+strings.Repeat("&<>", 20_000)+`"}}`).ok()
		s.post("/api/loyalty/rules/"+rule, object{"metadata": object{}}).ok()
		s.restore(s.edits(rule)[0], nil).ok()

		var contracts []string
		for range 1001 {
			contracts = append(contracts, rule)
		}
		s.update(rule, object{"contractIds": contracts[1:]})
		s.post("/api/loyalty/rules/"+rule, object{"contractIds": contracts}).
			refused(400, "contractIds must have at most 1000 items")

		entry := func(n int) object {
			return object{"description": "", "loyaltyCurrencyId": s.LoyaltyCurrencyID, "entries": []object{
				{
					"walletAddress": "0xa",
					"amount":        1,
					"metadata":      object{"a": 1},
				},
				{"walletAddress": "0xb", "amount": 1, "metadata": sized(n, "")},
			}}
		}
		s.post("/api/loyalty/transactions", entry(entryMetadata)).ok()
		s.post("/api/loyalty/transactions", entry(entryMetadata+1)).
			refused(400, "entries.1.metadata must be at most 16384 bytes")
	})
}

// TestLargerMetadataFromBeforeTheLimitStays reads, changes and completes rules whose metadata are larger than they may
// be now.
func TestLargerMetadataFromBeforeTheLimitStays(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := open(t, address, app.Config{NoRateLimits: true})
		var rules []string
		for range 6 {
			rules = append(rules, s.free(object{"metadata": object{"imageUrl": "HERE"}}))
		}
		rule, large := rules[0], strings.Repeat("y", 1<<20)
		tamper(
			t,
			address,
			"UPDATE loyalty_rules SET version = version + 1, record = REPLACE(record, 'HERE', '"+large+"'), metadata = REPLACE(metadata, 'HERE', '"+large+"')",
		)
		found := s.walk("/api/loyalty/rules", 100)
		all(t, found, rules)
		if found[rule]["metadata"].(object)["imageUrl"] != large {
			t.Error("what is stored is read otherwise")
		}
		s.update(rule, object{"name": "New"})
		s.complete(rule, object{"walletAddress": "0xa"}).ok()
		s.post("/api/loyalty/rules/"+rule, object{"metadata": sized(ruleMetadata+1, "")}).
			refused(400, "metadata must be at most 65536 bytes")
		if got := s.call(s.ClientAPIKey, http.MethodGet, "/api/loyalty/rules", nil).data(); len(got) != 3 {
			t.Errorf("a client reads %d rules on the first page", len(got))
		}
	})
}
