// Package budget bounds sizes in bytes: of pages of lists, caches of a node and the free JSON of callers. It does not
// know their contents. No database.
package budget

import "laurel"

// Page is how many bytes a page of a list has, and how many bytes of text are read for it (contract 1.6). An item that
// is larger is a page of its own.
const Page = 4 << 20

// First returns the page cut to its first n items.
func First[T any](p laurel.Page[T], n int) laurel.Page[T] {
	if n >= len(p.Data) {
		return p
	}
	return laurel.Page[T]{Data: p.Data[:n], HasNextPage: true}
}

// Try turns each row of a page into what it stands for, unless one cannot be read.
func Try[T, U any](p laurel.Page[T], f func(T) (U, error)) (laurel.Page[U], error) {
	out := make([]U, len(p.Data))
	for i, v := range p.Data {
		var err error
		if out[i], err = f(v); err != nil {
			return laurel.Page[U]{}, err
		}
	}
	return laurel.Page[U]{Data: out, HasNextPage: p.HasNextPage}, nil
}

// Weight is how many bytes belong to something.
type Weight struct {
	ID    laurel.ID `db:"id"`
	Bytes int64     `db:"bytes"`
}

// Fitting returns how many of the ids, from the first on, weigh no more than Page together; at least one. What has no
// weight weighs nothing.
func Fitting(ids []laurel.ID, weights []Weight) int {
	of := make(map[laurel.ID]int64, len(weights))
	for _, w := range weights {
		of[w.ID] = w.Bytes
	}
	var held int64
	for i, id := range ids {
		if held += of[id]; held > Page && i > 0 {
			return i
		}
	}
	return len(ids)
}
