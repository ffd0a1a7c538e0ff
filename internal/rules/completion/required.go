package completion

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
)

// required: other rules may have to be completed first (contract 5.8). Another rule may become required before the
// commit: then the two happened at once, and the completion counts as the earlier one.
type required struct {
	inert
	*Service
}

func (required) unasking() {}

func (s required) ahead(ctx context.Context, w *completion) (err error) {
	if w.gated && !w.in.SkipRequired {
		w.known.Required, err = s.unmet(ctx, w, w.at(s.db.Now()))
	}
	return err
}

// asked counts what is to be completed first, for those who ask what they lack.
func (s required) asked(ctx context.Context, w *completion, f *decision.Facts) error {
	if !f.Required {
		return nil
	}
	before, err := s.rules.RequiredAt(ctx, w.scope, w.at(s.db.Now()))
	if err != nil {
		return err
	}
	subject := w.person.Subject()
	done, err := progress.CompletedBy(ctx, s.db, []laurel.ID{subject}, before)
	f.RequiredDone, f.RequiredAll = len(done[subject]), len(before)
	return err
}

// unmet reports whether other rules must be completed before this one, and are not.
func (s required) unmet(ctx context.Context, w *completion, now time.Time) (bool, error) {
	own, err := s.rules.IsRequired(ctx, w.scope, w.rule)
	if err != nil || own {
		return false, err
	}
	before, err := s.rules.RequiredAt(ctx, w.scope, now)
	if err != nil {
		return false, err
	}
	return progress.Unmet(ctx, s.db, w.person.Subject(), before)
}
