package auctions

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
)

// auction is contract 3.27.
type auction struct {
	ID                            laurel.ID         `json:"id"`
	OrganizationID                laurel.ID         `json:"organizationId"`
	WebsiteID                     laurel.ID         `json:"websiteId"`
	Name                          string            `json:"name"`
	Description                   string            `json:"description"`
	Type                          string            `json:"type" enum:"first_price,second_price,english"`
	Status                        string            `json:"status" enum:"in_progress,completed,cancelled" doc:"in_progress also before it starts"`
	StartsAt                      laurel.Timestamp  `json:"startsAt"`
	EndsAt                        laurel.Timestamp  `json:"endsAt"`
	LoyaltyCurrencyID             laurel.ID         `json:"loyaltyCurrencyId"`
	LoyaltyCurrency               *auctionCurrency  `json:"loyaltyCurrency"`
	CurrencyAddress               *string           `json:"currencyAddress"`
	CurrencyDecimals              int64             `json:"currencyDecimals"`
	Network                       *string           `json:"network"`
	MinBidAmount                  string            `json:"minBidAmount"`
	MinBidIncrement               *string           `json:"minBidIncrement"`
	ReservePrice                  *string           `json:"reservePrice" doc:"Shown to secret keys only"`
	ExtendedDurationInSeconds     *int64            `json:"extendedDurationInSeconds"`
	HideBids                      bool              `json:"hideBids"`
	BiddersOwnCollectionAddresses []string          `json:"biddersOwnCollectionAddresses"`
	MintingContractID             laurel.ID         `json:"mintingContractId"`
	AuctionItems                  *[]auctionItem    `json:"auctionItems,omitempty" doc:"With includeItems=true"`
	AuctionBids                   []topAuctionBid   `json:"auctionBids" doc:"The highest 10; none while bids are hidden"`
	Signature                     string            `json:"signature"`
	UserID                        *laurel.ID        `json:"userId" doc:"The user who created it"`
	CreatedAt                     laurel.Timestamp  `json:"createdAt"`
	UpdatedAt                     laurel.Timestamp  `json:"updatedAt"`
	DeletedAt                     *laurel.Timestamp `json:"deletedAt"`
}

// auctionCurrency is the currency in an auction.
type auctionCurrency struct {
	ID       laurel.ID `json:"id"`
	Name     string    `json:"name"`
	Symbol   string    `json:"symbol"`
	Decimals int64     `json:"decimals"`
	ImageURL *string   `json:"imageUrl"`
}

// auctionBidCurrency is the currency in a bid.
type auctionBidCurrency struct {
	auctionCurrency
	APIAuthType               *string `json:"apiAuthType"`
	APIAuthKey                *string `json:"apiAuthKey"`
	APIAuthValue              *string `json:"apiAuthValue"`
	APIGetURL                 *string `json:"apiGetUrl"`
	APIPostURL                *string `json:"apiPostUrl"`
	APIGetTransactionEntryURL *string `json:"apiGetTransactionEntryUrl"`
}

type topAuctionBid struct {
	ID        laurel.ID        `json:"id"`
	Amount    string           `json:"amount"`
	CreatedAt laurel.Timestamp `json:"createdAt"`
}

// auctionItem is an item of an auction, with its asset.
type auctionItem struct {
	ID                   laurel.ID        `json:"id"`
	OrganizationID       laurel.ID        `json:"organizationId"`
	WebsiteID            laurel.ID        `json:"websiteId"`
	AuctionID            laurel.ID        `json:"auctionId"`
	SortID               int64            `json:"sortId"`
	Quantity             int64            `json:"quantity"`
	MintingContractAsset auctionItemAsset `json:"mintingContractAsset"`
	CreatedAt            laurel.Timestamp `json:"createdAt"`
	UpdatedAt            laurel.Timestamp `json:"updatedAt"`
}

type auctionItemAsset struct {
	ID             laurel.ID         `json:"id"`
	Name           string            `json:"name"`
	ImageURL       *string           `json:"imageUrl"`
	IsPhygitalItem bool              `json:"isPhygitalItem"`
	RevealedAt     *laurel.Timestamp `json:"revealedAt"`
	TokenID        *int64            `json:"tokenId"`
}

// auctionBid is a bid.
type auctionBid struct {
	ID               laurel.ID           `json:"id"`
	OrganizationID   laurel.ID           `json:"organizationId"`
	WebsiteID        laurel.ID           `json:"websiteId"`
	AuctionID        laurel.ID           `json:"auctionId"`
	Auction          *bidsAuction        `json:"auction"`
	AuctionItemID    *laurel.ID          `json:"auctionItemId" doc:"The item that the bidder named; for a fulfilled bid the one that it won"`
	AuctionItem      *auctionBidItem     `json:"auctionItem"`
	Amount           string              `json:"amount"`
	CurrencyAddress  *string             `json:"currencyAddress"`
	CurrencyDecimals int64               `json:"currencyDecimals"`
	LoyaltyCurrency  *auctionBidCurrency `json:"loyaltyCurrency"`
	Status           string              `json:"status" enum:"submitted,accepted,rejected,fulfilled"`
	User             caller.ShortUser    `json:"user"`
	CreatedAt        laurel.Timestamp    `json:"createdAt"`
	UpdatedAt        laurel.Timestamp    `json:"updatedAt"`
}

type bidsAuction struct {
	ID   laurel.ID `json:"id"`
	Name string    `json:"name"`
}

type auctionBidItem struct {
	ID                   laurel.ID        `json:"id"`
	Quantity             int64            `json:"quantity"`
	MintingContractAsset *auctionBidAsset `json:"mintingContractAsset"`
}

type auctionBidAsset struct {
	ID             laurel.ID         `json:"id"`
	IsPhygitalItem bool              `json:"isPhygitalItem"`
	RevealedAt     *laurel.Timestamp `json:"revealedAt"`
	TokenID        *int64            `json:"tokenId"`
	ShippingPrice  *laurel.Amount    `json:"shippingPrice"`
}

// shapeCurrency returns the currency of an auction as responses show it.
func shapeCurrency(c ledger.Currency) *auctionCurrency {
	return &auctionCurrency{ID: c.ID, Name: c.Name, Symbol: c.Symbol, Decimals: c.Decimals, ImageURL: c.ImageURL}
}

// decimal returns an amount as text; nil for none.
func decimal(a *laurel.Amount) *string {
	if a == nil {
		return nil
	}
	text := a.String()
	return &text
}

// shaper loads the records that the responses of auctions include, and returns the function that converts one auction
// for responses. fit is how many of the auctions, from the first on, fit into one response.
func (h *handlers) shaper(
	ctx context.Context, scope laurel.Scope, list []auctions.Auction, withItems bool,
) (shapeOne func(auctions.Auction) auction, fit int, err error) {
	withBids := []laurel.ID{}
	currencyIDs := make([]laurel.ID, len(list))
	for i, a := range list {
		if currencyIDs[i] = a.CurrencyID; !a.HasHiddenBids() {
			withBids = append(withBids, a.ID)
		}
	}
	currencies, err := h.currencies(ctx, scope, currencyIDs)
	if err != nil {
		return nil, 0, err
	}
	bids, err := h.Auctions.BestBids(ctx, scope, withBids)
	if err != nil {
		return nil, 0, err
	}
	items := map[laurel.ID][]auctionItem{}
	if fit = len(list); withItems {
		if items, fit, err = h.loadItems(ctx, scope, list); err != nil {
			return nil, 0, err
		}
	}
	return func(a auctions.Auction) auction {
		out := shapeAuction(a, currencies[a.CurrencyID])
		if scope.HasSecretKey() {
			out.ReservePrice = decimal(a.ReservePrice)
		}
		for _, b := range bids[a.ID] {
			out.AuctionBids = append(out.AuctionBids,
				topAuctionBid{b.ID, b.Amount.String(), b.CreatedAt})
		}
		if withItems {
			all := append([]auctionItem{}, items[a.ID]...)
			out.AuctionItems = &all
		}
		return out
	}, fit, nil
}

// shapeAuction returns an auction as responses show it, but without its bids, items and reserve price, which the caller
// adds.
func shapeAuction(a auctions.Auction, c ledger.Currency) auction {
	return auction{
		ID: a.ID, OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID, Name: a.Name, Description: a.Description,
		Type: a.Type, Status: a.Status, StartsAt: a.StartsAt, EndsAt: a.EndsAt, LoyaltyCurrencyID: a.CurrencyID,
		LoyaltyCurrency: shapeCurrency(c),
		CurrencyAddress: a.CurrencyAddress, CurrencyDecimals: c.Decimals, Network: a.Network,
		MinBidAmount: a.MinBid.String(), MinBidIncrement: decimal(a.MinIncrement),
		ExtendedDurationInSeconds: a.Extension, HideBids: a.HideBids,
		BiddersOwnCollectionAddresses: append([]string{}, a.Collections...), MintingContractID: a.ContractID,
		AuctionBids: []topAuctionBid{}, UserID: a.CreatedByID.Ptr(), CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
	}
}

// currencies returns the currencies with these ids, including deleted ones.
func (h *handlers) currencies(
	ctx context.Context, scope laurel.Scope, ids []laurel.ID,
) (map[laurel.ID]ledger.Currency, error) {
	out := map[laurel.ID]ledger.Currency{}
	if len(ids) == 0 {
		return out, nil
	}
	listed := map[laurel.ID]bool{}
	var unique []laurel.ID
	for _, id := range ids {
		if !listed[id] {
			listed[id], unique = true, append(unique, id)
		}
	}
	found, err := h.Ledger.ListCurrencies(
		ctx, scope, ledger.CurrencyFilter{IDs: unique, WithDeleted: true, WithTokenRewards: true},
		laurel.PageRequest{Limit: len(unique)})
	for _, c := range found.Data {
		out[c.ID] = c
	}
	return out, err
}

const (
	itemBatch = 100 // items that are read at once, unless one auction has more
	itemSize  = 600 // approximate bytes of an item in a response, without texts
)

// loadItems returns the items of auctions, by auction, for the first auctions whose items fit into one response. fit is
// the number of those auctions: at least one, even if its items are too large.
func (h *handlers) loadItems(
	ctx context.Context, scope laurel.Scope, list []auctions.Auction,
) (out map[laurel.ID][]auctionItem, fit int, err error) {
	out = map[laurel.ID][]auctionItem{}
	for size := 0; fit < len(list); {
		batch, items := []laurel.ID{}, int64(0)
		for _, a := range list[fit:] {
			if items += a.Items; items > itemBatch && len(batch) > 0 {
				break
			}
			batch = append(batch, a.ID)
		}
		if err := h.addItemsOf(ctx, scope, batch, out); err != nil {
			return nil, 0, err
		}
		for _, id := range batch {
			for _, i := range out[id] {
				size += itemSize + len(i.MintingContractAsset.Name)
				if url := i.MintingContractAsset.ImageURL; url != nil {
					size += len(*url)
				}
			}
			if size > budget.MaxPageBytes && fit > 0 {
				return out, fit, nil
			}
			fit++
		}
	}
	return out, fit, nil
}

// addItemsOf loads the items of auctions and adds them to out as responses show them, by auction.
func (h *handlers) addItemsOf(
	ctx context.Context, scope laurel.Scope, ids []laurel.ID, out map[laurel.ID][]auctionItem,
) error {
	itemsByAuction, err := h.Auctions.ItemsOf(ctx, scope, ids)
	if err != nil {
		return err
	}
	var all []auctions.Item
	for _, items := range itemsByAuction {
		all = append(all, items...)
	}
	shape, err := h.itemShaper(ctx, scope, all)
	for id, items := range itemsByAuction {
		for _, i := range items {
			out[id] = append(out[id], shape(i))
		}
	}
	return err
}

// itemShaper loads the assets of items, and returns the function that converts one item for responses.
func (h *handlers) itemShaper(
	ctx context.Context, scope laurel.Scope, items []auctions.Item,
) (func(auctions.Item) auctionItem, error) {
	ids := make([]laurel.ID, len(items))
	for i, one := range items {
		ids[i] = one.AssetID
	}
	found, err := h.Minting.AssetsByID(ctx, scope, ids)
	assets := map[laurel.ID]minting.Asset{}
	for _, a := range found {
		assets[a.ID] = a
	}
	return func(i auctions.Item) auctionItem {
		a := assets[i.AssetID]
		return auctionItem{
			ID: i.ID, OrganizationID: i.OrganizationID, WebsiteID: i.WebsiteID, AuctionID: i.AuctionID, SortID: i.SortID,
			Quantity: i.Quantity, MintingContractAsset: auctionItemAsset{
				ID: i.AssetID, Name: a.Name, ImageURL: a.ImageURL, IsPhygitalItem: a.IsPhygital,
				RevealedAt: laurel.Stamp(a.RevealedAt.Time), TokenID: a.TokenID,
			},
			CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
		}
	}, err
}

// bidShaper loads the currencies of bids, and returns the function that converts one bid for responses, as the viewer
// may see it. Only secret keys see the credentials and addresses of the currency's external ledger.
func (h *handlers) bidShaper(
	ctx context.Context, scope laurel.Scope, viewer identity.Viewer, list []report.Bid,
) (func(report.Bid) auctionBid, error) {
	ids := make([]laurel.ID, len(list))
	for i, b := range list {
		ids[i] = b.CurrencyID
	}
	currencies, err := h.currencies(ctx, scope, ids)
	return func(b report.Bid) auctionBid {
		c := currencies[b.CurrencyID]
		out := auctionBid{
			ID: b.ID, OrganizationID: b.OrganizationID, WebsiteID: b.WebsiteID, AuctionID: b.AuctionID,
			Auction: &bidsAuction{b.AuctionID, b.AuctionName}, AuctionItemID: b.ItemID.Ptr(), AuctionItem: shapeBidItem(b),
			Amount: b.Amount.String(), CurrencyAddress: b.CurrencyAddress, CurrencyDecimals: c.Decimals,
			LoyaltyCurrency: &auctionBidCurrency{auctionCurrency: *shapeCurrency(c)}, Status: b.Status,
			User:      caller.ShortUserOf(viewer, b.UserID, b.Wallet),
			CreatedAt: b.CreatedAt, UpdatedAt: b.UpdatedAt,
		}
		if scope.HasSecretKey() {
			m := out.LoyaltyCurrency
			m.APIAuthType, m.APIAuthKey = c.API.AuthType, c.API.AuthKey
			m.APIAuthValue = h.Secrets.Reveal(c.AuthValue())
			m.APIGetURL, m.APIPostURL, m.APIGetTransactionEntryURL = c.API.GetURL, c.API.PostURL, c.API.GetTransactionEntryURL
		}
		return out
	}, err
}

// shapeBidItem returns the item of a bid as responses show it; nil if the bid is for no item.
func shapeBidItem(b report.Bid) *auctionBidItem {
	if b.ItemQuantity == nil {
		return nil
	}
	out := &auctionBidItem{ID: b.ItemID, Quantity: *b.ItemQuantity}
	if b.IsPhygital != nil {
		out.MintingContractAsset = &auctionBidAsset{
			ID: b.AssetID, IsPhygitalItem: *b.IsPhygital, RevealedAt: laurel.Stamp(b.RevealedAt.Time), TokenID: b.TokenID,
		}
	}
	return out
}
