package contractrules_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// TestRulesOfAnEarlierVersionWatchTheirContracts: such rules were saved before there were watches.
func TestRulesOfAnEarlierVersionWatchTheirContracts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *chain) {
		early := c.Clock.Now().Add(time.Second).Format(time.RFC3339)
		rule, earlier := c.rule(nil, nil), c.rule(object{"effectiveStartTime": early}, nil)
		deleted, incomplete := c.rule(nil, nil), c.Rule("smart_contract_event", nil)
		c.Call(c.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+deleted, nil).OK()
		db := storetest.Open(t, c.database, c.Clock.Now)
		if err := db.InTx(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Exec(t.Context(), "DELETE FROM rule_watches")
			return err
		}); err != nil {
			t.Fatal(err)
		}
		c.Clock.Advance(10 * time.Second)
		c.emit([2]int{1, 5})
		c.Clock.Advance(10 * time.Second)
		for range 2 {
			if err := c.App.ContractRules.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		c.Clock.Advance(10 * time.Second)
		c.emit([2]int{2, 5})
		c.confirm()
		for range 3 {
			c.read()
		}
		for id, want := range map[string]int{rule: 1, earlier: 2, deleted: 0, incomplete: 0} {
			if got := len(c.entriesOf(id)); got != want {
				t.Errorf("%d entries, want %d", got, want)
			}
		}
	})
}
