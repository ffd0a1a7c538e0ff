package audit

import (
	"context"
	"fmt"

	"laurel.example/laurel/internal/store"
)

// verifyMints checks the mints. Each must have debited its price, and a failed one must have refunded it once. A
// corrected one must have debited it again, except for the unpaid part. An open one must have a time (due_at) at which
// a background job goes on with it.
func verifyMints(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	for _, query := range []string{mintStates, mintsPaid(q.Engine()), entriesOfMissingMints(q.Engine())} {
		if err := addFindings(ctx, q, report, query); err != nil {
			return err
		}
	}
	return nil
}

// mintStates finds mints in an impossible state. Only a corrected mint may be unpaid in part.
const mintStates = `SELECT organization_id AS organization, 'mint ' || CAST(id AS TEXT) || CASE
		WHEN status NOT IN ('generatingSignature', 'minting', 'minted', 'failed') THEN ': it has no such status'
		WHEN corrected_at IS NOT NULL AND status <> 'minted' THEN ': it was corrected and is not minted'
		WHEN status IN ('generatingSignature', 'minting') AND unpaid_amount = 0 AND unpaid_quantity = 0 THEN ': it is under way, and nobody will carry it on'
		ELSE ': what is unpaid of it cannot be' END AS problem
	FROM minting_mints WHERE status NOT IN ('generatingSignature', 'minting', 'minted', 'failed')
		OR due_at IS NULL AND (status = 'generatingSignature' OR status = 'minting' AND expires_at IS NOT NULL)
		OR corrected_at IS NOT NULL AND status <> 'minted'
		OR corrected_at IS NULL AND (unpaid_amount <> 0 OR unpaid_quantity <> 0)
		OR unpaid_amount < 0 OR unpaid_quantity < 0 OR unpaid_quantity > quantity LIMIT ?`

// pricePaidInPoints is the SQL expression for the price in points of a mint t that was bought.
const pricePaidInPoints = "CASE WHEN t.auction_id IS NULL AND t.loyalty_currency_id IS NOT NULL THEN COALESCE(t.price, 0) ELSE 0 END"

// takenByCorrection is the SQL expression for the amount that a corrected mint t took again.
const takenByCorrection = "CASE WHEN t.corrected_at IS NULL THEN 0 ELSE " + pricePaidInPoints + " + COALESCE(p.total, 0) - t.unpaid_amount END"

// mintsPaid returns the query for mints whose entries do not debit the price, or refund it although the mint did not
// fail, or do not refund it although it failed. A corrected mint must have both refunded and debited it again.
func mintsPaid(engine store.Engine) string {
	return fmt.Sprintf(`SELECT t.organization_id AS organization, 'mint ' || CAST(t.id AS TEXT) || CASE
			WHEN COALESCE(x.taken, 0) <> %[1]s + %[8]s THEN ': its price was not taken as it says'
			WHEN t.status = 'failed' OR t.corrected_at IS NOT NULL THEN ': what was paid for it did not go back' ELSE ': what was paid for it went back' END AS problem
		FROM minting_mints t LEFT JOIN (SELECT m.id, %[2]s AS taken, %[3]s AS back
			FROM %[6]s JOIN minting_mints m ON m.id = %[4]s AND m.loyalty_currency_id = e.loyalty_currency_id
			WHERE %[7]s GROUP BY m.id) x ON x.id = t.id
		LEFT JOIN %[5]s p ON p.auction_id = t.auction_id AND p.user_id = t.user_id
		WHERE COALESCE(x.taken, 0) <> %[1]s + %[8]s
			OR COALESCE(x.back, 0) <> CASE WHEN t.status <> 'failed' AND t.corrected_at IS NULL THEN 0 ELSE %[1]s + COALESCE(p.total, 0) END LIMIT ?`,
		pricePaidInPoints, sumOf(engine, "CASE WHEN e.direction = 'debit' THEN e.amount ELSE 0 END"),
		sumOf(engine, "CASE WHEN e.direction = 'credit' THEN e.amount ELSE 0 END"), idInMetadata(engine, 38), paidInAuctions(engine),
		entriesOfType, typeIs("direct_mint"), takenByCorrection)
}

// entriesOfMissingMints returns the query for entries that name a mint that does not exist.
func entriesOfMissingMints(engine store.Engine) string {
	return fmt.Sprintf(`SELECT e.loyalty_transaction_id AS txn, 'it moves points for a mint that is not there' AS problem
		FROM %s LEFT JOIN minting_mints m ON m.id = %s WHERE %s AND m.id IS NULL LIMIT ?`, entriesOfType, idInMetadata(engine, 38), typeIs("direct_mint"))
}

// verifyStock checks the stored numbers of minted and reserved items against the mints, and against the auctions that
// reserve items. There is one such number per asset, per user of an asset or contract, and per wallet of an allowlist.
func verifyStock(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	for _, query := range []string{
		stockSums(q.Engine()), countSums(q.Engine()), countsMissing, allowlistSums(q.Engine()), allowlistMissing,
	} {
		if err := addFindings(ctx, q, report, query); err != nil {
			return err
		}
	}
	return nil
}

// mintSums returns two SQL columns that sum up mints: minted, by the given expression for the quantity of a minted one,
// and reserved, the quantity of open mints.
func mintSums(engine store.Engine, minted string) string {
	return sumOf(engine, "CASE WHEN status = 'minted' THEN "+minted+" ELSE 0 END") + " AS minted, " +
		sumOf(engine, "CASE WHEN status IN ('generatingSignature', 'minting') THEN quantity ELSE 0 END") + " AS reserved"
}

// stockSums returns the query for assets whose minted or reserved quantity differs from their mints and auctions, or
// exceeds the stock.
func stockSums(engine store.Engine) string {
	return `SELECT t.organization_id AS organization, 'asset ' || CAST(t.id AS TEXT) || CASE
			WHEN t.quantity_minted <> COALESCE(m.minted, 0) THEN ': what is minted is not what its mints say'
			WHEN t.quantity_reserved <> COALESCE(m.reserved, 0) + COALESCE(r.quantity, 0) THEN ': what is reserved is not what mints and auctions say'
			ELSE ': more is minted or reserved than there is' END AS problem
		FROM minting_assets t
		LEFT JOIN (SELECT minting_asset_id, ` + mintSums(engine, "quantity - unpaid_quantity") + ` FROM minting_mints GROUP BY minting_asset_id) m ON m.minting_asset_id = t.id
		LEFT JOIN (SELECT i.minting_asset_id, ` + sumOf(engine, "i.quantity") + ` AS quantity FROM auction_items i
			JOIN auctions a ON a.id = i.auction_id WHERE a.items_reserved GROUP BY i.minting_asset_id) r ON r.minting_asset_id = t.id
		WHERE t.quantity_minted <> COALESCE(m.minted, 0) OR t.quantity_reserved <> COALESCE(m.reserved, 0) + COALESCE(r.quantity, 0)
			OR NOT t.unlimited_qty AND t.quantity_minted + t.quantity_reserved > t.quantity LIMIT ?`
}

// countedMints is the subquery for mints that count toward limits, once for their contract and once for their asset.
const countedMints = `(SELECT minting_contract_id AS subject_id, user_id, quantity, organization_id FROM minting_mints WHERE counted AND status <> 'failed'
	UNION ALL SELECT minting_asset_id, user_id, quantity, organization_id FROM minting_mints WHERE counted AND status <> 'failed')`

// countSums returns the query for users whose stored count of mints of a contract or an asset differs from their mints.
func countSums(engine store.Engine) string {
	return `SELECT c.organization_id AS organization, 'user ' || CAST(c.user_id AS TEXT) || ': what is counted of ' || CAST(c.subject_id AS TEXT) || ' is not what its mints say' AS problem
		FROM minting_counts c LEFT JOIN (SELECT subject_id, user_id, ` + sumOf(engine, "quantity") + ` AS total FROM ` + countedMints + ` k GROUP BY subject_id, user_id) m
			ON m.subject_id = c.subject_id AND m.user_id = c.user_id
		WHERE c.quantity <> COALESCE(m.total, 0) LIMIT ?`
}

const countsMissing = `SELECT DISTINCT m.organization_id AS organization, 'user ' || CAST(m.user_id AS TEXT) || ': nothing counts what it has of ' || CAST(m.subject_id AS TEXT) AS problem
	FROM ` + countedMints + ` m LEFT JOIN minting_counts c ON c.subject_id = m.subject_id AND c.user_id = m.user_id WHERE c.user_id IS NULL LIMIT ?`

// allowlistSums returns the query for wallets of allowlists whose minted or reserved quantity differs from their mints.
func allowlistSums(engine store.Engine) string {
	return `SELECT t.organization_id AS organization, 'allowlist of asset ' || CAST(t.minting_asset_id AS TEXT) || ', wallet ' || t.wallet_address || ': what is used is not what its mints say' AS problem
		FROM minting_allowlist t LEFT JOIN (SELECT minting_asset_id, wallet_address, ` + mintSums(engine, "quantity") + ` FROM minting_mints WHERE allowlisted
			GROUP BY minting_asset_id, wallet_address) m ON m.minting_asset_id = t.minting_asset_id AND m.wallet_address = t.wallet_address
		WHERE t.quantity_minted <> COALESCE(m.minted, 0) OR t.quantity_reserved <> COALESCE(m.reserved, 0) LIMIT ?`
}

const allowlistMissing = `SELECT m.organization_id AS organization, 'mint ' || CAST(m.id AS TEXT) || ': its wallet is not on the allowlist' AS problem
	FROM minting_mints m LEFT JOIN minting_allowlist t ON t.minting_asset_id = m.minting_asset_id AND t.wallet_address = m.wallet_address
	WHERE m.allowlisted AND m.status <> 'failed' AND t.id IS NULL LIMIT ?`
