package completion

import (
	"context"

	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/jobs"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// click: a click on a link is kept as a job, and decided again when it has aged (contract 5.11).
type click struct{ *Service }

func clicked(r *catalog.Rule) bool { return r.Type == schema.TypeLinkClick }

func (click) key(w *completion) jobs.Key { return jobs.Key{Rule: w.rule.ID, User: w.person.UserID} }

func (s click) ahead(_ context.Context, w *completion) error {
	w.known.ClickAged = w.job != nil
	return nil
}

func (s click) locks(w *completion) []store.Lock { return []store.Lock{jobs.Waiting.Lock(s.key(w))} }

func (s click) judged(b *store.Batch, w *completion, f *decision.Facts) {
	f.ClickWaits = !jobs.Waiting.Row(b, s.key(w)).ID.IsZero() // one of the same batch counts
}

func (s click) asked(ctx context.Context, w *completion, f *decision.Facts) (err error) {
	f.ClickWaits, err = jobs.Waits(ctx, s.db, s.key(w))
	return err
}

func (s click) paid(b *store.Batch, w *completion, _ decision.Reward) error {
	// else it is over: what it asked for outside was accepted later than that
	if w.job != nil && jobs.Waiting.Row(b, s.key(w)).ID == w.job.ID {
		j := jobs.Waiting.Changed(b, s.key(w))
		j.Status, j.Message, j.UpdatedAt = jobs.Completed, decision.MsgCompleted, store.Micros(b.Now())
	}
	return nil
}

// wait stages the job that decides again when the click has aged.
func (s click) wait(b *store.Batch, w *completion, reward decision.Reward) error {
	if err := w.person.Admit(b, w.scope); err != nil {
		return err
	}
	now := store.Micros(b.Now())
	j := jobs.Waiting.Changed(b, s.key(w))
	j.ID, j.OrganizationID, j.WebsiteID, j.Status, j.Message =
		b.NewID(), w.scope.OrganizationID, w.scope.WebsiteID, jobs.Pending, decision.MsgClicked
	j.Input = w.in.kept()
	j.CreatedAt, j.UpdatedAt, j.DueAt = now, now, store.Micros(b.Now().Add(reward.After))
	w.answer = Completion{Message: decision.MsgClicked, Status: jobs.Pending, Rewards: []Paid{}}
	return nil
}
