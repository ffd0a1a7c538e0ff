package decision

import (
	"slices"
	"time"

	"laurel"
	"laurel/internal/rules/schema"
)

// Streak is how many windows in a row the member, or its group, has checked in.
type Streak struct {
	Count int64
	At    time.Time // of the last check-in; zero: there was none
}

// checkIn: somebody who asks to check in is paid for it by the rule's amount, or by what its milestones pay. A rule of
// amount 0 that others check in to pays nothing but milestones, and nobody by a call (contract 5.9).
func checkIn(f Facts) error {
	if f.Rule.Amount != nil && *f.Rule.Amount > 0 {
		return nil
	}
	if !f.Meta.EnableStreaks || !slices.ContainsFunc(f.Meta.StreakArray, schema.Streak.Pays) ||
		f.By == ByCall && !f.Meta.AutoCheckIn.None() {
		return Refuse(MsgCheckInZero)
	}
	return nil
}

// streak counts the check-in: one more where the last one was in the window before, 1 where a window was missed, and
// the same where the window is the last one's, which has been opened again. What a milestone pays comes with it.
func (f Facts) streak(reward *Reward) (err error) {
	if f.Rule.Type != schema.TypeCheckIn || !f.Meta.EnableStreaks {
		return nil
	}
	course, last, now := f.Rule.Course(f.Meta), f.Streak.At, f.Now
	if now.Before(last) {
		now = last // a member's time does not go back
	}
	switch ends := course.Ends(last); {
	case last.IsZero():
		reward.Streak = 1
	case course.Same(last, now):
		reward.Streak = f.Streak.Count
		return nil
	case ends.IsZero() || now.Before(ends):
		reward.Streak = f.Streak.Count + 1
	default:
		reward.Streak = 1
	}
	if f.gives() && (f.currency().IsZero() || !f.CurrencyLive) {
		return nil // a rule that gives multipliers may have none
	}
	for _, s := range f.Meta.StreakArray {
		if s.Pays() && *s.Milestone == laurel.Amount(reward.Streak)*laurel.One {
			credit := Credit{Metadata: map[string]any{"streakMilestone": reward.Streak}}
			if credit.Amount, err = f.raised(*s.Amount); err == nil {
				reward.Credits = append(reward.Credits, credit)
			}
		}
	}
	return err
}
