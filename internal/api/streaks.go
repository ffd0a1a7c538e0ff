package api

import (
	"context"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/report"
	"laurel/internal/rules/schema"
)

// accountStreak is contract 3.19.
type accountStreak struct {
	ID            laurel.ID         `json:"id"`
	LoyaltyRuleID laurel.ID         `json:"loyaltyRuleId"`
	UserID        laurel.ID         `json:"userId" doc:"Who checked in last"`
	WalletAddress *string           `json:"walletAddress"`
	StreakCount   int64             `json:"streakCount" doc:"Windows in a row with a check-in, up to the last one"`
	ExpiresAt     *laurel.Timestamp `json:"expiresAt" doc:"A check-in from then on begins anew; null: never"`
	Milestone     []milestone       `json:"milestone"`
	CreatedAt     laurel.Timestamp  `json:"createdAt"`
	UpdatedAt     laurel.Timestamp  `json:"updatedAt"`
}

type milestone struct {
	StreakMilestone laurel.Amount `json:"streakMilestone"`
	StreakAmount    laurel.Amount `json:"streakAmount"`
}

func shapeStreak(v identity.Viewer, s report.Streak) accountStreak {
	out := accountStreak{
		ID:            s.ID,
		LoyaltyRuleID: s.RuleID,
		UserID:        s.UserID,
		WalletAddress: v.Wallet(s.UserID, s.Wallet),
		StreakCount:   s.Count,
		Milestone:     []milestone{},
		CreatedAt:     stampOf(s.CreatedMicros),
		UpdatedAt:     stampOf(s.UpdatedMicros),
	}
	if s.ExpiresMicros != nil {
		ends := stampOf(*s.ExpiresMicros)
		out.ExpiresAt = &ends
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
	List
	Users
	LoyaltyRuleID IDs `query:"loyaltyRuleId" required:"true"`
}

// listStreaks returns a bare array (contract 4.2): without an envelope nothing tells of a next page but a full one.
func (a *API) listStreaks(ctx context.Context, in *listStreaksInput) (*answer[[]accountStreak], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := a.mayAsk(ctx, scope, in.Users); err != nil {
		return nil, err
	}
	viewer, err := a.viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	page, err := a.cfg.Report.Streaks(
		ctx,
		scope,
		report.StatusFilter{Users: in.filter(), RuleIDs: in.LoyaltyRuleID.Values},
		in.page(),
	)
	return answerOf(page, err, func(p laurel.Page[report.Streak]) []accountStreak {
		return laurel.MapPage(p, func(s report.Streak) accountStreak { return shapeStreak(viewer, s) }).Data
	})
}
