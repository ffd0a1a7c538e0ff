package httpapi

import (
	"encoding/json"
	"io"
	"maps"
	"reflect"
	"slices"

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

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
