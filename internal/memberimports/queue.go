package memberimports

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	pollInterval    = time.Second
	leaseTime       = 15 * time.Second // after it another node resumes an import whose node died
	websitesAtOnce  = 16               // websites whose members a node imports at once
	websitesScanned = 256
	timeSlice       = 5 * time.Second
	maxTries        = 20
	upkeepInterval  = 10 * time.Minute
)

const (
	msgFault       = "The import was interrupted too often"
	msgInterrupted = "Reading the file was interrupted"
)

// newQueue makes the queue of imports. It serves websites side by side, with one import of each at a time.
func (s *Service) newQueue() importQueue {
	return &worker.Queue[importRow]{
		Items: &worker.Items[importRow]{
			DB: s.DB, Table: leasedImports, LeaseTime: leaseTime, Save: saveImport,
			OnLease: func(ctx context.Context, tx *store.Tx, h *leasedImport) error {
				h.Row.Status = Processing
				return saveImport(ctx, tx, &h.Row)
			},
		},
		Name: "member_imports",
		Loop: worker.Loop{
			Every: pollInterval, Wake: s.wakeup, Log: s.Logger, Fault: "members could not be imported; it is tried again",
		},
		Fault:      "an import of members met a fault",
		RenewEvery: leaseTime / 3,
		Batch:      1,
		Fairness:   worker.Fairness{MaxOwners: websitesAtOnce, MaxLooks: websitesScanned, TimeSlice: timeSlice},
		Backoff:    []time.Duration{time.Second, 5 * time.Second, leaseTime, time.Minute},
		Tries:      maxTries,
		Do:         s.runImport,
		Abandon: func(_ context.Context, tx *store.Tx, h *leasedImport) error {
			h.Row.end(tx.Now(), Failed, h.Row.failure(msgFault))
			return nil
		},
	}
}

// end sets the final status of an import.
func (r *importRow) end(at time.Time, status, message string) {
	r.Status, r.Message, r.FinishedAt = status, message, laurel.NullableTime(at)
}

// Run imports files that are due, and removes the stored rows of imports that have ended, until ctx ends. Any number of
// nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { s.queue.Run(ctx) })
	worker.Loop{
		Every: upkeepInterval, DelayFirst: true, Log: s.Logger, Fault: "upkeep of imports failed; it is tried again",
	}.RunEach(ctx, s.Forget)
}

// RunDue works on one import that is due now and returns how many it took. An import that fails is no error of RunDue.
func (s *Service) RunDue(ctx context.Context) (int, error) { return s.queue.RunOnce(ctx) }

// Metrics returns the metrics of the queue of imports.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }

// importFault is the reason why a file cannot be imported, in words for its owner.
type importFault struct{ message string }

func (f *importFault) Error() string { return f.message }

// faultMessage returns the message of an error for the owner of a file. ok is false if the error is a fault of the
// server.
func faultMessage(err error) (message string, ok bool) {
	var fault *importFault
	if errors.As(err, &fault) {
		return fault.message, true
	}
	return lists.FaultMessage(err)
}

// runImport works on a leased import. If the file itself is at fault, the import ends as failed; after other errors the
// queue tries again.
func (s *Service) runImport(ctx context.Context, h *leasedImport) error {
	err := s.importMembers(ctx, h)
	message, isFileFault := faultMessage(err)
	if !isFileFault || ctx.Err() != nil { // once ctx has ended, the file may only have been cut off
		return err
	}
	s.Logger.Info("members could not be imported", slog.String("import", h.Key.String()), slog.String("reason", message))
	err = h.Finish(ctx, func(tx *store.Tx) error {
		h.Row.end(tx.Now(), Failed, h.Row.failure(message))
		return nil
	})
	if err != nil {
		return err
	}
	return s.clear(ctx, h.Key)
}

// importMembers checks and stores the rows of a file, and then writes its members. It resumes where an earlier attempt
// has stopped.
func (s *Service) importMembers(ctx context.Context, h *leasedImport) error {
	if !h.Row.IsStaged {
		if h.Row.URL == "" {
			return &importFault{msgInterrupted}
		}
		if err := s.stage(ctx, h); err != nil {
			return err
		}
	}
	if err := s.write(ctx, h); err != nil {
		return err
	}
	err := h.Finish(ctx, func(tx *store.Tx) error {
		h.Row.end(tx.Now(), Complete, h.Row.summary())
		return nil
	})
	if err != nil {
		return err
	}
	return s.clear(ctx, h.Key)
}

// Forget removes the stored rows of imports that have ended.
func (s *Service) Forget(ctx context.Context) error {
	for {
		ids, err := importsToClear(ctx, s.DB)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := s.clear(ctx, id); err != nil {
				return err
			}
		}
	}
}

// clear removes the stored rows of an import, a chunk per transaction.
func (s *Service) clear(ctx context.Context, id laurel.ID) error {
	for last := false; !last; {
		if err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
			if last, err = clearChunk(ctx, tx, id); err == nil && last {
				err = markCleared(ctx, tx, id)
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}
