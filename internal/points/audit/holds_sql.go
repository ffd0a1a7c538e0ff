package audit

import (
	"context"
	"fmt"

	"laurel.example/laurel/internal/store"
)

// verifyHolds checks three things of each hold: its transaction debited its amount, its status allows its captured
// amount, and the rest was refunded at the moment when the hold ended. Callers may post order transactions of their own
// that name a hold, such as a later refund, so transactions of other moments are ignored. Only those that the service
// itself made (created_by_id is NULL) must be the end of an expired hold.
func verifyHolds(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	for _, query := range []string{
		holdStates, holdsTaken, holdsReturned(q.Engine()), holdsReturnedTwice(q.Engine()), holdsOverpaid(q.Engine()),
	} {
		if err := addFindings(ctx, q, report, query); err != nil {
			return err
		}
	}
	return nil
}

const holdStates = `SELECT organization_id AS organization, 'hold ' || CAST(id AS TEXT) || ': its status and what was captured do not fit' AS problem
	FROM loyalty_holds WHERE CASE status WHEN 'captured' THEN captured_amount < 1 OR captured_amount > amount
		WHEN 'held' THEN captured_amount <> 0 OR updated_at <> created_at
		ELSE captured_amount <> 0 OR status NOT IN ('released', 'expired') END LIMIT ?`

// holdsTaken finds holds whose transaction did not debit their amount. It reads the sums by the index of transactions.
const holdsTaken = `SELECT h.organization_id AS organization, 'hold ' || CAST(h.id AS TEXT) || ': its transaction did not take its amount' AS problem
	FROM loyalty_holds h LEFT JOIN loyalty_transactions t ON t.id = h.loyalty_transaction_id
	WHERE t.id IS NULL OR t.type <> 'order' OR t.website_id <> h.website_id OR t.organization_id <> h.organization_id
		OR h.amount <> COALESCE((SELECT SUM(e.amount) FROM loyalty_transaction_entries e WHERE e.loyalty_transaction_id = h.loyalty_transaction_id
			AND e.user_id IS NOT NULL AND e.direction = 'debit' AND e.loyalty_currency_id = h.loyalty_currency_id
			AND e.metadata = ` + holdMetadata + `), 0) LIMIT ?`

// holdMetadata is the SQL expression for the metadata of a hold h's entries.
const holdMetadata = `'{"loyaltyHoldId":"' || CAST(h.id AS TEXT) || '"}'`

// holdCredits is the subquery for the refunds of holds, by hold and moment.
func holdCredits(engine store.Engine) string {
	return `(SELECT e.metadata, t.created_at, e.loyalty_currency_id, ` + sumOf(engine, "e.amount") + ` AS total
		FROM ` + entriesOfType + ` JOIN loyalty_transactions t ON t.id = e.loyalty_transaction_id
		WHERE ` + typeIs("order") + ` AND e.direction = 'credit' AND e.metadata LIKE '{"loyaltyHoldId":"%'
		GROUP BY e.metadata, t.created_at, e.loyalty_currency_id)`
}

// holdsReturned returns the query for holds that did not refund, when they ended, the part that was not captured.
func holdsReturned(engine store.Engine) string {
	return `SELECT h.organization_id AS organization, 'hold ' || CAST(h.id AS TEXT) || ': it did not give back, as it ended, what it does not keep' AS problem
	FROM loyalty_holds h LEFT JOIN ` + holdCredits(engine) + ` b
		ON b.metadata = ` + holdMetadata + ` AND b.created_at = h.updated_at AND b.loyalty_currency_id = h.loyalty_currency_id
	WHERE COALESCE(b.total, 0) <> CASE WHEN h.status = 'held' THEN 0 ELSE h.amount - h.captured_amount END LIMIT ?`
}

// holdsReturnedTwice returns the query for refunds of holds that no caller made, and that are not the end of an expired
// hold.
func holdsReturnedTwice(engine store.Engine) string {
	return `SELECT DISTINCT e.loyalty_transaction_id AS txn, 'it gives points back for a hold that did not expire then' AS problem
	FROM ` + entriesOfType + ` JOIN loyalty_transactions t ON t.id = e.loyalty_transaction_id
	LEFT JOIN loyalty_holds h ON h.id = ` + idInMetadata(engine, 19) + `
	WHERE ` + typeIs("order") + ` AND e.direction = 'credit' AND t.created_by_id IS NULL AND e.metadata LIKE '{"loyaltyHoldId":"%'
		AND (h.id IS NULL OR h.status <> 'expired' OR h.updated_at <> t.created_at) LIMIT ?`
}

// holdsOverpaid returns the query for holds whose end refunded an account more than it had paid.
func holdsOverpaid(engine store.Engine) string {
	return fmt.Sprintf(`SELECT h.organization_id AS organization, 'hold ' || CAST(h.id AS TEXT) || ': an account got back more than it paid' AS problem
	FROM loyalty_holds h JOIN (SELECT e.metadata, %s AS total
		FROM %s JOIN loyalty_transactions t ON t.id = e.loyalty_transaction_id JOIN loyalty_holds h ON h.id = %s
		WHERE %s AND e.metadata LIKE '{"loyaltyHoldId":"%%' AND (e.loyalty_transaction_id = h.loyalty_transaction_id OR e.direction = 'credit' AND t.created_at = h.updated_at)
		GROUP BY e.metadata, e.loyalty_account_id) b ON b.metadata = %s WHERE b.total > 0 LIMIT ?`,
		sumOf(engine, "CASE WHEN e.direction = 'credit' THEN e.amount ELSE -e.amount END"), entriesOfType,
		idInMetadata(engine, 19), typeIs("order"), holdMetadata)
}

// entriesOfType is the FROM clause of queries for users' entries (alias e) of one transaction type. typeIs returns the
// condition that goes with it. Together they use the index that leaves out rewards, which are most of a ledger: SQLite
// keeps the order of a CROSS JOIN, so it looks entries up per website.
const entriesOfType = "websites site CROSS JOIN loyalty_transaction_entries e"

// typeIs returns the SQL condition for entriesOfType that limits the entries to one transaction type.
func typeIs(kind string) string {
	return "e.website_id = site.id AND e.type = '" + kind + "' AND e.type <> 'loyalty_rule' AND e.user_id IS NOT NULL"
}

// idInMetadata returns the SQL expression for the id in the JSON text of an entry's metadata that begins at the
// character with the given number, counted from 1. It has the type of id columns, so that their index is used.
func idInMetadata(engine store.Engine, start int) string {
	id := fmt.Sprintf("substr(e.metadata, %d, 36)", start)
	if engine == store.Postgres {
		// the pattern guards the cast: PostgreSQL would fail on a text that is no id, which someone may have written by hand
		return fmt.Sprintf("CASE WHEN %[1]s ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN CAST(%[1]s AS UUID) END", id)
	}
	return id
}
