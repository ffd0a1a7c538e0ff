package minting

import (
	"context"
	"encoding/json"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/identity"
)

// mintingContract is contract 3.24.
type mintingContract struct {
	ID                              laurel.ID                  `json:"id"`
	OrganizationID                  laurel.ID                  `json:"organizationId"`
	WebsiteID                       laurel.ID                  `json:"websiteId"`
	Name                            string                     `json:"name"`
	ContractKind                    string                     `json:"contractKind" enum:"ONCHAIN,OFFCHAIN"`
	Address                         *string                    `json:"address"`
	Network                         *string                    `json:"network"`
	Symbol                          string                     `json:"symbol"`
	Description                     *string                    `json:"description"`
	ImageURL                        *string                    `json:"imageUrl"`
	ExternalLinkURL                 *string                    `json:"externalLinkUrl"`
	PreRevealMedia                  *string                    `json:"preRevealMedia"`
	TokenType                       string                     `json:"tokenType" enum:"erc721,erc1155,erc721c"`
	PerUserMintLimit                int64                      `json:"perUserMintLimit" doc:"0: no limit"`
	IsPerAssetMintLimit             bool                       `json:"isPerAssetMintLimit"`
	MustOwnCollections              []minting.GatingCollection `json:"mustOwnCollections"`
	RequireHoldingAllGatedItems     bool                       `json:"requireHoldingAllGatedItems"`
	MintingContractBadgeAssociation []gatingBadgeItem          `json:"mintingContractBadgeAssociation"`
	IsFreeClaimForBadgeHolders      bool                       `json:"isFreeClaimForBadgeHolders"`
	IsFreeClaimForTokenHolders      bool                       `json:"isFreeClaimForTokenHolders"`
	IsListed                        bool                       `json:"isListed"`
	ShowOnMarketplace               bool                       `json:"showOnMarketplace"`
	HideInactiveListings            bool                       `json:"hideInactiveListings"`
	EnableGasless                   bool                       `json:"enableGasless"`
	IsSoulbound                     bool                       `json:"isSoulbound"`
	HasRevealMechanic               bool                       `json:"hasRevealMechanic"`
	ShouldCollectEmail              bool                       `json:"shouldCollectEmail"`
	RevealAvailableAt               laurel.NullTimestamp       `json:"revealAvailableAt"`
	PrimarySaleRecipientAddress     string                     `json:"primarySaleRecipientAddress"`
	RoyaltyFeeAddress               string                     `json:"royaltyFeeAddress"`
	RoyaltyFee                      laurel.Amount              `json:"royaltyFee" doc:"Percent"`
	RelayerID                       laurel.NullID              `json:"relayerId"`
	SortID                          *int64                     `json:"sortId"`
	WebsiteCollectionID             *laurel.ID                 `json:"websiteCollectionId,omitempty"`
	TotalAssets                     int64                      `json:"totalAssets" doc:"Live ones"`
	MintingContractAssets           []mintingAsset             `json:"mintingContractAssets" doc:"The newest 100 that are not hidden"`
	CreatedAt                       laurel.Timestamp           `json:"createdAt"`
	UpdatedAt                       laurel.Timestamp           `json:"updatedAt"`
	DeletedAt                       laurel.NullTimestamp       `json:"deletedAt"`
}

type gatingBadgeItem struct {
	LoyaltyBadge gatingBadge `json:"loyaltyBadge"`
}

type gatingBadge struct {
	ID       laurel.ID `json:"id"`
	Name     string    `json:"name"`
	ImageURL string    `json:"imageUrl"`
}

// mintingAsset is contract 3.25.
type mintingAsset struct {
	ID                    laurel.ID            `json:"id"`
	OrganizationID        laurel.ID            `json:"organizationId"`
	WebsiteID             laurel.ID            `json:"websiteId"`
	MintingContractID     laurel.ID            `json:"mintingContractId"`
	AssetNr               int64                `json:"assetNr"`
	Name                  string               `json:"name"`
	Description           *string              `json:"description"`
	ImageURL              *string              `json:"imageUrl"`
	AnimationURL          *string              `json:"animationUrl"`
	Metadata              *laurel.Object       `json:"metadata,omitempty" doc:"With includeMetadata=true, if it has any"`
	Price                 laurel.Amount        `json:"price" doc:"The price of one item"`
	LoyaltyCurrencyID     laurel.NullID        `json:"loyaltyCurrencyId"`
	CurrencyAddress       *string              `json:"currencyAddress"`
	CurrencyDecimals      *int64               `json:"currencyDecimals"`
	Quantity              int64                `json:"quantity"`
	UnlimitedQty          bool                 `json:"unlimitedQty"`
	QuantityMinted        int64                `json:"quantityMinted"`
	IsListed              bool                 `json:"isListed"`
	IsHidden              bool                 `json:"isHidden"`
	IsPhygitalItem        bool                 `json:"isPhygitalItem"`
	ShouldCollectUserInfo bool                 `json:"shouldCollectUserInfo"`
	CollectInfoType       *string              `json:"collectInfoType"`
	ListingStartsAt       laurel.NullTimestamp `json:"listingStartsAt"`
	ListingEndsAt         laurel.NullTimestamp `json:"listingEndsAt"`
	IsAllowlisted         bool                 `json:"isAllowlisted"`
	TokenID               *int64               `json:"tokenId"`
	RevealedAt            laurel.NullTimestamp `json:"revealedAt"`
	AuctionItems          []auctionedItem      `json:"auctionItems"`
	CreatedAt             laurel.Timestamp     `json:"createdAt"`
	UpdatedAt             laurel.Timestamp     `json:"updatedAt"`
	DeletedAt             laurel.NullTimestamp `json:"deletedAt"`
}

type auctionedItem struct {
	ID laurel.ID `json:"id"`
}

// mintStatus is contract 3.26.
type mintStatus struct {
	ID                     laurel.ID        `json:"id"`
	MintingContractAssetID laurel.ID        `json:"mintingContractAssetId"`
	MintingContractID      laurel.ID        `json:"mintingContractId"`
	UserID                 laurel.ID        `json:"userId"`
	WalletAddress          *string          `json:"walletAddress"`
	Quantity               int64            `json:"quantity"`
	Status                 string           `json:"status" enum:"generatingSignature,minting,minted,failed"`
	Price                  *laurel.Amount   `json:"price" doc:"The price of all items"`
	ErrorCode              *int64           `json:"errorCode"`
	ErrorMessage           *string          `json:"errorMessage"`
	RelayerTxID            *string          `json:"relayerTxId"`
	TxHash                 *string          `json:"txHash"`
	Signature              json.RawMessage  `json:"signature,omitempty" doc:"As the minting driver returned it"`
	CustomInputValue       *string          `json:"customInputValue"`
	EmailAddress           *string          `json:"emailAddress" doc:"null for read-only and client keys"`
	ShippingID             laurel.NullID    `json:"shippingId"`
	Unpaid                 *unpaid          `json:"unpaid" doc:"The part of a mint that balance and stock did not cover when it was minted after it had failed; null: all is paid"`
	CreatedAt              laurel.Timestamp `json:"createdAt"`
	UpdatedAt              laurel.Timestamp `json:"updatedAt"`
}

// unpaid is the part of a mint that balance and stock did not cover.
type unpaid struct {
	Amount   laurel.Amount `json:"amount" doc:"Points"`
	Quantity int64         `json:"quantity" doc:"Items"`
}

// shapeUnpaid returns the unpaid part of a mint as responses show it; nil if all is paid.
func shapeUnpaid(m minting.Mint) *unpaid {
	if m.UnpaidAmount == 0 && m.UnpaidQuantity == 0 {
		return nil
	}
	return &unpaid{m.UnpaidAmount, m.UnpaidQuantity}
}

// assetContext holds the records that responses of contracts and assets include.
type assetContext struct {
	badges    map[laurel.ID]badges.Badge
	summaries map[laurel.ID]minting.AssetSummary
	assets    map[laurel.ID][]minting.Asset
	auctions  map[laurel.ID][]laurel.ID
}

// loadContext loads the records that the responses of contracts include. fit is how many of the contracts, from the
// first on, fit into one response.
func (h *handlers) loadContext(
	ctx context.Context, scope laurel.Scope, list []minting.Contract,
) (out assetContext, fit int, err error) {
	ids := make([]laurel.ID, len(list))
	var badgeIDs []laurel.ID
	for i, c := range list {
		ids[i], badgeIDs = c.ID, append(badgeIDs, c.BadgeIDs...)
	}
	newest, err := h.Minting.NewestAssets(ctx, scope, ids) // of the contracts whose assets fit
	if err != nil {
		return out, 0, err
	}
	out.assets = map[laurel.ID][]minting.Asset{}
	var assetIDs []laurel.ID
	for i, assets := range newest {
		out.assets[ids[i]] = assets
		for _, a := range assets {
			assetIDs = append(assetIDs, a.ID)
		}
	}
	if out.auctions, err = h.auctionItems(ctx, scope, assetIDs); err != nil {
		return out, 0, err
	}
	if out.summaries, err = h.Minting.AssetSummaries(ctx, scope, ids); err != nil {
		return out, 0, err
	}
	slices.SortFunc(badgeIDs, laurel.ID.Compare)
	out.badges, err = h.Badges.ByIDs(ctx, scope, slices.Compact(badgeIDs))
	return out, len(newest), err
}

// auctionItems returns the ids of the auction items of assets, by asset; nil if the server has no auctions.
func (h *handlers) auctionItems(
	ctx context.Context, scope laurel.Scope, assets []laurel.ID,
) (map[laurel.ID][]laurel.ID, error) {
	if h.AuctionItems == nil || len(assets) == 0 {
		return nil, nil
	}
	return h.AuctionItems(ctx, scope, assets)
}

// contract returns a minting contract as responses show it, with its newest assets and the live badges that gate it.
func (w assetContext) contract(c minting.Contract) mintingContract {
	out := mintingContract{
		ID: c.ID, OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID, Name: c.Name, ContractKind: c.Kind,
		Address: c.Address, Network: c.Network, Symbol: c.Symbol, Description: c.Description, ImageURL: c.ImageURL,
		ExternalLinkURL: c.ExternalLinkURL, PreRevealMedia: c.PreRevealMedia, TokenType: c.TokenType,
		PerUserMintLimit: c.PerUserLimit, IsPerAssetMintLimit: c.LimitsPerAsset,
		MustOwnCollections:          append([]minting.GatingCollection{}, c.Collections...),
		RequireHoldingAllGatedItems: c.RequiresAll, MintingContractBadgeAssociation: []gatingBadgeItem{},
		IsFreeClaimForBadgeHolders: c.FreeForBadgeHolders, IsFreeClaimForTokenHolders: c.FreeForTokenHolders,
		IsListed: c.IsListed, ShowOnMarketplace: c.ShowOnMarketplace, HideInactiveListings: c.HideInactiveListings,
		EnableGasless: c.EnableGasless, IsSoulbound: c.IsSoulbound, HasRevealMechanic: c.HasRevealMechanic,
		ShouldCollectEmail: c.CollectsEmail, RevealAvailableAt: c.RevealAvailableAt,
		PrimarySaleRecipientAddress: c.SaleRecipient, RoyaltyFeeAddress: c.RoyaltyFeeAddress, RoyaltyFee: c.RoyaltyFee,
		RelayerID: c.RelayerID, SortID: c.SortID, WebsiteCollectionID: c.CollectionID.Ptr(),
		TotalAssets: w.summaries[c.ID].Assets, MintingContractAssets: []mintingAsset{},
		CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
		DeletedAt: c.DeletedAt,
	}
	for _, id := range c.BadgeIDs {
		if b, live := w.badges[id]; live {
			out.MintingContractBadgeAssociation = append(out.MintingContractBadgeAssociation,
				gatingBadgeItem{gatingBadge{b.ID, b.Name, b.ImageURL}})
		}
	}
	for _, a := range w.assets[c.ID] {
		out.MintingContractAssets = append(out.MintingContractAssets, w.asset(a))
	}
	return out
}

// asset returns an asset as responses show it, with the ids of its auction items.
func (w assetContext) asset(a minting.Asset) mintingAsset {
	out := mintingAsset{
		ID: a.ID, OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID, MintingContractID: a.ContractID, AssetNr: a.Nr,
		Name: a.Name, Description: a.Description, ImageURL: a.ImageURL, AnimationURL: a.AnimationURL, Price: a.Price,
		LoyaltyCurrencyID: a.CurrencyID, CurrencyAddress: a.CurrencyAddress, CurrencyDecimals: a.CurrencyDecimals,
		Quantity: a.Quantity, UnlimitedQty: a.Unlimited, QuantityMinted: a.Minted, IsListed: a.IsListed,
		IsHidden: a.IsHidden, IsPhygitalItem: a.IsPhygital, ShouldCollectUserInfo: a.CollectsUserInfo,
		CollectInfoType: a.CollectInfoType, ListingStartsAt: a.ListingStartsAt, ListingEndsAt: a.ListingEndsAt,
		IsAllowlisted: a.IsAllowlisted, TokenID: a.TokenID, RevealedAt: a.RevealedAt,
		AuctionItems: []auctionedItem{}, CreatedAt: a.CreatedAt,
		UpdatedAt: a.UpdatedAt, DeletedAt: a.DeletedAt,
	}
	if a.Metadata != nil {
		metadata := laurel.Object(a.Metadata)
		out.Metadata = &metadata
	}
	for _, id := range w.auctions[a.ID] {
		out.AuctionItems = append(out.AuctionItems, auctionedItem{id})
	}
	return out
}

// mintShaper returns the function that converts one mint for responses, as the viewer may see it. Only secret keys see
// the e-mail address.
func mintShaper(scope laurel.Scope, v identity.Viewer) func(minting.Mint) mintStatus {
	return func(m minting.Mint) mintStatus {
		if !scope.HasSecretKey() {
			m.Email = nil
		}
		return mintStatus{
			ID: m.ID, MintingContractAssetID: m.AssetID, MintingContractID: m.ContractID, UserID: m.UserID,
			WalletAddress: v.Wallet(m.UserID, m.Wallet), Quantity: m.Quantity, Status: m.Status, Price: m.Price,
			ErrorCode: m.ErrorCode, ErrorMessage: m.ErrorMessage, RelayerTxID: m.RelayerTxID, TxHash: m.TxHash,
			Signature: json.RawMessage(m.Signature), CustomInputValue: m.CustomInput, EmailAddress: m.Email,
			ShippingID: m.ShippingID, Unpaid: shapeUnpaid(m), CreatedAt: m.CreatedAt,
			UpdatedAt: m.UpdatedAt,
		}
	}
}
