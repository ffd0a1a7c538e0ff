package tenancy

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// readLimit bounds a read that many callers wait for; it does not end with the one caller that began it.
const readLimit = 10 * time.Second

// ttlCache is a cache as the fields of Service name it. It is an interface for the reason of budget.Cache.
type ttlCache[V any] interface {
	getOrRead(ctx context.Context, key string, read func(context.Context) (V, error)) (V, error)
	find(key string) (V, bool)
	invalidationCount() uint64
	put(key string, k cacheEntry[V], forgotten uint64)
	invalidate(key string)
}

// cache keeps what was read from the database for a short life. Callers that miss the same key at once share one read.
// It holds at most twice `most` bytes: when the young generation is full it becomes the old one, whose rest is dropped.
type cache[V any] struct {
	ttl      time.Duration
	maxBytes int         // bytes
	size     func(V) int // of a value, in bytes, roughly
	now      func() time.Time
	flights  singleflight.Group

	mu            sync.Mutex
	young, old    map[string]cacheEntry[V]
	youngSize     int    // bytes of the young
	invalidations uint64 // how often something was forgotten: a read begun before must not be kept
}

type cacheEntry[V any] struct {
	value V
	at    time.Time // before it was read
}

func newCache[V any](life time.Duration, now func() time.Time, size func(V) int) *cache[V] {
	return &cache[V]{ttl: life, maxBytes: maxCacheBytes, size: size, now: now, young: map[string]cacheEntry[V]{}}
}

// getOrRead returns the kept value or reads it. Errors are not kept.
func (c *cache[V]) getOrRead(ctx context.Context, key string, read func(context.Context) (V, error)) (V, error) {
	if v, ok := c.find(key); ok {
		return v, nil
	}
	flight := c.flights.DoChan(key, func() (any, error) {
		if v, ok := c.find(key); ok { // another flight landed meanwhile
			return v, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readLimit)
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
		v, _ := r.Val.(V) // nothing but V is put in; a nil V reads as the zero one
		return v, nil
	}
}

func (c *cache[V]) find(key string) (V, bool) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.young[key]
	if !ok {
		k, ok = c.old[key]
	}
	// A clock that was set back must not make entries live longer.
	if !ok || now.Before(k.at) || now.Sub(k.at) >= c.ttl {
		var none V
		return none, false
	}
	return k.value, true
}

func (c *cache[V]) invalidationCount() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.invalidations
}

func (c *cache[V]) put(key string, k cacheEntry[V], invalidations uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.invalidations != invalidations {
		return
	}
	size := entryOverhead + len(key) + c.size(k.value)
	if c.youngSize+size > c.maxBytes {
		c.old, c.young, c.youngSize = c.young, map[string]cacheEntry[V]{}, 0
	}
	if _, exists := c.young[key]; !exists {
		c.youngSize += size
	}
	c.young[key] = k
}

// invalidate drops a key at once: callers from now on read again, and reads under way are not kept.
func (c *cache[V]) invalidate(key string) {
	c.mu.Lock()
	c.invalidations++
	delete(c.young, key)
	delete(c.old, key)
	c.mu.Unlock()
	c.flights.Forget(key)
}
