package form

import (
	"fmt"
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
// has the name of a property of the input. It shows the field of the record that has the same name in Go, unless Shows
// says another one.
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

// NewTable returns the table of some fields. Those in byHand are named and compared by it, but read and shown by hand.
// It panics if another field is no property of the input, or if the record has no such field.
func NewTable[R, I any](fields []Field, byHand ...string) Table[R, I] {
	t := Table[R, I]{Fields: fields}
	record, input := reflect.TypeFor[R](), reflect.TypeFor[I]()
	for _, field := range fields {
		if slices.Contains(byHand, field.Name) {
			continue
		}
		property, ok := propertyOf(input, field.Name)
		if !ok {
			panic(fmt.Sprintf("form: %s has no property %s", input, field.Name))
		}
		b := binding{name: field.Name, input: property.Index}
		if shown, ok := record.FieldByName(property.Name); ok {
			b.show(shown)
		}
		t.bound = append(t.bound, b)
	}
	return t
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

func (b *binding) show(field reflect.StructField) {
	b.record = field.Index
	b.nullable = field.Type.Kind() == reflect.Pointer || field.Type == reflect.TypeFor[laurel.NullText]()
}

// Shows returns the table with a field that shows another field of the record: by its names in Go, from the outside in.
func (t Table[R, I]) Shows(name string, path ...string) Table[R, I] {
	b := t.binding(name)
	at, index := reflect.TypeFor[R](), []int(nil)
	for _, part := range path {
		field, ok := at.FieldByName(part)
		if !ok {
			panic(fmt.Sprintf("form: %s has no field %s", at, part))
		}
		b.show(field)
		at, index = field.Type, append(index, field.Index...)
	}
	b.record = index
	return t
}

// EmptyZero returns the table with fields in which 0 is shown as an empty text.
func (t Table[R, I]) EmptyZero(names ...string) Table[R, I] {
	for _, name := range names {
		t.binding(name).emptyZero = true
	}
	return t
}

func (t Table[R, I]) binding(name string) *binding {
	at := slices.IndexFunc(t.bound, func(b binding) bool { return b.name == name })
	if at < 0 {
		panic("form: no field " + name)
	}
	return &t.bound[at]
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
