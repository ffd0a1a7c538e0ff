package laurel

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"time"
)

// Timestamp is a time as the interface writes it: RFC 3339 in UTC with milliseconds, "2026-01-15T12:00:00.000Z"
// (contract 1.7). It is stored as microseconds since 1970.
type Timestamp struct{ time.Time }

// Errors of ParseTime, which end a sentence about the property.
var (
	ErrTime     = errors.New("must be an ISO 8601 date-time")
	ErrZeroTime = errors.New("must be after 0001-01-01T00:00:00Z")
)

// ParseTime parses a time that a caller has sent, in RFC 3339 with any offset, or a bare date, which means 00:00 UTC.
// It returns the time in UTC. Errors: ErrTime for any other text, and for a time outside the years 1 to 9999.
// ErrZeroTime for the first millisecond of the year 1: the zero time means that there is none, so what was sent would
// be lost.
func ParseTime(s string) (time.Time, error) {
	t, err := parseTime(s)
	if err == nil && t.Truncate(time.Millisecond).IsZero() {
		return time.Time{}, ErrZeroTime
	}
	return t, err
}

// ParseTimestamp parses what ParseTime does, and truncates it to milliseconds.
func ParseTimestamp(s string) (Timestamp, error) {
	t, err := ParseTime(s)
	return Timestamp{t.Truncate(time.Millisecond)}, err
}

// parseTime is ParseTime that accepts the zero time.
func parseTime(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		// an offset may leave the range
		if t, err := time.Parse(layout, s); err == nil && t.UTC().Year() > 0 && t.UTC().Year() < 10000 {
			return t.UTC(), nil
		}
	}
	return time.Time{}, ErrTime
}

// Stamp returns the form of a time as a nullable field in a response: nil for the zero time.
func Stamp(t time.Time) *Timestamp {
	if t.IsZero() {
		return nil
	}
	return &Timestamp{t.UTC()}
}

// String writes the wire form.
func (t Timestamp) String() string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// MarshalJSON writes a JSON string.
func (t Timestamp) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// Value stores the microseconds since 1970, and 0 for the zero time.
func (t Timestamp) Value() (driver.Value, error) {
	if t.IsZero() {
		return int64(0), nil
	}
	return t.UnixMicro(), nil
}

// Scan reads a column of microseconds since 1970; NULL becomes the zero time.
func (t *Timestamp) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*t = Timestamp{}
		return nil
	case int64:
		*t = Timestamp{time.UnixMicro(v).UTC()}
		return nil
	}
	return fmt.Errorf("laurel: cannot read a time from %T", src)
}

// UnmarshalJSON reads the forms that ParseTimestamp reads, and what MarshalJSON writes for the zero time: JSON that the
// service has stored may hold it. Requests are checked by ParseTime before.
func (t *Timestamp) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '"' {
		return ErrTime
	}
	parsed, err := parseTime(string(b[1 : len(b)-1]))
	if err == nil {
		*t = Timestamp{parsed.Truncate(time.Millisecond)}
	}
	return err
}

// UnmarshalText reads what ParseTimestamp reads: a flag of a command is what a caller sends.
func (t *Timestamp) UnmarshalText(b []byte) (err error) {
	*t, err = ParseTimestamp(string(b))
	return err
}
