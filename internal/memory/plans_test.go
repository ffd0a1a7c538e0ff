package memory_test

import (
	"context"
	"strings"
	"testing"

	"laurel/internal/memory"
	"laurel/internal/storetest"
)

// A user who joins or leaves a group takes windows along, which must not read what all other members have done.
func TestTheClaimsOfASubjectAreFoundByItsKeyOnSQLite(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.Engines()[0].URL(t), nil) // a planner of PostgreSQL that knows the table is empty takes no index
	var steps []struct {
		ID      int    `db:"id"`
		Parent  int    `db:"parent"`
		Notused int    `db:"notused"`
		Detail  string `db:"detail"`
	}
	if err := db.Select(context.Background(), &steps, "EXPLAIN QUERY PLAN SELECT c.window_key"+memory.ClaimsOf, nil, nil); err != nil {
		t.Fatal(err)
	}
	if len(steps) != 2 || !strings.Contains(steps[0].Detail, "rule_subjects_2 (subject_id=?)") || !strings.Contains(steps[1].Detail, "rule_claims_1 (loyalty_rule_id=? AND subject_id=?)") {
		t.Errorf("plan: %v", steps)
	}
}
