package ruletypes

import (
	"context"
	"slices"

	"laurel/internal/engagement"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// checkIn pays members who check in. Other completions may check a member in, and milestones of its streak pay
// (contract 5.9).
var checkIn = Kind{
	Kind: schema.Kind{
		Type: schema.TypeCheckIn, Family: schema.FamilyEngagement, Title: "Check-in",
		Summary: "Members check in every day, week or month, and can earn more with streaks.", OnCall: true, CheckedInByOthers: true,
	},
	Decision: &decision.Kind{Check: checkPayingCheckIn, AddToReward: addMilestones},
	NewStep: func(d *Deps, c *Case) Step {
		if !c.Rule.Meta().EnableStreaks {
			return nil
		}
		return &streakStep{Deps: d}
	},
}

// checkPayingCheckIn refuses check-ins that pay nothing, because the rule has neither an amount nor milestones. If a
// rule without an amount has automatic check-ins, only these reach its milestones, and calls are refused.
func checkPayingCheckIn(f decision.Facts) error {
	if f.Rule.Amount != nil && *f.Rule.Amount > 0 {
		return nil
	}
	if !f.Meta.EnableStreaks || !slices.ContainsFunc(f.Meta.StreakArray, schema.Streak.Pays) ||
		f.TriggeredBy == decision.TriggerCall && !f.Meta.CheckInTriggers.IsEmpty() {
		return decision.Refuse(decision.MsgCheckInZero)
	}
	return nil
}

// addMilestones sets the streak of the reward and adds a credit for each milestone that it reaches. The first check-in
// after the window of the last one adds 1, and after a missed window the streak starts again at 1. A further check-in
// in the same window, possible if the window was opened again, changes and pays nothing. Rules without streaks get
// neither.
func addMilestones(f decision.Facts, reward *decision.Reward) (err error) {
	if !f.Meta.EnableStreaks {
		return nil
	}
	windows, last, now := f.Rule.WindowSequence(f.Meta), f.Streak.At, f.Now
	if now.Before(last) {
		now = last // the clock went back, the member's time does not
	}
	switch ends := windows.StreakEnd(last); {
	case last.IsZero():
		reward.Streak = 1
	case windows.InSameWindow(last, now):
		reward.Streak = f.Streak.Count
		return nil
	case ends.IsZero() || now.Before(ends):
		reward.Streak = f.Streak.Count + 1
	default:
		reward.Streak = 1
	}
	if f.GrantsMultiplier() && (f.RewardCurrency().IsZero() || !f.CurrencyLive) {
		return nil // a rule that grants multipliers may have no currency
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

// streakStep reads and counts the streak of one member or its group.
type streakStep struct {
	BaseStep
	*Deps
}

// key returns the key of the streak.
func (*streakStep) key(c *Case) engagement.StreakKey {
	return engagement.StreakKey{Rule: c.Rule.ID, Subject: c.Person.Subject()}
}

// Locks returns the lock of the streak.
func (s *streakStep) Locks(c *Case) []store.Lock {
	return []store.Lock{engagement.Streaks.Lock(s.key(c))}
}

// LockedFacts adds the streak.
func (s *streakStep) LockedFacts(b *store.Batch, c *Case, f *decision.Facts) {
	f.Streak.Count, f.Streak.At = engagement.Streaks.Row(b, s.key(c)).LastCheckIn()
}

// UnlockedFacts adds the streak, read without locks.
func (s *streakStep) UnlockedFacts(ctx context.Context, c *Case, f *decision.Facts) error {
	rows, err := engagement.Streaks.Read(ctx, s.DB, []engagement.StreakKey{s.key(c)})
	if row := rows[s.key(c)]; row != nil {
		f.Streak.Count, f.Streak.At = row.LastCheckIn()
	}
	return err
}

// Apply stages the new count of the streak.
func (s *streakStep) Apply(b *store.Batch, c *Case, reward decision.Reward) error {
	row := engagement.Streaks.Changed(b, s.key(c))
	_, last := row.LastCheckIn()
	at := c.DecisionTime(b.Now())
	if at.Before(last) {
		at = last // the clock went back, the member's time does not
	}
	row.StageCheckIn(
		b,
		c.Person,
		engagement.CheckIn{Count: reward.Streak, At: at, ExpiresAt: c.Rule.WindowSequence(c.Rule.Meta()).StreakEnd(at)},
	)
	return nil
}
