package audit

import (
	"context"
	"fmt"

	"laurel.example/laurel/internal/store"
)

// verifyAuctions checks six things. A live bid is one with the status accepted, whose amount the auction holds.
//   - An auction holds the amounts of its live bids.
//   - Each bidder with a live bid has paid its amount.
//   - Each winner has paid the price.
//   - The best bids have won.
//   - Each auction that must be closed or refunded has a time (due_at) at which a background job does so.
//   - The concealed amounts of accounts are the sums that hidden bids hold.
func verifyAuctions(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	for _, query := range []string{
		biddersWithoutBid, acceptedBidsNotHeld, auctionCounts, auctionBests, auctionEnds, bidWins, winMints, mintWins,
		bidsPaid(q.Engine()), bidsOverpaid(q.Engine()), entriesOfMissingBids(q.Engine()),
		concealedSums(q.Engine()), bidEntries, bidEntriesGone(q.Engine()),
	} {
		if err := addFindings(ctx, q, report, query); err != nil {
			return err
		}
	}
	return nil
}

const biddersWithoutBid = `SELECT s.organization_id AS organization,
		'auction ' || CAST(s.auction_id AS TEXT) || ': what it holds of user ' || CAST(s.user_id AS TEXT) || ' is not the bid that it names' AS problem
	FROM auction_bidders s LEFT JOIN auction_bids b ON b.id = s.bid_id
	WHERE s.bid_id IS NULL AND s.amount <> 0 OR s.bid_id IS NOT NULL AND (b.id IS NULL OR b.status <> 'accepted'
		OR b.auction_id <> s.auction_id OR b.user_id <> s.user_id OR b.amount <> s.amount OR b.place <> s.place) LIMIT ?`

const acceptedBidsNotHeld = `SELECT b.organization_id AS organization, 'bid ' || CAST(b.id AS TEXT) || CASE
		WHEN b.status = 'accepted' THEN ': it is accepted, and nothing is held for it' ELSE ': it has no such status' END AS problem
	FROM auction_bids b LEFT JOIN auction_bidders s ON s.auction_id = b.auction_id AND s.user_id = b.user_id AND s.bid_id = b.id
	WHERE b.status = 'accepted' AND s.bid_id IS NULL OR b.status NOT IN ('accepted', 'rejected', 'fulfilled') LIMIT ?`

const auctionCounts = `SELECT a.organization_id AS organization, 'auction ' || CAST(a.id AS TEXT) || ': it has not as many bids or items as it says' AS problem
	FROM auctions a WHERE a.bids <> (SELECT COUNT(*) FROM auction_bids b WHERE b.auction_id = a.id)
		OR a.items <> (SELECT COUNT(*) FROM auction_items i WHERE i.auction_id = a.id) LIMIT ?`

// auctionBests finds english auctions that hold another bid than the best one, and sealed ones with a best bid.
const auctionBests = `SELECT a.organization_id AS organization, 'auction ' || CAST(a.id AS TEXT) || ': its best bid is not the one that it holds' AS problem
	FROM auctions a WHERE a.type <> 'english' AND a.best_amount <> 0
		OR a.type = 'english' AND (a.best_amount <> COALESCE((SELECT MAX(b.amount) FROM auction_bids b WHERE b.auction_id = a.id), 0)
			OR (SELECT COUNT(*) FROM auction_bidders s WHERE s.auction_id = a.id AND s.bid_id IS NOT NULL) > 1
			OR a.status = 'in_progress' AND a.bids > 0 AND NOT EXISTS (SELECT 1 FROM auction_bidders s
				WHERE s.auction_id = a.id AND s.user_id = a.best_user_id AND s.bid_id IS NOT NULL AND s.amount = a.best_amount)) LIMIT ?`

const auctionEnds = `SELECT a.organization_id AS organization, 'auction ' || CAST(a.id AS TEXT) || CASE
		WHEN a.status NOT IN ('in_progress', 'completed', 'cancelled') THEN ': it has no such status'
		WHEN a.status = 'in_progress' AND a.due_at IS NULL THEN ': nobody will end it'
		WHEN a.status = 'in_progress' THEN ': the stock of its items is not reserved'
		WHEN a.status = 'completed' AND a.items_reserved THEN ': it has ended and reserves its items all the same'
		ELSE ': it is over, and nobody will give back what it holds' END AS problem
	FROM auctions a WHERE a.status NOT IN ('in_progress', 'completed', 'cancelled')
		OR a.status = 'in_progress' AND (a.due_at IS NULL OR NOT a.items_reserved) OR a.status = 'completed' AND a.items_reserved
		OR a.status <> 'in_progress' AND a.due_at IS NULL AND (a.items_reserved
			OR EXISTS (SELECT 1 FROM auction_bidders s WHERE s.auction_id = a.id AND s.bid_id IS NOT NULL)) LIMIT ?`

// lastBids is the subquery for the last bid of each member; n numbers those of an auction, the best first.
const lastBids = `(SELECT l.*, ROW_NUMBER() OVER w AS n, SUM(CASE WHEN l.status = 'fulfilled' THEN 1 ELSE 0 END) OVER w AS won,
		LEAD(l.amount) OVER w AS lower
	FROM (SELECT b.*, ROW_NUMBER() OVER (PARTITION BY b.auction_id, b.user_id ORDER BY b.place DESC) AS latest FROM auction_bids b) l
	WHERE l.latest = 1 WINDOW w AS (PARTITION BY l.auction_id ORDER BY l.amount DESC, l.place))`

// bidWins finds bids that have won although they are not among the best, or have won another item than that of their
// rank. It ignores the reserve price, which may change later.
const bidWins = `SELECT b.organization_id AS organization, 'bid ' || CAST(b.id AS TEXT) || ': it has won what it does not win' AS problem
	FROM auction_bids b JOIN auctions a ON a.id = b.auction_id LEFT JOIN ` + lastBids + ` l ON l.id = b.id
	LEFT JOIN (SELECT i.id, i.auction_id, ROW_NUMBER() OVER (PARTITION BY i.auction_id ORDER BY i.sort_id, i.id) AS n FROM auction_items i) i
		ON i.auction_id = b.auction_id AND i.n = l.n
	WHERE b.status = 'fulfilled' AND (a.status <> 'completed' OR l.id IS NULL OR l.won <> l.n OR i.id IS NULL OR b.auction_item_id IS DISTINCT FROM i.id) LIMIT ?`

const winMints = `SELECT b.organization_id AS organization, 'bid ' || CAST(b.id AS TEXT) || ': there is not one mint of what it won' AS problem
	FROM auction_bids b JOIN auction_items i ON i.id = b.auction_item_id
	WHERE b.status = 'fulfilled' AND (SELECT COUNT(*) FROM minting_mints m WHERE m.user_id = b.user_id AND m.auction_id = b.auction_id
		AND m.minting_asset_id = i.minting_asset_id AND m.quantity = i.quantity) <> 1 LIMIT ?`

const mintWins = `SELECT m.organization_id AS organization, 'mint ' || CAST(m.id AS TEXT) || ': nobody won it' AS problem
	FROM minting_mints m LEFT JOIN auction_bids b ON b.auction_id = m.auction_id AND b.user_id = m.user_id AND b.status = 'fulfilled'
	WHERE m.auction_id IS NOT NULL AND b.id IS NULL LIMIT ?`

// paidForBids returns the FROM clause for the entries of bids (alias e), with their bids (b) and auctions (a).
func paidForBids(engine store.Engine) string {
	return fmt.Sprintf(`FROM %s JOIN auction_bids b ON b.id = %s
		JOIN auctions a ON a.id = b.auction_id AND a.loyalty_currency_id = e.loyalty_currency_id WHERE %s`,
		entriesOfType, idInMetadata(engine, 69), typeIs("auction_bid"))
}

// paidInAuctions returns the subquery for what each member has paid in each auction: debits minus refunds.
func paidInAuctions(engine store.Engine) string {
	return `(SELECT b.auction_id, b.user_id, ` + sumOf(engine, "CASE WHEN e.direction = 'debit' THEN e.amount ELSE -e.amount END") + ` AS total ` +
		paidForBids(engine) + ` GROUP BY b.auction_id, b.user_id)`
}

// bidsPaid returns the query for members who have not paid exactly what they owe: a winner the price, any other bidder
// the amount of the live bid. The price of a second_price auction is only bounded: it is at least the next lower bid (a
// reserve price may have made it higher), and at most the winner's bid. The query also finds members whose last bid in
// a sealed auction under way is not held.
func bidsPaid(engine store.Engine) string {
	return `SELECT l.organization_id AS organization, 'auction ' || CAST(l.auction_id AS TEXT) || ': user ' || CAST(l.user_id AS TEXT) || CASE
			WHEN l.status = 'fulfilled' THEN ' has not paid the price of what it won'
			WHEN a.status = 'in_progress' AND a.type <> 'english' AND l.status <> 'accepted' THEN ' has a bid that is not held before the end'
			ELSE ' has not paid what is held' END AS problem
		FROM ` + lastBids + ` l JOIN auctions a ON a.id = l.auction_id
		LEFT JOIN auction_bidders s ON s.auction_id = l.auction_id AND s.user_id = l.user_id
		LEFT JOIN ` + paidInAuctions(engine) + ` p ON p.auction_id = l.auction_id AND p.user_id = l.user_id
		WHERE a.status = 'in_progress' AND a.type <> 'english' AND l.status <> 'accepted' OR CASE
			WHEN l.status <> 'fulfilled' THEN COALESCE(p.total, 0) <> COALESCE(s.amount, 0)
			WHEN a.type <> 'second_price' THEN COALESCE(p.total, 0) <> l.amount
			ELSE COALESCE(p.total, 0) < COALESCE(l.lower, 1) OR p.total > l.amount END LIMIT ?`
}

// bidsOverpaid returns the query for accounts that were refunded more than they had paid in an auction.
func bidsOverpaid(engine store.Engine) string {
	return `SELECT e.loyalty_account_id AS account, 'it got back more than it paid in auction ' || CAST(b.auction_id AS TEXT) AS problem ` +
		paidForBids(engine) + ` GROUP BY e.loyalty_account_id, b.auction_id, b.user_id
		HAVING ` + sumOf(engine, "CASE WHEN e.direction = 'debit' THEN e.amount ELSE -e.amount END") + ` < 0 LIMIT ?`
}

// entriesOfMissingBids returns the query for entries that name a bid that does not exist or is of another auction.
func entriesOfMissingBids(engine store.Engine) string {
	return fmt.Sprintf(`SELECT e.loyalty_transaction_id AS txn, 'it moves points for a bid that is not there' AS problem
		FROM %s LEFT JOIN auction_bids b ON b.id = %s WHERE %s AND (b.id IS NULL OR b.auction_id IS DISTINCT FROM %s) LIMIT ?`,
		entriesOfType, idInMetadata(engine, 69), typeIs("auction_bid"), idInMetadata(engine, 15))
}
