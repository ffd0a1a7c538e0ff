package minting

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/content/collections"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
)

// The kinds of minting contracts (contract 2).
const (
	Onchain  = "ONCHAIN"  // the operator's minting driver mints on a blockchain
	Offchain = "OFFCHAIN" // mints exist only as records of this server
)

// Kinds lists the kinds of minting contracts.
func Kinds() []string { return []string{Onchain, Offchain} }

// TokenTypes lists the types of tokens (contract 2).
func TokenTypes() []string { return []string{"erc721", "erc1155", "erc721c"} }

// Contract is a minting contract: assets that are sold under one set of terms (contract 3.24). It is a row of
// minting_contracts.
type Contract struct {
	ID                   laurel.ID                     `db:"id" json:"id"`
	OrganizationID       laurel.ID                     `db:"organization_id" json:"organizationId"`
	WebsiteID            laurel.ID                     `db:"website_id" json:"websiteId"`
	Name                 string                        `db:"name" json:"name" in:"required min=1 max=1000"`
	Kind                 string                        `db:"contract_kind" json:"contractKind" update:"no" in:"create required contractkind" hint:"Stays as it was created"`
	Address              *string                       `db:"address" json:"address" in:"address" hint:"Needed to list an ONCHAIN contract"` // in lower case on EVM networks
	Network              *string                       `db:"network" json:"network" in:"network" hint:"Needed to list an ONCHAIN contract"`
	Symbol               string                        `db:"symbol" json:"symbol" in:"max=1000"`
	Description          *string                       `db:"description" json:"description" in:"max=10000"`
	ImageURL             *string                       `db:"image_url" json:"imageUrl" in:"fileurl"`
	ExternalLinkURL      *string                       `db:"external_link_url" json:"externalLinkUrl" in:"url"`
	PreRevealMedia       *string                       `db:"pre_reveal_media" json:"preRevealMedia" in:"fileurl"`
	TokenType            string                        `db:"token_type" json:"tokenType" update:"no" in:"create tokentype" hint:"Default erc721; stays as it was created"`
	PerUserLimit         int64                         `db:"per_user_mint_limit" json:"perUserMintLimit" in:"min=0 max=9007199254740991" hint:"0: no limit"`
	LimitsPerAsset       bool                          `db:"is_per_asset_mint_limit" json:"isPerAssetMintLimit" in:"" hint:"true: the limit applies to each asset"`
	Collections          laurel.List[GatingCollection] `db:"must_own_collections" json:"mustOwnCollections" in:"max=100 gatingcollections"`                                   // minters must own a token of these
	RequiresAll          bool                          `db:"require_holding_all" json:"requireHoldingAllGatedItems" in:"" hint:"false: any one collection or badge suffices"` // all of its collections and badges, not any one
	BadgeIDs             laurel.List[laurel.ID]        `db:"badge_ids" json:"loyaltyBadgeIds" in:"max=100 distinctids"`                                                       // minters must hold these badges
	FreeForBadgeHolders  bool                          `db:"is_free_for_badge_holders" json:"isFreeClaimForBadgeHolders" in:"" hint:"true: free for holders, and others pay the price"`
	FreeForTokenHolders  bool                          `db:"is_free_for_token_holders" json:"isFreeClaimForTokenHolders" in:"" hint:"true: free for owners, and others pay the price"`
	IsListed             bool                          `db:"is_listed" json:"isListed" in:""`
	ShowOnMarketplace    bool                          `db:"show_on_marketplace" json:"showOnMarketplace" in:""`
	HideInactiveListings bool                          `db:"hide_inactive_listings" json:"hideInactiveListings" in:""`
	EnableGasless        bool                          `db:"enable_gasless" json:"enableGasless" in:""`
	IsSoulbound          bool                          `db:"is_soulbound" json:"isSoulbound" in:""`
	HasRevealMechanic    bool                          `db:"has_reveal_mechanic" json:"hasRevealMechanic" in:""`
	CollectsEmail        bool                          `db:"should_collect_email" json:"shouldCollectEmail" in:""`
	RevealAvailableAt    laurel.NullTimestamp          `db:"reveal_available_at" json:"revealAvailableAt" in:""`
	SaleRecipient        string                        `db:"primary_sale_recipient_address" json:"primarySaleRecipientAddress" in:"address"`
	RoyaltyFeeAddress    string                        `db:"royalty_fee_address" json:"royaltyFeeAddress" in:"address"`
	RoyaltyFee           laurel.Amount                 `db:"royalty_fee" json:"royaltyFee" in:"min=0 max=100" hint:"Percent, 0 to 100"`
	RelayerID            laurel.NullID                 `db:"relayer_id" json:"relayerId" in:""` // none: the driver chooses
	SortID               *int64                        `db:"sort_id" json:"sortId" in:""`
	CollectionID         laurel.NullID                 `db:"website_collection_id" json:"websiteCollectionId" in:"" hint:"The website's collection of these tokens"`
	NextAssetNr          int64                         `db:"next_asset_nr" json:"-" update:"no"` // written by nextAssetNumber
	CreatedAt            laurel.Timestamp              `db:"created_at" json:"createdAt"`
	UpdatedAt            laurel.Timestamp              `db:"updated_at" json:"updatedAt"`
	DeletedAt            laurel.NullTimestamp          `db:"deleted_at" json:"deletedAt"`
}

// GatingCollection is a collection of tokens on a network.
type GatingCollection struct {
	Address string `json:"address"`
	Network string `json:"network"`
}

// MaxLive is how many live contracts a website may have.
const MaxLive = 1000

// CreateContract makes a contract in the scope's website. Errors: Invalid, also for a badge or collection that does not
// exist; Refused if the website has MaxLive contracts already.
func (s *Service) CreateContract(ctx context.Context, scope laurel.Scope, in ContractPatch) (Contract, error) {
	c := Contract{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, NextAssetNr: 1}
	if err := c.validate(in.Create(&c)); err != nil {
		return Contract{}, err
	}
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := lockContractsOfOrganization(ctx, tx, scope); err != nil {
			return err
		}
		if n, err := contractTable.Count(ctx, tx, store.Live(scope)); err != nil || n >= MaxLive {
			return errOrRefused(err, "Website has %d minting contracts already", MaxLive)
		}
		c.ID, c.CreatedAt.Time, c.UpdatedAt.Time = tx.NewID(), tx.Now(), tx.Now()
		if err := checkReferences(ctx, tx, scope, in, c); err != nil {
			return err
		}
		if _, err := contractTable.Insert(ctx, tx, &c, ""); err != nil {
			return err
		}
		return collections.SetMintingContract(ctx, tx, scope, c.CollectionID.ID, c.ID)
	})
	return c, err
}

// errOrRefused returns err, or else a Refused error with the message.
func errOrRefused(err error, message string, args ...any) error {
	if err != nil {
		return err
	}
	return laurel.Errorf(laurel.Refused, message, args...)
}

// lockContractsOfOrganization lets changes of an organization's contracts wait for each other, so that no two contracts
// take the same collection. It holds until the transaction ends.
func lockContractsOfOrganization(ctx context.Context, tx *store.Tx, scope laurel.Scope) error {
	return tx.AdvisoryLock(ctx, "minting contracts of "+scope.OrganizationID.String())
}

// UpdateContract changes the properties that are in the input, except contractKind and tokenType. Errors: NotFound
// "Minting contract", Invalid.
func (s *Service) UpdateContract(
	ctx context.Context, scope laurel.Scope, id laurel.ID, in ContractPatch,
) (Contract, error) {
	return s.changeContract(ctx, scope, id, func(tx *store.Tx, c *Contract) error {
		formerCollection := c.CollectionID
		if err := c.validate(in.Update(c)); err != nil {
			return err
		}
		scope := scope.At(c.WebsiteID)
		if err := checkReferences(ctx, tx, scope, in, *c); err != nil || c.CollectionID == formerCollection {
			return err
		}
		if err := collections.SetMintingContract(ctx, tx, scope, formerCollection.ID, laurel.ID{}); err != nil {
			return err
		}
		return collections.SetMintingContract(ctx, tx, scope, c.CollectionID.ID, c.ID)
	})
}

// DeleteContract deletes a contract and its assets. Open mints continue. Errors: NotFound "Minting contract".
func (s *Service) DeleteContract(ctx context.Context, scope laurel.Scope, id laurel.ID) (Contract, error) {
	return s.changeContract(ctx, scope, id, func(tx *store.Tx, c *Contract) error {
		c.DeletedAt.Time = tx.Now()
		return collections.SetMintingContract(ctx, tx, scope.At(c.WebsiteID), c.CollectionID.ID, laurel.ID{})
	})
}

// changeContract reads a live contract, applies edit to it and saves it. Other changes of the organization's contracts
// wait meanwhile; mints from this contract wait only after edit is done. If edit sets DeletedAt, the deletion of the
// contract's assets is recorded in the change feed too. If edit returns an error, nothing changes.
func (s *Service) changeContract(
	ctx context.Context, scope laurel.Scope, id laurel.ID, edit func(*store.Tx, *Contract) error,
) (c Contract, err error) {
	err = s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := lockContractsOfOrganization(ctx, tx, scope); err != nil {
			return err
		}
		if c, err = contractTable.Get(ctx, tx, store.LiveByID(scope, id), ""); err != nil {
			return err
		}
		if err := contractTable.Edit(ctx, tx, scope, &c, func(tx *store.Tx, c *Contract) error {
			if err := edit(tx, c); err != nil {
				return err
			}
			return lockContract(ctx, tx, c.ID)
		}); err != nil || c.DeletedAt.IsZero() {
			return err
		}
		return recordAssetDeletions(ctx, tx, c)
	})
	return c, err
}

// recordAssetDeletions records in the change feed that the live assets of a contract are deleted with it. It locks
// their rows.
func recordAssetDeletions(ctx context.Context, tx *store.Tx, c Contract) error {
	ids, err := lockLiveAssets(ctx, tx, c)
	if err != nil {
		return err
	}
	changes := make([]feed.Change, len(ids))
	for i, id := range ids {
		changes[i] = Asset{ID: id, OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID}.change(feed.Deleted)
	}
	return feed.Record(ctx, tx, changes...)
}

// checkReferences returns a fault for every badge and collection in the input that does not exist, and for a collection
// that belongs to another contract already.
func checkReferences(ctx context.Context, tx *store.Tx, scope laurel.Scope, in ContractPatch, c Contract) error {
	var f laurel.Faults
	if in.Has("loyaltyBadgeIds") {
		exists, err := badges.LiveAmong(ctx, tx, scope, c.BadgeIDs)
		if err != nil {
			return err
		}
		addMissingBadges(&f, "loyaltyBadgeIds", c.BadgeIDs, exists)
	}
	if in.Has("websiteCollectionId") && !c.CollectionID.IsZero() {
		found, err := collections.FindLive(ctx, tx, scope, []laurel.ID{c.CollectionID.ID})
		if err != nil {
			return err
		}
		switch collection, exists := found[c.CollectionID.ID]; {
		case !exists:
			f.AddText("websiteCollectionId", "Collection not found")
		case !collection.MintingContractID.IsZero() && collection.MintingContractID.ID != c.ID:
			f.Add("websiteCollectionId", "must not be the collection of another minting contract")
		}
	}
	return f.Err()
}

// Contract returns a live contract. Errors: NotFound "Minting contract".
func (s *Service) Contract(ctx context.Context, scope laurel.Scope, id laurel.ID) (Contract, error) {
	return contractTable.Get(ctx, s.DB, store.LiveByID(scope, id), "")
}

// ContractFilter narrows a list of contracts.
type ContractFilter struct {
	OnMarketplace *bool // nil: any
	WithDeleted   bool
}

// Contracts returns a page of contracts, newest first. Errors: Invalid for an unknown cursor.
func (s *Service) Contracts(
	ctx context.Context, scope laurel.Scope, f ContractFilter, page laurel.PageRequest,
) (laurel.Page[Contract], error) {
	return listContracts(ctx, s.DB, scope, f, page)
}
