package completionjobs_test

import (
	"context"
	"strings"
	"testing"

	"laurel"
	"laurel/internal/dev/storetest"
	"laurel/internal/rules/completionjobs"
	"laurel/internal/store"
)

// explainer records the query plan of the statement that passes through it.
type explainer struct {
	*store.Tx
	plan string
}

func (e *explainer) Select(ctx context.Context, _ any, query string, args ...any) (err error) {
	if e.Engine() == store.SQLite {
		e.plan, err = storetest.Plan(ctx, e.Tx, query, args...)
		return err
	}
	var lines []string
	err = e.Tx.Select(ctx, &lines, "EXPLAIN "+query, args...)
	e.plan = strings.Join(lines, "\n")
	return err
}

// TestTheNewestJobsAreFoundWithoutSortingTheOthers reads pages of the Verifications tab.
func TestTheNewestJobsAreFoundWithoutSortingTheOthers(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		scope := laurel.Scope{OrganizationID: db.NewID(), WebsiteID: db.NewID()}
		err := db.InTx(t.Context(), func(tx *store.Tx) error {
			if tx.Engine() == store.Postgres { // an empty table is read whole and sorted, whatever indexes it has
				for _, setting := range []string{"enable_seqscan", "enable_sort"} {
					if _, err := tx.Exec(t.Context(), "SET LOCAL "+setting+" = off"); err != nil {
						return err
					}
				}
			}
			e := &explainer{Tx: tx}
			if err := completionjobs.ReadPage(t.Context(), e, scope, completionjobs.Filter{}); err != nil {
				return err
			}
			if !strings.Contains(e.plan, "rule_jobs_newest") || strings.Contains(strings.ToUpper(e.plan), "SORT KEY") ||
				strings.Contains(e.plan, "TEMP B-TREE") {
				t.Errorf("the plan is\n%s", e.plan)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
