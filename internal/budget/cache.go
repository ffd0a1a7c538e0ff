package budget

import (
	"iter"
	"math"

	"github.com/maypok86/otter/v2"
)

// Cache holds values by key in the memory of a node, up to a number of bytes. It evicts the values that were used
// least. A change of a record does not invalidate its value: users of a cache compare versions under locks. All methods
// may be called from many goroutines.
//
// It is an interface because Go compiles every method of a generic type anew in each package that reads a field of it:
// so otter is compiled where caches are made, and nowhere else.
type Cache[K comparable, V any] interface {
	// GetIfPresent returns the value of a key and whether there is one.
	GetIfPresent(key K) (V, bool)
	// Set stores a value. It returns the new value and true if the key had none, and else the one before and false.
	Set(key K, value V) (V, bool)
	// Invalidate removes the value of a key. It returns the value and whether there was one.
	Invalidate(key K) (V, bool)
	// Values returns the stored values, in no order.
	Values() iter.Seq[V]
}

// entryOverhead is how many bytes the cache itself needs for one value.
const entryOverhead = 160

// NewCache returns a cache that holds at most maxBytes. size returns roughly how many bytes a value and its key have;
// it is called once, when the value is stored, so values must not grow later.
func NewCache[K comparable, V any](maxBytes uint64, size func(K, V) int) Cache[K, V] {
	return otter.Must(&otter.Options[K, V]{
		MaximumWeight: maxBytes,
		Weigher: func(k K, v V) uint32 {
			return uint32(min(size(k, v)+entryOverhead, math.MaxUint32)) //nolint:gosec // positive, and cut to 32 bits
		},
		Executor: func(evict func()) { evict() }, // at once: values that wait for eviction would exceed the bound
	})
}
