package worker

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// ErrPanic is in the error of what panicked, whose text holds the stack.
var ErrPanic = errors.New("panicked")

// Try makes an error of a panic; then nothing else is answered.
func Try[T any](do func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v\n%s", ErrPanic, p, debug.Stack())
		}
	}()
	return do()
}

// Safely is Try for what answers only an error.
func Safely(do func() error) error {
	_, err := Try(func() (struct{}, error) { return struct{}{}, do() })
	return err
}

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
			errs[i] = Safely(func() error { return do(item) })
		})
	}
	running.Wait()
	return errors.Join(errs...)
}
