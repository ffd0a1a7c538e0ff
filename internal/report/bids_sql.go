package report

import (
	"context"
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/store"
)

// Bid is a bid with its auction and item (contract 3.27).
type Bid struct {
	ID              laurel.ID            `db:"id"`
	OrganizationID  laurel.ID            `db:"organization_id"`
	WebsiteID       laurel.ID            `db:"website_id"`
	AuctionID       laurel.ID            `db:"auction_id"`
	AuctionName     string               `db:"auction_name"`
	UserID          laurel.ID            `db:"user_id"`
	Wallet          *string              `db:"wallet_address"`
	Amount          laurel.Amount        `db:"amount"`
	Status          string               `db:"status"`
	CurrencyID      laurel.ID            `db:"loyalty_currency_id"`
	CurrencyAddress *string              `db:"currency_address"`
	ItemID          laurel.ID            `db:"auction_item_id"` // zero: none
	ItemQuantity    *int64               `db:"item_quantity"`
	AssetID         laurel.ID            `db:"minting_asset_id"`
	IsPhygital      *bool                `db:"is_phygital_item"`
	TokenID         *int64               `db:"token_id"`
	RevealedAt      laurel.NullTimestamp `db:"revealed_at"` // when the asset of its item was revealed
	CreatedAt       laurel.Timestamp     `db:"created_at"`
	UpdatedAt       laurel.Timestamp     `db:"updated_at"`
}

// BidFilter limits a list of bids.
type BidFilter struct {
	Users     UserFilter
	IDs       []laurel.ID
	AuctionID laurel.ID // zero: any
	Statuses  []string
	// OnlyVisible hides the bids that only secret keys may see: hidden bids of other members.
	OnlyVisible bool
	Member      laurel.ID // the member whose token the request has; zero: none
	Ascending   bool      // lowest first
	Skip        int
}

const (
	fromBids  = " FROM auction_bids b JOIN auctions a ON a.id = b.auction_id"
	selectBid = `SELECT b.id, b.organization_id, b.website_id, b.auction_id, a.name AS auction_name, b.user_id,
	u.wallet_address, b.amount, b.status, a.loyalty_currency_id, a.currency_address, b.auction_item_id,
	i.quantity AS item_quantity, i.minting_asset_id, m.is_phygital_item, m.token_id, m.revealed_at, b.created_at,
	b.updated_at` + fromBids + ` JOIN users u ON u.id = b.user_id LEFT JOIN auction_items i ON i.id = b.auction_item_id
	LEFT JOIN minting_assets m ON m.id = i.minting_asset_id`
)

// bidsWhere returns the conditions of the filter. It first looks up the filter's groups, which it sets in f.
func (s *Service) bidsWhere(ctx context.Context, scope laurel.Scope, f *BidFilter) (*store.Where, error) {
	if err := s.resolveGroups(ctx, scope, &f.Users); err != nil {
		return nil, err
	}
	w := &store.Where{}
	if f.AuctionID.IsZero() && len(f.IDs) == 0 {
		s.whereTenantOf(w, "b.", scope, f.Users)
	} else {
		w.Tenant(s.db.Engine().NoIndexPrefix()+"b.", scope) // the index of the auction or the ids finds fewer rows
	}
	store.In(w, "b.id", f.IDs)
	if !f.AuctionID.IsZero() {
		w.Add("b.auction_id = ?", f.AuctionID)
	}
	store.In(w, "b.status", f.Statuses)
	whereUsers(w, "b.user_id", "b.website_id", scope, f.Users)
	if f.OnlyVisible {
		w.Add("(b.user_id = ? OR NOT a.hide_bids AND (a.type = '"+auctions.English+"' OR a.status <> '"+
			auctions.InProgress+"'))", f.Member)
	}
	return w, nil
}

// Bids returns one page of bids, sorted by amount: the highest first unless Ascending. The page begins after the cursor
// or, if Skip is set, after as many further bids. Errors: Invalid for an unknown cursor.
func (s *Service) Bids(
	ctx context.Context,
	scope laurel.Scope,
	f BidFilter,
	page laurel.PageRequest,
) (laurel.Page[Bid], error) {
	none := laurel.PageOf[Bid](nil, page.Limit)
	w, err := s.bidsWhere(ctx, scope, &f)
	if err != nil {
		return none, err
	}
	if !page.StartingAfter.IsZero() {
		cursorFilter := BidFilter{IDs: []laurel.ID{page.StartingAfter}, OnlyVisible: f.OnlyVisible, Member: f.Member}
		whereCursor, err := s.bidsWhere(ctx, scope, &cursorFilter)
		if err != nil {
			return none, err
		}
		var after bidPosition
		err = s.db.Get(
			ctx,
			&after,
			"SELECT b.id, b.amount, b.created_at, b.place"+fromBids+whereCursor.String(),
			whereCursor.Args...)
		if store.IsNoRows(err) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		f.addAfter(w, after)
	}
	query, args := selectBid+w.String()+f.orderBy(), w.Args
	if f.Skip == 0 {
		return store.SelectPage[Bid](ctx, s.db, page.Limit, query, args...)
	}
	rows, next, err := store.SelectWithinBudget[Bid](
		ctx, s.db, query+" LIMIT ? OFFSET ?", append(args, page.Limit+1, f.Skip)...)
	out := laurel.PageOf(rows, page.Limit)
	out.HasNextPage = out.HasNextPage || next != nil
	return out, err
}

// bidPosition is the position of a bid in lists of bids.
type bidPosition struct {
	ID        laurel.ID     `db:"id"`
	Amount    laurel.Amount `db:"amount"`
	CreatedAt int64         `db:"created_at"`
	Place     int64         `db:"place"`
}

// orderBy returns the ORDER BY of the list: by amount, and of equal bids the earlier one first, in either direction.
// Within an auction the place says which bid was earlier, since clocks of nodes differ and bids of one commit have the
// same time.
func (f *BidFilter) orderBy() string {
	ties := ", b.created_at, b.place, b.id"
	if !f.AuctionID.IsZero() {
		ties = ", b.place"
	}
	if f.Ascending {
		return " ORDER BY b.amount" + ties
	}
	return " ORDER BY b.amount DESC" + ties
}

// addAfter adds the condition that a row comes after the position of a bid in the list.
func (f *BidFilter) addAfter(w *store.Where, after bidPosition) {
	comparison := "<"
	if f.Ascending {
		comparison = ">"
	}
	ties, args := "(b.created_at, b.place, b.id) > (?, ?, ?)", []any{after.CreatedAt, after.Place, after.ID}
	if !f.AuctionID.IsZero() {
		ties, args = "b.place > ?", []any{after.Place}
	}
	w.Add("b.amount "+comparison+"= ? AND (b.amount "+comparison+" ? OR "+ties+")",
		append([]any{after.Amount, after.Amount}, args...)...)
}

// CountBids returns how many bids match the filter.
func (s *Service) CountBids(ctx context.Context, scope laurel.Scope, f BidFilter) (n int64, err error) {
	w, err := s.bidsWhere(ctx, scope, &f)
	if err != nil {
		return 0, err
	}
	err = s.db.Get(ctx, &n, "SELECT COUNT(*)"+fromBids+w.String(), w.Args...)
	return n, err
}

// BidsByID returns the bids of the scope with these ids, in any order. Others are left out.
func (s *Service) BidsByID(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (out []Bid, err error) {
	if w := s.whereIDs("b.", scope, ids); w != nil {
		err = s.db.Select(ctx, &out, selectBid+w.String(), w.Args...)
	}
	return out, err
}

// GetCreatedBid returns a bid that was just created for the caller. If it is missing, the error is a fault.
func (s *Service) GetCreatedBid(ctx context.Context, scope laurel.Scope, id laurel.ID) (Bid, error) {
	b, there, err := s.createdBids.Get(ctx, id)
	if err == nil && (!there || b.OrganizationID != scope.OrganizationID) {
		err = fmt.Errorf("bid %s was made and is not there", id)
	}
	return b, err
}

// readBids reads bids by their ids for the loader.
func (s *Service) readBids(ctx context.Context, ids []laurel.ID) (map[laurel.ID]Bid, error) {
	var w store.Where
	store.InArray(&w, s.db, "b.id", "uuid", ids)
	var rows []Bid
	err := s.db.Select(ctx, &rows, selectBid+w.String(), w.Args...)
	out := make(map[laurel.ID]Bid, len(rows))
	for _, b := range rows {
		out[b.ID] = b
	}
	return out, err
}
