package laurel

import (
	"encoding/json"
	"time"
)

// timeForm is how answers write an instant (contract 1.7).
const timeForm = "2006-01-02T15:04:05.000Z"

// Time is an instant of an answer. It is written in UTC with milliseconds; any RFC 3339 form is read.
type Time struct{ time.Time }

// TimePtr answers nil for the zero time: the form of a nullable field in an answer.
func TimePtr(t time.Time) *Time {
	if t.IsZero() {
		return nil
	}
	return &Time{t}
}

// String writes the form of answers.
func (t Time) String() string { return t.UTC().Format(timeForm) }

// MarshalJSON writes the form of answers.
func (t Time) MarshalJSON() ([]byte, error) { return json.Marshal(t.String()) }

// UnmarshalJSON reads RFC 3339 with any offset.
func (t *Time) UnmarshalJSON(b []byte) error { return t.Time.UnmarshalJSON(b) }
