package audit

import (
	"fmt"

	"laurel"
)

// SQLite lets a hand write anything into any column. Verification must tell of it and go on, so what it reads into
// takes everything.

// lenientInt is a column of integers; -1, which none of them holds rightly, stands for what is none.
type lenientInt int64

// Scan reads a column.
func (n *lenientInt) Scan(src any) error {
	v, ok := src.(int64)
	if !ok {
		v = -1
	}
	*n = lenientInt(v)
	return nil
}

// lenientID is a column of ids. Its ID is zero where there is none; spoilt tells what stands there instead.
type lenientID struct {
	laurel.ID
	corrupt string
}

// Scan reads a column.
func (n *lenientID) Scan(src any) error {
	*n = lenientID{}
	if n.ID.Scan(src) != nil {
		*n = lenientID{corrupt: fmt.Sprintf("%q", fmt.Sprint(src))}
	}
	return nil
}
