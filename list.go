package laurel

import (
	"database/sql/driver"
	"encoding/json"
)

// List is a list in a column of type TEXT, as a JSON array. nil is the empty list.
type List[T any] []T

// MarshalJSON writes an array; nil becomes [].
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]T(l))
}

// Value stores the text of the array.
func (l List[T]) Value() (driver.Value, error) {
	b, err := l.MarshalJSON()
	return string(b), err
}

// Scan reads the text of an array; NULL becomes the empty list.
func (l *List[T]) Scan(src any) error {
	*l = nil
	return ScanJSON(src, (*[]T)(l))
}
