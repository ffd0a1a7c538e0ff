package audit

import (
	"context"

	"laurel.example/laurel/internal/store"
)

// verifyLots checks the lots, which say of which credits an account's balance still consists, against the entries
// (docs/decisions/0019). Lots are computed up to some version of an account: its open lots must sum to the balance at
// that version. Each lot must be a credit minus what debits took from it, and each debit must have taken its whole
// amount from lots.
func verifyLots(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	for _, query := range []string{lotSums, lotAmounts, lotCredits, lotDebits, lotReturns, lotSources, lotEnds} {
		if err := addFindings(ctx, q, report, query); err != nil {
			return err
		}
	}
	return nil
}

const lotSums = `SELECT k.loyalty_account_id AS account, NULL AS entry, CASE
		WHEN a.id IS NULL OR k.version > a.lock_version THEN 'its lots are worked out further than its entries go'
		ELSE 'its open lots do not sum to its balance' END AS problem
	FROM lot_accounts k LEFT JOIN loyalty_accounts a ON a.id = k.loyalty_account_id
	LEFT JOIN (SELECT loyalty_account_id, era, SUM(remaining) AS total FROM account_lots WHERE state = 'open' GROUP BY loyalty_account_id, era) l
		ON l.loyalty_account_id = k.loyalty_account_id AND l.era = k.era
	LEFT JOIN loyalty_transaction_entries e ON e.loyalty_account_id = k.loyalty_account_id AND e.lock_version = k.version AND e.user_id IS NOT NULL
	WHERE a.id IS NULL OR k.version > a.lock_version OR COALESCE(l.total, 0) <> COALESCE(e.end_amount, 0) LIMIT ?`

// lotAmounts leaves out held points, forfeited ones, and lots of currencies whose points do not expire.
const lotAmounts = `SELECT l.loyalty_account_id AS account, l.entry_id AS entry, 'lot ' || CAST(l.id AS TEXT) || ' is not what was taken from it and what is left' AS problem
	FROM account_lots l LEFT JOIN (SELECT lot_id, SUM(amount) AS taken FROM lot_allocations GROUP BY lot_id) t ON t.lot_id = l.id
	LEFT JOIN (SELECT lot_id, SUM(amount) AS back FROM lot_returns GROUP BY lot_id) r ON r.lot_id = l.id
	WHERE l.version IS NOT NULL AND l.amount <> l.remaining + COALESCE(t.taken, 0) - COALESCE(r.back, 0)
		OR l.state IN ('spent', 'expired') AND l.remaining <> 0 OR l.state = 'open' AND l.remaining = 0 OR l.version IS NULL AND t.taken IS NOT NULL LIMIT ?`

const lotCredits = `SELECT l.loyalty_account_id AS account, l.entry_id AS entry, CASE
		WHEN l.entry_id IS NULL THEN 'lot ' || CAST(l.id AS TEXT) || ' was given by no entry'
		WHEN e.id IS NULL THEN 'the credit of lot ' || CAST(l.id AS TEXT) || ' is gone'
		ELSE 'lot ' || CAST(l.id AS TEXT) || ' is not what its credit gave' END AS problem
	FROM account_lots l LEFT JOIN loyalty_transaction_entries e ON e.id = l.entry_id
	LEFT JOIN (SELECT entry_id, SUM(amount) AS back FROM lot_returns GROUP BY entry_id) r ON r.entry_id = l.entry_id
	WHERE l.entry_id IS NOT NULL AND (e.id IS NULL OR e.direction <> 'credit' OR e.amount <> l.amount + COALESCE(r.back, 0) OR e.loyalty_account_id <> l.loyalty_account_id
			OR l.version IS NOT NULL AND l.version <> e.lock_version)
		OR l.entry_id IS NULL AND l.state = 'released' LIMIT ?`

const lotDebits = `SELECT t.loyalty_account_id AS account, t.entry_id AS entry, 'lots do not add up to what the debit took from them' AS problem
	FROM (SELECT loyalty_account_id, entry_id, SUM(amount) AS taken FROM lot_allocations GROUP BY loyalty_account_id, entry_id) t
	LEFT JOIN loyalty_transaction_entries e ON e.id = t.entry_id
	WHERE e.id IS NULL OR e.direction <> 'debit' OR e.amount <> t.taken OR e.loyalty_account_id <> t.loyalty_account_id LIMIT ?`

// lotReturns finds credits that differ from what they returned to lots plus the new lot of the rest.
const lotReturns = `SELECT t.loyalty_account_id AS account, t.entry_id AS entry, 'lots do not add up to what the credit gave back' AS problem
	FROM (SELECT loyalty_account_id, entry_id, SUM(amount) AS back FROM lot_returns GROUP BY loyalty_account_id, entry_id) t
	LEFT JOIN loyalty_transaction_entries e ON e.id = t.entry_id LEFT JOIN account_lots l ON l.entry_id = t.entry_id
	WHERE e.id IS NULL OR e.direction <> 'credit' OR e.amount <> t.back + COALESCE(l.amount, 0) OR e.loyalty_account_id <> t.loyalty_account_id LIMIT ?`

// lotSources finds lots that got back more than they had paid for the same purpose, or got back another account's
// points. So returned points never expire later than the credit that they came from.
const lotSources = `SELECT r.loyalty_account_id AS account, NULL AS entry, 'lot ' || CAST(r.lot_id AS TEXT) || ' got back more than it paid' AS problem
	FROM (SELECT loyalty_account_id, lot_id, purpose, SUM(amount) AS back FROM lot_returns GROUP BY loyalty_account_id, lot_id, purpose) r
	LEFT JOIN (SELECT loyalty_account_id, lot_id, purpose, SUM(amount) AS taken FROM lot_allocations WHERE purpose IS NOT NULL
		GROUP BY loyalty_account_id, lot_id, purpose) t ON t.lot_id = r.lot_id AND t.purpose = r.purpose AND t.loyalty_account_id = r.loyalty_account_id
	WHERE r.back > COALESCE(t.taken, 0) LIMIT ?`

// lotEnds finds expired lots that were not debited by the entry that they name.
const lotEnds = `SELECT l.loyalty_account_id AS account, l.end_entry_id AS entry, 'lot ' || CAST(l.id AS TEXT) || ' was not ended by the entry that it names' AS problem
	FROM account_lots l LEFT JOIN lot_allocations t ON t.lot_id = l.id AND t.entry_id = l.end_entry_id
	WHERE (l.state = 'expired') <> (l.end_entry_id IS NOT NULL) OR l.end_entry_id IS NOT NULL AND t.lot_id IS NULL LIMIT ?`
