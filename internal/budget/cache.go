package budget

import (
	"math"

	"github.com/maypok86/otter/v2"
)

// Cache is what a node remembers, by key. What is asked for most and last stays longest. Nobody's change invalidates
// it: whoever goes by it compares versions under locks. All methods may be called from many goroutines.
type Cache[K comparable, V any] = otter.Cache[K, V]

// entry is what one value costs beside what size tells, in bytes: its node and its place in the table.
const entry = 160

// NewCache makes a cache that holds at most so many bytes. size tells roughly how many belong to one value with its
// key; it is asked once, when the value is put in, so values must not grow later.
func NewCache[K comparable, V any](most uint64, size func(K, V) int) *Cache[K, V] {
	return otter.Must(&otter.Options[K, V]{
		MaximumWeight: most,
		Weigher:       func(k K, v V) uint32 { return uint32(min(size(k, v)+entry, math.MaxUint32)) }, //nolint:gosec // at least entry, and cut
		// at once: what waits for it is held beyond the bound
		Executor: func(evict func()) { evict() },
	})
}
