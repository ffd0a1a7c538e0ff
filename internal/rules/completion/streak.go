package completion

import (
	"context"

	"laurel/internal/engagement"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// streak: check-ins of a rule are counted, window after window, and milestones pay (contract 5.9).
type streak struct {
	inert
	*Service
}

// streaks reports whether the rule counts check-ins.
func streaks(r *catalog.Rule) bool { return r.Type == schema.TypeCheckIn && r.Meta().EnableStreaks }

func (streak) key(w *completion) engagement.StreakKey {
	return engagement.StreakKey{Rule: w.rule.ID, Subject: w.person.Subject()}
}

func (s streak) locks(w *completion) []store.Lock {
	return []store.Lock{engagement.Streaks.Lock(s.key(w))}
}

func (s streak) judged(b *store.Batch, w *completion, f *decision.Facts) {
	f.Streak.Count, f.Streak.At = engagement.Streaks.Row(b, s.key(w)).Last()
}

func (s streak) asked(ctx context.Context, w *completion, f *decision.Facts) error {
	rows, err := engagement.Streaks.Read(ctx, s.db, []engagement.StreakKey{s.key(w)})
	if row := rows[s.key(w)]; row != nil {
		f.Streak.Count, f.Streak.At = row.Last()
	}
	return err
}

func (s streak) paid(b *store.Batch, w *completion, reward decision.Reward) error {
	row := engagement.Streaks.Changed(b, s.key(w))
	_, last := row.Last()
	at := w.at(b.Now())
	if at.Before(last) {
		at = last // a member's time does not go back
	}
	row.Check(b, w.person, engagement.CheckIn{Count: reward.Streak, At: at, Ends: w.rule.Course(w.rule.Meta()).Ends(at)})
	return nil
}
