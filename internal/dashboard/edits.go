package dashboard

import (
	"strconv"
	"strings"
	"time"

	"laurel"
)

// formState is what a form of settings shows beside the thing that it is about.
type formState struct {
	Input        map[string]string
	BaseVersion  string // what the form was made from
	Conflicts    []fieldConflict
	Faults       map[string]string
	Error        string
	UploadNotice string // what was uploaded for the form, in words
}

// In is what a field holds.
func (f *formState) In(name string) string { return f.Input[name] }

// setRefusal notes why the form was refused.
func (f *formState) setRefusal(faults map[string]string, text string) {
	f.Faults, f.Error = faults, text
}

// findConflicts reports whether somebody else saved other settings than the form was made from, and notes the
// differences.
func (f *formState) findConflicts(c *request, saved map[string]string, fields []labeledField) bool {
	if c.PostFormValue("seen") == f.BaseVersion {
		return false
	}
	f.Conflicts = findConflicts(saved, f.Input, fields)
	return len(f.Conflicts) > 0
}

// typedFields returns fields as they were typed, with the ends of lines as they are kept.
func (c *request) typedFields(fields []labeledField) map[string]string {
	out := map[string]string{}
	for _, f := range fields {
		out[f.Name] = strings.TrimSpace(normalizeLineEnds(strings.Join(c.PostForm[f.Name], " ")))
	}
	return out
}

// normalizeLines writes what is saved as a form sends it, so that both compare.
func normalizeLines(saved map[string]string) map[string]string {
	for name, text := range saved {
		saved[name] = strings.TrimSpace(normalizeLineEnds(text))
	}
	return saved
}

// changedFields makes what a service takes of the fields of a form. A field that is as it was saved is left out, so
// that nothing is judged again for it. Of a new thing nothing is saved: all fields count.
type changedFields struct {
	saved, typed map[string]string
	faults       *laurel.Faults
}

func (e changedFields) changed(name string) bool {
	return e.saved == nil || e.saved[name] != e.typed[name]
}

// text is a text that is never null.
func (e changedFields) text(name string) laurel.Optional[string] {
	if !e.changed(name) {
		return laurel.Optional[string]{}
	}
	return laurel.Some(e.typed[name])
}

// textOrNull is a text whose empty form is null.
func (e changedFields) textOrNull(name string) laurel.Optional[string] {
	if in := e.text(name); in.Set && in.Value == "" {
		return laurel.Null[string]()
	}
	return e.text(name)
}

func (e changedFields) bool(name string) laurel.Optional[bool] {
	if !e.changed(name) {
		return laurel.Optional[bool]{}
	}
	return laurel.Some(e.typed[name] != "")
}

// integer is a whole number; empty is null.
func (e changedFields) integer(name string) laurel.Optional[int64] {
	text := strings.ReplaceAll(e.typed[name], ",", "")
	switch {
	case !e.changed(name):
		return laurel.Optional[int64]{}
	case text == "":
		return laurel.Null[int64]()
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		e.faults.Add(name, "must be a whole number")
	}
	return laurel.Some(n)
}

// amount is a number; empty is null.
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

// timestamp is a time in UTC; empty is null.
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

// id is an id to choose; empty is null.
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

// timeInput writes a time into a field of a form, in UTC; nothing for none.
func timeInput(t any) string {
	at, ok := timeOf(t)
	if !ok {
		return ""
	}
	return at.UTC().Format(dateTimeLayout)
}

// integerInput writes a whole number that may be absent.
func integerInput(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

// amountText writes an amount that may be absent.
func amountText(a *laurel.Amount) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// checkboxInput is the value of a box that is ticked, or not.
func checkboxInput(on bool) string {
	if on {
		return "on"
	}
	return ""
}
