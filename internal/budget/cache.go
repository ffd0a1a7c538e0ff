package budget

import (
	"iter"
	"math"

	"github.com/maypok86/otter/v2"
)

// Cache holds values of a node by key. The values that are used most, and last, stay longest. No change invalidates it:
// its users compare versions under locks. All methods may be called from many goroutines.
//
// It is an interface because Go compiles every method of a generic type anew in each package that reads a field of it:
// so otter is compiled where caches are made, and nowhere else.
type Cache[K comparable, V any] interface {
	// GetIfPresent returns the value of a key and whether there is one.
	GetIfPresent(key K) (V, bool)
	// Set keeps a value. It returns the new value and true if the key had none, and else the one before and false.
	Set(key K, value V) (V, bool)
	// Invalidate forgets a key. It returns the value and whether there was one.
	Invalidate(key K) (V, bool)
	// Values returns what is kept, in no order.
	Values() iter.Seq[V]
}

// entry is what one value costs beside what size tells, in bytes: its node and its place in the table.
const entry = 160

// NewCache makes a cache that holds at most so many bytes. size tells roughly how many belong to one value with its
// key; it is asked once, when the value is put in, so values must not grow later.
func NewCache[K comparable, V any](most uint64, size func(K, V) int) Cache[K, V] {
	return otter.Must(&otter.Options[K, V]{
		MaximumWeight: most,
		Weigher:       func(k K, v V) uint32 { return uint32(min(size(k, v)+entry, math.MaxUint32)) }, //nolint:gosec // at least entry, and cut
		// at once: what waits for it is held beyond the bound
		Executor: func(evict func()) { evict() },
	})
}
