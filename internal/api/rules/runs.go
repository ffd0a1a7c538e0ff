package rules

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/rules/schedule"
)

// ruleRun is one run of a rule with a schedule.
type ruleRun struct {
	ID             laurel.ID         `json:"id"`
	OrganizationID laurel.ID         `json:"organizationId"`
	WebsiteID      laurel.ID         `json:"websiteId"`
	LoyaltyRuleID  laurel.ID         `json:"loyaltyRuleId"`
	ScheduledAt    laurel.Timestamp  `json:"scheduledAt" doc:"The time of the run; its rewards are decided as of then"`
	Since          laurel.Timestamp  `json:"since" doc:"The beginning of the period that the run covers: the run before, or the rule's start"`
	Status         string            `json:"status" enum:"pending,processing,complete,failed,cancelled"`
	Message        string            `json:"message" doc:"Why the run failed or was cancelled, or what it waits for; empty otherwise"`
	Evaluated      int64             `json:"evaluated" doc:"Members that were evaluated so far"`
	Rewarded       int               `json:"rewarded" doc:"Members who were paid, or who may claim if claimType is manual"`
	Refused        int               `json:"refused" doc:"Members who do not fulfil the rule, or were paid already"`
	Failed         int               `json:"failed" doc:"Members who could not be paid; the server's log says why"`
	StartedAt      *laurel.Timestamp `json:"startedAt"`
	FinishedAt     *laurel.Timestamp `json:"finishedAt"`
	CreatedAt      laurel.Timestamp  `json:"createdAt"`
	UpdatedAt      laurel.Timestamp  `json:"updatedAt"`
}

type listRunsInput struct {
	rest.PathID
	rest.Paging
	Status rest.Strings `query:"status" enum:"pending,processing,complete,failed,cancelled"`
}

// listRuns returns a page of the runs of a rule with a schedule.
func (h *handlers) listRuns(ctx context.Context, in *listRunsInput) (*rest.Page[ruleRun], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Schedule.List(ctx, scope, schedule.Filter{RuleID: in.ID.ID, Statuses: in.Status.Values}, in.Page())
	return rest.ListOf(page, err, func(r schedule.Run) ruleRun {
		return ruleRun{
			ID:             r.ID,
			OrganizationID: r.OrganizationID,
			WebsiteID:      r.WebsiteID,
			LoyaltyRuleID:  r.RuleID,
			ScheduledAt:    laurel.Timestamp{Time: r.ScheduledAt},
			Since:          laurel.Timestamp{Time: r.Since},
			Status:         r.Status,
			Message:        r.Message,
			Evaluated:      r.Evaluated,
			Rewarded:       r.Rewarded,
			Refused:        r.Refused,
			Failed:         r.Failed,
			StartedAt:      laurel.Stamp(r.StartedAt),
			FinishedAt:     laurel.Stamp(r.FinishedAt),
			CreatedAt:      laurel.Timestamp{Time: r.CreatedAt},
			UpdatedAt:      laurel.Timestamp{Time: r.UpdatedAt},
		}
	})
}
