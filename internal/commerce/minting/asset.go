package minting

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/store"
)

// Asset is an item that a minting contract offers (contract 3.25): a row of minting_assets.
type Asset struct {
	ID               laurel.ID            `db:"id" json:"id"`
	OrganizationID   laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID        laurel.ID            `db:"website_id" json:"websiteId"`
	ContractID       laurel.ID            `db:"minting_contract_id" json:"mintingContractId" update:"no" in:"create required"`
	Nr               int64                `db:"asset_nr" json:"assetNr" update:"no"` // 1, 2, ... in its contract
	Name             string               `db:"name" json:"name" in:"required min=1 max=1000"`
	Description      *string              `db:"description" json:"description" in:"max=10000"`
	ImageURL         *string              `db:"image_url" json:"imageUrl" in:"fileurl"`
	AnimationURL     *string              `db:"animation_url" json:"animationUrl" in:"fileurl"`
	Metadata         laurel.RawJSON       `db:"metadata" json:"metadata" in:"assetmetadata"` // an object, as it was sent; nil: none, or not read
	Price            laurel.Amount        `db:"price" json:"price" in:"required min=0" hint:"The price of one item: in loyaltyCurrencyId, else in the currency of the blockchain"`
	CurrencyID       laurel.NullID        `db:"loyalty_currency_id" json:"loyaltyCurrencyId" in:"" hint:"Needed in an OFFCHAIN contract"` // none: the price is paid on a blockchain
	CurrencyAddress  *string              `db:"currency_address" json:"currencyAddress" in:"address" hint:"ONCHAIN: the token that the price is in; null: the network's own"`
	CurrencyDecimals *int64               `db:"currency_decimals" json:"currencyDecimals" in:"min=0 max=36"`
	Quantity         int64                `db:"quantity" json:"quantity" in:"required min=0 max=1000000000000" hint:"In all, with those that are minted"` // sums of many stay whole numbers
	Unlimited        bool                 `db:"unlimited_qty" json:"unlimitedQty" in:""`
	Minted           int64                `db:"quantity_minted" json:"quantityMinted" update:"no"` // written by saveStock
	Reserved         int64                `db:"quantity_reserved" json:"-" update:"no"`            // by mints under way, and by auctions; written by saveStock
	IsListed         bool                 `db:"is_listed" json:"isListed" in:""`
	IsHidden         bool                 `db:"is_hidden" json:"isHidden" in:""`
	IsPhygital       bool                 `db:"is_phygital_item" json:"isPhygitalItem" in:""`
	CollectsUserInfo bool                 `db:"should_collect_user_info" json:"shouldCollectUserInfo" in:""`
	CollectInfoType  *string              `db:"collect_info_type" json:"collectInfoType" in:"infotype"`
	ListingStartsAt  laurel.NullTimestamp `db:"listing_starts_at" json:"listingStartsAt" in:""`
	ListingEndsAt    laurel.NullTimestamp `db:"listing_ends_at" json:"listingEndsAt" in:""`
	IsAllowlisted    bool                 `db:"is_allowlisted" json:"isAllowlisted" in:"" hint:"true: only wallets on the allowlist may mint"`
	TokenID          *int64               `db:"token_id" json:"tokenId" in:"min=0 max=9007199254740991"`
	RevealedAt       laurel.NullTimestamp `db:"revealed_at" json:"revealedAt" update:"no"` // none: not revealed
	CreatedAt        laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt        laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt        laurel.NullTimestamp `db:"deleted_at" json:"deletedAt"`
}

// AssetPatch is what a caller writes of an asset.
type AssetPatch = record.Patch[Asset]

var (
	_ = record.Define("infotype", record.OneOf(InfoTypes()...))
	_ = record.Define("assetmetadata", record.Bound[laurel.RawJSON]{
		Check: func(f *laurel.Faults, path string, text laurel.RawJSON) {
			if len(text) > 0 && text[0] != '{' {
				f.Add(path, "must be an object")
			}
			budget.CheckJSON(f, path, json.RawMessage(text), budget.Metadata)
		},
		Keywords: laurel.Keywords{"type": []string{"object", "null"}},
	})
)

// checkListing adds a fault for a listing that ends before it starts.
func (a *Asset) checkListing(f *laurel.Faults) {
	if !a.ListingStartsAt.IsZero() && !a.ListingEndsAt.IsZero() && !a.ListingEndsAt.After(a.ListingStartsAt.Time) {
		f.Add("listingEndsAt", "must be after listingStartsAt")
	}
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
func (s *Service) CreateAsset(ctx context.Context, scope laurel.Scope, in AssetPatch) (Asset, error) {
	var a Asset
	f := in.Create(&a)
	a.checkListing(&f)
	if err := f.Err(); err != nil {
		return Asset{}, err
	}
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		c, err := contractTable.Get(ctx, tx, store.LiveByID(scope, a.ContractID), tx.ForUpdate())
		if err != nil {
			return err
		}
		a.OrganizationID, a.WebsiteID = c.OrganizationID, c.WebsiteID
		if err := checkAgainstContract(ctx, tx, in, c, a); err != nil {
			return err
		}
		if a.Nr, err = nextAssetNumber(ctx, tx, c.ID); err != nil {
			return err
		}
		a.ID, a.CreatedAt.Time, a.UpdatedAt.Time = tx.NewID(), tx.Now(), tx.Now()
		if _, err := assetTable.Insert(ctx, tx, &a, ""); err != nil {
			return err
		}
		return feed.Record(ctx, tx, a.change(feed.Created))
	})
	return a, err
}

// UpdateAsset changes the properties that are in the input, except its contract. Errors: NotFound "Asset"; Invalid,
// also for a quantity below what is minted or reserved.
func (s *Service) UpdateAsset(ctx context.Context, scope laurel.Scope, id laurel.ID, in AssetPatch) (Asset, error) {
	return s.changeAsset(ctx, scope, id, func(tx *store.Tx, a *Asset) error {
		f := in.Update(a)
		a.checkListing(&f)
		if taken := a.Minted + a.Reserved; in.Has("quantity") || in.Has("unlimitedQty") {
			if !a.Unlimited && a.Quantity < taken {
				f.Add("quantity", "must be at least %d, which are minted or reserved", taken)
			}
		}
		if err := f.Err(); err != nil {
			return err
		}
		c, err := contractTable.Get(ctx, tx, store.LiveByID(scope, a.ContractID), "")
		if err != nil {
			return err
		}
		return checkAgainstContract(ctx, tx, in, c, *a)
	})
}

// DeleteAsset deletes an asset. Open mints continue. Errors: NotFound "Asset".
func (s *Service) DeleteAsset(ctx context.Context, scope laurel.Scope, id laurel.ID) (Asset, error) {
	return s.changeAsset(ctx, scope, id, func(tx *store.Tx, a *Asset) error {
		a.DeletedAt.Time = tx.Now()
		return nil
	})
}

// changeAsset locks a live asset, applies edit to it, saves it, and records the change in the feed: as a deletion if
// edit sets DeletedAt. If edit returns an error, nothing changes.
func (s *Service) changeAsset(
	ctx context.Context, scope laurel.Scope, id laurel.ID, edit func(*store.Tx, *Asset) error,
) (a Asset, err error) {
	err = s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if a, err = lockAsset(ctx, tx, scope, id); err != nil {
			return err
		}
		if err := assetTable.Edit(ctx, tx, scope, &a, edit); err != nil {
			return err
		}
		if !a.DeletedAt.IsZero() {
			return feed.Record(ctx, tx, a.change(feed.Deleted))
		}
		return feed.Record(ctx, tx, a.change(feed.Updated))
	})
	return a, err
}

// checkAgainstContract returns a fault if an asset of an OFFCHAIN contract has no currency, and if the currency
// in the input cannot be used to pay: it is unknown, is a token reward's, or has its balances on an external ledger.
func checkAgainstContract(ctx context.Context, tx *store.Tx, in AssetPatch, c Contract, a Asset) error {
	var f laurel.Faults
	if c.Kind == Offchain && a.CurrencyID.IsZero() {
		f.Add("loyaltyCurrencyId", "is required")
	}
	if in.Has("loyaltyCurrencyId") && !a.CurrencyID.IsZero() {
		scope := laurel.Scope{OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID}
		currency, live, err := ledger.CurrencyIn(ctx, tx, scope, a.CurrencyID.ID)
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
	return joinedAssets.Get(ctx, s.DB, whereAsset(scope, id), "")
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
	return listAssets(ctx, s.DB, scope, f, page)
}
