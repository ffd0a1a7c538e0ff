package worker

import (
	"context"
	"log/slog"

	"laurel.example/laurel/internal/panics"
)

// FaultLog logs the first of faults that repeat, and when they are over: a source outside that is down for an hour is
// two lines. One goroutine uses it.
type FaultLog struct {
	Log         *slog.Logger
	Fault, Over string // log messages

	last string // "": the last round had no fault
}

// Note notes the error of a round, or nil.
func (f *FaultLog) Note(ctx context.Context, err error) {
	switch {
	case err != nil:
		if text := panics.Line(err); text != f.last {
			f.last = text
			//nolint:sloglint // each log has texts of its own, which never change
			f.Log.LogAttrs(ctx, LogLevel(err, slog.LevelWarn), f.Fault, slog.String("error", text))
		}
	case f.last != "":
		f.last = ""
		f.Log.InfoContext(ctx, f.Over) //nolint:sloglint // the same
	}
}
