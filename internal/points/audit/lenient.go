package audit

import (
	"fmt"

	"laurel.example/laurel"
)

// SQLite accepts any value in any column, so someone who edits the file by hand may write a text where an integer
// belongs. Verification must report such values and continue, so it scans columns into types that accept everything.

// lenientInt is an integer column. Any other value becomes -1, which no such column has otherwise.
type lenientInt int64

// Scan sets the integer to the value of a column, or to -1 if that is no integer.
func (n *lenientInt) Scan(src any) error {
	v, ok := src.(int64)
	if !ok {
		v = -1
	}
	*n = lenientInt(v)
	return nil
}

// lenientID is an id column. For NULL the ID is zero. For any other value the ID is zero and corrupt describes the
// value.
type lenientID struct {
	laurel.ID
	corrupt string
}

// Scan sets the id to the value of a column. For a malformed value it sets the zero id and describes the value.
func (id *lenientID) Scan(src any) error {
	*id = lenientID{}
	if id.ID.Scan(src) != nil {
		*id = lenientID{corrupt: fmt.Sprintf("%q", fmt.Sprint(src))}
	}
	return nil
}
