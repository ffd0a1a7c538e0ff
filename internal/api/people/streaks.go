package people

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/schema"
)

// accountStreak is contract 3.19.
type accountStreak struct {
	ID            laurel.ID            `json:"id"`
	LoyaltyRuleID laurel.ID            `json:"loyaltyRuleId"`
	UserID        laurel.ID            `json:"userId" doc:"The member who checked in last"`
	WalletAddress *string              `json:"walletAddress"`
	StreakCount   int64                `json:"streakCount" doc:"Windows in a row with a check-in, up to the last one"`
	ExpiresAt     laurel.NullTimestamp `json:"expiresAt" doc:"A check-in from then on begins a new streak; null: never"`
	Milestone     []milestone          `json:"milestone"`
	CreatedAt     laurel.Timestamp     `json:"createdAt"`
	UpdatedAt     laurel.Timestamp     `json:"updatedAt"`
}

type milestone struct {
	StreakMilestone laurel.Amount `json:"streakMilestone"`
	StreakAmount    laurel.Amount `json:"streakAmount"`
}

// shapeStreak returns a streak as responses show it to the viewer, with the milestones of its rule.
func shapeStreak(v identity.Viewer, s report.Streak) accountStreak {
	out := accountStreak{
		ID:            s.ID,
		LoyaltyRuleID: s.RuleID,
		UserID:        s.UserID,
		WalletAddress: v.Wallet(s.UserID, s.Wallet),
		StreakCount:   s.Count,
		ExpiresAt:     s.ExpiresAt,
		Milestone:     []milestone{},
		CreatedAt:     s.CreatedAt,
		UpdatedAt:     s.UpdatedAt,
	}
	for _, m := range (&schema.Properties{Metadata: s.Metadata}).Meta().StreakArray {
		if m.Milestone != nil {
			one := milestone{StreakMilestone: *m.Milestone}
			if m.Amount != nil {
				one.StreakAmount = *m.Amount
			}
			out.Milestone = append(out.Milestone, one)
		}
	}
	return out
}

type listStreaksInput struct {
	rest.Paging
	caller.Users
	LoyaltyRuleID rest.IDs `query:"loyaltyRuleId" required:"true"`
}

// listStreaks returns a page of streaks as a bare array (contract 4.2). The array has no room for hasNextPage: a caller
// takes a full page as a sign that there may be a next one.
func (h *handlers) listStreaks(ctx context.Context, in *listStreaksInput) (*rest.Response[[]accountStreak], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := h.Caller.CheckUserFilter(ctx, scope, in.Users); err != nil {
		return nil, err
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	page, err := h.Report.Streaks(
		ctx,
		scope,
		report.StatusFilter{Users: in.Filter(), RuleIDs: in.LoyaltyRuleID.Values},
		in.Page(),
	)
	return rest.ResponseOf(page, err, func(p laurel.Page[report.Streak]) []accountStreak {
		return laurel.MapPage(p, func(s report.Streak) accountStreak { return shapeStreak(viewer, s) }).Data
	})
}
