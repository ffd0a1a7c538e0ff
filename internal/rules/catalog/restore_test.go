package catalog_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestRestoringAnUpdateLeavesLaterEditsOfOtherProperties(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("check_in", object{"name": "old", "description": "D"})
		s.Update(rule, object{"name": "new", "amount": 20})
		renamed := s.Edits(rule)[0]
		s.Update(rule, object{"description": "E", "hideInUi": true})
		s.Update(rule, object{"amount": 30})
		done := s.Restore(renamed, object{"editComment": "as it was"}).OK()
		checkEdit(
			t,
			done,
			editView{
				"restore",
				object{"name": "old", "amount": apptest.JSONNumber("10")},
				object{"name": "new", "amount": apptest.JSONNumber("30")},
				"as it was",
			},
		)
		if got := s.Edits(rule); len(got) != 5 || !reflect.DeepEqual(got[0], done) {
			t.Errorf("the answer is not the newest of %d edits: %v", len(got), got[0])
		}
		now := stored(s, rule)
		if now["name"] != "old" || now["amount"] != apptest.JSONNumber(
			"10",
		) || now["description"] != "E" || now["hideInUi"] != true {
			t.Errorf("restored: %v", now)
		}

		undone := s.Restore(done, nil).OK() // a restore is undone like an update
		checkEdit(
			t,
			undone,
			editView{
				"restore",
				object{"name": "new", "amount": apptest.JSONNumber("30")},
				object{"name": "old", "amount": apptest.JSONNumber("10")},
				nil,
			},
		)
		same := s.Restore(done, object{}).OK() // an edit without a change is returned in full
		checkEdit(
			t,
			same,
			editView{
				"restore",
				object{"name": "new", "amount": apptest.JSONNumber("30")},
				object{"name": "new", "amount": apptest.JSONNumber("30")},
				nil,
			},
		)
		if now := stored(
			s,
			rule,
		); now["name"] != "new" || now["amount"] != apptest.JSONNumber("30") || now["description"] != "E" {
			t.Errorf("restored twice: %v", now)
		}
	})
}

func TestRestoringADeleteBringsTheRuleBackAsItWas(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"interval": "once"})
		other := s.Rule("external_rule", object{"trackProgress": true})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Post(
			"/api/loyalty/rule_statuses",
			object{"loyaltyRuleId": other, "walletAddress": apptest.Alice, "progress": 40},
		).OK()
		for _, r := range []string{rule, other} {
			before := stored(s, r)
			s.Remove("/api/loyalty/rules/" + r)
			s.Complete(r, object{"walletAddress": apptest.Alice}).Refused(404, "Loyalty rule not found")
			s.Restore(s.Edits(r)[0], nil).OK()
			after := stored(s, r)
			delete(before, "updatedAt")
			delete(after, "updatedAt")
			if !reflect.DeepEqual(before, after) {
				t.Errorf("came back as %v, was %v", after, before)
			}
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		s.Complete(other, object{"walletAddress": apptest.Alice}).Refused(400, "Quest not completed")
		list := s.Get("/api/loyalty/rule_statuses?loyaltyRuleId=" + other).Data()
		if len(list) != 1 || list[0]["progress"] != apptest.JSONNumber("40") {
			t.Errorf("statuses: %v", list)
		}
	})
}

func TestWhatCannotBeRestored(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		coins := s.Post("/api/loyalty/currencies", object{"name": "Coins", "symbol": "C", "decimals": 0}).OK()["id"].(string)
		group := s.Post("/api/loyalty/rule_groups/create", object{"name": "G"}).OK()["id"].(string)
		rule := s.Rule(
			"check_in",
			object{"loyaltyCurrencyId": coins, "loyaltyRuleGroupId": group, "endTime": "2026-02-01T00:00:00Z"},
		)
		created := s.Edits(rule)[0]
		s.Update(rule, object{"loyaltyCurrencyId": s.LoyaltyCurrencyID})
		currency := s.Edits(rule)[0]
		s.Update(rule, object{"loyaltyRuleGroupId": "no-section"})
		section := s.Edits(rule)[0]
		s.Update(rule, object{"endTime": "2026-03-01T00:00:00Z"})
		end := s.Edits(rule)[0]
		s.Update(rule, object{"startTime": "2026-02-15T00:00:00Z"})
		s.Remove("/api/loyalty/currencies/" + coins)
		s.Remove("/api/loyalty/rule_groups/" + group)
		before, count := stored(s, rule), len(s.Edits(rule))

		s.Restore(created, nil).Refused(400, "A create edit cannot be restored")
		s.Restore(currency, nil).Refused(400, "Loyalty currency not found")
		s.Restore(section, nil).Refused(400, "Loyalty rule group not found")
		s.Restore(end, nil).Refused(400, "endTime must be after startTime")
		s.Restore(end, object{"editComment": strings.Repeat("x", 1001)}).
			Refused(400, "editComment must be at most 1000 characters")
		s.Post("/api/loyalty/rule_edits/"+apptest.UnknownID+"/restore", nil).Refused(404, "Rule edit not found")
		s.Post("/api/loyalty/rule_edits/"+rule+"/restore", nil).Refused(404, "Rule edit not found")
		s.Post("/api/loyalty/rule_edits/nonsense/restore", nil).Refused(400, "id must be a uuid")
		rival := s.NewProgram("Rival")
		s.Call(rival.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rule_edits/"+end["id"].(string)+"/restore", nil).
			Refused(404, "Rule edit not found")
		if after := stored(s, rule); !reflect.DeepEqual(after, before) || len(s.Edits(rule)) != count {
			t.Errorf("refused restores left %v with %d edits", after, len(s.Edits(rule)))
		}
	})
}

// ruleChange is one random thing done to a rule.
type ruleChange struct {
	properties object // nil: restore
	edit       int    // which edit to restore, from the oldest that is no creation
}

func changes() *rapid.Generator[ruleChange] {
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
	return rapid.Custom(func(r *rapid.T) ruleChange {
		if rapid.IntRange(0, 3).Draw(r, "restores") == 0 {
			return ruleChange{edit: rapid.IntRange(0, 9).Draw(r, "edit")}
		}
		c := ruleChange{properties: object{}}
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
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		restored := 0
		rapid.Check(t, func(r *rapid.T) {
			rule := s.Rule("external_rule", nil)
			records := []object{stored(s, rule)} // before each edit that is no creation, and now
			var edits []object
			for _, c := range append(
				rapid.SliceOfN(changes(), 1, 6).Draw(r, "changes"), ruleChange{edit: rapid.IntRange(0, 9).Draw(r, "last")},
			) {
				before := records[len(records)-1]
				if c.properties != nil {
					a := s.Post("/api/loyalty/rules/"+rule, c.properties)
					if deleted := before["deletedAt"] != nil; a.Status != 200 && a.Status != 400 && (a.Status != 404 || !deleted) {
						r.Fatalf("%v: %d %s", c.properties, a.Status, a.Body)
					}
				} else if len(edits) > 0 {
					n := c.edit % len(edits)
					a := s.Restore(edits[n], nil)
					if a.Status == 400 { // start and end no longer fit
						continue
					}
					restored++
					now := stored(s, rule)
					named := a.OK()["data"].(object)
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
				if list := s.Edits(rule); len(list)-1 > len(edits) {
					edits, records = append(edits, list[0]), append(records, stored(s, rule))
				}
			}
			if list := s.Edits(rule); len(list) != len(edits)+1 {
				r.Fatalf("%d edits, seen %d", len(list), len(edits)+1)
			}
		})
		if restored < 20 {
			t.Errorf("only %d restores were tried", restored)
		}
	})
}
