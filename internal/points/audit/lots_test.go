package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
)

// Each statement makes lots differ from the entries that they follow from; verification must say what.
func TestVerifyFindsLotsThatAreNotWhatTheirEntriesSay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		if _, err := w.app.Ledger.UpdateCurrency(
			ctx,
			w.scope,
			w.points,
			ledger.CurrencyPatch{}.With("pointsExpireAfterDays", int64(30)),
		); err != nil {
			t.Fatal(err)
		}
		wallet := transactions.MemberRef{Wallet: fmt.Sprintf("0x%040x", 1)}
		for _, e := range []transactions.Entry{{Member: wallet, Amount: 5}, {Member: wallet, Amount: 7}, {Member: wallet, Amount: 6, Direction: ledger.Debit}} {
			if _, err := w.app.Transactions.Post(
				ctx,
				w.scope,
				transactions.Input{CurrencyID: w.points, Entries: []transactions.Entry{e}},
			); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.app.Expiry.RunDue(ctx); err != nil {
			t.Fatal(err)
		}
		if n := w.count("SELECT COUNT(*) FROM account_lots"); n != 2 {
			t.Fatalf("%d lots", n)
		}
		w.green()
		lot := w.id("SELECT id FROM account_lots WHERE state = 'open'")
		spent := w.id("SELECT id FROM account_lots WHERE state = 'spent'")
		for _, c := range []struct{ name, change, back, says string }{
			{"a lot with more left", "UPDATE account_lots SET remaining = 7 WHERE state = 'open'", "UPDATE account_lots SET remaining = 6 WHERE state = 'open'",
				"its open lots do not sum to its balance"},
			{"a lot that is open no more", fmt.Sprintf("UPDATE account_lots SET state = 'expired' WHERE id = '%s'", lot),
				fmt.Sprintf("UPDATE account_lots SET state = 'open' WHERE id = '%s'", lot), fmt.Sprintf("lot %s was not ended by the entry that it names", lot)},
			{"a lot of another amount", fmt.Sprintf("UPDATE account_lots SET amount = 9 WHERE id = '%s'", spent), fmt.Sprintf("UPDATE account_lots SET amount = 5 WHERE id = '%s'", spent),
				fmt.Sprintf("lot %s is not what its credit gave", spent)},
			{"an allocation of another amount", "UPDATE lot_allocations SET amount = 4 WHERE amount = 5", "UPDATE lot_allocations SET amount = 5 WHERE amount = 4",
				"lots do not add up to what the debit took from them"},
			{"lots that are ahead of their account", "UPDATE lot_accounts SET version = 9", "UPDATE lot_accounts SET version = 3", "its lots are worked out further than its entries go"},
			{"a lot of no entry", fmt.Sprintf("UPDATE account_lots SET entry_id = '%s' WHERE id = '%s'", forged, spent),
				fmt.Sprintf("UPDATE account_lots SET entry_id = (SELECT id FROM loyalty_transaction_entries WHERE user_id IS NOT NULL AND lock_version = 1) WHERE id = '%s'", spent),
				fmt.Sprintf("the credit of lot %s is gone", spent)},
		} {
			w.plant(c.change)
			var findings strings.Builder
			for _, d := range w.verify(audit.Trust{}).Discrepancies {
				fmt.Fprintln(&findings, d)
			}
			if !strings.Contains(findings.String(), c.says+"\n") {
				t.Errorf("%s: %q is not in\n%s", c.name, c.says, findings.String())
			}
			w.plant(c.back)
			w.green()
		}
	})
}
