package form

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
)

// Typed returns the posted values by field, trimmed and with "\n" at the ends of lines. Several values of a field
// are joined by spaces.
func Typed(posted url.Values, fields []Field) map[string]string {
	out := map[string]string{}
	for _, f := range fields {
		out[f.Name] = strings.TrimSpace(NormalizeLineEnds(strings.Join(posted[f.Name], " ")))
	}
	return out
}

// NormalizeLines trims saved values and ends their lines with "\n", as Typed does, so that both can be compared.
func NormalizeLines(saved map[string]string) map[string]string {
	for name, text := range saved {
		saved[name] = strings.TrimSpace(NormalizeLineEnds(text))
	}
	return saved
}

// Changes makes a service's input of a form. Fields that are as they were saved are left out, so that the service
// does not check them again. saved is nil for a new record: then all fields are set.
type Changes struct {
	Saved, Typed map[string]string
	Faults       *laurel.Faults
}

// Changed reports whether the service is to be sent the field: it was typed differently from how it is saved, or the
// record is new.
func (e Changes) Changed(name string) bool {
	return e.Saved == nil || e.Saved[name] != e.Typed[name]
}

// Text returns a text field; absent if it has not changed.
func (e Changes) Text(name string) laurel.Optional[string] {
	if !e.Changed(name) {
		return laurel.Optional[string]{}
	}
	return laurel.Some(e.Typed[name])
}

// TextOrNull returns a text field; absent if it has not changed, null if it is empty.
func (e Changes) TextOrNull(name string) laurel.Optional[string] {
	if in := e.Text(name); in.Set && in.Value == "" {
		return laurel.Null[string]()
	}
	return e.Text(name)
}

// Bool returns whether a checkbox is ticked; absent if that has not changed.
func (e Changes) Bool(name string) laurel.Optional[bool] {
	if !e.Changed(name) {
		return laurel.Optional[bool]{}
	}
	return laurel.Some(e.Typed[name] != "")
}

// Integer parses a whole number; absent if the field has not changed, null if it is empty. A malformed number is added
// to the faults, and the result is then 0.
func (e Changes) Integer(name string) laurel.Optional[int64] {
	text := strings.ReplaceAll(e.Typed[name], ",", "")
	switch {
	case !e.Changed(name):
		return laurel.Optional[int64]{}
	case text == "":
		return laurel.Null[int64]()
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		e.Faults.Add(name, "must be a whole number")
	}
	return laurel.Some(number)
}

// Amount parses an amount; absent if the field has not changed, null if it is empty. A malformed amount is added to the
// faults, and the result is then 0.
func (e Changes) Amount(name string) laurel.Optional[laurel.Amount] {
	if !e.Changed(name) {
		return laurel.Optional[laurel.Amount]{}
	}
	amount := ParseAmount(e.Faults, name, e.Typed[name])
	if amount == nil {
		return laurel.Null[laurel.Amount]()
	}
	return laurel.Some(*amount)
}

// Timestamp parses a time in UTC; absent if the field has not changed, null if it is empty. A malformed time is added
// to the faults, and the result is then the zero time.
func (e Changes) Timestamp(name string) laurel.Optional[laurel.Timestamp] {
	switch {
	case !e.Changed(name):
		return laurel.Optional[laurel.Timestamp]{}
	case e.Typed[name] == "":
		return laurel.Null[laurel.Timestamp]()
	}
	at, err := ParseTime(e.Typed[name])
	if err != nil {
		e.Faults.Add(name, "%s", err)
	}
	return laurel.Some(laurel.Timestamp{Time: at})
}

// ID returns the id that was chosen in a field; absent if it has not changed, null if no valid id is chosen.
func (e Changes) ID(name string) laurel.Optional[laurel.ID] {
	if !e.Changed(name) {
		return laurel.Optional[laurel.ID]{}
	}
	id, err := laurel.ParseID(e.Typed[name])
	if err != nil {
		return laurel.Null[laurel.ID]()
	}
	return laurel.Some(id)
}

// TimeInput writes a time, in UTC, as a date-time input holds it; empty if there is none.
func TimeInput(t any) string {
	at, ok := web.TimeOf(t)
	if !ok {
		return ""
	}
	return at.UTC().Format(DateTimeLayout)
}

// IntegerInput writes a whole number; empty if it is nil.
func IntegerInput(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

// AmountText writes an amount; empty if it is nil.
func AmountText(a *laurel.Amount) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// CheckboxInput returns the value of a checkbox.
func CheckboxInput(on bool) string {
	if on {
		return "on"
	}
	return ""
}

// TypedOf returns the posted values of the fields with these names, as they were typed.
func TypedOf(posted url.Values, names ...string) map[string]string {
	out := map[string]string{}
	for _, name := range names {
		out[name] = posted.Get(name)
	}
	return out
}

// DateTimeLayout is the format of a date-time input.
const DateTimeLayout = "2006-01-02T15:04"

var errDateTime = errors.New("must be a date with a time, such as 2026-11-23T14:00")

// ParseTime parses what a date-time input sends, in UTC. The zero time is refused, as laurel.ParseTime does. Errors end
// a sentence about the field.
func ParseTime(text string) (time.Time, error) {
	at, err := time.Parse(DateTimeLayout, text)
	switch {
	case err != nil:
		return time.Time{}, errDateTime
	case at.IsZero():
		return at, laurel.ErrZeroTime
	}
	return at, nil
}

// ReadTime parses a posted date-time field, in UTC; nil if it is empty. A malformed time is added to faults and returns
// nil.
func ReadTime(posted url.Values, faults *laurel.Faults, name string) *time.Time {
	text := posted.Get(name)
	if text == "" {
		return nil
	}
	at, err := ParseTime(text)
	if err != nil {
		faults.Add(name, "%s", err)
		return nil
	}
	return &at
}

// ReadInteger parses a posted whole number; null if the field is empty. A malformed number is added to faults, and the
// result is then 0.
func ReadInteger(posted url.Values, faults *laurel.Faults, name string) laurel.Optional[int64] {
	text := posted.Get(name)
	if text == "" {
		return laurel.Null[int64]()
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		faults.Add(name, "must be a whole number")
	}
	return laurel.Some(number)
}

// ParseAmount parses the amount in the text of a field, with or without thousands separators; nil if it is empty.
// A malformed amount is added to faults at path and returns 0.
func ParseAmount(faults *laurel.Faults, path, text string) *laurel.Amount {
	if text = strings.ReplaceAll(strings.TrimSpace(text), ",", ""); text == "" {
		return nil
	}
	amount, err := laurel.ParseAmount(text)
	if err != nil {
		faults.Add(path, "must be a number such as 12.5")
	}
	return &amount
}

// ParseOptionalID parses an id that may be absent or null. A malformed id is added to faults, and the result is then
// the zero id.
func ParseOptionalID(
	faults *laurel.Faults, name string, text laurel.Optional[string],
) (out laurel.Optional[laurel.ID]) {
	out.Set, out.Null = text.Set, text.Null
	if text.Ptr() == nil {
		return out
	}
	id, err := laurel.ParseID(text.Value)
	if err != nil {
		faults.Add(name, "must be an ID, such as %s", laurel.ID{})
	}
	out.Value = id
	return out
}

// NormalizeLineEnds replaces the line ends that browsers send by "\n".
func NormalizeLineEnds(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// ParseIDs parses ids with spaces between them. Malformed ids, which forms do not have, are left out.
func ParseIDs(text string) []laurel.ID {
	var out []laurel.ID
	for word := range strings.FieldsSeq(text) {
		if id, err := laurel.ParseID(word); err == nil {
			out = append(out, id)
		}
	}
	return out
}
