package ledger

import (
	"context"

	"laurel.example/laurel/internal/store"
)

var insertBidEntry = store.Insert{Table: "bid_entries", Columns: store.Columns(
	`entry_id uuid, organization_id uuid, website_id uuid, auction_id uuid, bidder_id uuid, loyalty_currency_id uuid,
	loyalty_account_id uuid, user_id uuid, amount bigint, version bigint, created_at bigint, concealed boolean`,
)}

// insertBidEntries inserts rows of bid_entries, which record the entries that pay for bids or refund them. Entries of
// main accounts have no version.
func insertBidEntries(ctx context.Context, tx *store.Tx, rows []bidEntry) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		var version any
		if !r.UserID.IsZero() {
			version = r.LockVersion
		}
		values[i] = []any{
			r.ID, r.OrganizationID, r.WebsiteID, r.AuctionID, r.BidderID, r.CurrencyID, r.AccountID, r.UserID,
			signed(r.Direction, r.Amount), version, store.Micros(r.CreatedAt), r.Concealed,
		}
	}
	_, err := tx.InsertRows(ctx, insertBidEntry, values)
	return err
}

// deleteBidEntries deletes the bid_entries of each bid's bidder in its auction, or of all bidders if the bid names
// none.
func deleteBidEntries(ctx context.Context, tx *store.Tx, rows []Bid) error {
	for _, bid := range rows {
		var w store.Where
		w.Add("auction_id = ?", bid.AuctionID)
		if !bid.BidderID.IsZero() {
			w.Add("bidder_id = ?", bid.BidderID)
		}
		if _, err := tx.Exec(ctx, "DELETE FROM bid_entries"+w.String(), w.Args...); err != nil {
			return err
		}
	}
	return nil
}

// setBidsConcealed conceals the entries of all bids of each auction, or shows them, as Concealed says.
func setBidsConcealed(ctx context.Context, tx *store.Tx, rows []Bid) error {
	for _, bid := range rows {
		if _, err := tx.Exec(ctx, "UPDATE bid_entries SET concealed = ? WHERE auction_id = ?", bid.Concealed, bid.AuctionID); err != nil {
			return err
		}
	}
	return nil
}

var updateConcealed = store.Update{Table: "loyalty_accounts", Keys: store.Columns("id uuid"),
	Set: store.Columns("concealed_amount bigint")}

// saveConcealed writes the concealed amounts that have changed. It is a statement of its own, so that postings without
// bids do not pay for it.
func saveConcealed(ctx context.Context, tx *store.Tx, rows []*account) error {
	var changed [][]any
	for _, a := range rows {
		if a.concealedChanged {
			changed = append(changed, []any{a.ID, a.Concealed})
		}
	}
	_, err := tx.UpdateRows(ctx, updateConcealed, changed)
	return err
}
