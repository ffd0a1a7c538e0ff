package ledger_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// TestAFoldWritesEachMainAccountOnce counts with a trigger how often the fold writes main accounts, however much they
// gave.
func TestAFoldWritesEachMainAccountOnce(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := apptest.Open(t, address, app.Config{NoRateLimits: true})
		coins := s.Post("/api/loyalty/currencies", object{"name": "Coins", "symbol": "C", "decimals": 0}).OK()["id"].(string)
		points, silver := s.Rule(
			"external_rule",
			object{"interval": "unlimited", "loyaltyCurrencyId": s.LoyaltyCurrencyID},
		), s.Rule(
			"external_rule",
			object{"interval": "unlimited", "loyaltyCurrencyId": coins},
		)
		for i := range 9 {
			s.Complete(points, object{"walletAddress": apptest.Wallet(i)}).OK()
			s.Complete(silver, object{"walletAddress": apptest.Wallet(i)}).OK()
		}
		apptest.Tamper(t, address, "CREATE TABLE folds (n INTEGER)")
		if strings.HasPrefix(address, "sqlite:") {
			apptest.Tamper(
				t,
				address,
				"CREATE TRIGGER folded AFTER UPDATE ON loyalty_accounts BEGIN INSERT INTO folds VALUES (1); END",
			)
		} else {
			apptest.Tamper(
				t,
				address,
				"CREATE FUNCTION count_fold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO folds VALUES (1); RETURN NULL; END $$",
			)
			apptest.Tamper(
				t,
				address,
				"CREATE TRIGGER folded AFTER UPDATE ON loyalty_accounts FOR EACH ROW EXECUTE FUNCTION count_fold()",
			)
		}
		if err := s.App.Ledger.FoldMainAccounts(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := apptest.QueryCount(t, address, "SELECT COUNT(*) FROM folds"); got != 2 {
			t.Errorf("two main accounts were written %d times", got)
		}
		if got := apptest.QueryCount(t, address, "SELECT COUNT(*) FROM main_account_deltas"); got != 0 {
			t.Errorf("%d deltas are left", got)
		}
		for _, main := range s.Get("/api/loyalty/accounts?userId=").Data() {
			if main["amount"] != apptest.JSONNumber("-90") || main["lockVersion"] != apptest.JSONNumber(fmt.Sprint(9)) {
				t.Errorf("after the fold: %v", main)
			}
		}
	})
}
