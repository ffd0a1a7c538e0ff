package ledger_test

import (
	"context"
	"strings"
	"testing"

	"laurel"
	"laurel/internal/dev/storetest"
	"laurel/internal/points/ledger"
)

// A run over a website's members asks for the balances of some hundred at a time.
func TestTheAccountsOfSomeUsersAreFoundByTheirKeyOnSQLite(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.Engines()[0].URL(t), nil)
	for _, users := range storetest.SomeIDs(db) {
		w := ledger.AccountsOf(
			db.Engine(),
			laurel.Scope{OrganizationID: db.NewID(), WebsiteID: db.NewID()},
			db.NewID(),
			users,
		)
		plan, err := storetest.Plan(context.Background(), db, "SELECT t.amount FROM loyalty_accounts t"+w.String(), w.Args...)
		if err != nil || !strings.Contains(plan, "(loyalty_currency_id=? AND user_id=?)") {
			t.Error(len(users), plan, err)
		}
	}
}
