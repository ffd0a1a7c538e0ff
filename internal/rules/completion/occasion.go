package completion

import (
	"context"
	"strconv"
	"time"

	"laurel/internal/rules/decision"
	"laurel/internal/store"
)

// Occasion completes rules where nobody calls: an event that a rule waits for, or a run on its cadence.
type Occasion struct {
	By     decision.Occasion
	At     time.Time // what is decided is decided as of this moment
	Since  time.Time // of a run: the one before; zero in the first one
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

// String names the work in the log.
func (w *completion) String() string {
	kind := "completion"
	switch {
	case w.deed:
		kind = "check-in"
	case w.job != nil:
		kind = "completion by a job"
	case w.fed != nil && w.fed.By == decision.ByRun:
		kind = "completion by a run"
	case w.fed != nil:
		kind = "completion by an event"
	}
	text := kind + " of rule " + w.in.RuleID.String() + " of website " + w.scope.WebsiteID.String() + " by user " + w.person.UserID.String()
	if w.in.Key != "" {
		text += " with key " + strconv.Quote(w.in.Key)
	}
	return text
}
