package ruletypes

import (
	"context"
	"slices"

	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// checkIn pays members who check in. Other completions may check a member in, and milestones of its streak pay
// (contract 5.9).
var checkIn = Kind{
	Kind: schema.Kind{
		Type: schema.TypeCheckIn, Family: schema.FamilyEngagement, Title: "Check-in",
		Summary: "Members check in every day, week or month, and can earn more with streaks.", OnCall: true, CheckedInByOthers: true,
	},
	Decision: &decision.Kind{Check: checkPayingCheckIn, AddToReward: addMilestones},
	NewStep:  newStreakStep,
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

// newStreakStep returns the step that reads and counts the streak of a member or its group; nil for rules without
// streaks.
func newStreakStep(d *Deps, c *Case) *Step {
	if !c.Rule.Meta().EnableStreaks {
		return nil
	}
	return &Step{
		Locks: lockStreak, LockedFacts: addLockedStreak, UnlockedFacts: d.addStreak, Apply: countStreak,
	}
}

// streakKey returns the key of the streak.
func streakKey(c *Case) engagement.StreakKey {
	return engagement.StreakKey{Rule: c.Rule.ID, Subject: c.Person.Subject()}
}

// lockStreak returns the lock of the streak.
func lockStreak(c *Case) []store.Lock { return []store.Lock{engagement.Streaks.Lock(streakKey(c))} }

// addLockedStreak adds the streak, as its locked row shows it.
func addLockedStreak(b *store.Batch, c *Case, f *decision.Facts) {
	f.Streak.Count, f.Streak.At = engagement.Streaks.Row(b, streakKey(c)).LastCheckIn()
}

// addStreak adds the streak, read without locks.
func (d *Deps) addStreak(ctx context.Context, c *Case, f *decision.Facts) error {
	rows, err := engagement.Streaks.Read(ctx, d.DB, []engagement.StreakKey{streakKey(c)})
	if row := rows[streakKey(c)]; row != nil {
		f.Streak.Count, f.Streak.At = row.LastCheckIn()
	}
	return err
}

// countStreak stages the new count of the streak.
func countStreak(b *store.Batch, c *Case, p *Payment) error {
	row := engagement.Streaks.Changed(b, streakKey(c))
	_, last := row.LastCheckIn()
	at := c.DecisionTime(b.Now())
	if at.Before(last) {
		at = last // the clock went back, the member's time does not
	}
	row.StageCheckIn(
		b,
		c.Person,
		engagement.CheckIn{Count: p.Reward.Streak, At: at, ExpiresAt: c.Rule.WindowSequence(c.Rule.Meta()).StreakEnd(at)},
	)
	return nil
}
