package contractrules_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/rules/contractrules"
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

// TestARuleThatCannotWatchHoldsUpNoOther: the first of three rules of an earlier version cannot be read.
func TestARuleThatCannotWatchHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, c *chain) {
		rules := []string{c.rule(nil, nil), c.rule(nil, nil), c.rule(nil, nil)}
		db := storetest.Open(t, c.database, c.Clock.Now)
		if err := db.InTx(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Exec(t.Context(), "DELETE FROM rule_watches")
			return err
		}); err != nil {
			t.Fatal(err)
		}
		config, asked := c.App.ContractRules.Config, 0
		config.Find = func(
			ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID,
		) (contractrules.Contract, error) {
			asked++
			if asked == 1 {
				return contractrules.Contract{}, errors.New("the contract cannot be read")
			}
			return c.App.ContractRules.Find(ctx, q, scope, id)
		}
		if err := contractrules.New(config).CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.Clock.Advance(10 * time.Second)
		c.emit([2]int{1, 5})
		c.confirm()
		for range 3 {
			c.read()
		}
		paid := 0
		for _, rule := range rules {
			paid += len(c.entriesOf(rule))
		}
		if paid != 2 {
			t.Errorf("%d of three rules have paid, and one could not watch", paid)
		}
	})
}
