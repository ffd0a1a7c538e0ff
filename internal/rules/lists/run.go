package lists

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	tickEvery      = time.Second
	leaseTime      = 15 * time.Second // after this time another node takes an import whose node has died
	websitesAtOnce = 64               // websites whose lists a node reads at once; most of them wait for a download
	pruneInterval  = 10 * time.Minute
)

// Run runs imports when they are due, enqueues imports of lists that are to be read again, and prunes what is no longer
// used, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { s.queue.Run(ctx) })
	all.Go(func() {
		worker.Loop{
			Every: tickEvery,
			Log:   s.log,
			Fault: "due lists could not be enqueued; trying again",
		}.RunEach(
			ctx,
			s.enqueueAllDue,
		)
	})
	worker.Loop{
		Every:      pruneInterval,
		DelayFirst: true,
		Log:        s.log,
		Fault:      "imports could not be pruned; trying again",
	}.RunEach(
		ctx,
		s.Prune,
	)
}

// newQueue returns the queue of imports. It serves websites side by side, one import of each at a time, so that a slow
// address delays its own website alone. An organization with many websites and slow addresses cannot take all places.
func (s *Service) newQueue() worker.Runner {
	return &worker.Queue[importRow]{
		Items: &worker.Items[importRow]{
			DB:        s.db,
			Table:     queueTable,
			LeaseTime: leaseTime,
			OnLease: func(ctx context.Context, tx *store.Tx, item *worker.Item[importRow]) error {
				item.Row.Status = Processing
				return saveImport(ctx, tx, &item.Row)
			},
			Save: saveImport,
		},
		Name:       "list_imports",
		Loop:       worker.Loop{Every: tickEvery, Wake: s.wakeup, Log: s.log, Fault: "lists could not be imported; trying again"},
		Fault:      "an import failed with a fault",
		RenewEvery: 5 * time.Second,
		Batch:      1,
		Fairness:   worker.Fairness{MaxOwners: websitesAtOnce, MaxLooks: 256, TimeSlice: slotTime},
		Backoff:    []time.Duration{leaseTime},
		Tries:      100,
		Do:         s.runImport,
		Abandon: func(ctx context.Context, tx *store.Tx, item *worker.Item[importRow]) error {
			return item.Row.saveEnd(ctx, tx, Failed, "The import was interrupted too often")
		},
	}
}

// Metrics returns the metrics of the queue.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// enqueueAllDue enqueues imports of all lists that are due to be imported again, a chunk per transaction.
func (s *Service) enqueueAllDue(ctx context.Context) error {
	for more := true; more; {
		hasDue, err := hasDueSource(ctx, s.db, s.db.Now()) // first, so that an idle node writes nothing
		if err != nil || !hasDue {
			return err
		}
		err = s.db.InTx(ctx, func(tx *store.Tx) error {
			n, err := enqueueDueChunk(ctx, tx)
			more = n == enqueueChunk
			return err
		})
		if err != nil {
			return err
		}
		s.Wake()
	}
	return nil
}

// RunDue enqueues imports of lists that are due, runs one import if any is due, and returns how many it has run: 0 or
// 1. A failed import is no error of RunDue.
func (s *Service) RunDue(ctx context.Context) (int, error) {
	if err := s.enqueueAllDue(ctx); err != nil {
		return 0, err
	}
	return s.queue.RunOnce(ctx)
}

// runImport runs an import. A fault of the list ends the import as failed. Other errors are returned, so that the queue
// tries again. Once ctx is cancelled, faults of the list are returned, too, because the cancellation may have caused
// them; only a panic ends the import even then.
func (s *Service) runImport(ctx context.Context, item *worker.Item[importRow]) error {
	imp := &item.Row
	imp.lease, imp.Attempts = item, item.Attempts
	err := s.importSafely(ctx, imp)
	var fault *listFault
	if !errors.As(err, &fault) || ctx.Err() != nil && !errors.Is(err, panics.ErrCaught) {
		return err
	}
	attrs := []slog.Attr{slog.String("import", imp.ID.String()), slog.String("reason", fault.message)}
	if fault.cause != nil {
		attrs = append(attrs, slog.Any("error", fault.cause))
	}
	s.log.LogAttrs(ctx, worker.LogLevel(err, slog.LevelInfo), "a list could not be imported", attrs...)
	return s.endImport(ctx, imp, Failed, fault.message)
}

// importSafely is importList, but turns a panic into a fault of the list: another try would panic again.
func (s *Service) importSafely(ctx context.Context, imp *importRow) error {
	err := panics.Safely(func() error { return s.importList(ctx, imp) })
	if errors.Is(err, panics.ErrCaught) {
		return &listFault{"File could not be read", err}
	}
	return err
}

// listFault is the reason why a list cannot be imported, in words for its owner. The cause is for the log.
type listFault struct {
	message string
	cause   error
}

func (f *listFault) Error() string { return f.message }
func (f *listFault) Unwrap() error { return f.cause }

// endImport ends an import in a transaction of its own.
func (s *Service) endImport(ctx context.Context, imp *importRow, status, message string) error {
	return imp.lease.Finish(ctx, func(tx *store.Tx) error { return imp.saveEnd(ctx, tx, status, message) })
}

// saveEnd sets the end of an import and schedules the next import of its list, if it is imported repeatedly. A complete
// import becomes the current import of its list, unless its file has not changed; the rows of codes belong to the rule,
// so that such lists have no current import. After a failed import, the former one stays the current one.
func (r *importRow) saveEnd(ctx context.Context, tx *store.Tx, status, message string) error {
	now := store.Micros(tx.Now())
	r.Status, r.Message, r.FinishedAt = status, message, &now
	var next *int64
	if r.Kind != KindCodes && r.Owner == OwnerRule {
		at := store.Micros(tx.Now().Add(reimportInterval))
		next = &at
	}
	current := laurel.ID{}
	if status == Complete && r.Kind != KindCodes && message != msgUnchanged {
		current = r.ID
	}
	return updateSourceAtEnd(ctx, tx, r, current, next)
}

// msgUnchanged is the message of an import whose file is that of the current import.
const msgUnchanged = "The file has not changed"
