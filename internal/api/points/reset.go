package points

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/rules/reset"
)

type resetInput struct {
	Body struct {
		rest.TenantBody
		LoyaltyCurrencyID *laurel.ID `json:"loyaltyCurrencyId"`
		Type              string     `json:"type" enum:"loyalty_reset_balances,loyalty_reset_balances_data_and_rules,loyalty_reset_balances_data_not_rules"`
	}
}

type resetBody struct {
	Success bool `json:"success"`
	Pending bool `json:"pending,omitempty" doc:"true while the reset of a large currency continues in the background"`
}

// resetCurrency starts the reset of a currency. The response says whether it is still going on.
func (h *handlers) resetCurrency(ctx context.Context, in *resetInput) (*rest.Response[resetBody], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	done, err := h.Reset.Reset(
		ctx,
		scope,
		reset.Input{CurrencyID: rest.OptionalID(in.Body.LoyaltyCurrencyID), Kind: in.Body.Type},
	)
	return rest.ResponseOf(done, err, func(done bool) resetBody { return resetBody{Success: true, Pending: !done} })
}

// clearingJob is the reset of a currency or the debit of a deleted rule, with its progress.
type clearingJob struct {
	ID                laurel.ID        `json:"id"`
	OrganizationID    laurel.ID        `json:"organizationId"`
	WebsiteID         laurel.ID        `json:"websiteId"`
	Type              string           `json:"type" enum:"loyalty_reset_balances,loyalty_reset_balances_data_and_rules,loyalty_reset_balances_data_not_rules,loyalty_rule_debit"`
	LoyaltyCurrencyID *laurel.ID       `json:"loyaltyCurrencyId" doc:"For a reset: its currency"`
	LoyaltyRuleID     *laurel.ID       `json:"loyaltyRuleId" doc:"For the debit of a deleted rule: the rule"`
	Status            string           `json:"status" enum:"processing,complete,cancelled"`
	Message           *string          `json:"message" doc:"Why it was cancelled, or what it left out"`
	Accounts          int64            `json:"accounts" doc:"That were debited so far"`
	Amount            laurel.Amount    `json:"amount" doc:"The sum of all debits so far"`
	CreatedByID       *laurel.ID       `json:"createdById"`
	CreatedAt         laurel.Timestamp `json:"createdAt"`
	UpdatedAt         laurel.Timestamp `json:"updatedAt"`
}

// shapeClearingJob returns a clearing job as responses show it: the reset of a currency, or the debit of points that a
// deleted rule has paid.
func shapeClearingJob(j reset.Job) clearingJob {
	return clearingJob{
		ID:                j.ID,
		OrganizationID:    j.OrganizationID,
		WebsiteID:         j.WebsiteID,
		Type:              string(j.Kind),
		LoyaltyCurrencyID: j.CurrencyID.Ptr(),
		LoyaltyRuleID:     j.RuleID.Ptr(),
		Status:            j.Status,
		Message:           j.Message,
		Accounts:          j.Accounts,
		Amount:            j.Amount,
		CreatedByID:       j.CreatedByID.Ptr(),
		CreatedAt:         laurel.Timestamp{Time: j.CreatedAt},
		UpdatedAt:         laurel.Timestamp{Time: j.UpdatedAt},
	}
}

type listClearingJobsInput struct {
	rest.Paging
	LoyaltyCurrencyID rest.ID `query:"loyaltyCurrencyId"`
	LoyaltyRuleID     rest.ID `query:"loyaltyRuleId"`
	Status            string  `query:"status" enum:"processing,complete,cancelled"`
}

// listClearingJobs returns a page of resets of currencies and debits of deleted rules.
func (h *handlers) listClearingJobs(ctx context.Context, in *listClearingJobsInput) (*rest.Page[clearingJob], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Reset.List(
		ctx,
		scope,
		reset.Filter{CurrencyID: in.LoyaltyCurrencyID.ID, RuleID: in.LoyaltyRuleID.ID, Status: in.Status},
		in.Page(),
	)
	return rest.ListOf(page, err, shapeClearingJob)
}
