package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
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

// walkPages reads a list page by page and demands that every item comes once, that each page has no more than its bytes,
// unless it is of one item, and that some page ends because of them. It returns the items.
func walkPages(s *apptest.Server, path string, limit int) map[string]object {
	s.T.Helper()
	found, cut := map[string]object{}, false
	for after := ""; ; {
		a := s.Get(
			fmt.Sprintf(
				"%s%slimit=%d%s",
				path,
				map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")],
				limit,
				after,
			),
		)
		items, more := a.Data(), a.OK()["hasNextPage"] == true
		if len(a.Body) > pageBytes && len(items) > 1 || more && len(items) == 0 {
			s.T.Fatalf("%s: a page of %d items has %d bytes", path, len(items), len(a.Body))
		}
		cut = cut || more && len(items) < limit
		for _, item := range items {
			id := item["id"].(string)
			if found[id] != nil {
				s.T.Fatalf("%s: %s comes twice", path, id)
			}
			found[id], after = item, "&startingAfter="+id
		}
		if !more {
			break
		}
	}
	if !cut {
		s.T.Errorf("%s: no page ended for its bytes", path)
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
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var rules []string
		for i := range 200 {
			rules = append(rules, s.Free(object{"metadata": sized(ruleMetadata, fmt.Sprint(i))}))
		}
		all(t, walkPages(s, "/api/loyalty/rules", 100), rules)
		for i := range 40 {
			s.Update(rules[0], object{"metadata": sized(ruleMetadata, fmt.Sprint("edit ", i))})
		}
		edits := walkPages(s, "/api/loyalty/rule_edits?loyaltyRuleId="+rules[0], 1000)
		if len(edits) != 41 {
			t.Errorf("%d edits", len(edits))
		}
		for i, rule := range rules[:80] {
			s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).OK()
		}
		if entries := walkPages(s, "/api/loyalty/transaction_entries?direction=credit", 100); len(entries) != 80 {
			t.Errorf("%d entries", len(entries))
		}
	})
}

// TestPagesOfGroupsEndAtFourMebibytes has a group of more rules than a page has room for between others.
func TestPagesOfGroupsEndAtFourMebibytes(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var groups []string
		for i, size := range []int{40, 20, 10, 80, 1, 0} {
			groups = append(groups, s.CreateGroup(object{"name": fmt.Sprint(i)}))
			for range size {
				s.Free(object{"metadata": sized(ruleMetadata, ""), "loyaltyRuleGroupId": groups[i]})
			}
		}
		found := walkPages(s, "/api/loyalty/rule_groups", 100)
		all(t, found, groups)
		for i, want := range []string{"40 <nil>", "20 <nil>", "10 <nil>", "63 true", "1 <nil>", "0 <nil>"} {
			group := found[groups[i]]
			if got := fmt.Sprint(len(apptest.RulesIn(group)), " ", group["hasMoreItems"]); got != want {
				t.Errorf("group %d has %s rules, want %s", i, got, want)
			}
		}
		if inside := walkPages(s, "/api/loyalty/rules?loyaltyRuleGroupId="+groups[3], 100); len(inside) != 80 {
			t.Errorf("the list of rules has %d of the group", len(inside))
		}
		if group := s.Post("/api/loyalty/rule_groups/"+groups[3], object{"name": "new"}).OK(); group["hasMoreItems"] != true {
			t.Error("the answer to a change has all rules")
		}
	})
}

// TestPagesEndForWhatHangsOnTheirItems has large chains, choices, metadata and milestones.
func TestPagesEndForWhatHangsOnTheirItems(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		t.Run("chains", func(t *testing.T) { largeChains(t, s) })
		t.Run("choices", func(t *testing.T) { largeChoices(t, s) })
		t.Run("users", func(t *testing.T) { largeUsers(t, s) })
		t.Run("milestones", func(t *testing.T) { largeMilestones(t, s) })
	})
}

// largeChains has ten rules of half a mebibyte of chains each, and one that is larger than a page, which comes alone
// and whole.
func largeChains(t *testing.T, s *apptest.Server) {
	target, group := s.Free(nil), s.CreateGroup(nil)
	var conditions []object
	for range 50 {
		conditions = append(
			conditions,
			object{"type": "rule", "loyaltyRuleId": target, "description": strings.Repeat("d", 10_000)},
		)
	}
	rules := []string{target}
	for i := range 11 {
		rules = append(rules, s.Free(object{"loyaltyRuleGroupId": group}))
		s.CreateChain(rules[i+1], "AND", conditions...)
	}
	for range 8 {
		s.CreateChain(rules[3], "OR", conditions...)
	}
	found := walkPages(s, "/api/loyalty/rules", 100)
	all(t, found, rules)
	if n := len(found[rules[3]]["loyaltyRuleChain"].([]any)); n != 9 {
		t.Errorf("the largest rule has %d chains", n)
	}
	if chains := walkPages(s, apptest.ChainsPath, 1000); len(chains) != 19 {
		t.Errorf("%d chains", len(chains))
	}
	if list := s.ListGroups(s.WebsiteAPIKey, ""); list[0]["hasMoreItems"] != true || len(apptest.RulesIn(list[0])) != 2 {
		t.Errorf("a group has %d rules in all of its page", len(apptest.RulesIn(list[0])))
	}
}

func largeChoices(t *testing.T, s *apptest.Server) {
	var choices []object
	for i := range 20 {
		choices = append(choices, apptest.Choice(fmt.Sprint(i, strings.Repeat("€", 990)), i == 0))
	}
	var rules, questions []string
	for range 90 {
		q := s.CreateQuestionRule("quiz", nil, object{"loyaltyQuestionAnswers": choices})
		rules, questions = append(rules, q.Rule), append(questions, q.ID)
		s.User(apptest.Wallet(len(rules)), nil)
		s.Respond(apptest.Wallet(len(rules)), q.Choices[choices[0]["text"].(string)]).OK()
	}
	all(t, walkPages(s, apptest.QuestionsPath+"?loyaltyRuleIds="+strings.Join(rules, ","), 100), questions)
	if responses := walkPages(s, apptest.ResponsesPath, 1000); len(responses) != 90 {
		t.Errorf("%d responses", len(responses))
	}
}

func largeUsers(t *testing.T, s *apptest.Server) {
	var users []string
	for i := range 120 {
		users = append(
			users,
			s.User(
				apptest.Wallet(1000+i),
				object{"bio": strings.Repeat("ä", 10_000), "internalNotes": strings.Repeat("ö", 10_000)},
			),
		)
	}
	found := walkPages(s, "/api/users", 1000)
	for _, id := range users {
		if found[id] == nil {
			t.Errorf("user %s does not come", id)
		}
	}
}

// largeMilestones reads a bare array, whose end only an empty page tells.
func largeMilestones(t *testing.T, s *apptest.Server) {
	milestones := []any{}
	for i := range 1000 {
		milestones = append(milestones, i+1, 1)
	}
	rule := s.CreateStreakRule(nil, milestones...)
	for n := range 150 {
		s.Complete(rule, object{"walletAddress": apptest.Wallet(n)}).OK()
	}
	found := map[any]bool{}
	for after := ""; ; {
		page := s.Streaks(rule, "limit=1000"+after)
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
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		const tooLarge = "metadata must be at most 65536 bytes"
		rule := s.Free(object{"metadata": sized(ruleMetadata, "")})
		s.Post("/api/loyalty/rules", object{"name": "R", "type": "external_rule", "metadata": sized(ruleMetadata+1, "")}).
			Refused(400, tooLarge)
		s.Post("/api/loyalty/rules/"+rule, object{"metadata": sized(ruleMetadata+1, "")}).Refused(400, tooLarge)
		text, err := json.MarshalIndent(object{"metadata": sized(ruleMetadata, "")}, "", strings.Repeat(" ", 100))
		if err != nil {
			t.Fatal(err)
		}
		s.Post("/api/loyalty/rules/"+rule, string(text)).Refused(400, tooLarge) // white space counts
		s.Post("/api/loyalty/rules/"+rule, `{"metadata":{"conditionDescription":"`+strings.Repeat("&<>", 20_000)+`"}}`).OK()
		s.Post("/api/loyalty/rules/"+rule, object{"metadata": object{}}).OK()
		s.Restore(s.Edits(rule)[0], nil).OK()

		contract := s.RegisterContract()
		var contracts []string
		for range 1001 {
			contracts = append(contracts, contract)
		}
		s.Update(rule, object{"contractIds": contracts[1:]})
		s.Post("/api/loyalty/rules/"+rule, object{"contractIds": contracts}).
			Refused(400, "contractIds must have at most 1000 items")

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
		s.Post("/api/loyalty/transactions", entry(entryMetadata)).OK()
		s.Post("/api/loyalty/transactions", entry(entryMetadata+1)).
			Refused(400, "entries.1.metadata must be at most 16384 bytes")
	})
}

// TestLargerMetadataFromBeforeTheLimitStays reads, changes and completes rules whose metadata are larger than they may
// be now.
func TestLargerMetadataFromBeforeTheLimitStays(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := apptest.Open(t, address, app.Config{NoRateLimits: true})
		var rules []string
		for range 6 {
			rules = append(rules, s.Free(object{"metadata": object{"imageUrl": "HERE"}}))
		}
		rule, large := rules[0], strings.Repeat("y", 1<<20)
		apptest.Tamper(
			t,
			address,
			"UPDATE loyalty_rules SET version = version + 1, record = REPLACE(record, 'HERE', '"+large+"'), metadata = REPLACE(metadata, 'HERE', '"+large+"')",
		)
		found := walkPages(s, "/api/loyalty/rules", 100)
		all(t, found, rules)
		if found[rule]["metadata"].(object)["imageUrl"] != large {
			t.Error("what is stored is read otherwise")
		}
		s.Update(rule, object{"name": "New"})
		s.Complete(rule, object{"walletAddress": "0xa"}).OK()
		s.Post("/api/loyalty/rules/"+rule, object{"metadata": sized(ruleMetadata+1, "")}).
			Refused(400, "metadata must be at most 65536 bytes")
		if got := s.Call(s.ClientAPIKey, http.MethodGet, "/api/loyalty/rules", nil).Data(); len(got) != 3 {
			t.Errorf("a client reads %d rules on the first page", len(got))
		}
	})
}
