package tenancy

import "context"

// Cache gives the tests the cache alone, to count reads and entries.
type Cache = cache[int]

// NewCache makes an empty cache.
var NewCache = newCache[int]

// GetCached reads through the cache.
func (c *cache[V]) GetCached(ctx context.Context, key string, read func(context.Context) (V, error)) (V, error) {
	return c.getOrRead(ctx, key, read)
}

// ForgetCached drops a key.
func (c *cache[V]) ForgetCached(key string) { c.invalidate(key) }

// Len counts the entries.
func (c *cache[V]) Len() int { return len(c.young) + len(c.old) }
