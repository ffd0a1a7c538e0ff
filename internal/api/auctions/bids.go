package auctions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/report"
)

// bidStatuses lists the statuses of bids.
type bidStatuses struct{}

// Values returns them.
func (bidStatuses) Values() []string { return auctions.BidStatuses() }

// maxSkip bounds how many bids a list may skip.
const maxSkip = 100_000

// Skip is a query parameter: the number of items that a list skips.
type Skip struct{ N int }

// UnmarshalText parses a number from 0 to maxSkip.
func (s *Skip) UnmarshalText(b []byte) error {
	n, err := strconv.Atoi(string(b))
	if errors.Is(err, strconv.ErrSyntax) {
		return errors.New("must be a number")
	}
	if err != nil || n < 0 || n > maxSkip {
		return fmt.Errorf("must be between 0 and %d", maxSkip)
	}
	s.N = n
	return nil
}

// Schema documents the range.
func (Skip) Schema(huma.Registry) *huma.Schema {
	least, most := 0.0, float64(maxSkip)
	return &huma.Schema{Type: huma.TypeInteger, Minimum: &least, Maximum: &most, Default: 0}
}

type listBidsInput struct {
	rest.Paging
	ID            rest.IDs                 `query:"id"`
	AuctionID     rest.ID                  `query:"auctionId"`
	Status        rest.OneOf[bidStatuses]  `query:"status"`
	Statuses      rest.ManyOf[bidStatuses] `query:"statuses"`
	UserID        rest.IDs                 `query:"userId"`
	WalletAddress rest.Addresses           `query:"walletAddress"`
	OrderBy       string                   `query:"orderBy" enum:"asc,desc" doc:"By amount; default desc"`
	Skip          Skip                     `query:"skip"`
	IncludeCount  rest.Bool                `query:"includeCount"`
}

// filter returns the filter of bids that the query parameters ask for. The parameter status is added to statuses.
func (in *listBidsInput) filter() report.BidFilter {
	users := caller.Users{UserID: in.UserID, WalletAddress: in.WalletAddress}
	f := report.BidFilter{
		Users: users.Filter(), IDs: in.ID.Values, AuctionID: in.AuctionID.ID, Statuses: in.Statuses.Values,
		Ascending: in.OrderBy == "asc", Skip: in.Skip.N,
	}
	if one := string(in.Status); one != "" && !slices.Contains(f.Statuses, one) {
		f.Statuses = append(f.Statuses, one)
	}
	return f
}

// listBids returns a page of bids that the key may see, and their number if includeCount is set.
func (h *handlers) listBids(
	ctx context.Context, in *listBidsInput,
) (*rest.Response[rest.CountedList[auctionBid]], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := h.Caller.CheckUserFilter(
		ctx, scope, caller.Users{UserID: in.UserID, WalletAddress: in.WalletAddress}); err != nil {
		return nil, err
	}
	f, err := h.restrictToVisible(ctx, scope, in.filter())
	if err != nil {
		return nil, err
	}
	page, err := h.Report.Bids(ctx, scope, f, in.Page())
	if err != nil {
		return nil, err
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	shape, err := h.bidShaper(ctx, scope, viewer, page.Data)
	if err != nil {
		return nil, err
	}
	bids := laurel.MapPage(page, shape)
	out := &rest.Response[rest.CountedList[auctionBid]]{}
	out.Body.Data, out.Body.HasNextPage = bids.Data, bids.HasNextPage
	if in.IncludeCount.Value {
		n, err := h.Report.CountBids(ctx, scope, f)
		if err != nil {
			return nil, err
		}
		out.Body.Count = &n
	}
	return out, nil
}

// restrictToVisible restricts a filter to bids that the key may see. A client key sees bids that are not hidden and,
// with a member token, also the hidden bids of that member.
func (h *handlers) restrictToVisible(
	ctx context.Context, scope laurel.Scope, f report.BidFilter,
) (report.BidFilter, error) {
	if f.OnlyVisible = scope.Role == laurel.RoleClient; !f.OnlyVisible || rest.TokenOf(ctx) == "" {
		return f, nil
	}
	var err error
	f.Member, err = rest.MemberOf(ctx)
	return f, err
}

// getBid returns a bid. Errors: NotFound "Bid", also for a hidden bid that the key may not see.
func (h *handlers) getBid(ctx context.Context, in *byIDInput) (*rest.Response[auctionBid], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	f, err := h.restrictToVisible(ctx, scope, report.BidFilter{IDs: []laurel.ID{in.ID.ID}})
	if err != nil {
		return nil, err
	}
	page, err := h.Report.Bids(ctx, scope, f, laurel.PageRequest{Limit: 1})
	if err == nil && len(page.Data) == 0 {
		err = laurel.Missing("Bid")
	}
	if err != nil {
		return nil, err
	}
	return h.bidResponse(ctx, scope, page.Data[0])
}

// bidResponse returns the response with one bid, as the caller may see it.
func (h *handlers) bidResponse(
	ctx context.Context, scope laurel.Scope, b report.Bid,
) (*rest.Response[auctionBid], error) {
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	shape, err := h.bidShaper(ctx, scope, viewer, []report.Bid{b})
	return rest.ResponseOf(b, err, shape)
}

type placeBidInput struct {
	Body placeBidBody
}

type placeBidBody struct {
	rest.TenantBody
	caller.NamedUser
	AuctionID     laurel.ID     `json:"auctionId"`
	AuctionItemID *laurel.ID    `json:"auctionItemId,omitempty" doc:"Recorded"`
	Amount        laurel.Amount `json:"amount"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (placeBidBody) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{"amount": {"exclusiveMinimum": 0}}}
}

// placeBid places a bid for a user. A client key needs the member token of that user, and its bids are limited per
// minute. The response shows the bid as it was placed.
func (h *handlers) placeBid(ctx context.Context, in *placeBidInput) (*rest.Response[auctionBid], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	offer := auctions.Offer{
		AuctionID: in.Body.AuctionID, ItemID: rest.OptionalID(in.Body.AuctionItemID), User: in.Body.Ref(),
		Amount: in.Body.Amount,
	}
	if scope.Role == laurel.RoleClient {
		if err := h.Caller.CheckProvesMember(ctx, scope, offer.User); err != nil {
			return nil, err
		}
		if err := h.limitBids(ctx, scope); err != nil {
			return nil, err
		}
	}
	placed, err := h.Auctions.Bid(ctx, scope, offer)
	if err != nil {
		return nil, err
	}
	bid, err := h.Report.GetCreatedBid(ctx, scope, placed.ID)
	if err != nil {
		return nil, err
	}
	bid.Status, bid.UpdatedAt = placed.Status, bid.CreatedAt // as it was placed, even if it was outbid since
	return h.bidResponse(ctx, scope, bid)
}

// bidsPerUser is how many bids a member may place through client keys per minute (contract 1.9).
const bidsPerUser = 20

// limitBids counts a bid through a client key for the member of its token. Errors: RateLimited if the member has used
// up bidsPerUser of this minute.
func (h *handlers) limitBids(ctx context.Context, scope laurel.Scope) error {
	if h.LimitsOff {
		return nil
	}
	member, err := rest.MemberOf(ctx)
	if err != nil {
		return err
	}
	name := "bid:" + scope.WebsiteID.String() + ":" + member.String()
	allowed, err := h.Tenancy.Allow(ctx, name, bidsPerUser, time.Minute)
	if err != nil {
		return err
	}
	return rest.ReportSharedLimit(ctx, "bids", bidsPerUser, time.Minute, allowed)
}
