package completions

import (
	"context"
	"time"

	"laurel/internal/decision"
	"laurel/internal/store"
)

// Occasion completes rules where nobody calls: an event that a rule waits for, or a run on its cadence.
type Occasion struct {
	By     decision.Occasion
	At     time.Time // what is decided is decided as of this moment
	Window string    // the key of the window that a payment closes, in place of the interval's
}

// carry takes a completion through the committer.
func (s *Service) carry(ctx context.Context, w *completion) error {
	return s.committer.Submit(ctx, func() (store.Work, error) {
		if err := w.prepare(ctx); err != nil {
			return nil, err
		}
		return w, nil
	})
}
