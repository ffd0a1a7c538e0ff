package ruletypes

import (
	"context"
	"slices"

	"laurel/internal/engagement"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// checkIn: the member comes by. Other completions may check it in, and milestones of its streak pay (contract 5.9).
var checkIn = Kind{
	Kind: schema.Kind{
		Type: schema.TypeCheckIn, Family: schema.Engagement, Title: "Check-in",
		Summary: "Members come by every day, week or month; streaks may pay more.", OnCall: true, CheckedInByOthers: true,
	},
	Decision: &decision.Kind{Check: checkPayingCheckIn, AddToReward: addMilestones},
	NewStep: func(d *Deps, c *Case) Step {
		if !c.Rule.Meta().EnableStreaks {
			return nil
		}
		return &streakStep{Deps: d}
	},
}

// checkPayingCheckIn: somebody who asks to check in is paid for it by the rule's amount, or by what its milestones pay.
// A rule of amount 0 that others check in to pays nothing but milestones, and nobody by a call.
func checkPayingCheckIn(f decision.Facts) error {
	if f.Rule.Amount != nil && *f.Rule.Amount > 0 {
		return nil
	}
	if !f.Meta.EnableStreaks || !slices.ContainsFunc(f.Meta.StreakArray, schema.Streak.Pays) ||
		f.TriggeredBy == decision.ByCall && !f.Meta.CheckInTriggers.IsEmpty() {
		return decision.Refuse(decision.MsgCheckInZero)
	}
	return nil
}

// addMilestones counts the check-in: one more where the last one was in the window before, 1 where a window was missed,
// and the same where the window is the last one's, which has been opened again. What a milestone pays comes with it.
func addMilestones(f decision.Facts, reward *decision.Reward) (err error) {
	if !f.Meta.EnableStreaks {
		return nil
	}
	course, last, now := f.Rule.WindowSequence(f.Meta), f.Streak.At, f.Now
	if now.Before(last) {
		now = last // a member's time does not go back
	}
	switch ends := course.StreakEnd(last); {
	case last.IsZero():
		reward.Streak = 1
	case course.InSameWindow(last, now):
		reward.Streak = f.Streak.Count
		return nil
	case ends.IsZero() || now.Before(ends):
		reward.Streak = f.Streak.Count + 1
	default:
		reward.Streak = 1
	}
	if f.GrantsMultiplier() && (f.RewardCurrency().IsZero() || !f.CurrencyLive) {
		return nil // a rule that gives multipliers may have none
	}
	for _, s := range f.Meta.StreakArray {
		if s.Pays() && *s.Milestone == decision.CountAmount(int(reward.Streak)) {
			credit := decision.Credit{Metadata: map[string]any{"streakMilestone": reward.Streak}}
			if credit.Amount, err = f.RaiseAmount(*s.Amount); err == nil {
				reward.Credits = append(reward.Credits, credit)
			}
		}
	}
	return err
}

// streakStep counts the check-ins of one member, or of its group, window after window.
type streakStep struct {
	BaseStep
	*Deps
}

func (*streakStep) key(c *Case) engagement.StreakKey {
	return engagement.StreakKey{Rule: c.Rule.ID, Subject: c.Person.Subject()}
}

func (s *streakStep) Locks(c *Case) []store.Lock {
	return []store.Lock{engagement.Streaks.Lock(s.key(c))}
}

func (s *streakStep) LockedFacts(b *store.Batch, c *Case, f *decision.Facts) {
	f.Streak.Count, f.Streak.At = engagement.Streaks.Row(b, s.key(c)).Last()
}

func (s *streakStep) UnlockedFacts(ctx context.Context, c *Case, f *decision.Facts) error {
	rows, err := engagement.Streaks.Read(ctx, s.DB, []engagement.StreakKey{s.key(c)})
	if row := rows[s.key(c)]; row != nil {
		f.Streak.Count, f.Streak.At = row.Last()
	}
	return err
}

func (s *streakStep) Apply(b *store.Batch, c *Case, reward decision.Reward) error {
	row := engagement.Streaks.Changed(b, s.key(c))
	_, last := row.Last()
	at := c.DecisionTime(b.Now())
	if at.Before(last) {
		at = last // a member's time does not go back
	}
	row.StageCheckIn(
		b,
		c.Person,
		engagement.CheckIn{Count: reward.Streak, At: at, ExpiresAt: c.Rule.WindowSequence(c.Rule.Meta()).StreakEnd(at)},
	)
	return nil
}
