package laurel

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// RawJSON is JSON as it was sent, in a column of type TEXT. nil is none: NULL in the database, null in JSON.
type RawJSON json.RawMessage

// MarshalJSON writes the JSON, or null.
func (j RawJSON) MarshalJSON() ([]byte, error) { return json.RawMessage(j).MarshalJSON() }

// UnmarshalJSON stores the JSON as it is; null becomes nil.
func (j *RawJSON) UnmarshalJSON(b []byte) error {
	if *j = nil; string(b) != "null" {
		*j = append(RawJSON{}, b...)
	}
	return nil
}

// Value stores the text, and NULL for nil.
func (j RawJSON) Value() (driver.Value, error) {
	if j == nil {
		return nil, nil
	}
	return string(j), nil
}

// Scan reads a column of type TEXT; NULL becomes nil.
func (j *RawJSON) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*j = nil
	case string:
		*j = RawJSON(v)
	case []byte:
		*j = append(RawJSON{}, v...)
	default:
		return fmt.Errorf("laurel: cannot read JSON from %T", src)
	}
	return nil
}
