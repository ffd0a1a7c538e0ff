package minting

import (
	"math"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// assets is the table of assets for Works, with their stock.
var assets = &store.Table[laurel.ID, Asset]{
	Name: "minting assets", Rank: store.LockRankStock,
	Compare:    laurel.ID.Compare,
	Query:      selectStock,
	Key:        store.Columns("id uuid"),
	Args:       func(id laurel.ID) []any { return []any{id} },
	KeyOf:      func(a *Asset) laurel.ID { return a.ID },
	New:        func(laurel.ID) *Asset { return &Asset{} },
	Save:       saveStock,
	HasHotRows: true,
}

// ErrSoldOut refuses a quantity that the stock does not have.
func ErrSoldOut() error { return laurel.Errorf(laurel.Refused, "Not enough quantity left") }

func errNoAsset() error { return laurel.Missing("Asset") }

// Stock is the stock of one asset for Works of any package: the Work names the Lock, and calls the other methods in its
// Judge. Reserved items are either returned or minted (Award), once.
type Stock struct{ AssetID laurel.ID }

// Lock names the row of the stock.
func (s Stock) Lock() store.Lock { return assets.Lock(s.AssetID) }

// Available returns nil if the live asset of the scope has n items left. Errors: NotFound "Asset"; ErrSoldOut. It
// stages nothing.
func (s Stock) Available(b *store.Batch, scope laurel.Scope, n int64) error {
	switch r := assets.Row(b, s.AssetID); {
	case !r.isLive(scope):
		return errNoAsset()
	case !r.hasRemaining(n):
		return ErrSoldOut()
	}
	return nil
}

// Reserve takes n items of the live asset out of the stock for later. If it returns an error of Available, it has
// changed nothing.
func (s Stock) Reserve(b *store.Batch, scope laurel.Scope, n int64) error {
	if err := s.Available(b, scope, n); err != nil {
		return err
	}
	s.reserve(b, n)
	return nil
}

func (s Stock) reserve(b *store.Batch, n int64) { assets.Changed(b, s.AssetID).Reserved += n }

// Return puts n reserved items back into the stock, even if the asset was deleted meanwhile.
func (s Stock) Return(b *store.Batch, n int64) { assets.Changed(b, s.AssetID).Reserved -= n }

// mintReserved turns n reserved items into minted ones and records the change of the asset, even if the asset was
// deleted meanwhile.
func (s Stock) mintReserved(b *store.Batch, n int64) {
	r := assets.Changed(b, s.AssetID)
	r.Reserved -= n
	r.Minted += n
	r.UpdatedAt.Time = b.NowAfter(r.UpdatedAt.Time)
	feed.Changes.Add(b, r.change(feed.Updated))
}

// hasRemaining reports whether n items are left.
func (a *Asset) hasRemaining(n int64) bool { return n <= a.remaining() }

// remaining returns how many items can still be reserved.
func (a *Asset) remaining() int64 {
	if a.Unlimited {
		return math.MaxInt64
	}
	return a.Quantity - a.Minted - a.Reserved
}

// isLive reports whether there is such an asset in the scope, and it is live.
func (a *Asset) isLive(scope laurel.Scope) bool {
	return !a.ID.IsZero() && a.DeletedAt.IsZero() && a.OrganizationID == scope.OrganizationID &&
		(scope.WebsiteID.IsZero() || a.WebsiteID == scope.WebsiteID)
}
