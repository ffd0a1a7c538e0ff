package points

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/points/expiry"
	"laurel.example/laurel/internal/points/lots"
)

// lot is a part of an account's points, as docs/decisions/0019-lots.md has it.
type lot struct {
	ID                   laurel.ID         `json:"id"`
	OrganizationID       laurel.ID         `json:"organizationId"`
	WebsiteID            laurel.ID         `json:"websiteId"`
	LoyaltyAccountID     laurel.ID         `json:"loyaltyAccountId"`
	LoyaltyCurrencyID    laurel.ID         `json:"loyaltyCurrencyId"`
	UserID               laurel.ID         `json:"userId"`
	State                string            `json:"state" enum:"pending,released,cancelled,open,spent,expired,closed"`
	Amount               laurel.Amount     `json:"amount"`
	Remaining            laurel.Amount     `json:"remaining" doc:"The remaining points of an open lot, or all points of a pending lot"`
	LoyaltyRuleID        *laurel.ID        `json:"loyaltyRuleId" doc:"The rule that paid the points; null if no rule did"`
	LoyaltyTransactionID *laurel.ID        `json:"loyaltyTransactionId" doc:"The transaction that credited the points, or granted held ones; null for points from before points expired"`
	EntryID              *laurel.ID        `json:"loyaltyTransactionEntryId" doc:"The entry that credited the points; null while they are held, and for points from before points expired"`
	EndEntryID           *laurel.ID        `json:"expiryEntryId" doc:"The debit by which it expired"`
	Reason               *string           `json:"reason" doc:"The reason of a cancellation"`
	CreatedAt            laurel.Timestamp  `json:"createdAt"`
	WaitsUntil           *laurel.Timestamp `json:"waitsUntil"`
	ExpiresAt            *laurel.Timestamp `json:"expiresAt"`
	EndedAt              *laurel.Timestamp `json:"endedAt" doc:"When it was spent, expired, cancelled or closed"`
}

// shapeLot returns a lot, which is the points of one credit to an account, as responses show it.
func shapeLot(l lots.Lot) lot {
	return lot{
		ID:                   l.ID,
		OrganizationID:       l.OrganizationID,
		WebsiteID:            l.WebsiteID,
		LoyaltyAccountID:     l.AccountID,
		LoyaltyCurrencyID:    l.CurrencyID,
		UserID:               l.UserID,
		State:                string(l.State),
		Amount:               l.Amount,
		Remaining:            l.Remaining,
		LoyaltyRuleID:        l.RuleID.Ptr(),
		LoyaltyTransactionID: l.TransactionID.Ptr(),
		EntryID:              l.EntryID.Ptr(),
		EndEntryID:           l.EndEntryID.Ptr(),
		Reason:               l.Reason,
		CreatedAt:            laurel.Timestamp{Time: lots.TimeOrZero(&l.CreatedAt)},
		WaitsUntil:           laurel.Stamp(lots.TimeOrZero(l.WaitsUntil)),
		ExpiresAt:            laurel.Stamp(lots.TimeOrZero(l.ExpiresAt)),
		EndedAt:              laurel.Stamp(lots.TimeOrZero(l.EndedAt)),
	}
}

type listLotsInput struct {
	rest.PathID
	rest.Paging
	State rest.ManyOf[lotStates] `query:"state"`
}

// lotStates lists the states of lots.
type lotStates struct{}

// Values returns them.
func (lotStates) Values() []string { return lots.States }

// listLots returns a page of the lots of an account.
func (h *handlers) listLots(ctx context.Context, in *listLotsInput) (*rest.Page[lot], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Expiry.List(ctx, scope, in.ID.ID, in.State.Values, in.Page())
	return rest.ListOf(page, err, shapeLot)
}

// expiring is the points of an account that expire at one moment.
type expiring struct {
	ExpiresAt laurel.Timestamp `json:"expiresAt"`
	Amount    laurel.Amount    `json:"amount"`
}

type listExpiringInput struct {
	rest.PathID
	rest.Tenant
	Before rest.Moment    `query:"before" doc:"Exclusive. RFC 3339 with an offset, or a date for 00:00 UTC; the + of an offset is sent as %2B"`
	After  rest.Moment    `query:"after" doc:"Exclusive. The expiresAt of the last item of a page gives the next page. Form as before"`
	Limit  rest.Limit1000 `query:"limit"`
}

// listExpiring returns a page of the moments at which points of an account expire. A client key reads only accounts of
// the member whose token it has, since what is left of the points shows hidden bids.
func (h *handlers) listExpiring(ctx context.Context, in *listExpiringInput) (*rest.Page[expiring], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	filter := expiry.ExpiringFilter{After: in.After.Time, Before: in.Before.Time}
	if scope.Role == laurel.RoleClient {
		if filter.MemberID, err = rest.MemberOf(ctx); err != nil {
			return nil, err
		}
	}
	page, err := h.Expiry.Expiring(ctx, scope, in.ID.ID, filter, in.Limit.Or())
	return rest.ListOf(page, err, func(e lots.Expiring) expiring {
		return expiring{ExpiresAt: rest.StampOf(e.ExpiresAt), Amount: e.Amount}
	})
}

type releaseLotInput struct {
	rest.PathID
	Body struct{ rest.TenantBody }
}

// releaseLot credits held points before they are due.
func (h *handlers) releaseLot(ctx context.Context, in *releaseLotInput) (*rest.Response[lot], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	l, err := h.Expiry.Release(ctx, scope, in.ID.ID)
	return rest.ResponseOf(l, err, shapeLot)
}

type cancelLotInput struct {
	rest.PathID
	Body struct {
		rest.TenantBody
		Reason string `json:"reason,omitempty" maxLength:"1000" doc:"Kept with the lot"`
	}
}

// cancelLot cancels held points.
func (h *handlers) cancelLot(ctx context.Context, in *cancelLotInput) (*rest.Response[lot], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	l, err := h.Expiry.Cancel(ctx, scope, in.ID.ID, in.Body.Reason)
	return rest.ResponseOf(l, err, shapeLot)
}
