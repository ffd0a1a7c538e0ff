package progress_test

import (
	"context"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/store"
)

// A user who joins or leaves a group takes windows along, which must not read what all other members have done.
func TestTheClaimsOfASubjectAreFoundByItsKeyOnSQLite(t *testing.T) {
	t.Parallel()
	// a planner of PostgreSQL that knows the table is empty takes no index
	db := storetest.Open(t, storetest.Engines()[0].URL(t), nil)
	plan, err := storetest.Plan(context.Background(), db, "SELECT c.window_key"+progress.ClaimsOf, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(plan, "rule_subjects_2 (subject_id=?)") ||
		!strings.Contains(plan, "rule_claims_1 (loyalty_rule_id=? AND subject_id=?)") {
		t.Error(plan)
	}
}

// A reset names some members of a website that may have a million, and so does a member who joins or leaves a group.
func TestWhatIsRememberedOfSomeIsFoundByItsKeyOnSQLite(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.Engines()[0].URL(t), nil)
	for _, ids := range storetest.SomeIDs(db) {
		for statement, w := range map[string]store.Where{
			"DELETE FROM rule_subjects":             progress.RememberedOf(db.Engine(), laurel.Scope{WebsiteID: db.NewID()}, ids, ids),
			"SELECT progress FROM rule_subjects t ": progress.Unclaimed(db.Engine(), db.NewID(), ids),
		} {
			plan, err := storetest.Plan(context.Background(), db, statement+w.String(), w.Args...)
			if err != nil || !strings.Contains(plan, "rule_subjects_2 (subject_id=?") {
				t.Error(statement, len(ids), plan, err)
			}
		}
	}
}
