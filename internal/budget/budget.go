// Package budget bounds sizes in bytes: of pages of lists, caches of a node and the free JSON of callers. It does not
// know their contents. No database.
package budget

import "laurel.example/laurel"

// MaxPageBytes is the most bytes that a page of a list has, and the most bytes of text that are read for it (contract
// 1.6). An item that is larger is a page of its own.
const MaxPageBytes = 4 << 20

// FirstItems returns the page with its first n items only. If that leaves some out, the page says that there is a next
// one.
func FirstItems[T any](p laurel.Page[T], n int) laurel.Page[T] {
	if n >= len(p.Data) {
		return p
	}
	return laurel.Page[T]{Data: p.Data[:n], HasNextPage: true}
}

// TryMapPage returns a page with the result of f for each item, or the first error of f.
func TryMapPage[T, U any](p laurel.Page[T], f func(T) (U, error)) (laurel.Page[U], error) {
	out := make([]U, len(p.Data))
	for i, v := range p.Data {
		var err error
		if out[i], err = f(v); err != nil {
			return laurel.Page[U]{}, err
		}
	}
	return laurel.Page[U]{Data: out, HasNextPage: p.HasNextPage}, nil
}

// ByteSize is the size of a record in bytes.
type ByteSize struct {
	ID    laurel.ID `db:"id"`
	Bytes int64     `db:"bytes"`
}

// CountFitting returns how many of the ids, from the first on, fit into a page: their sizes sum to at most
// MaxPageBytes. The first id always fits. An id without a size counts as 0 bytes, and the sizes of an id with several
// add up.
func CountFitting(ids []laurel.ID, sizes []ByteSize) int {
	sizeOf := make(map[laurel.ID]int64, len(sizes))
	for _, w := range sizes {
		sizeOf[w.ID] += w.Bytes
	}
	var total int64
	for i, id := range ids {
		if total += sizeOf[id]; total > MaxPageBytes && i > 0 {
			return i
		}
	}
	return len(ids)
}
