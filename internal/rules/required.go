package rules

import (
	"context"
	"time"

	"laurel/internal/store"
)

// required: other rules may have to be completed first (contract 5.8). Another rule may become required before the commit: then the two happened
// at once, and the completion counts as the earlier one.
type required struct {
	inert
	*Service
}

func (s required) ahead(ctx context.Context, w *completion) (err error) {
	if w.gated && !w.in.SkipRequired {
		w.known.Required, err = s.unmet(ctx, w, w.at(s.db.Now()))
	}
	return err
}

// unmet reports whether other rules must be completed before this one, and are not.
func (s required) unmet(ctx context.Context, w *completion, now time.Time) (bool, error) {
	own, err := isRequired(ctx, s.db, w.rule)
	if err != nil || own {
		return false, err
	}
	return unmetRequired(ctx, s.db, w.rule, w.person.Subject(), store.Micros(now))
}
