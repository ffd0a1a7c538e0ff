package httpapi

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
)

// tidied brings a body into the form that the decoders behind the frame read as the contract wants it. They match names of properties
// without case, read whole numbers in one form only, and fail on numbers that no float holds without telling where. So, wherever the
// schema describes the body: properties that it does not name exactly are dropped (contract 1.1), of a name that is sent twice the last
// one stays, whole numbers of any form become plain ones, and a number that cannot be read becomes null and is told of under its path.
// What no schema describes, such as metadata, stays as sent.
func tidied(r huma.Registry, schema *huma.Schema, body []byte) (tidy []byte, misread laurel.Faults) {
	if schema == nil {
		return body, nil // nobody reads it
	}
	t := tidier{registry: r, out: make([]byte, 0, len(body))}
	t.value(schema, bytes.TrimSpace(body))
	if !t.changed {
		return body, nil
	}
	return t.out, t.misread
}

type tidier struct {
	registry huma.Registry
	out      []byte
	at       []step
	changed  bool
	misread  laurel.Faults
}

// step leads to a property, or, without a name, to an item.
type step struct {
	name  []byte
	index int
}

// path names the place where the walk is.
func (t *tidier) path() string {
	path := ""
	for _, s := range t.at {
		if s.name != nil {
			path = join(path, string(s.name))
		} else {
			path = join(path, strconv.Itoa(s.index))
		}
	}
	return path
}

func (t *tidier) enter(s step) { t.at = append(t.at, s) }

func (t *tidier) leave() { t.at = t.at[:len(t.at)-1] }

func (t *tidier) value(s *huma.Schema, value []byte) {
	s = deref(t.registry, s)
	switch {
	case s != nil && value[0] == '{' && len(s.Properties) > 0:
		t.object(s, value)
	case s != nil && value[0] == '[' && s.Items != nil:
		t.array(s, value)
	case isNumber(value):
		t.number(s, value)
	case value[0] == '{' || value[0] == '[':
		t.free(value)
	default:
		t.out = append(t.out, value...)
	}
}

func (t *tidier) object(s *huma.Schema, value []byte) {
	kept := make([]member, 0, 8)
	for m := range members(value) {
		if s.Properties[string(m.name)] == nil {
			t.changed = true
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
		t.enter(step{name: m.name})
		t.value(s.Properties[string(m.name)], m.value)
		t.leave()
	}
	t.out = append(t.out, '}')
}

func (t *tidier) array(s *huma.Schema, value []byte) {
	t.out = append(t.out, '[')
	i := 0
	for item := range items(value) {
		if i > 0 {
			t.out = append(t.out, ',')
		}
		t.enter(step{index: i})
		t.value(s.Items, item)
		t.leave()
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
	t.misread.Add(t.path(), "%s", problem)
}

// wanted answers what is wrong with a number that is too large.
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
		return notBoolean
	case huma.TypeArray:
		return notArray
	case huma.TypeObject:
		return notObject
	}
	return notNumber
}

// free copies an object or array that no schema describes. It may be nested deeply, so nothing is read twice.
func (t *tidier) free(value []byte) {
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
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	var v any
	if d.Decode(&v) == nil {
		t.largeIn(v)
	}
}

func (t *tidier) largeIn(v any) {
	switch v := v.(type) {
	case json.Number:
		if tooLarge([]byte(v)) {
			t.misread.Add(t.path(), "%s", notNumber)
		}
	case []any:
		for i, item := range v {
			t.enter(step{index: i})
			t.largeIn(item)
			t.leave()
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			t.enter(step{name: []byte(name)})
			t.largeIn(v[name])
			t.leave()
		}
	}
}
