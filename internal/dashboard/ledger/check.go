package ledger

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/points/audit"
)

// ledgerCheck is the verification of the whole database by this process. Only one runs at a time.
type ledgerCheck struct {
	mu     sync.Mutex
	state  checkState
	report audit.VerifyReport
}

// checkState says whether a check runs, and when it began and finished.
type checkState struct {
	Running         bool
	Began, Finished time.Time // zero: not yet
	Failed          bool      // it could not run; the log has the reason
}

// start verifies the ledger in the background, for at most checkTimeout. It returns false if a check is
// already running in this process. A failure is logged.
func (l *ledgerCheck) start(books *audit.Service, now func() time.Time, log *slog.Logger) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state.Running {
		return false
	}
	l.state = checkState{Running: true, Began: now()}
	go func() {
		// not the context of the request that starts the check: that ends before the check does
		ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
		defer cancel()
		report, err := panics.Try(func() (audit.VerifyReport, error) { return books.Verify(ctx, audit.Trust{}) })
		if err != nil {
			log.Error("a check of the ledger failed", slog.Any("error", err))
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.report = report
		l.state.Running, l.state.Failed, l.state.Finished = false, err != nil, now()
	}()
	return true
}
