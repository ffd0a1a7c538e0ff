package app_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// jsonNumber is a number as answers are decoded.
func jsonNumber(text string) json.Number { return json.Number(text) }

func TestRestoringAnUpdateLeavesLaterEditsOfOtherProperties(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("check_in", object{"name": "old", "description": "D"})
		s.update(rule, object{"name": "new", "amount": 20})
		renamed := s.edits(rule)[0]
		s.update(rule, object{"description": "E", "hideInUi": true})
		s.update(rule, object{"amount": 30})
		done := s.restore(renamed, object{"editComment": "as it was"}).ok()
		tells(
			t,
			done,
			told{
				"restore",
				object{"name": "old", "amount": jsonNumber("10")},
				object{"name": "new", "amount": jsonNumber("30")},
				"as it was",
			},
		)
		if got := s.edits(rule); len(got) != 5 || !reflect.DeepEqual(got[0], done) {
			t.Errorf("the answer is not the newest of %d edits: %v", len(got), got[0])
		}
		now := s.stored(rule)
		if now["name"] != "old" || now["amount"] != jsonNumber("10") || now["description"] != "E" || now["hideInUi"] != true {
			t.Errorf("restored: %v", now)
		}

		undone := s.restore(done, nil).ok() // a restore is undone like an update
		tells(
			t,
			undone,
			told{
				"restore",
				object{"name": "new", "amount": jsonNumber("30")},
				object{"name": "old", "amount": jsonNumber("10")},
				nil,
			},
		)
		same := s.restore(done, object{}).ok() // what is so already is told in full
		tells(
			t,
			same,
			told{
				"restore",
				object{"name": "new", "amount": jsonNumber("30")},
				object{"name": "new", "amount": jsonNumber("30")},
				nil,
			},
		)
		if now := s.stored(rule); now["name"] != "new" || now["amount"] != jsonNumber("30") || now["description"] != "E" {
			t.Errorf("restored twice: %v", now)
		}
	})
}

func TestRestoringADeleteBringsTheRuleBackAsItWas(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"interval": "once"})
		other := s.rule("external_rule", object{"trackProgress": true})
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.post("/api/loyalty/rule_statuses", object{"loyaltyRuleId": other, "walletAddress": alice, "progress": 40}).ok()
		for _, r := range []string{rule, other} {
			before := s.stored(r)
			s.remove("/api/loyalty/rules/" + r)
			s.complete(r, object{"walletAddress": alice}).refused(404, "Loyalty rule not found")
			s.restore(s.edits(r)[0], nil).ok()
			after := s.stored(r)
			delete(before, "updatedAt")
			delete(after, "updatedAt")
			if !reflect.DeepEqual(before, after) {
				t.Errorf("came back as %v, was %v", after, before)
			}
		}
		s.complete(rule, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		s.complete(other, object{"walletAddress": alice}).refused(400, "Quest not completed")
		list := s.get("/api/loyalty/rule_statuses?loyaltyRuleId=" + other).data()
		if len(list) != 1 || list[0]["progress"] != jsonNumber("40") {
			t.Errorf("statuses: %v", list)
		}
	})
}

func TestWhatCannotBeRestored(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		coins := s.post("/api/loyalty/currencies", object{"name": "Coins", "symbol": "C", "decimals": 0}).ok()["id"].(string)
		group := s.post("/api/loyalty/rule_groups/create", object{"name": "G"}).ok()["id"].(string)
		rule := s.rule(
			"check_in",
			object{"loyaltyCurrencyId": coins, "loyaltyRuleGroupId": group, "endTime": "2026-02-01T00:00:00Z"},
		)
		created := s.edits(rule)[0]
		s.update(rule, object{"loyaltyCurrencyId": s.LoyaltyCurrencyID})
		currency := s.edits(rule)[0]
		s.update(rule, object{"loyaltyRuleGroupId": "no-section"})
		section := s.edits(rule)[0]
		s.update(rule, object{"endTime": "2026-03-01T00:00:00Z"})
		end := s.edits(rule)[0]
		s.update(rule, object{"startTime": "2026-02-15T00:00:00Z"})
		s.remove("/api/loyalty/currencies/" + coins)
		s.remove("/api/loyalty/rule_groups/" + group)
		before, count := s.stored(rule), len(s.edits(rule))

		s.restore(created, nil).refused(400, "A create edit cannot be restored")
		s.restore(currency, nil).refused(400, "Loyalty currency not found")
		s.restore(section, nil).refused(400, "Loyalty rule group not found")
		s.restore(end, nil).refused(400, "endTime must be after startTime")
		s.restore(end, object{"editComment": strings.Repeat("x", 1001)}).
			refused(400, "editComment must be at most 1000 characters")
		s.post("/api/loyalty/rule_edits/"+unknownID+"/restore", nil).refused(404, "Rule edit not found")
		s.post("/api/loyalty/rule_edits/"+rule+"/restore", nil).refused(404, "Rule edit not found")
		s.post("/api/loyalty/rule_edits/nonsense/restore", nil).refused(400, "id must be a uuid")
		rival := s.program("Rival")
		s.call(rival.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rule_edits/"+end["id"].(string)+"/restore", nil).
			refused(404, "Rule edit not found")
		if after := s.stored(rule); !reflect.DeepEqual(after, before) || len(s.edits(rule)) != count {
			t.Errorf("refused restores left %v with %d edits", after, len(s.edits(rule)))
		}
	})
}

// change is one random thing done to a rule.
type change struct {
	properties object // nil: restore
	edit       int    // which edit to restore, from the oldest that is no creation
}

func changes() *rapid.Generator[change] {
	values := map[string][]any{
		"name": {
			"a",
			"b",
			"é<&>\u2028",
		},
		"amount":        {0, 1, "2.5", nil},
		"description":   {"", "x"},
		"hideInUi":      {true, false},
		"trackProgress": {true, false},
		"startTime": {
			nil,
			"2026-01-01T00:00:00Z",
			"2026-01-03T00:00:00.123Z",
		},
		"endTime": {nil, "2026-01-02T00:00:00Z", "2026-01-04T00:00:00Z"},
		"metadata": {
			object{},
			object{"range": []object{{"startRange": 1, "endRange": 2}}},
			object{"own": []any{nil, 1e3}},
		},
		"interval": {"daily", "once"},
		"deletedAt": {
			nil,
			"2026-01-01T00:00:00Z",
		},
		"collectionAddress": {nil, "A,b"},
		"network":           {nil, "polygon"},
		"progressType":      {nil, "counter"},
	}
	names := []string{
		"name",
		"amount",
		"description",
		"hideInUi",
		"trackProgress",
		"startTime",
		"endTime",
		"metadata",
		"interval",
		"deletedAt",
		"collectionAddress",
		"network",
		"progressType",
	}
	return rapid.Custom(func(r *rapid.T) change {
		if rapid.IntRange(0, 3).Draw(r, "restores") == 0 {
			return change{edit: rapid.IntRange(0, 9).Draw(r, "edit")}
		}
		c := change{properties: object{}}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 1, 4, rapid.ID).Draw(r, "names") {
			c.properties[name] = rapid.SampledFrom(values[name]).Draw(r, name)
		}
		return c
	})
}

// TestRestoringEqualsTheEarlierRecord does anything to a rule, in any order, and restores anything of it: the restored
// properties are those of the record before the edit, and nothing else changes.
func TestRestoringEqualsTheEarlierRecord(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		restored := 0
		rapid.Check(t, func(r *rapid.T) {
			rule := s.rule("external_rule", nil)
			records := []object{s.stored(rule)} // before each edit that is no creation, and now
			var edits []object
			for _, c := range append(rapid.SliceOfN(changes(), 1, 6).Draw(r, "changes"), change{edit: rapid.IntRange(0, 9).Draw(r, "last")}) {
				before := records[len(records)-1]
				if c.properties != nil {
					a := s.post("/api/loyalty/rules/"+rule, c.properties)
					if deleted := before["deletedAt"] != nil; a.status != 200 && a.status != 400 && (a.status != 404 || !deleted) {
						r.Fatalf("%v: %d %s", c.properties, a.status, a.body)
					}
				} else if len(edits) > 0 {
					n := c.edit % len(edits)
					a := s.restore(edits[n], nil)
					if a.status == 400 { // start and end no longer fit
						continue
					}
					restored++
					now := s.stored(rule)
					named := a.ok()["data"].(object)
					for name, value := range now {
						want := before[name]
						if _, ok := named[name]; ok {
							want = records[n][name]
						}
						if name != "updatedAt" && !reflect.DeepEqual(value, want) {
							r.Fatalf("%s is %v after the restore of %v, want %v", name, value, edits[n], want)
						}
					}
				}
				if list := s.edits(rule); len(list)-1 > len(edits) {
					edits, records = append(edits, list[0]), append(records, s.stored(rule))
				}
			}
			if list := s.edits(rule); len(list) != len(edits)+1 {
				r.Fatalf("%d edits, seen %d", len(list), len(edits)+1)
			}
		})
		if restored < 20 {
			t.Errorf("only %d restores were tried", restored)
		}
	})
}
