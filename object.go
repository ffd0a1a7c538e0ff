package laurel

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// Object is a JSON object, stored and returned as it was sent, such as metadata (contract 1.1). nil is the empty
// object.
type Object json.RawMessage

// MarshalJSON returns the stored text, or an empty object if there is none.
func (o Object) MarshalJSON() ([]byte, error) {
	if len(o) == 0 {
		return []byte("{}"), nil
	}
	return o, nil
}

// UnmarshalJSON stores the text.
func (o *Object) UnmarshalJSON(b []byte) error {
	*o = append((*o)[:0], b...)
	return nil
}

// Value stores the text, and {} for nil.
func (o Object) Value() (driver.Value, error) {
	b, err := o.MarshalJSON()
	return string(b), err
}

// Scan reads a column of type TEXT; NULL becomes nil.
func (o *Object) Scan(src any) error { return (*RawJSON)(o).Scan(src) }

// ScanJSON decodes a column of type TEXT that holds JSON into the value that to points to; NULL leaves it as it is. It
// is for the Scan methods of such values.
func ScanJSON(src, to any) error {
	switch v := src.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(v), to)
	case []byte:
		return json.Unmarshal(v, to)
	}
	return fmt.Errorf("laurel: cannot read JSON from %T", src)
}
