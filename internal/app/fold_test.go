package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// TestAFoldWritesEachMainAccountOnce counts with a trigger how often the fold writes main accounts, however much they
// gave.
func TestAFoldWritesEachMainAccountOnce(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := open(t, address, app.Config{NoRateLimits: true})
		coins := s.post("/api/loyalty/currencies", object{"name": "Coins", "symbol": "C", "decimals": 0}).ok()["id"].(string)
		points, silver := s.rule(
			"external_rule",
			object{"interval": "unlimited", "loyaltyCurrencyId": s.LoyaltyCurrencyID},
		), s.rule(
			"external_rule",
			object{"interval": "unlimited", "loyaltyCurrencyId": coins},
		)
		for i := range 9 {
			s.complete(points, object{"walletAddress": wallet(i)}).ok()
			s.complete(silver, object{"walletAddress": wallet(i)}).ok()
		}
		tamper(t, address, "CREATE TABLE folds (n INTEGER)")
		if strings.HasPrefix(address, "sqlite:") {
			tamper(t, address, "CREATE TRIGGER folded AFTER UPDATE ON loyalty_accounts BEGIN INSERT INTO folds VALUES (1); END")
		} else {
			tamper(
				t,
				address,
				"CREATE FUNCTION count_fold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO folds VALUES (1); RETURN NULL; END $$",
			)
			tamper(
				t,
				address,
				"CREATE TRIGGER folded AFTER UPDATE ON loyalty_accounts FOR EACH ROW EXECUTE FUNCTION count_fold()",
			)
		}
		if err := s.app.Ledger.FoldMainAccounts(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := counted(t, address, "SELECT COUNT(*) FROM folds"); got != 2 {
			t.Errorf("two main accounts were written %d times", got)
		}
		if got := counted(t, address, "SELECT COUNT(*) FROM main_account_deltas"); got != 0 {
			t.Errorf("%d deltas are left", got)
		}
		for _, main := range s.get("/api/loyalty/accounts?userId=").data() {
			if main["amount"] != jsonNumber("-90") || main["lockVersion"] != jsonNumber(fmt.Sprint(9)) {
				t.Errorf("after the fold: %v", main)
			}
		}
	})
}
