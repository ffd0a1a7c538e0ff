package figures

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	flushInterval = 5 * time.Second
	maxReasons    = 10_000 // figures in memory between two writes; more are not counted
)

// Refusals counts refused completions in memory, since they leave nothing in the database, and adds them to the
// figures every few seconds. Counts since the last write are lost if the process is killed.
type Refusals struct {
	db  *store.DB
	log *slog.Logger

	metric *prometheus.CounterVec

	mu    sync.Mutex
	tally *tally
}

// NewRefusals returns a counter.
func NewRefusals(db *store.DB, log *slog.Logger) *Refusals {
	return &Refusals{db: db, log: log, metric: newRefusalMetric(), tally: newTally()}
}

// Count counts a refused call of a rule of the scope's website. Once maxReasons figures are in memory, it counts only
// for these.
func (r *Refusals) Count(scope laurel.Scope, rule laurel.ID, reason string) {
	r.metric.WithLabelValues(reason).Inc()
	k := figureKey{tenant{scope.OrganizationID, scope.WebsiteID}, figureRefused, rule, dayOf(r.db.Now()), reason}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.tally.sums[k]; known || len(r.tally.sums) < maxReasons {
		r.tally.add(k, 1)
	}
}

// Run adds the counts to the stored figures every flushInterval until ctx ends, and once more when it ends.
func (r *Refusals) Run(ctx context.Context) {
	loop := worker.Loop{Every: flushInterval, DelayFirst: true, Log: r.log, Fault: "refusals could not be counted; it is tried again"}
	loop.RunEach(ctx, r.Flush)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushInterval)
	defer cancel()
	if err := r.Flush(last); err != nil {
		r.log.Warn("the last refusals are not counted", slog.Any("error", err))
	}
}

// Flush adds the counts to the stored figures. If that fails, they are counted with the next Flush.
func (r *Refusals) Flush(ctx context.Context) error {
	r.mu.Lock()
	batch := r.tally
	r.tally = newTally()
	r.mu.Unlock()
	if len(batch.sums) == 0 {
		return nil
	}
	err := r.db.InTx(ctx, func(tx *store.Tx) error { return batch.writeSums(ctx, tx) })
	if err != nil {
		r.restore(batch)
	}
	return err
}

// restore adds counts that Flush has taken, but could not write, to the counts in memory again. Once maxReasons figures
// are in memory, counts of further figures are dropped.
func (r *Refusals) restore(taken *tally) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for k, n := range taken.sums {
		if _, known := r.tally.sums[k]; known || len(r.tally.sums) < maxReasons {
			r.tally.add(k, n)
		}
	}
}
