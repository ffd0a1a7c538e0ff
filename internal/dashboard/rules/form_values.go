package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/schema"
)

// values are the texts of a form by the names of its inputs.
type values = url.Values

// setTexts writes the stored JSON value of a field into the texts of the form's inputs. Secrets, null and malformed
// values are left out.
func setTexts(texts values, field schema.Field, raw json.RawMessage) {
	if len(raw) == 0 || string(raw) == "null" {
		return
	}
	switch field.Control {
	case schema.ControlSecret:
		// never shown
	case schema.ControlCheckbox:
		if string(raw) == "true" {
			texts.Set(field.Path, "on")
		}
	case schema.ControlTicks:
		for name, ticked := range decodeObject(raw) {
			if string(ticked) == "true" {
				texts.Add(field.Path, name)
			}
		}
		slices.Sort(texts[field.Path])
	case schema.ControlMoment:
		var at laurel.Timestamp
		if json.Unmarshal(raw, &at) == nil {
			texts.Set(field.Path, at.UTC().Format(form.DateTimeLayout))
		}
	case schema.ControlIds, schema.ControlTexts:
		var list []string
		if json.Unmarshal(raw, &list) == nil {
			texts.Set(field.Path, strings.Join(list, "\n"))
			return
		}
		texts.Set(field.Path, plainText(raw))
	case schema.ControlRows:
		var rows []map[string]json.RawMessage
		if json.Unmarshal(raw, &rows) != nil {
			return
		}
		for i, row := range rows {
			setRowTexts(texts, field, i, row)
		}
	default:
		texts.Set(field.Path, plainText(raw))
	}
}

// rowName is the name of an input in a row.
func rowName(f schema.Field, row int, column string) string {
	return f.Path + "." + strconv.Itoa(row) + "." + column
}

// extraColumn is the hidden input of a row with the properties that have no column.
const extraColumn = "others"

// setRowTexts writes row i of a table field into the texts of the form's inputs. Properties that have no column are
// stored as JSON in extraColumn.
func setRowTexts(texts values, field schema.Field, i int, row map[string]json.RawMessage) {
	rest := maps.Clone(row)
	for _, column := range field.Columns {
		if raw := row[column.Path]; raw != nil && string(raw) != "null" {
			texts.Set(rowName(field, i, column.Path), plainText(raw))
		}
		delete(rest, column.Path)
	}
	if len(rest) > 0 {
		text, _ := json.Marshal(rest) //nolint:errchkjson // the map was decoded from JSON
		texts.Set(rowName(field, i, extraColumn), string(text))
	}
}

// plainText returns a JSON value as people type it: a string without quotes, a number in decimal, and any other value
// as JSON.
func plainText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var number laurel.Amount
	if json.Unmarshal(raw, &number) == nil {
		return number.String()
	}
	return string(raw)
}

// decodeObject returns the properties of a JSON object; none if it is no object.
func decodeObject(raw json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	_ = json.Unmarshal(raw, &out) // a value that is no object has no properties
	return out
}

// textsOf returns the texts of one field, sorted and without empty ones, so that two forms can be compared.
func textsOf(form values, field schema.Field) values {
	out := values{}
	for name, texts := range form {
		if name != field.Path && (field.Control != schema.ControlRows || !strings.HasPrefix(name, field.Path+".")) {
			continue
		}
		for _, text := range texts {
			if text = strings.ReplaceAll(text, "\r\n", "\n"); text != "" {
				out.Add(name, text)
			}
		}
		slices.Sort(out[name])
	}
	return out
}

// countRows returns how many rows of a table field the form has, at most maxRows. Rows are counted up to the last one
// that was sent.
func countRows(form values, field schema.Field) int {
	count := 0
	for name := range form {
		rest, isRow := strings.CutPrefix(name, field.Path+".")
		number, _, _ := strings.Cut(rest, ".")
		if row, err := strconv.Atoi(number); isRow && err == nil && row >= 0 && row < maxRows {
			count = max(count, row+1)
		}
	}
	return count
}

// maxRows bounds the rows of a form; the service takes no more.
const maxRows = 200

// dropEmptyRows removes the empty rows of a table field and the row with the number drop (-1: none), and renumbers the
// others: the service reports faults by these numbers.
func dropEmptyRows(form values, field schema.Field, drop int) {
	count, next := countRows(form, field), 0
	columns := []string{extraColumn}
	for _, column := range field.Columns {
		columns = append(columns, column.Path)
	}
	for i := range count {
		row := values{}
		for _, column := range columns {
			name := rowName(field, i, column)
			if text := strings.TrimSpace(form.Get(name)); text != "" {
				row.Set(column, text)
			}
			form.Del(name)
		}
		if len(row) == 0 || i == drop {
			continue
		}
		for column := range row {
			form.Set(rowName(field, next, column), row.Get(column))
		}
		next++
	}
}

// parseValue returns the typed value of a field as JSON. It is nil if it is malformed, or if it is empty and the field
// is not needed. A malformed value is added to faults. stored is the saved value: a field of ticks keeps those of its
// properties that are none of the field's options.
func parseValue(field schema.Field, texts values, stored json.RawMessage, faults *laurel.Faults) json.RawMessage {
	text := strings.ReplaceAll(texts.Get(field.Path), "\r\n", "\n")
	if field.Control != schema.ControlText && field.Control != schema.ControlLongText {
		text = strings.TrimSpace(text)
	}
	switch field.Control {
	case schema.ControlCheckbox:
		return web.MustEncode(text != "")
	case schema.ControlTicks:
		return parseTicks(field, texts[field.Path], stored)
	case schema.ControlRows:
		return parseRows(field, texts, faults)
	}
	if text == "" {
		if field.Needed {
			return web.MustEncode("")
		}
		return nil
	}
	switch field.Control {
	case schema.ControlDecimal, schema.ControlInteger:
		return parseNumber(field, field.Path, text, faults)
	case schema.ControlMoment:
		parsed, err := form.ParseTime(text)
		if err != nil {
			faults.Add(field.Path, "%s", err)
			return nil
		}
		return web.MustEncode(laurel.Timestamp{Time: parsed})
	case schema.ControlCurrency, schema.ControlGroup, schema.ControlBadge, schema.ControlIdentity:
		if _, err := laurel.ParseID(text); err != nil {
			faults.Add(field.Path, "must be an ID")
			return nil
		}
	case schema.ControlIds:
		return parseIDs(field, text, faults)
	case schema.ControlTexts:
		return parseTexts(text)
	}
	return web.MustEncode(text)
}

// parseNumber parses the number typed in a field, which must be whole if the field says so. A malformed number is added
// to faults at path and returns nil.
func parseNumber(field schema.Field, path, text string, faults *laurel.Faults) json.RawMessage {
	parsed, err := laurel.ParseAmount(text)
	switch {
	case errors.Is(err, laurel.ErrAmountRange):
		faults.Add(path, "must be less than %s", web.Number(laurel.MaxAmount))
		return nil
	case err != nil:
		faults.Add(path, "must be a number with at most 6 decimal places, such as 12.5")
		return nil
	}
	if field.Control == schema.ControlInteger && parsed%laurel.One != 0 {
		faults.Add(path, "must be a whole number")
		return nil
	}
	return web.MustEncode(parsed)
}

// parseTicks returns the ticked options of a field as a JSON object of booleans; nil if no option is ticked or stored.
// Stored properties that are no option stay.
func parseTicks(field schema.Field, ticked []string, stored json.RawMessage) json.RawMessage {
	out := decodeObject(stored)
	for _, option := range field.Options {
		switch _, isStored := out[option.Value]; {
		case slices.Contains(ticked, option.Value):
			out[option.Value] = web.MustEncode(true)
		case isStored:
			out[option.Value] = web.MustEncode(false)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return web.MustEncode(out)
}

// parseIDs parses ids, one per line, or the word "any" if the field allows it. If an id is malformed, it adds a fault
// and returns nil.
func parseIDs(field schema.Field, text string, faults *laurel.Faults) json.RawMessage {
	if field.AllowsAny && text == "any" {
		return web.MustEncode(text)
	}
	list := strings.Fields(text)
	for _, id := range list {
		if _, err := laurel.ParseID(id); err != nil {
			faults.Add(field.Path, "must be an id in each line")
			return nil
		}
	}
	return web.MustEncode(list)
}

// parseTexts returns the typed lines as a list of texts; one line as a text.
func parseTexts(text string) json.RawMessage {
	var list []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	if len(list) == 1 {
		return web.MustEncode(list[0])
	}
	return web.MustEncode(list)
}

// parseRows returns the typed rows of a table field as JSON; nil if there are none. Malformed numbers are added to
// faults.
func parseRows(field schema.Field, form values, faults *laurel.Faults) json.RawMessage {
	var rows []map[string]json.RawMessage
	for i := range countRows(form, field) {
		row := decodeObject(json.RawMessage(form.Get(rowName(field, i, extraColumn))))
		for _, column := range field.Columns {
			name := rowName(field, i, column.Path)
			if text := strings.TrimSpace(form.Get(name)); text != "" {
				if column.Control == schema.ControlBadge || column.Control == schema.ControlText {
					row[column.Path] = web.MustEncode(text)
					continue
				}
				row[column.Path] = parseNumber(column, name, text, faults)
			}
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil
	}
	return web.MustEncode(rows)
}

// storedProperties returns the properties of a rule by path. The metadata is included twice: as a whole, at "metadata",
// and each of its properties at "metadata.name", those of smartContract at "metadata.smartContract.name". metadata is the
// rule's, with its secrets in the clear.
func storedProperties(p schema.Properties, metadata json.RawMessage) map[string]json.RawMessage {
	p.Metadata = metadata
	out := decodeObject(web.MustEncode(p))
	addProperties(out, "metadata.", decodeObject(metadata))
	return out
}

// addProperties adds the properties of an object by path, and those of the objects within.
func addProperties(out map[string]json.RawMessage, prefix string, object map[string]json.RawMessage) {
	for name, value := range object {
		out[prefix+name] = value
		if strings.HasPrefix(strings.TrimSpace(string(value)), "{") {
			addProperties(out, prefix+name+".", decodeObject(value))
		}
	}
}

// setProperty sets the property of an object to which steps lead; nil removes it. Objects on the way that are left
// empty are removed, too.
func setProperty(object map[string]json.RawMessage, steps []string, value json.RawMessage) {
	if name := steps[0]; len(steps) > 1 {
		inner := decodeObject(object[name])
		if inner == nil { // it was null
			inner = map[string]json.RawMessage{}
		}
		setProperty(inner, steps[1:], value)
		if value = nil; len(inner) > 0 {
			value = web.MustEncode(inner)
		}
	}
	if value == nil {
		delete(object, steps[0])
		return
	}
	object[steps[0]] = value
}

// metadataWithoutFields returns the metadata that has no field as indented JSON; empty if there is none. Counters of
// reactions, which the service writes, are left out.
func metadataWithoutFields(fields []schema.Field, metadata json.RawMessage) string {
	rest := decodeObject(metadata)
	delete(rest, "reactionStats")
	for _, field := range fields {
		if steps := field.Steps(); len(steps) > 0 {
			delete(rest, steps[0])
		}
	}
	if len(rest) == 0 {
		return ""
	}
	var out bytes.Buffer
	if json.Indent(&out, web.MustEncode(rest), "", "  ") != nil {
		return ""
	}
	return out.String()
}
