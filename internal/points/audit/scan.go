package audit

import (
	"fmt"

	"laurel"
)

// SQLite lets a hand write anything into any column. Verification must tell of it and go on, so what it reads into
// takes everything.

// integer is a column of integers; -1, which none of them holds rightly, stands for what is none.
type integer int64

// Scan reads a column.
func (n *integer) Scan(src any) error {
	v, ok := src.(int64)
	if !ok {
		v = -1
	}
	*n = integer(v)
	return nil
}

// name is a column of ids. Its ID is zero where there is none; spoilt tells what stands there instead.
type name struct {
	laurel.ID
	spoilt string
}

// Scan reads a column.
func (n *name) Scan(src any) error {
	*n = name{}
	if n.ID.Scan(src) != nil {
		*n = name{spoilt: fmt.Sprintf("%q", fmt.Sprint(src))}
	}
	return nil
}
