package bench

import (
	"context"
	"slices"
	"sync"
	"time"
)

// load is a closed loop: each worker begins its next step when the last one has ended.
type load struct {
	workers int
	seconds time.Duration
	// worker returns the step of one worker, and what ends it.
	worker func(ctx context.Context) (step func() error, end func(), err error)
}

// forever is the time of a load that runs until its context ends.
const forever = 24 * time.Hour

// warmUp is how long a load runs before it is measured: caches fill, statements are prepared, connections open.
func warmUp(seconds time.Duration) time.Duration { return min(2*time.Second, seconds/4) }

// run returns the figures of the steps that ended within the measured time. A step that fails ends the run: figures of
// failures say nothing.
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
	from := time.Now().Add(warmUp(l.seconds))
	until := from.Add(l.seconds)
	times, late := make([][]time.Duration, l.workers), make([][]time.Duration, l.workers)
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
					times[i] = append(times[i], ended.Sub(begun))
				} else if ended.After(from) {
					late[i] = append(late[i], ended.Sub(begun))
				}
				begun = ended
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return measured{}, err
	}
	if all := slices.Concat(times...); len(all) > 0 {
		return measure(all, l.seconds), nil
	}
	return measure(slices.Concat(late...), time.Since(from)), nil // steps longer than the measured time count too
}
