package memory_test

import (
	"context"
	"strings"
	"testing"

	"laurel"
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

// A reset names some members of a website that may have a million.
func TestWhatIsForgottenIsFoundByItsKeyOnSQLite(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.Engines()[0].URL(t), nil)
	ids := []laurel.ID{db.NewID(), db.NewID(), db.NewID()}
	w := memory.Of(laurel.Scope{WebsiteID: db.NewID()}, ids, ids)
	plan, err := storetest.Plan(context.Background(), db, "DELETE FROM rule_subjects"+w.String(), w.Args...)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(plan, "rule_subjects_2 (subject_id=? AND loyalty_rule_id=?)") {
		t.Error(plan)
	}
}
