package catalog_test

import (
	"reflect"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// TestRestoredMetadataIsCleanedAsWrittenOneIs restores metadata with what no longer exists and what only the service
// writes: what is gone stays gone, and the service's own keeps its present value.
func TestRestoredMetadataIsCleanedAsWrittenOneIs(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := apptest.Open(t, address, app.Config{NoRateLimits: true})
		rule := s.Rule("external_rule", object{"metadata": object{"buttonText": "old"}})
		s.Update(rule, object{"metadata": object{"buttonText": "new"}})
		edit := s.Edits(rule)[0]
		apptest.Tamper(
			t,
			address,
			`UPDATE rule_edits SET previous_data = '{"metadata":{"buttonText":"old","minQty":3,"reactionStats":{"likes":1},
			"swap":{"from":{"mode":"any"},"minQty":1}}}' WHERE action = 'update'`,
		)
		apptest.Tamper(
			t,
			address,
			`UPDATE loyalty_rules SET version = version + 1, record = REPLACE(record, '"buttonText":"new"', '"buttonText":"new","reactionStats":{"likes":5}')`,
		)

		done := s.Restore(edit, nil).OK()
		want := object{
			"buttonText":    "old",
			"reactionStats": object{"likes": apptest.JSONNumber("5")},
			"swap":          object{"from": object{"mode": "any"}},
		}
		restored := stored(s, rule)["metadata"]
		if !reflect.DeepEqual(restored, want) || !reflect.DeepEqual(done["data"].(object)["metadata"], want) {
			t.Errorf("restored %v, returned as %v, want %v", restored, done["data"], want)
		}
		written := s.Update(rule, object{"metadata": object{"buttonText": "old", "minQty": 3, "reactionStats": object{"likes": 1},
			"swap": object{"from": object{"mode": "any"}, "minQty": 1}}})["metadata"]
		if !reflect.DeepEqual(written, want) {
			t.Errorf("an update with the same values stores %v", written)
		}
	})
}
