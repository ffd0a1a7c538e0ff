package rest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
)

// tidyBody brings a body into the form that the JSON decoders expect. They match property names without case, read
// integers in one form only, and fail without a path on numbers that no float holds. So, where the shape describes the
// body, unknown properties are dropped (contract 1.1), the last of repeated properties is used, integers of any form
// become plain ones, and a number that cannot be read becomes null and is reported with its path. JSON that no schema
// describes, such as metadata, stays as sent; if it is too large, it becomes {} or [] and is reported. Of an array with
// too many items it leaves maxFaults above the limit, as a response lists no more faults. A nil shape stands for an
// operation that reads no body.
func tidyBody(s *shape, body []byte) *tidier {
	t := &tidier{}
	if s == nil {
		t.appendValue(unreadBody, bytes.TrimSpace(body)) // only to list its properties, which are all unknown
		t.out = body
		return t
	}
	t.out = make([]byte, 0, len(body))
	t.appendValue(s, bytes.TrimSpace(body))
	if !t.changed {
		t.out = body
	}
	return t
}

// unreadBody is the shape of a body that an operation does not read.
var unreadBody = &shape{names: []string{}}

// tidier is the state of tidyBody: the output so far, and what was found.
type tidier struct {
	out     []byte
	path    steps // of the value that is being tidied
	changed bool
	// unreadable numbers and objects that are too large; further faults of their paths would only follow from these
	unreadable   laurel.Faults
	tooManyItems laurel.Faults // arrays with too many items
	ignored      []string      // paths of unknown properties, no more than a response lists
}

// appendValue appends a value to the output, tidied by its shape.
func (t *tidier) appendValue(s *shape, value []byte) {
	switch {
	case s.names != nil && value[0] == '{':
		t.appendObject(s, value)
	case s.items != nil && value[0] == '[':
		t.appendArray(s, value)
	case isNumber(value):
		t.appendNumber(s.schema, value)
	case value[0] == '{' || value[0] == '[':
		t.appendFreeJSON(s, value)
	default:
		t.out = append(t.out, value...)
	}
}

// appendObject appends an object without unknown properties, and with the last of repeated ones.
func (t *tidier) appendObject(s *shape, value []byte) {
	kept := make([]member, 0, 8)
	for m := range members(value) {
		if s.properties[string(m.name)] == nil {
			t.changed = true
			t.addIgnored(m.name)
		} else if i := slices.IndexFunc(kept, func(k member) bool { return bytes.Equal(k.name, m.name) }); i >= 0 {
			kept[i], t.changed = m, true
		} else {
			kept = append(kept, m)
		}
	}
	t.out = append(t.out, '{')
	for i, m := range kept {
		if i > 0 {
			t.out = append(t.out, ',')
		}
		t.out = append(append(t.out, m.quoted...), ':')
		t.path.enterProperty(string(m.name))
		t.appendValue(s.properties[string(m.name)], m.value)
		t.path.leave()
	}
	t.out = append(t.out, '}')
}

// addIgnored adds an unknown property of the current object to the list, once.
func (t *tidier) addIgnored(name []byte) {
	if len(t.ignored) == maxFaults {
		return
	}
	t.path.enterProperty(string(name))
	if path := t.path.String(); !slices.Contains(t.ignored, path) {
		t.ignored = append(t.ignored, path)
	}
	t.path.leave()
}

// appendArray appends an array. One with too many items is reported, and cut maxFaults items after its limit: a
// response has no more faults.
func (t *tidier) appendArray(s *shape, value []byte) {
	t.out = append(t.out, '[')
	i := 0
	for item := range items(value) {
		if i == s.maxItems {
			t.tooManyItems.Add(t.path.String(), "%s", s.tooManyText)
		}
		if i == s.maxItems+maxFaults {
			t.changed = true
			break
		}
		if i > 0 {
			t.out = append(t.out, ',')
		}
		t.path.enterItem(i)
		t.appendValue(s.items, item)
		t.path.leave()
		i++
	}
	t.out = append(t.out, ']')
}

// appendNumber appends a number: as a plain integer if the schema wants one, and null with a fault if it cannot be
// read.
func (t *tidier) appendNumber(s *huma.Schema, value []byte) {
	if s != nil && s.Type == huma.TypeInteger {
		bits := 64
		if s.Format == "int32" {
			bits = 32
		}
		n, ok := parseWhole(value, bits)
		if !ok {
			t.replaceUnreadable(notInteger)
			return
		}
		sent := len(t.out)
		t.out = strconv.AppendInt(t.out, n, 10)
		t.changed = t.changed || !bytes.Equal(t.out[sent:], value)
		return
	}
	if isTooLarge(value) {
		t.replaceUnreadable(numberProblem(s, value))
		return
	}
	t.out = append(t.out, value...)
}

// replaceUnreadable appends null instead of a number and reports a fault of the current value.
func (t *tidier) replaceUnreadable(problem string) {
	t.out, t.changed = append(t.out, "null"...), true
	t.addUnreadable(problem)
}

// numberProblem returns what is wrong with a number that no float holds, by the schema of its property: that it is out
// of range, or that the property is no number at all.
func numberProblem(s *huma.Schema, number []byte) string {
	if s == nil {
		return notNumber
	}
	format, _ := s.Extensions["format"].(string)
	if findProblem := formatProblems[format]; findProblem != nil {
		if problem := findProblem(json.Number(number)); problem != "" {
			return problem
		}
	}
	switch s.Type {
	case huma.TypeString:
		return notString
	case huma.TypeBoolean:
		return NotBoolean
	case huma.TypeArray:
		return notArray
	case huma.TypeObject:
		return notObject
	}
	return notNumber
}

// appendFreeJSON appends an object or array that no schema describes. If it is larger than s.maxBytes, it becomes an
// empty one, and its size is reported if the property accepts such a value at all. Numbers inside that no float holds
// become null and are reported. JSON may be deeply nested, so no part is read twice.
func (t *tidier) appendFreeJSON(s *shape, value []byte) {
	if len(value) > s.maxBytes {
		if t.changed = true; s.isOpen && (value[0] == '{' || s.schema.Type == "") {
			t.addUnreadable(formatProblem("must be at most %d bytes", s.maxBytes))
		}
		t.out = append(t.out, value[0], value[len(value)-1]) // {} or [], to keep its type
		return
	}
	hasTooLarge := false // it has a number that no float holds
	for i := 0; i < len(value); {
		end := i + 1
		switch {
		case value[i] == '"':
			end = stringEnd(value, i)
		case isNumber(value[i:]):
			end = valueEnd(value, i)
			if isTooLarge(value[i:end]) {
				t.out, hasTooLarge, i = append(t.out, "null"...), true, end
				continue
			}
		}
		t.out = append(t.out, value[i:end]...)
		i = end
	}
	if !hasTooLarge {
		return
	}
	t.changed = true
	if !isFull(t.unreadable) {
		t.addTooLargeIn(decodeExact(value))
	}
}

// addUnreadable adds a fault of the current value, unless there are as many as a response lists.
func (t *tidier) addUnreadable(problem string) {
	if !isFull(t.unreadable) {
		t.unreadable.Add(t.path.String(), "%s", problem)
	}
}

// addTooLargeIn adds a fault for each number inside a decoded value that no float holds.
func (t *tidier) addTooLargeIn(v any) {
	switch v := v.(type) {
	case json.Number:
		if isTooLarge([]byte(v)) {
			t.addUnreadable(notNumber)
		}
	case []any:
		for i, item := range v {
			t.path.enterItem(i)
			t.addTooLargeIn(item)
			t.path.leave()
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			t.path.enterProperty(name)
			t.addTooLargeIn(v[name])
			t.path.leave()
		}
	}
}

// decodeExact decodes a value with its numbers as sent; nil if it cannot be decoded.
func decodeExact(value []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}
