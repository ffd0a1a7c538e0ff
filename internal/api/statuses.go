package api

import (
	"context"

	"laurel"
	"laurel/internal/report"
	"laurel/internal/rules/completion"
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
	List
	Users
	LoyaltyRuleID IDs `query:"loyaltyRuleId" doc:"One or up to 100"`
}

func (a *API) listStatuses(ctx context.Context, in *listStatusesInput) (*answer[list[ruleStatus]], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := a.privateTo(ctx, scope, in.Users); err != nil {
		return nil, err
	}
	page, err := a.cfg.Report.Statuses(
		ctx,
		scope,
		report.StatusFilter{Users: in.filter(), RuleIDs: in.LoyaltyRuleID.Values},
		in.page(),
	)
	return listOf(page, err, func(s report.Status) ruleStatus {
		return ruleStatus{
			ID:             s.ID,
			OrganizationID: s.OrganizationID,
			WebsiteID:      s.WebsiteID,
			LoyaltyRuleID:  s.RuleID,
			UserID:         s.UserID,
			Progress:       s.Progress,
			CreatedAt:      laurel.Timestamp{Time: s.CreatedAt()},
			UpdatedAt:      laurel.Timestamp{Time: s.UpdatedAt()},
		}
	})
}

type writeStatusInput struct {
	Body writeStatusInputBody
}

type writeStatusInputBody struct {
	Named
	TenantBody
	LoyaltyRuleID laurel.ID      `json:"loyaltyRuleId"`
	Progress      *laurel.Amount `json:"progress,omitempty" doc:"Sets the progress; clamped to the rule's target"`
	IncProgress   *laurel.Amount `json:"incProgress,omitempty" doc:"Adds to the progress; clamped to the rule's target"`
}

// Bounds returns what the properties accept.
func (writeStatusInputBody) Bounds() laurel.Bounds { return completion.StatusInput{}.Bounds() }

func (a *API) writeStatus(ctx context.Context, in *writeStatusInput) (*answer[ruleStatus], error) {
	scope, err := a.narrow(ctx, in.Body.tenant())
	if err != nil {
		return nil, err
	}
	s, err := a.cfg.Completions.WriteStatus(
		ctx,
		scope,
		completion.StatusInput{
			RuleID:    given(&in.Body.LoyaltyRuleID),
			User:      in.Body.ref(),
			Progress:  in.Body.Progress,
			Increment: in.Body.IncProgress,
		},
	)
	return answerOf(s, err, func(s completion.Status) ruleStatus {
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

// processingView tells what became of a completion (contract 3.16).
type processingView struct {
	ID             laurel.ID         `json:"id"`
	LoyaltyRuleID  laurel.ID         `json:"loyaltyRuleId"`
	UserID         laurel.ID         `json:"userId"`
	OrganizationID laurel.ID         `json:"organizationId"`
	WebsiteID      laurel.ID         `json:"websiteId"`
	Status         string            `json:"status,omitempty" enum:"pending,processing,completed,failed" doc:"Left out where there is progress only"`
	Message        string            `json:"message"`
	Progress       *laurel.Amount    `json:"progress"`
	FulfilledAt    *laurel.Timestamp `json:"fulfilledAt"`
	CreatedAt      laurel.Timestamp  `json:"createdAt"`
	UpdatedAt      laurel.Timestamp  `json:"updatedAt"`
}

type listProcessingInput struct {
	List
	Users
	LoyaltyRuleID IDs `query:"loyaltyRuleId"`
}

func (a *API) listProcessing(ctx context.Context, in *listProcessingInput) (*answer[list[processingView]], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := a.privateTo(ctx, scope, in.Users); err != nil {
		return nil, err
	}
	page, err := a.cfg.Report.ProcessingOf(
		ctx,
		scope,
		report.StatusFilter{Users: in.filter(), RuleIDs: in.LoyaltyRuleID.Values},
		in.page(),
	)
	return listOf(page, err, shapeProcessing)
}

func shapeProcessing(p report.Processing) processingView {
	out := processingView{
		ID:             p.ID,
		LoyaltyRuleID:  p.RuleID,
		UserID:         p.UserID,
		OrganizationID: p.OrganizationID,
		WebsiteID:      p.WebsiteID,
		Message:        p.Message,
		Progress:       p.Progress,
		CreatedAt:      stampOf(p.CreatedMicros),
		UpdatedAt:      stampOf(p.UpdatedMicros),
	}
	if p.Status != nil {
		out.Status = *p.Status
	}
	if p.FulfilledAt != nil {
		fulfilled := stampOf(*p.FulfilledAt)
		out.FulfilledAt = &fulfilled
	}
	return out
}
