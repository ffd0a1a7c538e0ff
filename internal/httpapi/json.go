package httpapi

import (
	"encoding/json"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
)

const jsonType = "application/json; charset=utf-8"

var format = huma.Format{Marshal: marshal, Unmarshal: json.Unmarshal}

func marshal(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // urls and texts are answered as they were sent
	return enc.Encode(v)
}

// Object is a JSON object that is stored and answered as it was sent, such as metadata (contract 1.1).
type Object json.RawMessage

// MarshalJSON writes the stored text; nothing stored is an empty object.
func (o Object) MarshalJSON() ([]byte, error) {
	if len(o) == 0 {
		return []byte("{}"), nil
	}
	return o, nil
}

// UnmarshalJSON keeps the text.
func (o *Object) UnmarshalJSON(b []byte) error {
	*o = append((*o)[:0], b...)
	return nil
}

// Schema documents an object with any properties.
func (Object) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// list is the envelope of contract 1.6.
type list[T any] struct {
	Data        []T  `json:"data"`
	HasNextPage bool `json:"hasNextPage"`
}

// answer is a success with a body.
type answer[T any] struct{ Body T }

// answerOf makes the result of a handler from the result of a service call.
func answerOf[T, U any](v T, err error, shape func(T) U) (*answer[U], error) {
	if err != nil {
		return nil, err
	}
	return &answer[U]{Body: shape(v)}, nil
}

// listOf makes the result of a list handler from a page of records.
func listOf[T, U any](p laurel.Page[T], err error, shape func(T) U) (*answer[list[U]], error) {
	if err != nil {
		return nil, err
	}
	page := laurel.MapPage(p, shape)
	return &answer[list[U]]{Body: list[U]{Data: page.Data, HasNextPage: page.HasNextPage}}, nil
}

// seenTypes ends walks through types that hold themselves.
type seenTypes map[reflect.Type]bool

// markNullable types every pointer of an answer nullable unless it is left out when nil: what huma does for plain scalars only.
func markNullable(r huma.Registry, t reflect.Type, s *huma.Schema, seen seenTypes) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s = deref(r, s); s == nil || seen[t] {
		return
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		markNullable(r, t.Elem(), s.Items, seen)
	case reflect.Struct:
		seen[t] = true
		for _, f := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			property := s.Properties[name]
			if property == nil {
				continue
			}
			markNullable(r, f.Type, property, seen)
			if f.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omit") {
				s.Properties[name] = nullable(property)
			}
		}
	}
}

func nullable(s *huma.Schema) *huma.Schema {
	switch {
	case s.Ref != "":
		return &huma.Schema{OneOf: []*huma.Schema{s, {Type: "null"}}}
	case s.Extensions["type"] != nil:
		s.Extensions["type"] = []any{s.Extensions["type"], "null"}
	case s.Type != "":
		s.Nullable = true
	}
	return s
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
