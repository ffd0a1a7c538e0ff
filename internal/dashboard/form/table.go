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

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
)

// Table says once which fields a form has. R is the record that fills them, I the input that its service takes: a
// struct of Optionals, or a record.Patch. A field has the name of a property of the input. It shows the field of the
// record that has the same name in Go, unless an option says otherwise.
type Table[R, I any] struct {
	Fields []Field
	bound  []binding
}

// binding is a field with its places in the record and in the input.
type binding struct {
	name      string
	record    []int
	input     []int        // empty in a patch
	value     reflect.Type // of the property of the input
	nullable  bool         // the record can be without a value: an empty text is null
	emptyZero bool         // 0 is shown as an empty field
}

// patch is an input that is a record.Patch.
type patch[I any] interface {
	Fields() []reflect.StructField
	With(property string, value any) I
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
	properties := reflect.VisibleFields(reflect.TypeFor[I]())
	if in, isPatch := any(*new(I)).(patch[I]); isPatch {
		properties = in.Fields()
	}
	for _, field := range fields {
		if !slices.Contains(o.byHand, field.Name) {
			t.bound = append(t.bound, bind(reflect.TypeFor[R](), properties, field.Name, o))
		}
	}
	return t
}

// bind finds a field in a record and among the properties of an input.
func bind(record reflect.Type, properties []reflect.StructField, name string, o options) binding {
	i := slices.IndexFunc(properties, func(p reflect.StructField) bool {
		tag, _, _ := strings.Cut(p.Tag.Get("json"), ",")
		return tag == name
	})
	if i < 0 {
		panic("form: the input of " + record.String() + " has no property " + name)
	}
	property := properties[i]
	path, ok := o.shows[name]
	if !ok {
		path = []string{property.Name}
	}
	b := binding{name: name, input: property.Index, emptyZero: slices.Contains(o.emptyZero, name)}
	if b.value = property.Type; b.value.Kind() == reflect.Pointer { // of a patch
		b.value = b.value.Elem()
	} else if value, isOptional := b.value.FieldByName("Value"); isOptional {
		b.value = value.Type
	}
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
	Changes{Faults: &laurel.Faults{}}.read(b)
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

// Typed returns the posted values by field, trimmed and with "\n" at the ends of lines. Ticked checkboxes have the value
// that Saved has for them.
func (t Table[R, I]) Typed(posted url.Values) map[string]string {
	out := Typed(posted, t.Fields)
	for _, b := range t.bound {
		if b.value.Kind() == reflect.Bool {
			out[b.name] = CheckboxInput(out[b.name] != "")
		}
	}
	return out
}

// Input returns what the service is to save: the fields that have changed.
func (t Table[R, I]) Input(changes Changes) (in I) {
	for _, b := range t.bound {
		if p, isPatch := any(in).(patch[I]); isPatch {
			in = p.With(b.name, changes.read(b))
		} else {
			reflect.ValueOf(&in).Elem().FieldByIndex(b.input).Set(reflect.ValueOf(changes.read(b)))
		}
	}
	return in
}

// read returns the property that a field holds, as an Optional. It panics if no field can hold such a property.
func (e Changes) read(b binding) any {
	switch reflect.Zero(b.value).Interface().(type) {
	case string, laurel.NullText:
		if b.nullable {
			return e.TextOrNull(b.name)
		}
		return e.Text(b.name)
	case bool:
		return e.Bool(b.name)
	case int64:
		return e.Integer(b.name)
	case laurel.Amount:
		return e.Amount(b.name)
	case laurel.Timestamp, laurel.NullTimestamp:
		return e.Timestamp(b.name)
	case laurel.ID, laurel.NullID:
		return e.ID(b.name)
	default:
		panic("form: a field cannot be read into " + b.value.String())
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
