package catalog_test

import (
	"context"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/store"
)

// explainer records the query plans of the statements that pass through it.
type explainer struct {
	*store.Tx
	plan []string
}

func (e *explainer) Select(ctx context.Context, _ any, query string, args ...any) error {
	if e.Engine() == store.Postgres {
		return e.Tx.Select(ctx, &e.plan, "EXPLAIN "+query, args...)
	}
	steps, err := storetest.Plan(ctx, e.Tx, query, args...)
	e.plan = append(e.plan, strings.Split(steps, "\n")...)
	return err
}

func TestRequiredRulesAreFoundWithoutWalkingTheOthers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		ctx := context.Background()
		err := db.InTx(ctx, func(tx *store.Tx) error {
			if tx.Engine() == store.Postgres { // an empty table is read whole, whatever indexes it has
				if _, err := tx.Exec(ctx, "SET LOCAL enable_seqscan = off"); err != nil {
					return err
				}
			}
			e := &explainer{Tx: tx}
			scope := laurel.Scope{WebsiteID: db.NewID()}
			if _, err := new(catalog.Service).RequiredAt(ctx, e, scope, db.Now()); err != nil {
				return err
			}
			plan := strings.Join(e.plan, "\n")
			for _, index := range []string{"loyalty_rules_required", "loyalty_rule_groups_required", "loyalty_rules_of_group"} {
				if !strings.Contains(plan, index) {
					t.Errorf("%s is not used:\n%s", index, plan)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
