package laurel

// Page is one page of a list (contract 1.6).
type Page[T any] struct {
	Data        []T
	HasNextPage bool
}

// PageRequest requests at most Limit items after the item StartingAfter (zero: from the start).
type PageRequest struct {
	Limit         int
	StartingAfter ID
}

// ErrCursor returns the error for a StartingAfter that is no item of the list and tenant (contract 1.4).
func ErrCursor() error {
	return Faults{{Path: "startingAfter", Message: "startingAfter not found"}}.Err()
}

// PageOf returns the page of limit rows. The caller has read up to limit+1 rows: if there is one more than limit, it is
// left out and only shows that there is a next page.
func PageOf[T any](rows []T, limit int) Page[T] {
	if len(rows) > limit {
		return Page[T]{Data: rows[:limit], HasNextPage: true}
	}
	if rows == nil {
		rows = []T{}
	}
	return Page[T]{Data: rows}
}

// MapPage converts each item of a page.
func MapPage[T, U any](p Page[T], f func(T) U) Page[U] {
	out := make([]U, len(p.Data))
	for i, v := range p.Data {
		out[i] = f(v)
	}
	return Page[U]{Data: out, HasNextPage: p.HasNextPage}
}
