package ledger_test

import (
	"context"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// explainer returns how the database would carry out what it is asked.
type explainer struct {
	*store.DB
	plan string
}

func (e *explainer) Select(ctx context.Context, _ any, query string, args ...any) (err error) {
	e.plan, err = storetest.Plan(ctx, e.DB, query, args...)
	return err
}

// A run over a website's members asks for the balances of some hundred at a time.
func TestTheAccountsOfSomeUsersAreFoundByTheirKeyOnSQLite(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.Engines()[0].URL(t), nil)
	for _, users := range storetest.SomeIDs(db) {
		e, scope := &explainer{DB: db}, laurel.Scope{OrganizationID: db.NewID(), WebsiteID: db.NewID()}
		_, err := new(ledger.Service).AccountsOf(context.Background(), e, scope, db.NewID(), users)
		if err != nil || !strings.Contains(e.plan, "(loyalty_currency_id=? AND user_id=?)") {
			t.Error(len(users), e.plan, err)
		}
	}
}
