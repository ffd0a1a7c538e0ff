// Package worker runs background work: periodic loops, queues of leased rows, and the fair scheduling of many owners
// (RoundRobin, TenantSlots, FairSemaphore). It does not know what the work is, and owns no table. A panic of the work
// is logged and the work is tried again: it must not end the server.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel.example/laurel/internal/panics"
)

// Loop runs rounds of work periodically, one at a time. A round that takes longer than Every is followed by the next at
// once.
type Loop struct {
	Every      time.Duration
	DelayFirst bool            // the first round waits for Every too, instead of beginning at once
	Wake       <-chan struct{} // starts the next round early; may be nil
	Log        *slog.Logger
	Fault      string // log message of a round that failed; it is tried again
}

// Wakeup starts the next round of a Loop early, see Loop.Wake.
type Wakeup chan struct{}

// NewWakeup returns a Wakeup for one loop.
func NewWakeup() Wakeup { return make(Wakeup, 1) }

// Wake makes the loop begin a round at once, after the present one. It never waits. A wake-up that is lost with its
// node does no harm: a later round finds what is due.
func (w Wakeup) Wake() {
	select {
	case w <- struct{}{}:
	default: // the loop has not taken the last wake-up yet
	}
}

// Run runs rounds until ctx ends. A round reports whether there is more to do; if so, the next one begins at once.
func (l Loop) Run(ctx context.Context, round func(ctx context.Context) (more bool, err error)) {
	tick := time.NewTicker(l.Every)
	defer tick.Stop()
	if l.DelayFirst && !l.wait(ctx, tick.C) {
		return
	}
	for ctx.Err() == nil {
		more, err := panics.Try(func() (bool, error) { return round(ctx) })
		l.logFault(ctx, err)
		if !more && !l.wait(ctx, tick.C) {
			return
		}
	}
}

// RunEach runs rounds until ctx ends. Each round does all the work that there is.
func (l Loop) RunEach(ctx context.Context, round func(ctx context.Context) error) {
	l.Run(ctx, func(ctx context.Context) (bool, error) { return false, round(ctx) })
}

// wait waits for the next tick or wake-up, and returns false if ctx has ended.
func (l Loop) wait(ctx context.Context, tick <-chan time.Time) bool {
	select {
	case <-ctx.Done():
		return false
	case <-l.Wake:
	case <-tick:
	}
	return ctx.Err() == nil
}

// LogLevel returns the level at which to log a fault: error for a caught panic, which is a bug, and otherwise the given
// level.
func LogLevel(err error, otherwise slog.Level) slog.Level {
	if errors.Is(err, panics.ErrCaught) {
		return slog.LevelError
	}
	return otherwise
}

// logFault logs the error of a round, or does nothing for nil. After ctx has ended it logs only panics, since other
// errors then come from the end of ctx.
func (l Loop) logFault(ctx context.Context, err error, attrs ...slog.Attr) {
	if err == nil || ctx.Err() != nil && !errors.Is(err, panics.ErrCaught) {
		return
	}
	attrs = append(attrs, slog.Any("error", err))
	//nolint:sloglint // each loop has a text of its own, which never changes
	l.Log.LogAttrs(ctx, LogLevel(err, slog.LevelWarn), l.Fault, attrs...)
}
