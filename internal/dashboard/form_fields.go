package dashboard

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"laurel"
)

// typedFields returns the posted values by field, trimmed and with "\n" at the ends of lines. Several values of a field
// are joined by spaces.
func typedFields(posted url.Values, fields []labeledField) map[string]string {
	out := map[string]string{}
	for _, f := range fields {
		out[f.Name] = strings.TrimSpace(normalizeLineEnds(strings.Join(posted[f.Name], " ")))
	}
	return out
}

// normalizeLines trims saved values and ends their lines with "\n", as typedFields does, so that both can be compared.
func normalizeLines(saved map[string]string) map[string]string {
	for name, text := range saved {
		saved[name] = strings.TrimSpace(normalizeLineEnds(text))
	}
	return saved
}

// changedFields makes a service's input of a form. Fields that are as they were saved are left out, so that the service
// does not check them again. saved is nil for a new record: then all fields are set.
type changedFields struct {
	saved, typed map[string]string
	faults       *laurel.Faults
}

// changed reports whether the service is to be sent the field: it was typed differently from how it is saved, or the
// record is new.
func (e changedFields) changed(name string) bool {
	return e.saved == nil || e.saved[name] != e.typed[name]
}

// text returns a text field; absent if it has not changed.
func (e changedFields) text(name string) laurel.Optional[string] {
	if !e.changed(name) {
		return laurel.Optional[string]{}
	}
	return laurel.Some(e.typed[name])
}

// textOrNull returns a text field; absent if it has not changed, null if it is empty.
func (e changedFields) textOrNull(name string) laurel.Optional[string] {
	if in := e.text(name); in.Set && in.Value == "" {
		return laurel.Null[string]()
	}
	return e.text(name)
}

// bool returns whether a checkbox is ticked; absent if that has not changed.
func (e changedFields) bool(name string) laurel.Optional[bool] {
	if !e.changed(name) {
		return laurel.Optional[bool]{}
	}
	return laurel.Some(e.typed[name] != "")
}

// integer parses a whole number; absent if the field has not changed, null if it is empty. A malformed number is added
// to the faults, and the result is then 0.
func (e changedFields) integer(name string) laurel.Optional[int64] {
	text := strings.ReplaceAll(e.typed[name], ",", "")
	switch {
	case !e.changed(name):
		return laurel.Optional[int64]{}
	case text == "":
		return laurel.Null[int64]()
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		e.faults.Add(name, "must be a whole number")
	}
	return laurel.Some(number)
}

// amount parses an amount; absent if the field has not changed, null if it is empty. A malformed amount is added to the
// faults, and the result is then 0.
func (e changedFields) amount(name string) laurel.Optional[laurel.Amount] {
	if !e.changed(name) {
		return laurel.Optional[laurel.Amount]{}
	}
	amount := parseAmountField(e.faults, name, e.typed[name])
	if amount == nil {
		return laurel.Null[laurel.Amount]()
	}
	return laurel.Some(*amount)
}

// timestamp parses a time in UTC; absent if the field has not changed, null if it is empty. A malformed time is added
// to the faults, and the result is then the zero time.
func (e changedFields) timestamp(name string) laurel.Optional[laurel.Timestamp] {
	switch {
	case !e.changed(name):
		return laurel.Optional[laurel.Timestamp]{}
	case e.typed[name] == "":
		return laurel.Null[laurel.Timestamp]()
	}
	at, err := time.Parse(dateTimeLayout, e.typed[name])
	if err != nil {
		e.faults.Add(name, "must be a date with a time, such as 2026-11-23T14:00")
	}
	return laurel.Some(laurel.Timestamp{Time: at})
}

// id returns the id that was chosen in a field; absent if it has not changed, null if no valid id is chosen.
func (e changedFields) id(name string) laurel.Optional[laurel.ID] {
	if !e.changed(name) {
		return laurel.Optional[laurel.ID]{}
	}
	id, err := laurel.ParseID(e.typed[name])
	if err != nil {
		return laurel.Null[laurel.ID]()
	}
	return laurel.Some(id)
}

// timeInput writes a time, in UTC, as a date-time input holds it; empty if there is none.
func timeInput(t any) string {
	at, ok := timeOf(t)
	if !ok {
		return ""
	}
	return at.UTC().Format(dateTimeLayout)
}

// integerInput writes a whole number; empty if it is nil.
func integerInput(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

// amountText writes an amount; empty if it is nil.
func amountText(a *laurel.Amount) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// checkboxInput returns the value of a checkbox.
func checkboxInput(on bool) string {
	if on {
		return "on"
	}
	return ""
}

// typedFieldsOf returns the posted values of the fields with these names, as they were typed.
func typedFieldsOf(posted url.Values, names ...string) map[string]string {
	out := map[string]string{}
	for _, name := range names {
		out[name] = posted.Get(name)
	}
	return out
}

// dateTimeLayout is the format of a date-time input.
const dateTimeLayout = "2006-01-02T15:04"

// readTime parses a posted date-time field, in UTC; nil if it is empty. A malformed time is added to faults and returns
// nil.
func readTime(posted url.Values, faults *laurel.Faults, name string) *time.Time {
	text := posted.Get(name)
	if text == "" {
		return nil
	}
	at, err := time.Parse(dateTimeLayout, text)
	if err != nil {
		faults.Add(name, "must be a date with a time, such as 2026-11-23T14:00")
		return nil
	}
	return &at
}

// readText returns a text field; null if it is empty.
func readText(posted url.Values, name string) laurel.Optional[string] {
	if text := posted.Get(name); text != "" {
		return laurel.Some(text)
	}
	return laurel.Null[string]()
}

// readInteger parses a posted whole number; null if the field is empty. A malformed number is added to faults, and the
// result is then 0.
func readInteger(posted url.Values, faults *laurel.Faults, name string) laurel.Optional[int64] {
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

// parseAmountField parses the amount in the text of a field, with or without thousands separators; nil if it is empty.
// A malformed amount is added to faults at path and returns 0.
func parseAmountField(faults *laurel.Faults, path, text string) *laurel.Amount {
	if text = strings.ReplaceAll(strings.TrimSpace(text), ",", ""); text == "" {
		return nil
	}
	amount, err := laurel.ParseAmount(text)
	if err != nil {
		faults.Add(path, "must be a number such as 12.5")
	}
	return &amount
}

// parseOptionalID parses an id that may be absent or null. A malformed id is added to faults, and the result is then
// the zero id.
func parseOptionalID(
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
