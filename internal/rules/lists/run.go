package lists

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel"
	"laurel/internal/panics"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	tickEvery   = time.Second
	renewEvery  = 5 * time.Second
	lease       = 15 * time.Second // an import whose node died is taken by another afterwards
	crowd       = 64               // websites whose lists a node reads at once: most of them wait for an address
	looks       = 256              // at websites, per tick
	upkeepEvery = 10 * time.Minute
	maxAttempts = 100 // of one import: nodes died over it
	kept        = 30 * 24 * time.Hour
)

// Run carries imports out when they are due and removes what nobody asks for any more, until ctx ends. Any number of
// nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { s.rota.Run(ctx) })
	all.Go(func() {
		worker.Loop{
			Every: tickEvery,
			Log:   s.log,
			Fault: "lists that are to be read anew could not be found; it is tried again",
		}.Each(
			ctx,
			s.askAnew,
		)
	})
	worker.Loop{
		Every: upkeepEvery,
		Later: true,
		Log:   s.log,
		Fault: "upkeep of lists failed; it is tried again",
	}.Each(
		ctx,
		s.Forget,
	)
}

// reading serves websites side by side, an import of each at a time: an address that takes long to answer delays its
// own website alone.
func (s *Service) reading() *worker.Rota {
	return &worker.Rota{
		Loop: worker.Loop{
			Every: tickEvery,
			Wake:  s.wanted,
			Log:   s.log,
			Fault: "lists could not be read; they are tried again",
		},
		Crowd: crowd,
		Looks: looks,
		Next: func(ctx context.Context, after laurel.ID) (worker.Owner, bool, error) {
			at, err := dueAfter(ctx, s.db, after, s.db.Now())
			return worker.Owner{ID: at.WebsiteID}, s.fair.found(at), err
		},
		Share: s.share,
	}
}

// share carries imports of a website out until its turn is over; then its place is for others.
func (s *Service) share(ctx context.Context, website laurel.ID) (more bool, err error) {
	leave, ok := s.fair.enter(website)
	if !ok {
		return false, nil
	}
	defer leave()
	for until := s.db.Now().Add(turn); s.db.Now().Before(until); {
		if n, err := s.carryOne(ctx, website); err != nil || n == 0 {
			return false, err
		}
	}
	return false, nil
}

// askAnew makes imports of the lists that are to be read anew.
func (s *Service) askAnew(ctx context.Context) error {
	for more := true; more; {
		if some, err := anyDue(ctx, s.db, s.db.Now()); err != nil || !some { // an idle node writes nothing
			return err
		}
		err := s.db.InTx(ctx, func(tx *store.Tx) error {
			n, err := askDue(ctx, tx)
			more = n == askChunk
			return err
		})
		if err != nil {
			return err
		}
		s.Wake()
	}
	return nil
}

// RunDue carries one import out that is due now and returns how many it took. An import that fails is no error of
// RunDue.
func (s *Service) RunDue(ctx context.Context) (int, error) {
	if err := s.askAnew(ctx); err != nil {
		return 0, err
	}
	at, err := dueAfter(ctx, s.db, laurel.ID{}, s.db.Now())
	if err != nil || at.WebsiteID.IsZero() {
		return 0, err
	}
	return s.carryOne(ctx, at.WebsiteID)
}

// carryOne carries out the import of a website that has been due for longest, and returns how many there were.
func (s *Service) carryOne(ctx context.Context, website laurel.ID) (int, error) {
	var imp *importRow
	err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
		imp, err = take(ctx, tx, website)
		return err
	})
	if err != nil || imp == nil {
		return 0, err
	}
	return 1, s.attend(ctx, imp)
}

// errNotOurs ends the work on an import that was cancelled, or that another node has taken.
var errNotOurs = errors.New("the import is no longer this node's")

// attend carries an import out and keeps its lease. A fault of the service puts it off; what is wrong with the list
// ends it.
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
		s.log.LogAttrs(
			ctx,
			worker.Level(err, slog.LevelInfo),
			"a list could not be imported",
			slog.String("import", imp.ID.String()),
			slog.Any("error", fault.cause),
		)
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
	err := panics.Safely(func() error { return s.carry(ctx, imp) })
	if errors.Is(err, panics.ErrCaught) {
		return &listFault{"File could not be read", err}
	}
	return err
}

// keep renews the lease while the import is worked on, and ends the work where that is not possible.
func (s *Service) keep(ctx context.Context, own importRow, stop context.CancelCauseFunc) {
	loop := worker.Loop{
		Every: renewEvery,
		Later: true,
		Log:   s.log,
		Fault: "the lease of an import could not be renewed; it is tried again",
	}
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
