package points

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/points/payouts"
)

// payout is a token reward that is owed for an entry.
type payout struct {
	payouts.Payout
	IsNative      bool              `json:"isNative"`
	Message       *string           `json:"message" doc:"Why it failed, or why the last call failed"`
	NextAttemptAt *laurel.Timestamp `json:"nextAttemptAt"`
}

// shapePayout returns a payout as responses show it.
func shapePayout(p payouts.Payout) payout {
	out := payout{Payout: p, IsNative: p.ContractID.IsZero(), NextAttemptAt: laurel.Stamp(p.NextAttemptAt())}
	if p.Message != "" {
		out.Message = &p.Message
	}
	return out
}

type listPayoutsInput struct {
	rest.Paging
	Status        rest.ManyOf[payoutStates] `query:"status"`
	LoyaltyRuleID rest.IDs                  `query:"loyaltyRuleId"`
	UserID        rest.IDs                  `query:"userId"`
	WalletAddress rest.Addresses            `query:"walletAddress"`
}

// payoutStates lists the states of payouts.
type payoutStates struct{}

// Values returns them.
func (payoutStates) Values() []string { return payouts.States() }

// listPayouts returns a page of payouts.
func (h *handlers) listPayouts(ctx context.Context, in *listPayoutsInput) (*rest.Page[payout], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	filter := payouts.Filter{
		Statuses: in.Status.Values, RuleIDs: in.LoyaltyRuleID.Values, UserIDs: in.UserID.Values,
		Wallets: in.WalletAddress.Values,
	}
	page, err := h.Payouts.List(ctx, scope, filter, in.Page())
	return rest.ListOf(page, err, shapePayout)
}

type retryPayoutInput struct {
	rest.PathID
	Body struct{ rest.TenantBody }
}

// retryPayout hands a failed payout to the driver again.
func (h *handlers) retryPayout(ctx context.Context, in *retryPayoutInput) (*rest.Response[payout], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	p, err := h.Payouts.Retry(ctx, scope, in.ID.ID)
	return rest.ResponseOf(p, err, shapePayout)
}
