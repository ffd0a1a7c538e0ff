package tenancy

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// readTimeout bounds a read that many callers share; it does not end with the context of the caller that began it.
const readTimeout = 10 * time.Second

// ttlCache is a cache as the fields of Service use it. It is an interface for the same reason as budget.Cache.
type ttlCache[V any] interface {
	getOrRead(ctx context.Context, key string, read func(context.Context) (V, error)) (V, error)
	find(key string) (V, bool)
	invalidationCount() uint64
	put(key string, k cacheEntry[V], invalidations uint64)
	invalidate(key string)
}

// cache stores values read from the database for a short time. Callers that miss the same key at once share one read.
// It holds at most twice maxBytes: when the young generation is full, it becomes the old one, and the former old one
// is dropped.
type cache[V any] struct {
	ttl      time.Duration
	maxBytes int         // bytes
	size     func(V) int // of a value, in bytes, roughly
	now      func() time.Time
	flights  singleflight.Group

	mu            sync.Mutex
	young, old    map[string]cacheEntry[V]
	youngSize     int    // bytes of the young
	invalidations uint64 // number of invalidations: a read that began before one must not be stored
}

// cacheEntry is a stored value.
type cacheEntry[V any] struct {
	value V
	at    time.Time // when its read began
}

func newCache[V any](life time.Duration, now func() time.Time, size func(V) int) *cache[V] {
	return &cache[V]{ttl: life, maxBytes: maxCacheBytes, size: size, now: now, young: map[string]cacheEntry[V]{}}
}

// getOrRead returns the stored value of a key, or else reads and stores it. Concurrent calls for one key share one
// read, which continues even if the context of its first caller ends. Errors are returned to all of them, and not
// stored.
func (c *cache[V]) getOrRead(ctx context.Context, key string, read func(context.Context) (V, error)) (V, error) {
	if v, ok := c.find(key); ok {
		return v, nil
	}
	flight := c.flights.DoChan(key, func() (any, error) {
		if v, ok := c.find(key); ok { // another flight landed meanwhile
			return v, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
		defer cancel()
		at, invalidations := c.now(), c.invalidationCount()
		v, err := read(ctx)
		if err == nil {
			c.put(key, cacheEntry[V]{v, at}, invalidations)
		}
		return v, err
	})
	var none V
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case r := <-flight:
		if r.Err != nil {
			return none, r.Err
		}
		v, _ := r.Val.(V) // the flight returns only V; a nil V becomes the zero value
		return v, nil
	}
}

// find returns the stored value of a key, or false if there is none or it is older than the ttl.
func (c *cache[V]) find(key string) (V, bool) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.young[key]
	if !ok {
		entry, ok = c.old[key]
	}
	// If the clock was set back, entries must not live longer.
	if !ok || now.Before(entry.at) || now.Sub(entry.at) >= c.ttl {
		var none V
		return none, false
	}
	return entry.value, true
}

// invalidationCount returns how many invalidations there have been. A caller gets it before a read and passes it to
// put.
func (c *cache[V]) invalidationCount() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.invalidations
}

// put stores a value that was read, unless any key was invalidated since: invalidations is the invalidationCount from
// before the read.
func (c *cache[V]) put(key string, k cacheEntry[V], invalidations uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.invalidations != invalidations {
		return
	}
	size := entryOverhead + len(key) + c.size(k.value)
	if c.youngSize+size > c.maxBytes { // full: drop the old generation, and begin a new young one
		c.old, c.young, c.youngSize = c.young, map[string]cacheEntry[V]{}, 0
	}
	if _, exists := c.young[key]; !exists {
		c.youngSize += size
	}
	c.young[key] = k
}

// invalidate removes a key at once: later callers read it again, and the results of reads under way are not stored.
func (c *cache[V]) invalidate(key string) {
	c.mu.Lock()
	c.invalidations++
	delete(c.young, key)
	delete(c.old, key)
	c.mu.Unlock()
	c.flights.Forget(key)
}
