// Package loader reads rows by key for many callers at once. It knows no database: it is given the function that reads.
package loader

import (
	"context"
	"fmt"
	"sync"
	"time"

	"laurel"
	"laurel/internal/panics"
)

const (
	// of a read that many callers wait for; it does not end with the one caller that began it
	loadLimit          = 10 * time.Second
	maxKeys            = 256 // keys in one read
	maxConcurrentLoads = 1   // reads of one Loader under way at once: more would only make them smaller
)

// Loader reads rows by key for many callers at once: those who ask while reads are under way share the next one. A read
// never begins before its caller asked, so nobody is answered from an older state, and an idle Loader adds no delay.
type Loader[K comparable, V any] struct {
	read func(ctx context.Context, keys []K) (map[K]V, error)

	mu        sync.Mutex
	nextLoad  *load[K, V]
	fullLoads []*load[K, V] // waiting too, with no room left
	running   int
}

// load is one read on its way. Its fields are set before done is closed and never changed afterwards.
type load[K comparable, V any] struct {
	keys  map[K]bool
	found map[K]V
	err   error
	done  chan struct{}
}

// New makes a Loader of a function that reads the rows of different keys; keys without a row are left out of its
// answer.
func New[K comparable, V any](read func(ctx context.Context, keys []K) (map[K]V, error)) *Loader[K, V] {
	return &Loader[K, V]{read: read}
}

// Get returns the row of a key and whether there is one. The row is shared with other callers and must not be changed.
func (l *Loader[K, V]) Get(ctx context.Context, key K) (v V, found bool, err error) {
	load := l.enqueue(ctx, key)
	select {
	case <-load.done:
	case <-ctx.Done():
		return v, false, ctx.Err()
	}
	v, found = load.found[key]
	return v, found, load.err
}

// enqueue adds the key to the next read and begins that one when there is nothing to wait for.
func (l *Loader[K, V]) enqueue(ctx context.Context, key K) *load[K, V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.nextLoad == nil {
		l.nextLoad = &load[K, V]{keys: map[K]bool{}, done: make(chan struct{})}
	}
	load := l.nextLoad
	load.keys[key] = true
	if len(load.keys) == maxKeys {
		l.fullLoads, l.nextLoad = append(l.fullLoads, load), nil
	}
	if l.running < maxConcurrentLoads {
		l.running++
		go l.run(context.WithoutCancel(ctx))
	}
	return load
}

// run reads until nobody waits.
func (l *Loader[K, V]) run(ctx context.Context) {
	for {
		next := l.takeNext()
		if next == nil {
			return
		}
		l.execute(ctx, next)
	}
}

func (l *Loader[K, V]) takeNext() *load[K, V] {
	l.mu.Lock()
	defer l.mu.Unlock()
	var next *load[K, V]
	if len(l.fullLoads) > 0 {
		next, l.fullLoads = l.fullLoads[0], l.fullLoads[1:]
	} else {
		next, l.nextLoad = l.nextLoad, nil
	}
	if next == nil {
		l.running--
	}
	return next
}

func (l *Loader[K, V]) execute(ctx context.Context, load *load[K, V]) {
	ctx, cancel := context.WithTimeout(ctx, loadLimit)
	defer cancel()
	defer close(load.done)
	keys := make([]K, 0, len(load.keys))
	for k := range load.keys {
		keys = append(keys, k)
	}
	load.found, load.err = panics.Try(func() (map[K]V, error) { return l.read(ctx, keys) })
	if load.err != nil && ctx.Err() != nil { // no caller ended this read: the database is too slow to be of use
		load.err = fmt.Errorf(
			"%w: %w",
			&laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 1},
			load.err,
		)
	}
}
