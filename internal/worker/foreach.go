package worker

import (
	"errors"
	"sync"

	"laurel.example/laurel/internal/panics"
)

// ForEach calls do for every item, for at most concurrency items at once, waits for all and returns their joined
// errors. An error or panic for one item does not stop the others.
func ForEach[T any](items []T, concurrency int, do func(item T) error) error {
	errs := make([]error, len(items))
	slots := make(chan struct{}, concurrency)
	var running sync.WaitGroup
	for i, item := range items {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			errs[i] = panics.Safely(func() error { return do(item) })
		})
	}
	running.Wait()
	return errors.Join(errs...)
}
