package auctions

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/commerce/auctions"
)

// statuses and types list those of auctions.
type (
	statuses struct{}
	types    struct{}
)

// Values returns the statuses.
func (statuses) Values() []string { return auctions.Statuses() }

// Values returns the types.
func (types) Values() []string { return auctions.Types() }

type listAuctionsInput struct {
	rest.Paging
	Status         rest.OneOf[statuses] `query:"status"`
	Type           rest.OneOf[types]    `query:"type"`
	IncludeDeleted rest.Bool            `query:"includeDeleted" doc:"Auctions are cancelled, never deleted: it changes nothing"`
	IncludeItems   rest.Bool            `query:"includeItems"`
}

// list returns a page of auctions. The page ends early if the items of the auctions would not fit into one response.
func (h *handlers) list(ctx context.Context, in *listAuctionsInput) (*rest.Page[auction], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Auctions.List(ctx, scope, auctions.Filter{Status: string(in.Status), Type: string(in.Type)}, in.Page())
	if err != nil {
		return nil, err
	}
	shape, fit, err := h.shaper(ctx, scope, page.Data, in.IncludeItems.Value)
	return rest.ListOf(budget.FirstItems(page, fit), err, shape)
}

type getAuctionInput struct {
	rest.PathID
	rest.Tenant
	IncludeItems rest.Bool `query:"includeItems"`
}

// get returns an auction, with its items if includeItems is set.
func (h *handlers) get(ctx context.Context, in *getAuctionInput) (*rest.Response[auction], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	a, err := h.Auctions.Get(ctx, scope, in.ID.ID)
	return h.auctionResponse(ctx, scope, a, err, in.IncludeItems.Value)
}

// auctionResponse returns the response with one auction that was read or written, and its items if withItems is set. If
// err is not nil, it only returns err.
func (h *handlers) auctionResponse(
	ctx context.Context, scope laurel.Scope, a auctions.Auction, err error, withItems bool,
) (*rest.Response[auction], error) {
	if err != nil {
		return nil, err
	}
	shape, _, err := h.shaper(ctx, scope, []auctions.Auction{a}, withItems)
	return rest.ResponseOf(a, err, shape)
}

type createAuctionBody struct {
	rest.RecordBody[auctions.Auction]
	rest.TenantBody
	AuctionItems []auctions.NewAuctionItem `json:"auctionItems,omitempty" maxItems:"50"`
}

// Creates marks the properties that a new auction needs as required.
func (createAuctionBody) Creates() {}

type createAuctionInput struct {
	Body createAuctionBody
}

// create creates an auction with its first items.
func (h *handlers) create(ctx context.Context, in *createAuctionInput) (*rest.Response[auction], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	a, err := h.Auctions.Create(ctx, scope, in.Body.Patch, in.Body.AuctionItems)
	return h.auctionResponse(ctx, scope, a, err, false)
}

type updateAuctionInput struct {
	rest.PathID
	Body struct {
		rest.RecordBody[auctions.Auction]
		rest.TenantBody
	}
}

// update changes the properties of an auction that the body sets.
func (h *handlers) update(ctx context.Context, in *updateAuctionInput) (*rest.Response[auction], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	a, err := h.Auctions.Update(ctx, scope, in.ID.ID, in.Body.Patch)
	return h.auctionResponse(ctx, scope, a, err, false)
}

type cancelAuctionInput struct {
	rest.PathID
	Body struct{ rest.TenantBody }
}

// cancel cancels an auction: bidders get their points back.
func (h *handlers) cancel(ctx context.Context, in *cancelAuctionInput) (*rest.Response[auction], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	a, err := h.Auctions.Cancel(ctx, scope, in.ID.ID)
	return h.auctionResponse(ctx, scope, a, err, false)
}

type listAuctionItemsInput struct {
	rest.Paging100
	AuctionID rest.IDs `query:"auctionId" required:"true"`
}

// listItems returns a page of the items of one or more auctions.
func (h *handlers) listItems(ctx context.Context, in *listAuctionItemsInput) (*rest.Page[auctionItem], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Auctions.Items(ctx, scope, in.AuctionID.Values, in.Page())
	if err != nil {
		return nil, err
	}
	shape, err := h.itemShaper(ctx, scope, page.Data)
	return rest.ListOf(page, err, shape)
}

type byIDInput struct {
	rest.PathID
	rest.Tenant
}

// getItem returns an item of an auction.
func (h *handlers) getItem(ctx context.Context, in *byIDInput) (*rest.Response[auctionItem], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	one, err := h.Auctions.Item(ctx, scope, in.ID.ID)
	if err != nil {
		return nil, err
	}
	shape, err := h.itemShaper(ctx, scope, []auctions.Item{one})
	return rest.ResponseOf(one, err, shape)
}

type addAuctionItemsInput struct {
	rest.PathID
	Body struct {
		rest.TenantBody
		AuctionItems []auctions.NewAuctionItem `json:"auctionItems" maxItems:"50"`
	}
}

// addItems adds items to an auction and returns the added ones.
func (h *handlers) addItems(ctx context.Context, in *addAuctionItemsInput) (*rest.Page[auctionItem], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	added, err := h.Auctions.AddItems(ctx, scope, in.ID.ID, in.Body.AuctionItems)
	if err != nil {
		return nil, err
	}
	shape, err := h.itemShaper(ctx, scope, added)
	return rest.ListOf(laurel.Page[auctions.Item]{Data: added}, err, shape)
}
