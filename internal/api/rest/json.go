package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/jsontext"
)

const jsonType = "application/json; charset=utf-8"

// format is how huma writes and reads JSON.
var format = huma.Format{Marshal: marshal, Unmarshal: unmarshal}

// marshal writes a response as JSON. Lists write themselves, as they limit their size. Lone halves of surrogate pairs
// are replaced.
func marshal(w io.Writer, v any) error {
	if page, ok := v.(interface{ marshal() ([]byte, error) }); ok {
		body, err := page.marshal()
		if err == nil {
			_, err = w.Write(jsontext.ReplaceUnstorable(body))
		}
		return err
	}
	return encoder(surrogateRepair{w}).Encode(v)
}

// surrogateRepair repairs written JSON, a whole value at a time: stored JSON of older versions, or of other programs,
// may hold half a surrogate pair.
type surrogateRepair struct{ io.Writer }

func (w surrogateRepair) Write(text []byte) (int, error) {
	return w.Writer.Write(jsontext.ReplaceUnstorable(text))
}

// encoder returns a JSON encoder for responses.
func encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // urls and texts are returned as they were sent
	return enc
}

// Raw returns a value as JSON, as responses write it.
func Raw(v any) json.RawMessage {
	var b bytes.Buffer
	if err := encoder(&b).Encode(v); err != nil { // the types of responses can always be encoded
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Any is any JSON value, stored and returned as it was sent.
type Any json.RawMessage

// MarshalJSON returns the stored text, or null if there is none.
func (a Any) MarshalJSON() ([]byte, error) {
	if len(a) == 0 {
		return []byte("null"), nil
	}
	return a, nil
}

// Schema documents any value.
func (Any) Schema(huma.Registry) *huma.Schema { return &huma.Schema{} }

// OneOrMany holds texts that a body may send as one text or as an array.
type OneOrMany []string

// UnmarshalJSON accepts a text or an array of texts.
func (o *OneOrMany) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var one string
		err := json.Unmarshal(b, &one)
		*o = OneOrMany{one}
		return err
	}
	return json.Unmarshal(b, (*[]string)(o))
}

// Schema documents both forms.
func (OneOrMany) Schema(huma.Registry) *huma.Schema {
	text := &huma.Schema{Type: huma.TypeString}
	return &huma.Schema{OneOf: []*huma.Schema{text, {Type: huma.TypeArray, Items: text}}}
}

// List is the envelope of contract 1.6.
type List[T any] struct {
	Data        []T  `json:"data"`
	HasNextPage bool `json:"hasNextPage"`
}

// marshal returns the page as JSON. It ends the page before the item that would make it larger than
// budget.MaxPageBytes, and then says that there is a next page. Services limit pages too, but by the size of the stored
// records, and a response is larger. The first item is always in it.
func (l List[T]) marshal() ([]byte, error) {
	var out bytes.Buffer
	enc := encoder(&out)
	out.WriteString(`{"data":[`)
	more := l.HasNextPage
	for i := range l.Data {
		sizeBefore := out.Len()
		if i > 0 {
			out.WriteByte(',')
		}
		if err := enc.Encode(&l.Data[i]); err != nil {
			return nil, err
		}
		out.Truncate(out.Len() - 1) // the end of line
		if i > 0 && out.Len() > budget.MaxPageBytes-len(endOfPage) {
			out.Truncate(sizeBefore)
			more = true
			break
		}
	}
	return fmt.Appendf(out.Bytes(), endOfPage, more), nil
}

const endOfPage = `],"hasNextPage":%t}` + "\n"

// CountedList is a List that may have the total number of items.
type CountedList[T any] struct {
	List[T]
	Count *int64 `json:"count,omitempty"`
}

// marshal returns the page as JSON, with the total number of items if there is one.
func (l CountedList[T]) marshal() ([]byte, error) {
	out, err := l.List.marshal()
	if err != nil || l.Count == nil {
		return out, err
	}
	return fmt.Appendf(bytes.TrimSuffix(out, []byte("}\n")), `,"count":%d}`+"\n", *l.Count), nil
}

// Response is a success with a body.
type Response[T any] struct{ Body T }

// Page is the response to a list.
type Page[T any] = Response[List[T]]

// ResponseOf returns the result of a handler as huma wants it: the error, or a response with v as shape makes it.
func ResponseOf[T, U any](v T, err error, shape func(T) U) (*Response[U], error) {
	if err != nil {
		return nil, err
	}
	return &Response[U]{Body: shape(v)}, nil
}

// ListOf returns the result of a handler that lists, as huma wants it: the error, or a page of items as shape makes
// them.
func ListOf[T, U any](p laurel.Page[T], err error, shape func(T) U) (*Page[U], error) {
	if err != nil {
		return nil, err
	}
	page := laurel.MapPage(p, shape)
	return &Page[U]{Body: List[U]{Data: page.Data, HasNextPage: page.HasNextPage}}, nil
}

// typeSet ends walks through types that contain themselves.
type typeSet map[reflect.Type]bool

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// StampOf converts microseconds to a Timestamp.
func StampOf(us int64) laurel.Timestamp { return laurel.Timestamp{Time: time.UnixMicro(us).UTC()} }

// IDBody is the response to a deletion, with the deleted id. The document calls it IdBody, after the type behind it.
type IDBody = idBody

type idBody struct {
	ID laurel.ID `json:"id"`
}

// MergedSchema returns the schema of an object that has all properties of L, and those of T as optional ones. Such an
// object is a list that repeats the properties of its first item beside its data.
func MergedSchema[L, T any](r huma.Registry) *huma.Schema {
	item := deref(r, r.Schema(reflect.TypeFor[T](), true, ""))
	describer{registry: r, visited: typeSet{}}.describe(reflect.TypeFor[T](), item)
	list := deref(r, r.Schema(reflect.TypeFor[L](), true, ""))
	out := &huma.Schema{Type: huma.TypeObject, Required: list.Required, Properties: maps.Clone(item.Properties)}
	maps.Copy(out.Properties, list.Properties)
	return out
}

// ArrayOrText returns the schema of a JSON array of objects, the text of one, or null.
func ArrayOrText() *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}},
		{Type: huma.TypeString},
		{Type: "null"},
	}}
}
