package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// pageBytes is where pages of lists end.
const pageBytes = 4 << 20

// The holder of a key may fill everything that it can write to the brim, and read it again and again. The memory that
// this costs depends on no number of rows.

// sized is a rule's metadata of 64 KiB, the most there may be.
func sized(i int) object {
	const frame = len(`{"conditionDescription":""}`)
	first := fmt.Sprint(i)
	return object{"conditionDescription": first + strings.Repeat("x", 64<<10-frame-len(first))}
}

// listed reads a list with its largest limit, page by page, and returns how many items it has.
func (c caller) listed(path string, limit int) (items int) {
	c.t.Helper()
	seen := map[string]bool{}
	for after := ""; ; {
		r := c.get(fmt.Sprintf("%slimit=%d%s", path, limit, after))
		var page struct {
			Data        []struct{ ID string }
			HasNextPage bool
		}
		if err := json.Unmarshal(
			[]byte(r.body),
			&page,
		); err != nil || r.status != http.StatusOK ||
			len(r.body) > pageBytes && len(page.Data) > 1 {
			c.t.Fatalf("%s: status %d, %d bytes, %v", path, r.status, len(r.body), err)
		}
		for _, item := range page.Data {
			if seen[item.ID] {
				c.t.Fatalf("%s: %s comes twice", path, item.ID)
			}
			seen[item.ID], after = true, "&startingAfter="+item.ID
		}
		if !page.HasNextPage {
			return len(seen)
		}
	}
}

func TestListsOfLargeThingsHoldLittleMemory(t *testing.T) {
	t.Parallel()
	s, made := hostileServer(t)
	c := s.caller(made.WebsiteAPIKey)
	const rules, edits = 200, 500
	group := c.post("/api/loyalty/rule_groups/create", object{"name": "Large"}).ok(t)["id"]
	var rule string
	for i := range rules {
		rule = c.post("/api/loyalty/rules", object{"name": "Large", "type": "external_rule", "amount": 1, "loyaltyRuleGroupId": group, "metadata": sized(i)}).ok(t)["id"].(string)
	}
	for i := range edits {
		c.post("/api/loyalty/rules/"+rule, object{"metadata": sized(rules + i)}).ok(t)
	}
	for _, list := range []struct {
		path  string
		limit int
		want  int
	}{
		{"/api/loyalty/rules?", 100, rules},
		{"/api/loyalty/rule_edits?loyaltyRuleId=" + rule + "&", 1000, edits + 1},
		{"/api/loyalty/rule_groups?", 1000, 1},
	} {
		used := s.costOf(func() {
			if got := c.listed(list.path, list.limit); got != list.want {
				t.Errorf("%s: %d items, want %d", list.path, got, list.want)
			}
		})
		t.Logf("%s: %v of CPU time, %d MiB", list.path, used.cpu, used.memory>>20)
		if used.memory > refusalMemory {
			t.Errorf("%s holds %d MiB, want at most %d", list.path, used.memory>>20, refusalMemory>>20)
		}
	}
}

// TestRulesThatANodeRemembersHoldLittleMemory asks about every rule of a website with far more than a node may
// remember. Nothing is paid. The server collects its garbage often, so that what it holds is what it needs.
func TestRulesThatANodeRemembersHoldLittleMemory(t *testing.T) {
	t.Parallel()
	database := "sqlite:" + filepath.Join(t.TempDir(), "laurel.db")
	made := initProgram(t, database)
	writer := serve(t, database)
	c := writer.caller(made.WebsiteAPIKey)
	var rules []string
	for i := range 1500 {
		rules = append(
			rules,
			c.post("/api/loyalty/rules", object{"name": "Large", "type": "external_rule", "amount": 1, "metadata": sized(i)}).ok(t)["id"].(string),
		)
	}
	writer.kill()
	s := start(
		t,
		serving,
		[]string{"LAUREL_RATE_LIMITS=off", "GOGC=20"},
		"serve",
		"--listen",
		"127.0.0.1:0",
		"--database",
		database,
	)
	c = s.caller(made.WebsiteAPIKey)
	ask := func(rule string) {
		c.post(completion(rule), object{"walletAddress": walletOf(1), "verifyOnly": true}).ok(t)
	}
	ask(rules[0])
	used := s.costOf(func() {
		for _, rule := range rules {
			ask(rule)
		}
	})
	t.Logf("%v of CPU time, %d MiB", used.cpu, used.memory>>20)
	const most = 192 << 20
	if used.memory > most {
		t.Errorf("asking about %d rules of 64 KiB holds %d MiB, want at most %d", len(rules), used.memory>>20, most>>20)
	}
}
