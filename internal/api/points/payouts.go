package points

import (
	"context"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/points/payouts"
)

// payout is a token reward that is owed for an entry.
type payout struct {
	ID                        laurel.ID         `json:"id" doc:"The idempotencyKey that the payout driver receives"`
	OrganizationID            laurel.ID         `json:"organizationId"`
	WebsiteID                 laurel.ID         `json:"websiteId"`
	LoyaltyCurrencyID         laurel.ID         `json:"loyaltyCurrencyId" doc:"The hidden currency of the token"`
	LoyaltyRuleID             *laurel.ID        `json:"loyaltyRuleId" doc:"null if a badge granted the reward"`
	LoyaltyBadgeID            *laurel.ID        `json:"loyaltyBadgeId" doc:"null if a rule granted the reward"`
	LoyaltyTransactionEntryID laurel.ID         `json:"loyaltyTransactionEntryId"`
	UserID                    laurel.ID         `json:"userId"`
	WalletAddress             string            `json:"walletAddress"`
	Amount                    laurel.Amount     `json:"amount"`
	RelayerID                 *laurel.ID        `json:"relayerId" doc:"null if a badge granted the reward"`
	ContractID                *laurel.ID        `json:"contractId"`
	IsNative                  bool              `json:"isNative"`
	Network                   *string           `json:"network"`
	Status                    string            `json:"status" enum:"waiting,sent,done,failed"`
	TxHash                    *string           `json:"txHash"`
	Message                   *string           `json:"message" doc:"Why it failed, or why the last call failed"`
	Attempts                  int64             `json:"attempts" doc:"Calls of the driver since the payout was created or retried"`
	NextAttemptAt             *laurel.Timestamp `json:"nextAttemptAt"`
	CreatedAt                 laurel.Timestamp  `json:"createdAt"`
	UpdatedAt                 laurel.Timestamp  `json:"updatedAt" doc:"Moves with status and txHash"`
}

// shapePayout returns a payout as responses show it.
func shapePayout(p payouts.Payout) payout {
	textOrNil := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	return payout{
		ID:                        p.ID,
		OrganizationID:            p.OrganizationID,
		WebsiteID:                 p.WebsiteID,
		LoyaltyCurrencyID:         p.CurrencyID,
		LoyaltyRuleID:             p.RuleID.Ptr(),
		LoyaltyBadgeID:            p.BadgeID.Ptr(),
		LoyaltyTransactionEntryID: p.EntryID,
		UserID:                    p.UserID,
		WalletAddress:             p.Wallet,
		Amount:                    p.Amount,
		RelayerID:                 p.RelayerID.Ptr(),
		ContractID:                p.ContractID.Ptr(),
		IsNative:                  p.ContractID.IsZero(),
		Network:                   textOrNil(p.Network),
		Status:                    p.Status,
		TxHash:                    textOrNil(p.TxHash),
		Message:                   textOrNil(p.Message),
		Attempts:                  p.Attempts,
		NextAttemptAt:             laurel.Stamp(p.NextAttemptAt()),
		CreatedAt:                 laurel.Timestamp{Time: p.CreatedAt},
		UpdatedAt:                 laurel.Timestamp{Time: p.UpdatedAt},
	}
}

type listPayoutsInput struct {
	rest.Paging
	Status        PayoutStates   `query:"status"`
	LoyaltyRuleID rest.IDs       `query:"loyaltyRuleId"`
	UserID        rest.IDs       `query:"userId"`
	WalletAddress rest.Addresses `query:"walletAddress"`
}

// PayoutStates is a query parameter: one or many states.
type PayoutStates struct{ rest.Strings }

// Schema documents the array form.
func (PayoutStates) Schema(huma.Registry) *huma.Schema {
	s := rest.StringSchema("")
	for _, state := range payouts.States() {
		s.Enum = append(s.Enum, state)
	}
	return rest.ManySchema(s)
}

// listPayouts returns a page of payouts.
func (h *handlers) listPayouts(ctx context.Context, in *listPayoutsInput) (*rest.Page[payout], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	var f laurel.Faults
	for _, state := range in.Status.Values {
		if !slices.Contains(payouts.States(), state) {
			f.Add("status", "must be one of: %s", strings.Join(payouts.States(), ", "))
			break
		}
	}
	if err := f.Err(); err != nil {
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
