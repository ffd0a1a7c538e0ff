package store_test

import (
	"context"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/store"
)

// TestTablesThatAreWrittenAllTheTimeAreSweptByTheirOwnMeasure looks for the settings where PostgreSQL itself looks for
// them.
func TestTablesThatAreWrittenAllTheTimeAreSweptByTheirOwnMeasure(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Engine() != store.Postgres {
			return // has nothing to sweep
		}
		for _, table := range []string{"changes", "feed_consumers", "loyalty_accounts", "main_account_deltas", "request_keys", "rule_jobs", "rule_subjects", "seal_heads"} {
			var settings string
			if err := db.Get(
				context.Background(),
				&settings,
				"SELECT COALESCE(array_to_string(reloptions, ' '), '') FROM pg_class WHERE oid = to_regclass(?)",
				table,
			); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(settings, "autovacuum_vacuum_scale_factor=") {
				t.Errorf("%s has the settings %q", table, settings)
			}
			if table == "rule_subjects" && !strings.Contains(settings, "fillfactor=85") {
				t.Errorf("%s lost its room for versions: %q", table, settings)
			}
		}
	})
}
