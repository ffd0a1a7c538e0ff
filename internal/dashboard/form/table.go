package form

import (
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"laurel"
	"laurel/internal/dashboard/web"
)

// Table says once which fields a form has. R is the record that fills them, I the input that its service takes. A field
// has the name of a property of the input. It shows the field of the record that has the same name in Go, unless an
// option says otherwise.
type Table[R, I any] struct {
	Fields []Field
	bound  []binding
}

// binding is a field with its places in the record and in the input.
type binding struct {
	name          string
	record, input []int
	nullable      bool // the record can be without a value: an empty text is null
	emptyZero     bool // 0 is shown as an empty field
}

// options are what a table does differently with some fields, by their names.
type options struct {
	byHand, emptyZero []string
	shows             map[string][]string
}

// Option is something that a table does differently with some fields.
type Option func(*options)

// ByHand returns the option that fields are named and compared by the table, but read and shown by hand.
func ByHand(names ...string) Option { return func(o *options) { o.byHand = names } }

// EmptyZero returns the option that fields show 0 as an empty text.
func EmptyZero(names ...string) Option { return func(o *options) { o.emptyZero = names } }

// Shows returns the option that a field shows another field of the record: by its names in Go, from the outside in.
func Shows(name string, path ...string) Option {
	return func(o *options) {
		if o.shows == nil {
			o.shows = map[string][]string{}
		}
		o.shows[name] = path
	}
}

// NewTable returns the table of some fields. It panics if a field is no property of the input, if the record does not
// have it, or if one of them is of a type that no field of a form can hold.
func NewTable[R, I any](fields []Field, special ...Option) Table[R, I] {
	var o options
	for _, option := range special {
		option(&o)
	}
	t := Table[R, I]{Fields: fields}
	for _, field := range fields {
		if !slices.Contains(o.byHand, field.Name) {
			t.bound = append(t.bound, bind(reflect.TypeFor[R](), reflect.TypeFor[I](), field.Name, o))
		}
	}
	return t
}

// bind finds a field in a record and in an input.
func bind(record, input reflect.Type, name string, o options) binding {
	property, ok := propertyOf(input, name)
	if !ok {
		panic(fmt.Sprintf("form: %s has no property %s", input, name))
	}
	path, ok := o.shows[name]
	if !ok {
		path = []string{property.Name}
	}
	b := binding{name: name, input: property.Index, emptyZero: slices.Contains(o.emptyZero, name)}
	at := record
	for _, part := range path {
		field, ok := at.FieldByName(part)
		if !ok {
			panic(fmt.Sprintf("form: %s has no field %s", at, part))
		}
		at, b.record = field.Type, append(b.record, field.Index...)
	}
	b.nullable = at.Kind() == reflect.Pointer || at == reflect.TypeFor[laurel.NullText]()
	// both panic at a type that no field can hold
	Changes{Faults: &laurel.Faults{}}.read(reflect.New(property.Type).Interface(), b)
	if at.Kind() == reflect.Pointer {
		at = at.Elem()
	}
	textOf(reflect.Zero(at))
	return b
}

// Labels returns the labels of the fields of a room: those of its tables, unless it has other ones.
func Labels(others web.Labels, tables ...[]Field) web.Labels {
	out := web.Labels{}
	for _, fields := range tables {
		for _, f := range fields {
			out[f.Name] = f.Label
		}
	}
	maps.Copy(out, others)
	return out
}

// propertyOf returns the field of a struct with a JSON name.
func propertyOf(t reflect.Type, name string) (reflect.StructField, bool) {
	for _, field := range reflect.VisibleFields(t) {
		if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); tag == name {
			return field, true
		}
	}
	return reflect.StructField{}, false
}

// Saved returns the values of a record by field, as the inputs of its form hold them.
func (t Table[R, I]) Saved(record R) map[string]string {
	out := map[string]string{}
	for _, b := range t.bound {
		value := reflect.ValueOf(record).FieldByIndex(b.record)
		out[b.name] = ""
		if !b.emptyZero || !value.IsZero() {
			out[b.name] = textOf(value)
		}
	}
	return NormalizeLines(out)
}

// Names returns the names of the fields.
func (t Table[R, I]) Names() []string {
	out := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		out[i] = f.Name
	}
	return out
}

// Typed returns the posted values by field, trimmed and with "\n" at the ends of lines.
func (t Table[R, I]) Typed(posted url.Values) map[string]string { return Typed(posted, t.Fields) }

// Input returns what the service is to save: the fields that have changed.
func (t Table[R, I]) Input(changes Changes) I {
	var in I
	for _, b := range t.bound {
		changes.read(reflect.ValueOf(&in).Elem().FieldByIndex(b.input).Addr().Interface(), b)
	}
	return in
}

// read reads a field into a property of an input.
func (e Changes) read(property any, b binding) {
	switch in := property.(type) {
	case *laurel.Optional[string]:
		if *in = e.Text(b.name); b.nullable {
			*in = e.TextOrNull(b.name)
		}
	case *laurel.Optional[bool]:
		*in = e.Bool(b.name)
	case *laurel.Optional[int64]:
		*in = e.Integer(b.name)
	case *laurel.Optional[laurel.Amount]:
		*in = e.Amount(b.name)
	case *laurel.Optional[laurel.Timestamp]:
		*in = e.Timestamp(b.name)
	case *laurel.Optional[laurel.ID]:
		*in = e.ID(b.name)
	default:
		panic(fmt.Sprintf("form: a field cannot be read into %T", property))
	}
}

// textOf writes a value of a record as an input holds it; empty for none.
func textOf(value reflect.Value) string {
	if _, isTime := web.TimeOf(value.Interface()); isTime {
		return TimeInput(value.Interface())
	}
	if value.Kind() == reflect.Pointer {
		if value.IsNil() {
			return ""
		}
		value = value.Elem()
	}
	switch v := value.Interface().(type) {
	case time.Time, laurel.Timestamp, laurel.NullTimestamp: // that are zero
		return ""
	case string:
		return v
	case laurel.NullText:
		return string(v)
	case bool:
		return CheckboxInput(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case laurel.Amount:
		return v.String()
	case laurel.ID:
		return web.IdCell(v)
	case laurel.NullID:
		return web.IdCell(v.ID)
	default:
		panic(fmt.Sprintf("form: a field cannot show %T", v))
	}
}
