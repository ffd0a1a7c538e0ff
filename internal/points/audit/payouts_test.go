package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/schema"
)

// Each statement makes payouts differ from the entries that they are owed for; verification must say what.
func TestVerifyFindsTokensThatAreNotOwedAsTheyWereBooked(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		native := true
		relayer, err := laurel.ParseID(forged)
		if err != nil {
			t.Fatal(err)
		}
		rule, err := w.app.Rules.Create(
			ctx,
			w.scope,
			schema.Input{
				Name:       laurel.Some("Tokens"),
				Type:       laurel.Some("external_rule"),
				RewardType: laurel.Some("token"),
				Amount:     laurel.Some(5 * laurel.One),
				TokenReward: laurel.Some(
					schema.TokenReward{RelayerID: relayer, IsNative: &native},
				),
				Network: laurel.Some("polygon"),
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.app.Completions.Complete(
			ctx,
			w.scope,
			completion.CompleteInput{RuleID: rule.ID, User: identity.Ref{Wallet: fmt.Sprintf("0x%040x", 1)}},
		); err != nil {
			t.Fatal(err)
		}
		w.green()
		if n := w.count("SELECT COUNT(*) FROM payouts"); n != 1 {
			t.Fatalf("%d payouts", n)
		}
		payout, entry := w.id("SELECT id FROM payouts"), w.id("SELECT loyalty_transaction_entry_id FROM payouts")
		differs := fmt.Sprintf("payout %s is not what its entry booked", payout)
		user := w.id("SELECT user_id FROM payouts")
		for _, c := range []struct{ name, change, back, says string }{
			{"another amount", "UPDATE payouts SET amount = 6000000", "UPDATE payouts SET amount = 5000000", differs},
			{"another user", fmt.Sprintf("UPDATE payouts SET user_id = '%s'", forged), fmt.Sprintf("UPDATE payouts SET user_id = '%s'", user), differs},
			{"another entry", fmt.Sprintf("UPDATE payouts SET loyalty_transaction_entry_id = '%s'", forged), fmt.Sprintf("UPDATE payouts SET loyalty_transaction_entry_id = '%s'", entry),
				fmt.Sprintf("its entry is gone, and payout %s still owes for it", payout)},
			{"no payout", "UPDATE payouts SET loyalty_transaction_entry_id = id", fmt.Sprintf("UPDATE payouts SET loyalty_transaction_entry_id = '%s'", entry), "nothing is owed for its tokens"},
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
