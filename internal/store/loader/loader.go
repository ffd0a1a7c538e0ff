// Package loader batches reads by key for many callers. It knows no database: its user passes the function that reads.
package loader

import (
	"context"
	"fmt"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
)

const (
	// time limit of a read; it serves many callers, so it does not end with the context of the one that began it
	loadLimit          = 10 * time.Second
	maxKeys            = 256 // keys in one read
	maxConcurrentLoads = 1   // reads of one Loader at once; more would only make them smaller
)

// Loader reads rows by key for many callers at once: callers that arrive while a read is under way share the next one.
// A read always begins after the calls that it serves, so no caller gets an older state. An idle Loader adds no delay.
type Loader[K comparable, V any] struct {
	read func(ctx context.Context, keys []K) (map[K]V, error)

	mu        sync.Mutex
	nextLoad  *load[K, V]
	fullLoads []*load[K, V] // to be read before nextLoad; they have maxKeys keys
	running   int
}

// load is one read and its result. Its fields are set before done is closed and never change afterwards.
type load[K comparable, V any] struct {
	keys  map[K]bool
	found map[K]V
	err   error
	done  chan struct{}
}

// New returns a Loader that calls read with the keys of many callers; read leaves keys without a row out of its result.
func New[K comparable, V any](read func(ctx context.Context, keys []K) (map[K]V, error)) *Loader[K, V] {
	return &Loader[K, V]{read: read}
}

// Get returns the row of a key and whether there is one. It shares a read with other callers, so the row must not be
// changed. If ctx ends first, it returns the error of ctx; the read goes on for the others.
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

// enqueue adds the key to the next read and returns that read. Unless maxConcurrentLoads goroutines are reading, it
// starts another one.
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

// run executes loads, one after the other, until none is waiting.
func (l *Loader[K, V]) run(ctx context.Context) {
	for {
		next := l.takeNext()
		if next == nil {
			return
		}
		l.execute(ctx, next)
	}
}

// takeNext removes and returns the load to execute next. If none is waiting, it returns nil and counts the calling
// goroutine as ended.
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

// execute reads the rows of a load and wakes its callers. A read that reaches its time limit is Unavailable.
func (l *Loader[K, V]) execute(ctx context.Context, load *load[K, V]) {
	ctx, cancel := context.WithTimeout(ctx, loadLimit)
	defer cancel()
	defer close(load.done)
	keys := make([]K, 0, len(load.keys))
	for k := range load.keys {
		keys = append(keys, k)
	}
	load.found, load.err = panics.Try(func() (map[K]V, error) { return l.read(ctx, keys) })
	if load.err != nil && ctx.Err() != nil { // the time limit ended it, not a caller
		load.err = fmt.Errorf(
			"%w: %w",
			&laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 1},
			load.err,
		)
	}
}
