package auctions

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/store"
)

var (
	itemTable = store.NewRecords[Item]("auction_items", "Auction item").As("t")
	bidTable  = store.NewRecords[Bid]("auction_bids", "Auction bid").As("t")
)

// insertItems writes new items.
func insertItems(ctx context.Context, tx *store.Tx, items []*Item) error {
	_, err := itemTable.InsertAll(ctx, tx, items, "")
	return err
}

// findItem reads an item of the scope. Errors: NotFound "Auction item".
func findItem(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Item, error) {
	var w store.Where
	w.Add("t.id = ?", id)
	w.Tenant(q.Engine().NoIndexPrefix()+"t.", scope)
	return itemTable.Get(ctx, q, &w, "")
}

// listItems reads a page of the items of some auctions, sorted by sortId. Errors: Invalid for an unknown cursor.
func listItems(
	ctx context.Context, q store.Queryer, scope laurel.Scope, auctions []laurel.ID, page laurel.PageRequest,
) (laurel.Page[Item], error) {
	var w, cursors store.Where
	store.In(&w, "t.auction_id", auctions)
	w.Tenant(q.Engine().NoIndexPrefix()+"t.", scope)
	cursors.Tenant(q.Engine().NoIndexPrefix()+"t.", scope)
	return itemTable.Page(ctx, q, store.List{Where: &w, Cursors: &cursors, Order: []string{"t.sort_id", "t.id"}}, page)
}

// itemsOf reads all items of auctions, sorted by auction and sortId.
func itemsOf(ctx context.Context, q store.Queryer, scope laurel.Scope, auctions []laurel.ID) ([]Item, error) {
	keys := make([][]any, len(auctions))
	for i, id := range auctions {
		keys[i] = []any{id}
	}
	return store.SelectByKeys[Item](ctx, q, store.KeyedQuery{
		Columns: store.Columns("auction_id uuid"),
		Keys:    keys,
		Query: "SELECT " + itemTable.Columns() + ` FROM KEYS k JOIN auction_items t ON t.auction_id = k.auction_id
			WHERE t.organization_id = ? ORDER BY t.auction_id, t.sort_id, t.id`,
	}, scope.OrganizationID)
}

// bidderRow is a bidder of an auction with its live bid, for which points are held.
type bidderRow struct {
	AuctionID      laurel.ID     `db:"auction_id" update:"key"`
	UserID         laurel.ID     `db:"user_id" update:"key"`
	OrganizationID laurel.ID     `db:"organization_id"`
	WebsiteID      laurel.ID     `db:"website_id"`
	BidID          laurel.NullID `db:"bid_id"` // none: no live bid
	Amount         laurel.Amount `db:"amount"`
	Place          int64         `db:"place"`
	Parts          holds.Parts   `db:"parts"` // what each account has paid for it
	isNew          bool          // not in the database yet
}

var bidderTable = store.NewRecords[bidderRow]("auction_bidders", "Bidder").As("t")

// bestBidders reads the bidders with the highest live bids of an auction, highest first, up to the limit. Of equal bids
// the earlier one comes first.
func bestBidders(
	ctx context.Context, q store.Queryer, scope laurel.Scope, auction laurel.ID, limit int,
) (out []bidderRow, err error) {
	err = q.Select(ctx, &out, bidderTable.Query()+" WHERE t.auction_id = ? AND t.bid_id IS NOT NULL AND t.organization_id = ?"+
		" ORDER BY t.amount DESC, t.place LIMIT ?", auction, scope.OrganizationID, limit)
	return out, err
}

// biddersWithLiveBids reads the bidders for whose bids points are held, in order of their user ids, up to the limit.
func biddersWithLiveBids(
	ctx context.Context, q store.Queryer, scope laurel.Scope, auction laurel.ID, limit int,
) (out []bidderRow, err error) {
	err = q.Select(ctx, &out, bidderTable.Query()+" WHERE t.auction_id = ? AND t.bid_id IS NOT NULL AND t.organization_id = ?"+
		" ORDER BY t.user_id LIMIT ?", auction, scope.OrganizationID, limit)
	return out, err
}

// insertBids writes new bids.
func insertBids(ctx context.Context, tx *store.Tx, bids []*Bid) error {
	_, err := bidTable.InsertAll(ctx, tx, bids, "")
	return err
}

var (
	updateEndedBid = store.Update{
		Table: "auction_bids", Keys: store.Columns("id uuid"), Set: store.Columns("status text, updated_at bigint"),
	}
	updateWonBid = store.Update{
		Table: "auction_bids", Keys: store.Columns("id uuid"),
		Set: store.Columns("status text, updated_at bigint, auction_item_id uuid"),
	}
)

// updateBids writes the final statuses of bids, and the item that each winning bid has won.
func updateBids(ctx context.Context, tx *store.Tx, rows []endedBid) error {
	var ended, won [][]any
	for _, r := range rows {
		if r.ItemID.IsZero() {
			ended = append(ended, []any{r.BidID, r.Status, r.At})
		} else {
			won = append(won, []any{r.BidID, r.Status, r.At, r.ItemID})
		}
	}
	if _, err := tx.UpdateRows(ctx, updateEndedBid, ended); err != nil {
		return err
	}
	_, err := tx.UpdateRows(ctx, updateWonBid, won)
	return err
}

// bestBids reads the MaxTopBids highest bids of each auction, whatever their status, sorted by auction and amount. Of
// equal bids the earlier one comes first.
func bestBids(ctx context.Context, q store.Queryer, scope laurel.Scope, auctions []laurel.ID) ([]Bid, error) {
	keys := make([][]any, len(auctions))
	for i, id := range auctions {
		keys[i] = []any{id}
	}
	return store.SelectByKeys[Bid](ctx, q, store.KeyedQuery{
		Columns: store.Columns("auction_id uuid"),
		Keys:    keys,
		Query: "SELECT " + bidTable.Columns() + ` FROM KEYS k JOIN auction_bids t ON t.auction_id = k.auction_id
			WHERE t.id IN (SELECT b.id FROM auction_bids b WHERE b.auction_id = k.auction_id
			ORDER BY b.amount DESC, b.place LIMIT 10) AND t.organization_id = ?
			ORDER BY t.auction_id, t.amount DESC, t.place`,
	}, scope.OrganizationID)
}

// itemsOfAssets reads up to 100 auction items of each asset: the newest 100, oldest first.
func itemsOfAssets(ctx context.Context, q store.Queryer, scope laurel.Scope, assets []laurel.ID) ([]Item, error) {
	keys := make([][]any, len(assets))
	for i, id := range assets {
		keys[i] = []any{id}
	}
	return store.SelectByKeys[Item](ctx, q, store.KeyedQuery{
		Columns: store.Columns("minting_asset_id uuid"),
		Keys:    keys,
		Query: "SELECT " + itemTable.Columns() + ` FROM KEYS k JOIN auction_items t ON t.minting_asset_id = k.minting_asset_id
			WHERE t.id IN (SELECT i.id FROM auction_items i WHERE i.minting_asset_id = k.minting_asset_id
			ORDER BY i.id DESC LIMIT 100) AND t.organization_id = ? ORDER BY t.minting_asset_id, t.id`,
	}, scope.OrganizationID)
}
