package record

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"laurel.example/laurel"
)

// shape is what the tags of a record say of the properties that callers may write.
type shape struct {
	record reflect.Type
	fields []*field
}

// field is such a property, and the field of the record that has it.
type field struct {
	name          string // in JSON
	index         []int
	hint          string
	valueType     reflect.Type // of its values: of a pointer, what it points to
	isRequired    bool
	isNullable    bool          // though it is required
	isFixed       bool          // only a creation writes it
	isNotNull     bool          // the document says so
	problemOfNull string        // empty: it may be null
	fallback      reflect.Value // its default; invalid: none
	bounds        []bound
}

// maxProperties is how many fields a set of properties can tell apart.
const maxProperties = 64

// shapes has the shape of each type of record that was patched or documented.
var shapes sync.Map

// shapeOf returns the shape of a record, whose tags it reads once.
func shapeOf[R any]() *shape {
	t := reflect.TypeFor[R]()
	if found, ok := shapes.Load(t); ok {
		return found.(*shape) //nolint:forcetypeassert // nothing else is in it
	}
	found, _ := shapes.LoadOrStore(t, newShape(t))
	return found.(*shape) //nolint:forcetypeassert // nothing else is in it
}

// newShape reads the tags of a record. It panics if they cannot be true of its fields.
func newShape(t reflect.Type) *shape {
	s := &shape{record: t}
	for _, f := range reflect.VisibleFields(t) {
		if words, isProperty := f.Tag.Lookup("in"); isProperty {
			s.fields = append(s.fields, newField(f, strings.Fields(words)))
		}
	}
	if len(s.fields) == 0 || len(s.fields) > maxProperties {
		panic(fmt.Sprintf("record: callers may write %d properties of %s", len(s.fields), t))
	}
	return s
}

// newField reads the words of a tag.
func newField(f reflect.StructField, words []string) *field {
	out := &field{index: f.Index, hint: f.Tag.Get("hint"), valueType: f.Type}
	out.name, _, _ = strings.Cut(f.Tag.Get("json"), ",")
	if f.Type.Kind() == reflect.Pointer {
		out.valueType = f.Type.Elem()
	} else if f.Type.Kind() == reflect.Bool {
		out.problemOfNull = problemOfNull(f.Type)
	}
	var least, most string
	for _, word := range words {
		switch name, value, _ := strings.Cut(word, "="); name {
		case "required":
			out.isRequired = true
		case "nullable":
			out.isNullable = true
		case "as":
			out.name = value
		case "create":
			out.isFixed = true
		case "notnull":
			out.isNotNull, out.problemOfNull = true, problemOfNull(out.valueType)
		case "default":
			out.fallback = parseDefault(f.Type, value)
		case "min":
			least = value
		case "max":
			most = value
		default:
			forType := definedBounds[name]
			if forType == nil {
				panic("record: no package has defined the bound " + name + ", which " + out.name + " names")
			}
			out.bounds = append(out.bounds, forType(out.valueType))
		}
	}
	if least != "" || most != "" {
		out.bounds = slices.Insert(out.bounds, 0, limitsOf(out.valueType, least, most))
	}
	return out
}

// problemOfNull returns what is wrong with null as a value of a type.
func problemOfNull(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[laurel.Amount]():
		return "must be a number"
	case t.Kind() == reflect.Bool:
		return "must be a boolean"
	case t.Kind() == reflect.Int64:
		return "must be an integer"
	case t.Kind() == reflect.Slice:
		return "must be an array"
	default:
		return "is required"
	}
}

// parseDefault returns a value of a type: of a text as it stands, else as JSON has it.
func parseDefault(t reflect.Type, value string) reflect.Value {
	out := reflect.New(t).Elem()
	if t.Kind() == reflect.String {
		out.SetString(value)
	} else if err := json.Unmarshal([]byte(value), out.Addr().Interface()); err != nil {
		panic("record: " + value + " is no " + t.String())
	}
	return out
}

// position returns the position of a property. It panics if callers may not write one of the name.
func (s *shape) position(name string) int {
	i := slices.IndexFunc(s.fields, func(d *field) bool { return d.name == name })
	if i < 0 {
		panic("record: callers may not write " + name + " of " + s.record.String())
	}
	return i
}

// bounds returns what the properties accept.
func (s *shape) bounds() laurel.Bounds {
	out := laurel.Bounds{Keywords: map[string]laurel.Keywords{}}
	for _, d := range s.fields {
		if d.isRequired {
			out.Required = append(out.Required, d.name)
		}
		if d.isRequired && !d.isNullable || d.isNotNull {
			out.NotNull = append(out.NotNull, d.name)
		}
		keywords := laurel.Keywords{}
		for _, r := range d.bounds {
			maps.Copy(keywords, r.keywords)
		}
		if d.fallback.IsValid() {
			keywords["default"] = d.fallback.Interface()
		}
		out.Keywords[d.name] = keywords
	}
	return out
}

// structFields returns the properties as optional fields of a struct.
func (s *shape) structFields() []reflect.StructField {
	out := make([]reflect.StructField, len(s.fields))
	for i, d := range s.fields {
		tag := fmt.Sprintf(`json:"%s,omitzero"`, d.name)
		if d.hint != "" {
			tag += " doc:" + strconv.Quote(d.hint)
		}
		out[i] = reflect.StructField{
			Name: s.record.FieldByIndex(d.index).Name,
			Type: reflect.PointerTo(d.valueType), Tag: reflect.StructTag(tag),
		}
	}
	return out
}
