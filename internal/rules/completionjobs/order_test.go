package completionjobs_test

import (
	"context"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/store"
)

// planOf returns how the engine would carry out a statement.
func planOf(ctx context.Context, tx *store.Tx, query string, args []any) (string, error) {
	if tx.Engine() == store.SQLite {
		return storetest.Plan(ctx, tx, query, args...)
	}
	for _, setting := range []string{"enable_seqscan", "enable_sort"} { // of empty tables all of it costs the same
		if _, err := tx.Exec(ctx, "SET LOCAL "+setting+" = off"); err != nil {
			return "", err
		}
	}
	var lines []string
	err := tx.Select(ctx, &lines, "EXPLAIN "+query, args...)
	return strings.Join(lines, "\n"), err
}

// TestTheNewestJobsAreFoundWithoutSortingTheOthers reads pages of the Verifications tab.
func TestTheNewestJobsAreFoundWithoutSortingTheOthers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		scope := laurel.Scope{OrganizationID: db.NewID(), WebsiteID: db.NewID()}
		err := db.InTx(t.Context(), func(tx *store.Tx) error {
			query, args := completionjobs.PageQuery(scope, completionjobs.Filter{})
			plan, err := planOf(t.Context(), tx, query, args)
			if err != nil {
				return err
			}
			if !strings.Contains(plan, "rule_jobs_newest") || strings.Contains(plan, "Sort Key") ||
				strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("the plan is\n%s", plan)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
