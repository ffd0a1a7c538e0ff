package audit

import (
	"context"

	"laurel.example/laurel/internal/store"
)

// verifyPayouts checks that every entry in the currency of a token, in which rewards in that token are booked, has a
// payout of the same amount to the same user, and the reverse (docs/decisions/0025). A unique key keeps an entry from
// having two.
func verifyPayouts(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	for _, query := range []string{tokenEntries, payoutEntries} {
		if err := addFindings(ctx, q, report, query); err != nil {
			return err
		}
	}
	return nil
}

const tokenEntries = `SELECT e.loyalty_account_id AS account, e.id AS entry, CASE WHEN e.direction = 'credit' THEN 'nothing is owed for its tokens' ELSE 'it takes tokens back' END AS problem
	FROM loyalty_currencies c JOIN loyalty_transaction_entries e ON e.website_id = c.website_id AND e.loyalty_currency_id = c.id AND e.user_id IS NOT NULL
	LEFT JOIN payouts p ON p.loyalty_transaction_entry_id = e.id
	WHERE c.is_token_reward_currency AND e.amount > 0 AND p.id IS NULL LIMIT ?`

const payoutEntries = `SELECT e.loyalty_account_id AS account, p.loyalty_transaction_entry_id AS entry, CASE
		WHEN e.id IS NULL THEN 'its entry is gone, and payout ' || CAST(p.id AS TEXT) || ' still owes for it'
		ELSE 'payout ' || CAST(p.id AS TEXT) || ' is not what its entry booked' END AS problem
	FROM payouts p LEFT JOIN loyalty_transaction_entries e ON e.id = p.loyalty_transaction_entry_id
	WHERE e.id IS NULL OR e.direction <> 'credit' OR e.amount <> p.amount OR e.user_id IS DISTINCT FROM p.user_id OR e.loyalty_currency_id <> p.loyalty_currency_id
		OR e.loyalty_rule_id IS DISTINCT FROM p.loyalty_rule_id OR e.organization_id <> p.organization_id OR e.website_id <> p.website_id LIMIT ?`
