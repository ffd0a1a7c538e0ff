package dashboard

import (
	"strconv"
	"strings"
	"time"

	"laurel"
)

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

// typedFieldsOf returns fields of the form as they were typed.
func (c *request) typedFieldsOf(names ...string) map[string]string {
	out := map[string]string{}
	for _, name := range names {
		out[name] = c.PostFormValue(name)
	}
	return out
}

// dateTimeLayout is how browsers write a date with a time.
const dateTimeLayout = "2006-01-02T15:04"

// readTime reads a date-time field of a form, in UTC; nil where it is empty.
func (c *request) readTime(f *laurel.Faults, name string) *time.Time {
	text := c.PostFormValue(name)
	if text == "" {
		return nil
	}
	at, err := time.Parse(dateTimeLayout, text)
	if err != nil {
		f.Add(name, "must be a date with a time, such as 2026-11-23T14:00")
		return nil
	}
	return &at
}

// readText reads a field that may be empty: null then.
func (c *request) readText(name string) laurel.Optional[string] {
	if text := c.PostFormValue(name); text != "" {
		return laurel.Some(text)
	}
	return laurel.Null[string]()
}

// readInteger reads a whole number that may be absent: null then.
func (c *request) readInteger(f *laurel.Faults, name string) laurel.Optional[int64] {
	text := c.PostFormValue(name)
	if text == "" {
		return laurel.Null[int64]()
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		f.Add(name, "must be a whole number")
	}
	return laurel.Some(n)
}

// parseAmountField reads a number as people write it; nil where it is empty.
func parseAmountField(f *laurel.Faults, path, text string) *laurel.Amount {
	if text = strings.ReplaceAll(strings.TrimSpace(text), ",", ""); text == "" {
		return nil
	}
	amount, err := laurel.ParseAmount(text)
	if err != nil {
		f.Add(path, "must be a number such as 12.5")
	}
	return &amount
}

// parseOptionalID reads an id that may be absent.
func parseOptionalID(f *laurel.Faults, name string, text laurel.Optional[string]) (out laurel.Optional[laurel.ID]) {
	out.Set, out.Null = text.Set, text.Null
	if text.Ptr() == nil {
		return out
	}
	id, err := laurel.ParseID(text.Value)
	if err != nil {
		f.Add(name, "must be an ID, such as %s", laurel.ID{})
	}
	out.Value = id
	return out
}
