package dashboard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel"
	"laurel/internal/rules/schema"
)

// values are the texts of a form by the names of its inputs.
type values = url.Values

// setTexts writes the JSON value of a property into the texts of the form's inputs. Secrets are not written.
func setTexts(to values, f schema.Field, raw json.RawMessage) {
	if len(raw) == 0 || string(raw) == "null" {
		return
	}
	switch f.Control {
	case schema.Secret:
	case schema.Checkbox:
		if string(raw) == "true" {
			to.Set(f.Path, "on")
		}
	case schema.Ticks:
		for name, ticked := range decodeObject(raw) {
			if string(ticked) == "true" {
				to.Add(f.Path, name)
			}
		}
		slices.Sort(to[f.Path])
	case schema.Moment:
		var at laurel.Timestamp
		if json.Unmarshal(raw, &at) == nil {
			to.Set(f.Path, at.UTC().Format(dateTimeLayout))
		}
	case schema.Ids:
		var list []string
		if json.Unmarshal(raw, &list) == nil {
			to.Set(f.Path, strings.Join(list, "\n"))
			return
		}
		to.Set(f.Path, plainText(raw))
	case schema.Rows:
		var rows []map[string]json.RawMessage
		if json.Unmarshal(raw, &rows) != nil {
			return
		}
		for i, row := range rows {
			setRowTexts(to, f, i, row)
		}
	default:
		to.Set(f.Path, plainText(raw))
	}
}

// rowName is the name of an input in a row.
func rowName(f schema.Field, row int, column string) string {
	return f.Path + "." + strconv.Itoa(row) + "." + column
}

// extraColumn is the hidden input of a row with the properties that have no column.
const extraColumn = "others"

// setRowTexts writes row i of a table property into the texts of the form's inputs. What has no column is kept as JSON
// in extraColumn.
func setRowTexts(to values, f schema.Field, i int, row map[string]json.RawMessage) {
	rest := maps.Clone(row)
	for _, col := range f.Columns {
		if raw := row[col.Path]; raw != nil && string(raw) != "null" {
			to.Set(rowName(f, i, col.Path), plainText(raw))
		}
		delete(rest, col.Path)
	}
	if len(rest) > 0 {
		text, _ := json.Marshal(rest) //nolint:errchkjson // the map was decoded from JSON
		to.Set(rowName(f, i, extraColumn), string(text))
	}
}

// plainText returns a JSON value as people type it: a string without quotes, a number in decimal, else JSON.
func plainText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var n laurel.Amount
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return string(raw)
}

// decodeObject returns the properties of a JSON object; none if it is no object.
func decodeObject(raw json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	_ = json.Unmarshal(raw, &out) // a value that is no object has no properties
	return out
}

// textsOf returns the texts of one property, sorted, so that two forms can be compared.
func textsOf(v values, f schema.Field) values {
	out := values{}
	for name, texts := range v {
		if name != f.Path && (f.Control != schema.Rows || !strings.HasPrefix(name, f.Path+".")) {
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

// countRows returns how many rows of a table property the form has.
func countRows(v values, f schema.Field) int {
	n := 0
	for name := range v {
		rest, isRow := strings.CutPrefix(name, f.Path+".")
		number, _, _ := strings.Cut(rest, ".")
		if i, err := strconv.Atoi(number); isRow && err == nil && i >= 0 && i < maxRows {
			n = max(n, i+1)
		}
	}
	return n
}

// maxRows bounds the rows of a form; the service takes no more.
const maxRows = 200

// dropEmptyRows removes the empty rows of a table property and row drop (-1: none), and renumbers the others: the
// service reports faults by these numbers.
func dropEmptyRows(v values, f schema.Field, drop int) {
	n, to := countRows(v, f), 0
	columns := []string{extraColumn}
	for _, c := range f.Columns {
		columns = append(columns, c.Path)
	}
	for i := range n {
		row := values{}
		for _, c := range columns {
			name := rowName(f, i, c)
			if text := strings.TrimSpace(v.Get(name)); text != "" {
				row.Set(c, text)
			}
			v.Del(name)
		}
		if len(row) == 0 || i == drop {
			continue
		}
		for c := range row {
			v.Set(rowName(f, to, c), row.Get(c))
		}
		to++
	}
}

// parseValue returns the typed value of a property as JSON; nil if it is empty. stored is the saved value. Malformed
// values are added to faults.
func parseValue(f schema.Field, v values, stored json.RawMessage, faults *laurel.Faults) json.RawMessage {
	text := strings.ReplaceAll(v.Get(f.Path), "\r\n", "\n")
	if f.Control != schema.Text && f.Control != schema.LongText {
		text = strings.TrimSpace(text)
	}
	switch f.Control {
	case schema.Checkbox:
		return mustEncode(text != "")
	case schema.Ticks:
		return parseTicks(f, v[f.Path], stored)
	case schema.Rows:
		return parseRows(f, v, faults)
	}
	if text == "" {
		if f.Needed {
			return mustEncode("")
		}
		return nil
	}
	switch f.Control {
	case schema.Decimal, schema.Integer:
		return parseNumber(f, f.Path, text, faults)
	case schema.Moment:
		at, err := time.Parse(dateTimeLayout, text)
		if err != nil {
			faults.Add(f.Path, "must be a date with a time, such as 2026-11-23T14:00")
			return nil
		}
		return mustEncode(laurel.Timestamp{Time: at})
	case schema.Currency, schema.Group, schema.Badge, schema.Identity:
		if _, err := laurel.ParseID(text); err != nil {
			faults.Add(f.Path, "must be an ID")
			return nil
		}
	case schema.Ids:
		return parseIDs(f, text, faults)
	}
	return mustEncode(text)
}

// mustEncode returns a value as JSON. It panics if that fails, which is a bug.
func mustEncode(v any) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("%T cannot be encoded: %v", v, err))
	}
	return out
}

// parseNumber parses the typed number of a field, which may have to be whole. A malformed one is added to faults.
func parseNumber(f schema.Field, path, text string, faults *laurel.Faults) json.RawMessage {
	n, err := laurel.ParseAmount(text)
	switch {
	case errors.Is(err, laurel.ErrAmountRange):
		faults.Add(path, "must be less than %s", number(laurel.MaxAmount))
		return nil
	case err != nil:
		faults.Add(path, "must be a number with at most 6 decimal places, such as 12.5")
		return nil
	}
	if f.Control == schema.Integer && n%laurel.One != 0 {
		faults.Add(path, "must be a whole number")
		return nil
	}
	return mustEncode(n)
}

// parseTicks returns ticked options as an object of booleans. Stored properties that are no option stay.
func parseTicks(f schema.Field, ticked []string, stored json.RawMessage) json.RawMessage {
	out := decodeObject(stored)
	for _, o := range f.Options {
		switch _, isStored := out[o.Value]; {
		case slices.Contains(ticked, o.Value):
			out[o.Value] = mustEncode(true)
		case isStored:
			out[o.Value] = mustEncode(false)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return mustEncode(out)
}

// parseIDs parses ids, one per line; or the word "any", if the field allows it. Malformed ones are added to faults.
func parseIDs(f schema.Field, text string, faults *laurel.Faults) json.RawMessage {
	if f.AllowsAny && text == "any" {
		return mustEncode(text)
	}
	list := strings.Fields(text)
	for _, id := range list {
		if _, err := laurel.ParseID(id); err != nil {
			faults.Add(f.Path, "must be an id in each line")
			return nil
		}
	}
	return mustEncode(list)
}

// parseRows returns the typed rows of a table property as JSON. Malformed numbers are added to faults.
func parseRows(f schema.Field, v values, faults *laurel.Faults) json.RawMessage {
	var rows []map[string]json.RawMessage
	for i := range countRows(v, f) {
		row := decodeObject(json.RawMessage(v.Get(rowName(f, i, extraColumn))))
		for _, c := range f.Columns {
			name := rowName(f, i, c.Path)
			if text := strings.TrimSpace(v.Get(name)); text != "" {
				if c.Control == schema.Badge {
					row[c.Path] = mustEncode(text)
					continue
				}
				row[c.Path] = parseNumber(c, name, text, faults)
			}
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil
	}
	return mustEncode(rows)
}

// storedProperties returns the properties of a rule by path; those of the metadata as "metadata.name". metadata has the
// secrets in the clear.
func storedProperties(p schema.Properties, metadata json.RawMessage) map[string]json.RawMessage {
	p.Metadata = metadata
	out := decodeObject(mustEncode(p))
	for name, value := range decodeObject(metadata) {
		out["metadata."+name] = value
	}
	return out
}

// metadataWithoutFields returns the metadata that has no field as indented JSON; empty if there is none.
func metadataWithoutFields(fields []schema.Field, metadata json.RawMessage) string {
	rest := decodeObject(metadata)
	delete(rest, "reactionStats")
	for _, f := range fields {
		if name, ok := f.MetadataName(); ok {
			delete(rest, name)
		}
	}
	if len(rest) == 0 {
		return ""
	}
	var out bytes.Buffer
	if json.Indent(&out, mustEncode(rest), "", "  ") != nil {
		return ""
	}
	return out.String()
}
