// Package worker keeps the service's background work going: loops that look again and again for what is due, rotas that
// serve many owners side by side, and the queue of leased items. It knows nothing of what is done, and owns no table.
// What panics here is a fault in the log and is tried again: it must not end the server that returns requests.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel/internal/panics"
)

// Loop does a round of work every so often. A round that outlasts the time is followed by the next at once; there are
// never two at a time.
type Loop struct {
	Every time.Duration
	Later bool            // the first round is not begun at once, but as the second one would be
	Wake  <-chan struct{} // what comes here begins a round before its time; may be nil
	Log   *slog.Logger
	Fault string // what the log says of a round that failed; it is tried again
}

// Run does rounds until ctx ends. A round reports whether there is more to do, and then the next one begins at once.
func (l Loop) Run(ctx context.Context, round func(ctx context.Context) (more bool, err error)) {
	tick := time.NewTicker(l.Every)
	defer tick.Stop()
	if l.Later && !l.wait(ctx, tick.C) {
		return
	}
	for ctx.Err() == nil {
		more, err := panics.Try(func() (bool, error) { return round(ctx) })
		l.report(ctx, err)
		if !more && !l.wait(ctx, tick.C) {
			return
		}
	}
}

// Each does rounds until ctx ends, each of which does all that there is to do.
func (l Loop) Each(ctx context.Context, round func(ctx context.Context) error) {
	l.Run(ctx, func(ctx context.Context) (bool, error) { return false, round(ctx) })
}

// wait reports whether another round begins.
func (l Loop) wait(ctx context.Context, tick <-chan time.Time) bool {
	select {
	case <-ctx.Done():
		return false
	case <-l.Wake:
	case <-tick:
	}
	return ctx.Err() == nil
}

// Level is how loud the log tells of a fault: a panic is a mistake in the program, whoever met it; others are told as
// the caller says.
func Level(err error, otherwise slog.Level) slog.Level {
	if errors.Is(err, panics.ErrCaught) {
		return slog.LevelError
	}
	return otherwise
}

// report writes down what failed, unless it did because the server stops.
func (l Loop) report(ctx context.Context, err error, more ...slog.Attr) {
	if err == nil || ctx.Err() != nil && !errors.Is(err, panics.ErrCaught) {
		return
	}
	more = append(more, slog.Any("error", err))
	//nolint:sloglint // each loop has a text of its own, which never changes
	l.Log.LogAttrs(ctx, Level(err, slog.LevelWarn), l.Fault, more...)
}
