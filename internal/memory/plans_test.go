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
	plan, err := storetest.Plan(context.Background(), db, "SELECT c.window_key"+memory.ClaimsOf, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(plan, "rule_subjects_2 (subject_id=?)") || !strings.Contains(plan, "rule_claims_1 (loyalty_rule_id=? AND subject_id=?)") {
		t.Error(plan)
	}
}
