package rest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
)

// tidied brings a body into the form that the decoders behind the frame read as the contract wants it. They match names
// of properties without case, read whole numbers in one form only, and fail on numbers that no float holds without
// telling where. So, wherever the shape describes the body: properties that it does not name exactly are dropped
// (contract 1.1), of a name that is sent twice the last one stays, whole numbers of any form become plain ones, and a
// number that cannot be read becomes null and is told of under its path. What no schema describes, such as metadata,
// stays as sent, or is dropped and told of where it is too large. Of an array with too many items no more stay than an
// answer can list the problems of.
func tidied(s *shape, body []byte) *tidier {
	t := &tidier{}
	if s == nil {
		t.value(empty, bytes.TrimSpace(body))
		t.out = body // nobody reads it
		return t
	}
	t.out = make([]byte, 0, len(body))
	t.value(s, bytes.TrimSpace(body))
	if !t.changed {
		t.out = body
	}
	return t
}

// empty is the shape of a body that an operation does not read.
var empty = &shape{names: []string{}}

type tidier struct {
	out     []byte
	at      steps
	changed bool
	// numbers that cannot be read and objects that are too large: what else there is to say of their paths follows from it
	misread laurel.Faults
	crowded laurel.Faults // arrays with too many items
	ignored []string      // paths of unknown properties, no more than an answer lists
}

func (t *tidier) value(s *shape, value []byte) {
	switch {
	case s.names != nil && value[0] == '{':
		t.object(s, value)
	case s.items != nil && value[0] == '[':
		t.array(s, value)
	case isNumber(value):
		t.number(s.schema, value)
	case value[0] == '{' || value[0] == '[':
		t.free(s, value)
	default:
		t.out = append(t.out, value...)
	}
}

func (t *tidier) object(s *shape, value []byte) {
	kept := make([]member, 0, 8)
	for m := range members(value) {
		if s.properties[string(m.name)] == nil {
			t.changed = true
			t.ignores(m.name)
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
		t.at.property(string(m.name))
		t.value(s.properties[string(m.name)], m.value)
		t.at.leave()
	}
	t.out = append(t.out, '}')
}

// ignores notes an unknown property of the present object.
func (t *tidier) ignores(name []byte) {
	if len(t.ignored) == maxFaults {
		return
	}
	t.at.property(string(name))
	if path := t.at.String(); !slices.Contains(t.ignored, path) {
		t.ignored = append(t.ignored, path)
	}
	t.at.leave()
}

func (t *tidier) array(s *shape, value []byte) {
	t.out = append(t.out, '[')
	i := 0
	for item := range items(value) {
		if i == s.most {
			t.crowded.Add(t.at.String(), "%s", s.crowded)
		}
		if i == s.most+maxFaults {
			t.changed = true
			break
		}
		if i > 0 {
			t.out = append(t.out, ',')
		}
		t.at.item(i)
		t.value(s.items, item)
		t.at.leave()
		i++
	}
	t.out = append(t.out, ']')
}

func (t *tidier) number(s *huma.Schema, value []byte) {
	if s != nil && s.Type == huma.TypeInteger {
		bits := 64
		if s.Format == "int32" {
			bits = 32
		}
		n, ok := whole(value, bits)
		if !ok {
			t.misreads(notInteger)
			return
		}
		sent := len(t.out)
		t.out = strconv.AppendInt(t.out, n, 10)
		t.changed = t.changed || !bytes.Equal(t.out[sent:], value)
		return
	}
	if tooLarge(value) {
		t.misreads(wanted(s, value))
		return
	}
	t.out = append(t.out, value...)
}

func (t *tidier) misreads(problem string) {
	t.out, t.changed = append(t.out, "null"...), true
	t.misreadAt(problem)
}

// wanted returns what is wrong with a number that is too large.
func wanted(s *huma.Schema, number []byte) string {
	if s == nil {
		return notNumber
	}
	form, _ := s.Extensions["format"].(string)
	if judge := forms[form]; judge != nil {
		if problem := judge(json.Number(number)); problem != "" {
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

// free copies an object or array that no schema describes. It may be nested deeply, so nothing is read twice.
func (t *tidier) free(s *shape, value []byte) {
	if len(value) > s.bytes {
		if t.changed = true; s.open && (value[0] == '{' || s.schema.Type == "") {
			t.misreadAt(formatProblem("must be at most %d bytes", s.bytes))
		}
		t.out = append(t.out, value[0], value[len(value)-1]) // as empty, it is still of the kind that was sent
		return
	}
	large := false
	for i := 0; i < len(value); {
		end := i + 1
		switch {
		case value[i] == '"':
			end = stringEnd(value, i)
		case isNumber(value[i:]):
			end = valueEnd(value, i)
			if tooLarge(value[i:end]) {
				t.out, large, i = append(t.out, "null"...), true, end
				continue
			}
		}
		t.out = append(t.out, value[i:end]...)
		i = end
	}
	if !large {
		return
	}
	t.changed = true
	if !full(t.misread) {
		t.largeIn(decoded(value))
	}
}

func (t *tidier) misreadAt(problem string) {
	if !full(t.misread) {
		t.misread.Add(t.at.String(), "%s", problem)
	}
}

func (t *tidier) largeIn(v any) {
	switch v := v.(type) {
	case json.Number:
		if tooLarge([]byte(v)) {
			t.misreadAt(notNumber)
		}
	case []any:
		for i, item := range v {
			t.at.item(i)
			t.largeIn(item)
			t.at.leave()
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			t.at.property(name)
			t.largeIn(v[name])
			t.at.leave()
		}
	}
}

// decoded returns a value with its numbers as sent; nil where it cannot be read.
func decoded(value []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}
