package main_test

import (
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
)

func TestVerifyNamesWhatWasChangedByHand(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		p := initProgram(t, database)
		s := serve(t, database)
		site := s.site(p)
		rule := site.rule("unlimited")
		for i := range 5 {
			site.post(completion(rule), object{"walletAddress": walletOf(i % 2)}).ok(t)
			site.post(transactions, site.transfer("", move{walletOf(i % 2), 3}, move{walletOf(7), 1})).ok(t)
		}
		hold := site.post("/api/loyalty/holds", object{
			"walletAddress": walletOf(7), "loyaltyCurrencyId": site.currency, "amount": 2,
		}).ok(t)["id"].(string)
		green(t, database) // beside the running server
		s.kill()
		green(t, database)

		db := open(t, database)
		account := one(
			t,
			db,
			"SELECT CAST(MIN(CAST(loyalty_account_id AS TEXT)) AS TEXT) FROM loyalty_transaction_entries WHERE user_id IS NOT NULL",
		)
		ofAccount := " FROM loyalty_transaction_entries WHERE CAST(loyalty_account_id AS TEXT) = '" + account + "' AND lock_version = "
		middle, last := one(t, db, "SELECT CAST(id AS TEXT)"+ofAccount+"2"),
			one(
				t,
				db,
				"SELECT CAST(id AS TEXT) FROM loyalty_transaction_entries WHERE CAST(loyalty_account_id AS TEXT) = '"+account+"' ORDER BY lock_version DESC LIMIT 1",
			)
		main := one(t, db, "SELECT CAST(id AS TEXT) FROM loyalty_accounts WHERE user_id IS NULL")
		for _, c := range []struct {
			change, undo string
			names        []string
		}{
			{"UPDATE loyalty_transaction_entries SET amount = amount + 1 WHERE CAST(id AS TEXT) = '" + middle + "'",
				"UPDATE loyalty_transaction_entries SET amount = amount - 1 WHERE CAST(id AS TEXT) = '" + middle + "'", []string{account, middle}},
			{"UPDATE loyalty_accounts SET amount = amount + 1 WHERE CAST(id AS TEXT) = '" + account + "'",
				"UPDATE loyalty_accounts SET amount = amount - 1 WHERE CAST(id AS TEXT) = '" + account + "'", []string{account}},
			{"UPDATE loyalty_accounts SET amount = amount + 1 WHERE CAST(id AS TEXT) = '" + main + "'",
				"UPDATE loyalty_accounts SET amount = amount - 1 WHERE CAST(id AS TEXT) = '" + main + "'", []string{main}},
			{"UPDATE loyalty_holds SET amount = amount + 1", "UPDATE loyalty_holds SET amount = amount - 1", []string{"hold " + hold}},
			{"DELETE FROM loyalty_transaction_entries WHERE CAST(id AS TEXT) = '" + last + "'", "", []string{account}},
		} {
			execute(t, db, c.change)
			e := run(t, "verify", "--database", database).fails(c.names...)
			if e.status != 1 || strings.Contains(e.stdout, " 0 discrepancies") {
				t.Errorf("after %s: status %d\n%s", c.change, e.status, e.stdout)
			}
			if c.undo != "" {
				execute(t, db, c.undo)
				green(t, database)
			}
		}
	})
}
