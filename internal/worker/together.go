package worker

import (
	"errors"
	"sync"

	"laurel/internal/panics"
)

// Together does something with every item, with at most so many at a time, and returns what failed. What fails or
// panics of one item stops no other.
func Together[T any](items []T, atOnce int, do func(item T) error) error {
	errs := make([]error, len(items))
	free := make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for i, item := range items {
		free <- struct{}{}
		running.Go(func() {
			defer func() { <-free }()
			errs[i] = panics.Safely(func() error { return do(item) })
		})
	}
	running.Wait()
	return errors.Join(errs...)
}
