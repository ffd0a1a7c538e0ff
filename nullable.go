package laurel

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"time"
)

// NullID is an id that may be none: NULL in the database, null in JSON. An ID in JSON is never null.
type NullID struct{ ID }

// NullableID returns the id, or none for the zero id.
func NullableID(id ID) NullID { return NullID{id} }

// MarshalJSON writes the id as a string, or null.
func (id NullID) MarshalJSON() ([]byte, error) {
	if id.IsZero() {
		return []byte("null"), nil
	}
	return []byte(`"` + id.String() + `"`), nil
}

// NullTimestamp is a time that may be none: NULL in the database, null in JSON. A Timestamp in JSON is never null.
type NullTimestamp struct{ Timestamp }

// NullableTime returns the time, or none for the zero time.
func NullableTime(t time.Time) NullTimestamp { return NullTimestamp{Timestamp{t}} }

// Value stores what Timestamp.Value stores, and NULL for none.
func (t NullTimestamp) Value() (driver.Value, error) {
	if t.IsZero() {
		return nil, nil
	}
	return t.Timestamp.Value()
}

// UnmarshalJSON reads what Timestamp reads, and null as none.
func (t *NullTimestamp) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*t = NullTimestamp{}
		return nil
	}
	return t.Timestamp.UnmarshalJSON(b)
}

// MarshalJSON writes the time as a string, or null.
func (t NullTimestamp) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.Timestamp.MarshalJSON()
}

// NullText is a text that may be none: NULL in the database and null in JSON for "".
type NullText string

// MarshalJSON writes the text as a string, or null.
func (t NullText) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(t))
}

// Value stores the text, and NULL for "".
func (t NullText) Value() (driver.Value, error) {
	if t == "" {
		return nil, nil
	}
	return string(t), nil
}

// Scan reads a column of type TEXT; NULL becomes "".
func (t *NullText) Scan(src any) error {
	var text sql.NullString
	err := text.Scan(src)
	*t = NullText(text.String)
	return err
}
