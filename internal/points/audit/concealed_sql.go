package audit

import (
	"fmt"

	"laurel.example/laurel/internal/store"
)

// concealedSums returns the query for accounts whose concealed amount is not the sum of their concealed entries.
func concealedSums(engine store.Engine) string {
	return `SELECT a.id AS account, 'what is concealed of it is not what hidden bids hold' AS problem
		FROM loyalty_accounts a LEFT JOIN (SELECT x.loyalty_account_id, ` + sumOf(engine, "-x.amount") + ` AS total FROM bid_entries x
			WHERE x.concealed GROUP BY x.loyalty_account_id) x ON x.loyalty_account_id = a.id
		WHERE a.user_id IS NOT NULL AND a.concealed_amount <> COALESCE(x.total, 0) LIMIT ?`
}

// bidEntries finds rows of bid_entries that differ from their entry, or are not concealed as their auction requires.
const bidEntries = `SELECT x.organization_id AS organization, 'auction ' || CAST(x.auction_id AS TEXT) || CASE
		WHEN e.id IS NULL OR a.id IS NULL THEN ': it remembers an entry that is not there'
		WHEN a.due_at IS NULL THEN ': it is over, and conceals entries all the same'
		WHEN x.concealed <> (a.type <> 'english' OR a.hide_bids) THEN ': entries of its bids are not as hidden as it says'
		ELSE ': it remembers an entry as it is not' END AS problem
	FROM bid_entries x LEFT JOIN auctions a ON a.id = x.auction_id LEFT JOIN loyalty_transaction_entries e ON e.id = x.entry_id
	WHERE e.id IS NULL OR a.id IS NULL OR a.due_at IS NULL OR x.concealed <> (a.type <> 'english' OR a.hide_bids)
		OR x.loyalty_account_id <> e.loyalty_account_id OR x.user_id IS DISTINCT FROM e.user_id OR x.version IS DISTINCT FROM e.lock_version
		OR x.created_at <> e.created_at OR x.amount <> CASE e.direction WHEN 'credit' THEN e.amount ELSE -e.amount END LIMIT ?`

// bidEntriesGone returns the query for entries of bids in open auctions that have no row in bid_entries.
func bidEntriesGone(engine store.Engine) string {
	return fmt.Sprintf(`SELECT e.loyalty_transaction_id AS txn, 'it is for a bid in an open auction, which does not remember it' AS problem
		FROM %s JOIN auction_bids b ON b.id = %s JOIN auctions a ON a.id = b.auction_id LEFT JOIN bid_entries x ON x.entry_id = e.id
		WHERE %s AND a.status = 'in_progress' AND x.entry_id IS NULL LIMIT ?`, entriesOfType, idInMetadata(engine, 69), typeIs("auction_bid"))
}
