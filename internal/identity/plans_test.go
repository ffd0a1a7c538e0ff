package identity_test

import (
	"context"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// Groups are small, and their website may have a million members.
func TestMatesAreFoundByTheirGroupsOnSQLite(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.Engines()[0].URL(t), nil)
	for _, groups := range storetest.SomeIDs(db) {
		for what, w := range map[string]store.Where{
			"mates":            identity.Mates(db.Engine(), db.NewID(), groups),
			"member and mates": identity.MemberAndMates(db.Engine(), db.NewID(), db.NewID(), groups),
		} {
			plan, err := storetest.Plan(
				context.Background(),
				db,
				"SELECT t.user_id FROM members t"+w.String()+" ORDER BY t.joined_group_at",
				w.Args...)
			if err != nil || !strings.Contains(plan, "members_of_group (user_group_id=?)") ||
				strings.Contains(plan, "website_id") {
				t.Error(what, len(groups), plan, err)
			}
		}
	}
}
