package lists

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/workers"
)

const (
	tickEvery   = time.Second
	renewEvery  = 5 * time.Second
	lease       = 15 * time.Second // an import whose node died is taken by another afterwards
	readers     = 3                // imports at once on a node
	upkeepEvery = 10 * time.Minute
	maxAttempts = 100 // of one import: nodes died over it
	kept        = 30 * 24 * time.Hour
)

// Run carries imports out when they are due and removes what nobody asks for any more, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	reading := workers.Loop{Every: tickEvery, Wake: s.wanted, Log: s.log, Fault: "lists could not be read; they are tried again"}
	for range readers {
		all.Go(func() {
			reading.Run(ctx, func(ctx context.Context) (more bool, err error) {
				n, err := s.RunDue(ctx)
				return n > 0, err
			})
		})
	}
	workers.Loop{Every: upkeepEvery, Later: true, Log: s.log, Fault: "upkeep of lists failed; it is tried again"}.Each(ctx, s.Forget)
}

// RunDue carries one import out that is due now and answers how many it took. An import that fails is no error of RunDue.
func (s *Service) RunDue(ctx context.Context) (int, error) {
	if due, err := waits(ctx, s.db, s.db.Now()); err != nil || !due {
		return 0, err
	}
	var imp *importRow
	err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
		if _, err = askDue(ctx, tx); err != nil {
			return err
		}
		imp, err = take(ctx, tx)
		return err
	})
	if err != nil || imp == nil {
		return 0, err
	}
	return 1, s.attend(ctx, imp)
}

// errNotOurs ends the work on an import that was cancelled, or that another node has taken.
var errNotOurs = errors.New("the import is no longer this node's")

// attend carries an import out and keeps its lease. A fault of the service puts it off; what is wrong with the list ends it.
func (s *Service) attend(ctx context.Context, imp *importRow) error {
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var keeping sync.WaitGroup
	held := *imp // the work goes on beside
	keeping.Go(func() { s.keep(working, held, stop) })
	err := s.carrySafely(working, imp)
	stop(nil)
	keeping.Wait()
	var fault *listFault
	switch {
	case err == nil, errors.Is(err, errNotOurs), errors.Is(context.Cause(working), errNotOurs):
		return nil
	case errors.As(err, &fault):
		s.log.LogAttrs(ctx, workers.Level(err, slog.LevelInfo), "a list could not be imported", slog.String("import", imp.ID.String()), slog.Any("error", fault.cause))
		return s.fail(ctx, imp, fault.message)
	case ctx.Err() != nil: // the node is stopping: another one may go on at once
		return s.giveBack(context.WithoutCancel(ctx), imp)
	case imp.Attempts >= maxAttempts:
		return errors.Join(err, s.fail(ctx, imp, "The import was interrupted too often"))
	}
	return err // the lease ends, then it is taken again
}

// carrySafely ends an import whose list breaks the reader: another reading would break it again.
func (s *Service) carrySafely(ctx context.Context, imp *importRow) error {
	err := workers.Safely(func() error { return s.carry(ctx, imp) })
	if errors.Is(err, workers.ErrPanic) {
		return &listFault{"File could not be read", err}
	}
	return err
}

// keep renews the lease while the import is worked on, and ends the work where that is not possible.
func (s *Service) keep(ctx context.Context, own importRow, stop context.CancelCauseFunc) {
	loop := workers.Loop{Every: renewEvery, Later: true, Log: s.log, Fault: "the lease of an import could not be renewed; it is tried again"}
	loop.Each(ctx, func(ctx context.Context) error {
		var ours bool
		err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
			ours, err = renew(ctx, tx, &own, tx.Now().Add(lease))
			return err
		})
		if err == nil && !ours {
			stop(errNotOurs)
		}
		return err
	})
}

func (s *Service) giveBack(ctx context.Context, imp *importRow) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := renew(ctx, tx, imp, tx.Now())
		return err
	})
}

// listFault tells that a list cannot be imported, with the words that its owner sees.
type listFault struct {
	message string
	cause   error
}

func (f *listFault) Error() string { return f.message }
func (f *listFault) Unwrap() error { return f.cause }

// fail ends an import. What counted before counts on, and the list is read again at its time.
func (s *Service) fail(ctx context.Context, imp *importRow, message string) error {
	return s.end(ctx, imp, Failed, message)
}

// end ends an import. A complete one that holds rows counts from then on.
func (s *Service) end(ctx context.Context, imp *importRow, status, message string) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		now := store.Micros(tx.Now())
		imp.Status, imp.Message, imp.FinishedAt = status, message, &now
		if ours, err := save(ctx, tx, imp); err != nil || !ours {
			return err // it was cancelled meanwhile
		}
		var next *int64
		if imp.Kind != Codes {
			at := store.Micros(tx.Now().Add(again))
			next = &at
		}
		counts := laurel.ID{}
		if status == Complete && imp.Kind != Codes && message != unchanged {
			counts = imp.ID
		}
		return readAgain(ctx, tx, imp, counts, next)
	})
}

// unchanged is the message of an import that found what counts already.
const unchanged = "The file has not changed"
