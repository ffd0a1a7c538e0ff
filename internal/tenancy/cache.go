package tenancy

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

// readLimit bounds a read that many callers wait for; it does not end with the one caller that began it.
const readLimit = 10 * time.Second

// reader is a cache as the fields of Service name it. It is an interface for the reason of budget.Cache.
type reader[V any] interface {
	get(ctx context.Context, key string, read func(context.Context) (V, error)) (V, error)
	find(key string) (V, bool)
	count() uint64
	keep(key string, k kept[V], forgotten uint64)
	forget(key string)
}

// cache keeps what was read from the database for a short life. Callers that miss the same key at once share one read.
// It holds at most twice `most` bytes: when the young generation is full it becomes the old one, whose rest is dropped.
type cache[V any] struct {
	life    time.Duration
	most    int         // bytes
	size    func(V) int // of a value, in bytes, roughly
	now     func() time.Time
	flights singleflight.Group

	mu         sync.Mutex
	young, old map[string]kept[V]
	held       int    // bytes of the young
	forgotten  uint64 // how often something was forgotten: a read begun before must not be kept
}

type kept[V any] struct {
	value V
	at    time.Time // before it was read
}

func newCache[V any](life time.Duration, now func() time.Time, size func(V) int) *cache[V] {
	return &cache[V]{life: life, most: mostKept, size: size, now: now, young: map[string]kept[V]{}}
}

// get returns the kept value or reads it. Errors are not kept.
func (c *cache[V]) get(ctx context.Context, key string, read func(context.Context) (V, error)) (V, error) {
	if v, ok := c.find(key); ok {
		return v, nil
	}
	flight := c.flights.DoChan(key, func() (any, error) {
		if v, ok := c.find(key); ok { // another flight landed meanwhile
			return v, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readLimit)
		defer cancel()
		at, forgotten := c.now(), c.count()
		v, err := read(ctx)
		if err == nil {
			c.keep(key, kept[V]{v, at}, forgotten)
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
	if !ok || now.Before(k.at) || now.Sub(k.at) >= c.life {
		var none V
		return none, false
	}
	return k.value, true
}

func (c *cache[V]) count() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.forgotten
}

func (c *cache[V]) keep(key string, k kept[V], forgotten uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forgotten != forgotten {
		return
	}
	size := entrySize + len(key) + c.size(k.value)
	if c.held+size > c.most {
		c.old, c.young, c.held = c.young, map[string]kept[V]{}, 0
	}
	if _, again := c.young[key]; !again {
		c.held += size
	}
	c.young[key] = k
}

// forget drops a key at once: callers from now on read again, and reads under way are not kept.
func (c *cache[V]) forget(key string) {
	c.mu.Lock()
	c.forgotten++
	delete(c.young, key)
	delete(c.old, key)
	c.mu.Unlock()
	c.flights.Forget(key)
}
