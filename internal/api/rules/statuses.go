package rules

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/completion"
)

// ruleStatus is contract 3.16.
type ruleStatus struct {
	ID             laurel.ID        `json:"id"`
	OrganizationID laurel.ID        `json:"organizationId"`
	WebsiteID      laurel.ID        `json:"websiteId"`
	LoyaltyRuleID  laurel.ID        `json:"loyaltyRuleId"`
	UserID         laurel.ID        `json:"userId"`
	Progress       laurel.Amount    `json:"progress"`
	CreatedAt      laurel.Timestamp `json:"createdAt"`
	UpdatedAt      laurel.Timestamp `json:"updatedAt"`
}

type listStatusesInput struct {
	rest.Paging
	caller.Users
	LoyaltyRuleID rest.IDs `query:"loyaltyRuleId" doc:"One or up to 100"`
}

// listStatuses returns a page of the progress of users on rules. A client key gets that of one user, for whom it may
// act; if it names none, of the member of its token.
func (h *handlers) listStatuses(ctx context.Context, in *listStatusesInput) (*rest.Page[ruleStatus], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := h.Caller.RestrictToOwn(ctx, scope, &in.Users); err != nil {
		return nil, err
	}
	page, err := h.Report.Statuses(
		ctx,
		scope,
		report.StatusFilter{Users: in.Filter(), RuleIDs: in.LoyaltyRuleID.Values},
		in.Page(),
	)
	return rest.ListOf(page, err, shapeStatus)
}

// shapeStatus returns the progress of a user on a rule as responses show it.
func shapeStatus(s report.Status) ruleStatus {
	return ruleStatus{
		ID:             s.ID,
		OrganizationID: s.OrganizationID,
		WebsiteID:      s.WebsiteID,
		LoyaltyRuleID:  s.RuleID,
		UserID:         s.UserID,
		Progress:       s.Progress,
		CreatedAt:      s.CreatedAt,
		UpdatedAt:      s.UpdatedAt,
	}
}

type writeStatusInput struct {
	Body writeStatusInputBody
}

type writeStatusInputBody struct {
	caller.NamedUser
	rest.TenantBody
	LoyaltyRuleID laurel.ID      `json:"loyaltyRuleId"`
	Progress      *laurel.Amount `json:"progress,omitempty" doc:"Sets the progress; clamped to the rule's target"`
	IncProgress   *laurel.Amount `json:"incProgress,omitempty" doc:"Adds to the progress; clamped to the rule's target"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (writeStatusInputBody) Bounds() laurel.Bounds { return completion.StatusInput{}.Bounds() }

// writeStatus sets or increments the progress of a user on a rule.
func (h *handlers) writeStatus(ctx context.Context, in *writeStatusInput) (*rest.Response[ruleStatus], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	s, err := h.Completions.WriteStatus(
		ctx,
		scope,
		completion.StatusInput{
			RuleID:    rest.OptionalID(&in.Body.LoyaltyRuleID),
			User:      in.Body.Ref(),
			Progress:  in.Body.Progress,
			Increment: in.Body.IncProgress,
		},
	)
	return rest.ResponseOf(s, err, func(s completion.Status) ruleStatus {
		return ruleStatus{
			ID:             s.ID,
			OrganizationID: s.OrganizationID,
			WebsiteID:      s.WebsiteID,
			LoyaltyRuleID:  s.RuleID,
			UserID:         s.UserID,
			Progress:       s.Progress,
			CreatedAt:      laurel.Timestamp{Time: s.CreatedAt},
			UpdatedAt:      laurel.Timestamp{Time: s.UpdatedAt},
		}
	})
}

// processingView is the state of a completion that was accepted (contract 3.16).
type processingView struct {
	ID             laurel.ID         `json:"id"`
	LoyaltyRuleID  laurel.ID         `json:"loyaltyRuleId"`
	UserID         laurel.ID         `json:"userId"`
	OrganizationID laurel.ID         `json:"organizationId"`
	WebsiteID      laurel.ID         `json:"websiteId"`
	Status         string            `json:"status,omitempty" enum:"pending,processing,completed,failed" doc:"Absent if there is only progress"`
	Message        string            `json:"message"`
	Progress       *laurel.Amount    `json:"progress"`
	FulfilledAt    *laurel.Timestamp `json:"fulfilledAt"`
	CreatedAt      laurel.Timestamp  `json:"createdAt"`
	UpdatedAt      laurel.Timestamp  `json:"updatedAt"`
}

type listProcessingInput struct {
	rest.Paging
	caller.Users
	LoyaltyRuleID rest.IDs `query:"loyaltyRuleId"`
}

// listProcessing returns a page of accepted completions with their state. A client key gets those of one user, for whom
// it may act; if it names none, of the member of its token.
func (h *handlers) listProcessing(ctx context.Context, in *listProcessingInput) (*rest.Page[processingView], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := h.Caller.RestrictToOwn(ctx, scope, &in.Users); err != nil {
		return nil, err
	}
	page, err := h.Report.Processing(
		ctx,
		scope,
		report.StatusFilter{Users: in.Filter(), RuleIDs: in.LoyaltyRuleID.Values},
		in.Page(),
	)
	return rest.ListOf(page, err, shapeProcessing)
}

// shapeProcessing returns the state of a user's completion of a rule as responses show it. The status is empty if the
// user has only made progress.
func shapeProcessing(p report.Processing) processingView {
	out := processingView{
		ID:             p.ID,
		LoyaltyRuleID:  p.RuleID,
		UserID:         p.UserID,
		OrganizationID: p.OrganizationID,
		WebsiteID:      p.WebsiteID,
		Message:        p.Message,
		Progress:       p.Progress,
		CreatedAt:      p.CreatedAt,
		UpdatedAt:      p.UpdatedAt,
	}
	if p.Status != nil {
		out.Status = *p.Status
	}
	out.FulfilledAt = laurel.Stamp(p.FulfilledAt.Time)
	return out
}
