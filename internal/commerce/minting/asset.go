package minting

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/evm"
	"laurel/internal/feed"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// Asset is an item that a minting contract offers (contract 3.25).
type Asset struct {
	ID               laurel.ID
	OrganizationID   laurel.ID
	WebsiteID        laurel.ID
	ContractID       laurel.ID
	Nr               int64 // 1, 2, ... in its contract
	Name             string
	Description      *string
	ImageURL         *string
	AnimationURL     *string
	Metadata         json.RawMessage // an object, as it was sent; nil: none, or not read
	Price            laurel.Amount   // of one
	CurrencyID       laurel.ID       // zero: the price is paid on a blockchain
	CurrencyAddress  *string
	CurrencyDecimals *int64
	Quantity         int64
	Unlimited        bool
	Minted           int64
	Reserved         int64 // by mints under way, and by auctions
	IsListed         bool
	IsHidden         bool
	IsPhygital       bool
	CollectsUserInfo bool
	CollectInfoType  *string
	ListingStartsAt  *time.Time
	ListingEndsAt    *time.Time
	IsAllowlisted    bool
	TokenID          *int64
	RevealedAt       time.Time // zero: not revealed
	CreatedAt        time.Time
	UpdatedAt        time.Time
	DeletedAt        time.Time // zero while live
}

// InfoTypes lists the types of information that an asset may collect from its buyers (contract 2).
func InfoTypes() []string { return []string{customInput, freeText, shippingDetails} }

const (
	customInput     = "customInput"
	freeText        = "freeText"
	shippingDetails = "shippingDetails"
)

// CreateAsset adds an asset to a contract of the scope. Errors: Invalid, also for an unknown currency; NotFound
// "Minting contract".
func (s *Service) CreateAsset(ctx context.Context, scope laurel.Scope, in AssetInput) (Asset, error) {
	var a Asset
	var f laurel.Faults
	in.applyToNew(&a, &f)
	if err := f.Err(); err != nil {
		return Asset{}, err
	}
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		c, err := readContract(ctx, tx, scope, in.ContractID.Value, tx.ForUpdate())
		if err != nil {
			return err
		}
		a.ContractID, a.OrganizationID, a.WebsiteID = c.ID, c.OrganizationID, c.WebsiteID
		if err := in.checkAgainstContract(ctx, tx, c, a); err != nil {
			return err
		}
		if a.Nr, err = nextAssetNumber(ctx, tx, c.ID); err != nil {
			return err
		}
		a.ID, a.CreatedAt, a.UpdatedAt = tx.NewID(), tx.Now(), tx.Now()
		if err := insertAsset(ctx, tx, a); err != nil {
			return err
		}
		return feed.Record(ctx, tx, a.change(feed.Created))
	})
	return a, err
}

// UpdateAsset changes the properties that are in the input, except its contract. Errors: NotFound "Asset"; Invalid,
// also for a quantity below what is minted or reserved.
func (s *Service) UpdateAsset(ctx context.Context, scope laurel.Scope, id laurel.ID, in AssetInput) (Asset, error) {
	return s.changeAsset(ctx, scope, id, func(tx *store.Tx, a *Asset, reserved int64) (feed.Action, error) {
		var f laurel.Faults
		in.apply(a, &f)
		if taken := a.Minted + reserved; in.Quantity.Set || in.Unlimited.Set {
			if !a.Unlimited && a.Quantity < taken {
				f.Add("quantity", "must be at least %d, which are minted or reserved", taken)
			}
		}
		if err := f.Err(); err != nil {
			return "", err
		}
		c, err := readContract(ctx, tx, scope, a.ContractID, "")
		if err != nil {
			return "", err
		}
		return feed.Updated, in.checkAgainstContract(ctx, tx, c, *a)
	})
}

// DeleteAsset deletes an asset. Open mints continue. Errors: NotFound "Asset".
func (s *Service) DeleteAsset(ctx context.Context, scope laurel.Scope, id laurel.ID) (Asset, error) {
	return s.changeAsset(ctx, scope, id, func(tx *store.Tx, a *Asset, _ int64) (feed.Action, error) {
		a.DeletedAt = tx.Now()
		return feed.Deleted, nil
	})
}

// changeAsset locks a live asset, applies edit to it, saves it, and records the change in the feed. edit gets how many
// items are reserved, and returns the action to record. If it returns an error, nothing changes.
func (s *Service) changeAsset(
	ctx context.Context, scope laurel.Scope, id laurel.ID,
	edit func(tx *store.Tx, a *Asset, reserved int64) (feed.Action, error),
) (a Asset, err error) {
	err = s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		r, err := lockAsset(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		a = r.asset()
		if err := scope.CheckUnchanged(a.ID, a.UpdatedAt); err != nil {
			return err
		}
		action, err := edit(tx, &a, r.Reserved)
		if err != nil {
			return err
		}
		a.UpdatedAt = tx.NowAfter(a.UpdatedAt)
		if err := updateAsset(ctx, tx, a); err != nil {
			return err
		}
		return feed.Record(ctx, tx, a.change(action))
	})
	return a, err
}

// checkAgainstContract returns a fault if an asset of an OFFCHAIN contract has no currency, and if the currency
// in the input cannot be used to pay: it is unknown, is a token reward's, or has its balances on an external ledger.
func (in AssetInput) checkAgainstContract(ctx context.Context, tx *store.Tx, c Contract, a Asset) error {
	var f laurel.Faults
	if c.Kind == Offchain && a.CurrencyID.IsZero() {
		f.Add("loyaltyCurrencyId", "is required")
	}
	if in.CurrencyID.Set && !a.CurrencyID.IsZero() {
		scope := laurel.Scope{OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID}
		currency, live, err := ledger.CurrencyIn(ctx, tx, scope, a.CurrencyID)
		switch {
		case err != nil:
			return err
		case !live:
			f.AddText("loyaltyCurrencyId", "Loyalty currency not found")
		case currency.IsTokenRewardCurrency:
			f.Add("loyaltyCurrencyId", "must not be the currency of a token reward")
		case currency.API.PostURL != nil:
			f.Add("loyaltyCurrencyId", "must not be a currency on an external ledger")
		}
	}
	return f.Err()
}

// change returns the change of the asset for the feed.
func (a Asset) change(action feed.Action) feed.Change {
	return feed.Change{
		OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID, EntityID: a.ID,
		Table: feed.TableMintingAsset, Action: action,
	}
}

// Asset returns a live asset with its metadata. Errors: NotFound "Asset".
func (s *Service) Asset(ctx context.Context, scope laurel.Scope, id laurel.ID) (Asset, error) {
	return readAsset(ctx, s.DB, scope, id)
}

// The orders of assets (contract 2).
const (
	ByPrice    = "price"
	ByStartsAt = "startsAt"
	ByNr       = "assetNr"
)

// AssetFilter narrows a list of assets; everything set must hold.
type AssetFilter struct {
	IDs          []laurel.ID
	ContractIDs  []laurel.ID
	Address      string // of the contract, as it is stored
	Network      string
	Native       *bool // paid on a blockchain, not in points
	Listed       *bool
	WithHidden   bool
	WithDeleted  bool
	WithMetadata bool
	Active       bool // listed, with its contract, and inside its window
	Past         bool // its window is over
	TokenIDs     []int64
	MintedBy     []string // wallets
	SortBy       string   // "": the newest first
	Ascending    bool
}

// Assets returns a page of the assets that meet the filter, in its order; without one, newest first. Errors: Invalid
// for an unknown cursor.
func (s *Service) Assets(
	ctx context.Context, scope laurel.Scope, f AssetFilter, page laurel.PageRequest,
) (laurel.Page[Asset], error) {
	f.Address = evm.Normalize(f.Address)
	rows, err := listAssets(ctx, s.DB, scope, f, page)
	return laurel.MapPage(rows, assetRow.asset), err
}
