package commerce

import (
	"context"
	"encoding/json"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/report"
)

// hold is the record of contract 5.22.
type hold struct{ holds.Hold }

// shapeHold returns a hold as responses show it.
func shapeHold(h holds.Hold) hold { return hold{h} }

// holdStatuses lists the statuses of holds.
type holdStatuses struct{}

// Values returns them.
func (holdStatuses) Values() []string { return holds.Statuses() }

type listHoldsInput struct {
	rest.Paging
	caller.Users
	Status            rest.ManyOf[holdStatuses] `query:"status"`
	LoyaltyCurrencyID rest.ID                   `query:"loyaltyCurrencyId"`
}

// listHolds returns a page of holds. A client key gets the holds of one user: the one that it names and may act for, or
// the member of its token.
func (h *handlers) listHolds(ctx context.Context, in *listHoldsInput) (*rest.Page[hold], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := h.Caller.RestrictToOwn(ctx, scope, &in.Users); err != nil {
		return nil, err
	}
	page, err := h.Report.Holds(ctx, scope, report.HoldFilter{
		Users: in.Filter(), Statuses: in.Status.Values, CurrencyID: in.LoyaltyCurrencyID.ID,
	}, in.Page())
	return rest.ListOf(page, err, shapeHold)
}

type holdInput struct {
	rest.PathID
	rest.Tenant
}

// getHold returns a hold. Errors: NotFound "Hold", also for a hold of a member that a client key may not read.
func (h *handlers) getHold(ctx context.Context, in *holdInput) (*rest.Response[hold], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	member, err := h.visibleMember(ctx, scope)
	if err != nil {
		return nil, err
	}
	found, err := h.Holds.Get(ctx, scope, in.ID.ID)
	if err == nil && !member.IsZero() && found.UserID != member {
		err = laurel.Missing("Hold")
	}
	return rest.ResponseOf(found, err, shapeHold)
}

// visibleMember returns the member whose records the key may read: with a client key that of its token; zero for all
// members.
func (h *handlers) visibleMember(ctx context.Context, scope laurel.Scope) (laurel.ID, error) {
	if scope.Role != laurel.RoleClient || rest.TrustsClientUsers(ctx) {
		return laurel.ID{}, nil
	}
	return rest.MemberOf(ctx)
}

type createHoldBody struct {
	rest.TenantBody
	caller.NamedUser
	LoyaltyCurrencyID laurel.ID     `json:"loyaltyCurrencyId"`
	Amount            laurel.Amount `json:"amount"`
	Description       *string       `json:"description,omitempty"`
	ExpiresInSeconds  *int64        `json:"expiresInSeconds,omitempty" doc:"Default 3600"`
	IdempotencyKey    *string       `json:"idempotencyKey,omitempty" doc:"Unique on the website forever, among entries, completions and holds together"`
	Metadata          laurel.Object `json:"metadata,omitempty"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (createHoldBody) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"amount":           {"exclusiveMinimum": 0},
		"description":      {"maxLength": holds.MaxDescription},
		"expiresInSeconds": {"minimum": holds.MinExpiry, "maximum": holds.MaxExpiry},
		"idempotencyKey":   {"minLength": 1, "maxLength": holds.MaxKey},
		"metadata":         {"description": "At most " + strconv.Itoa(budget.Metadata) + " bytes"},
	}}
}

type createHoldInput struct {
	Body createHoldBody
}

// createHold holds points of a user for an order.
func (h *handlers) createHold(ctx context.Context, in *createHoldInput) (*rest.Response[hold], error) {
	b := in.Body
	scope, err := h.Caller.NarrowToWebsite(ctx, b.OrganizationID, b.WebsiteID)
	if err != nil {
		return nil, err
	}
	ref := b.Ref()
	var f laurel.Faults
	ref.Validate(&f)
	if len(f) > 0 {
		return nil, f.Err()
	}
	made, err := h.Holds.Create(ctx, scope, holds.Input{
		Member:     transactions.MemberRef{UserID: ref.UserID, Wallet: ref.Wallet},
		CurrencyID: b.LoyaltyCurrencyID, Amount: b.Amount, Description: b.Description, ExpiresIn: b.ExpiresInSeconds,
		Key: b.IdempotencyKey, Metadata: json.RawMessage(b.Metadata),
	})
	return rest.ResponseOf(made, err, shapeHold)
}

type captureHoldInput struct {
	rest.PathID
	Body struct {
		rest.TenantBody
		Amount *laurel.Amount `json:"amount,omitempty" doc:"Above 0 and at most what is held, which is the default"`
	}
}

// captureHold captures a hold: the whole of it, or the amount in the body if there is one.
func (h *handlers) captureHold(ctx context.Context, in *captureHoldInput) (*rest.Response[hold], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	held, err := h.Holds.Capture(ctx, scope, in.ID.ID, in.Body.Amount)
	return rest.ResponseOf(held, err, shapeHold)
}

type releaseHoldInput struct {
	rest.PathID
	Body struct{ rest.TenantBody }
}

// releaseHold releases a hold: the points go back to the accounts that paid.
func (h *handlers) releaseHold(ctx context.Context, in *releaseHoldInput) (*rest.Response[hold], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	held, err := h.Holds.Release(ctx, scope, in.ID.ID)
	return rest.ResponseOf(held, err, shapeHold)
}
