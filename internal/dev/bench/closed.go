package bench

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// load is a closed loop: each worker begins its next step when its last one has ended.
type load struct {
	workers  int
	duration time.Duration
	worker   startWorker
}

// startWorker starts one worker of a load: it returns the step that the worker repeats, and a function that ends it.
type startWorker = func(ctx context.Context) (step func() error, end func(), err error)

// forever is the duration of a load that runs until its context ends.
const forever = 24 * time.Hour

// warmUp is how long a load runs before it is measured: caches fill, statements are prepared, connections open.
func warmUp(duration time.Duration) time.Duration { return min(2*time.Second, duration/4) }

// run runs the load and returns the figures of the steps that ended within its duration, after a warm-up. If no step
// did, it returns those of the steps that ended later. A step that fails ends the run: figures of failures say nothing.
func (l load) run(ctx context.Context) (measured, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	steps, ends := make([]func() error, l.workers), make([]func(), 0, l.workers)
	defer func() {
		for _, end := range ends {
			end()
		}
	}()
	for i := range steps {
		step, end, err := l.worker(ctx)
		if err != nil {
			return measured{}, err
		}
		steps[i], ends = step, append(ends, end)
	}
	from := time.Now().Add(warmUp(l.duration))
	until := from.Add(l.duration)
	durations, lateDurations := make([][]time.Duration, l.workers), make([][]time.Duration, l.workers)
	var wg sync.WaitGroup
	for i, step := range steps {
		wg.Go(func() {
			begun := time.Now()
			for begun.Before(until) && ctx.Err() == nil {
				if err := step(); err != nil {
					cancel(err)
					return
				}
				ended := time.Now()
				if ended.After(from) && ended.Before(until) {
					durations[i] = append(durations[i], ended.Sub(begun))
				} else if ended.After(from) {
					lateDurations[i] = append(lateDurations[i], ended.Sub(begun))
				}
				begun = ended
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return measured{}, err
	}
	if all := slices.Concat(durations...); len(all) > 0 {
		return measure(all, l.duration), nil
	}
	return measure(slices.Concat(lateDurations...), time.Since(from)), nil // every step took longer than the measured time
}

// callOnceFor calls call once for each number below n: workers at once, each on a connection of its own to the address.
// It returns how long each call took. A worker ends at its first error, and all do when the context ends.
func callOnceFor(
	ctx context.Context, address string, workers, n int, call func(w *wire, i int) error,
) ([]time.Duration, error) {
	times, faults := make([]time.Duration, n), make([]error, workers)
	var next atomic.Int64
	var running sync.WaitGroup
	for worker := range workers {
		running.Go(func() {
			w, err := dial(ctx, address)
			if err != nil {
				faults[worker] = err
				return
			}
			defer context.AfterFunc(ctx, w.close)()
			defer w.close()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				begun := time.Now()
				if faults[worker] = call(w, i); faults[worker] != nil {
					return
				}
				times[i] = time.Since(begun)
			}
		})
	}
	running.Wait()
	return times, errors.Join(faults...)
}
