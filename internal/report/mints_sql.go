package report

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/store"
)

// MintFilter limits a list of mints.
type MintFilter struct {
	Users     UserFilter
	Statuses  []string
	AssetIDs  []laurel.ID
	AuctionID laurel.ID // the auction in which they were won; zero: any
	Unpaid    bool      // only mints that are not paid in full, because they were minted after they had failed
}

// Mints returns one page of mints, newest first (contract 5.19). Errors: Invalid for an unknown cursor.
func (s *Service) Mints(
	ctx context.Context,
	scope laurel.Scope,
	f MintFilter,
	page laurel.PageRequest,
) (laurel.Page[minting.Mint], error) {
	if err := s.resolveGroups(ctx, scope, &f.Users); err != nil {
		return laurel.Page[minting.Mint]{}, err
	}
	var w store.Where
	if len(f.AssetIDs) == 0 && f.AuctionID.IsZero() {
		s.whereTenantOf(&w, "t.", scope, f.Users)
	} else {
		w.Tenant(s.db.Engine().NoIndexPrefix()+"t.", scope) // the index of the asset or auction finds fewer rows
	}
	store.In(&w, "t.minting_asset_id", f.AssetIDs)
	if !f.AuctionID.IsZero() {
		w.Add("t.auction_id = ?", f.AuctionID)
	}
	if f.Unpaid {
		w.Add("(t.unpaid_amount > 0 OR t.unpaid_quantity > 0)")
	}
	whereUsers(&w, "t.user_id", "t.website_id", scope, f.Users)
	store.In(&w, "t.status", f.Statuses)
	return minting.MintTable.Page(ctx, s.db, newestRows(scope, "t.", &w), page)
}
