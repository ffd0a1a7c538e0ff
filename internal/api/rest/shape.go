package rest

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
)

// Size limits in bytes of JSON that no schema describes, such as metadata (contract 1.1).
const (
	maxObject = 16 << 10
	maxOpen   = 64 << 10
)

// shape describes a body or a part of it: the schema that huma made of its type, and the bounds that its package
// declares. Bodies are walked along it, so the cost of a walk depends on the size of the body and never on the number
// of faults.
type shape struct {
	schema      *huma.Schema // without references
	names       []string     // of the properties of an object, in the order in which their faults are listed
	properties  map[string]*shape
	required    map[string]bool
	items       *shape // of an array
	maxItems    int    // of an array
	tooManyText string // the fault of an array that has more
	isOpen      bool   // any JSON is accepted
	maxBytes    int    // of JSON that no schema describes
}

// shaper makes shapes from types and their schemas.
type shaper struct{ registry huma.Registry }

// shapeOf returns the shape of a Go type, from the schema that huma made of the type. The shape of an array has the
// shape of its items, and that of a struct those of its properties. Any other value is open if its schema accepts any
// JSON.
func (m shaper) shapeOf(t reflect.Type, s *huma.Schema) *shape {
	t, s = valueType(t), deref(m.registry, s)
	out := &shape{schema: s, maxBytes: maxOpen}
	_, hasFormat := s.Extensions["format"]
	switch {
	case s.Items != nil:
		out.items = m.shapeOf(t.Elem(), s.Items)
		if s.MaxItems != nil {
			out.limitItems(0, *s.MaxItems)
		}
	case len(s.Properties) > 0:
		m.addProperties(out, t)
	default:
		out.isOpen = s.Type == huma.TypeObject || s.Type == "" && s.OneOf == nil && !hasFormat
		if t == reflect.TypeFor[laurel.Object]() {
			out.maxBytes = maxObject
		}
	}
	return out
}

// addProperties adds the properties of a struct to its shape, with the numbers of items that its bounds allow. It
// panics if a property has no field, or if an array has no limit of items.
func (m shaper) addProperties(out *shape, t reflect.Type) {
	out.names, out.properties, out.required = sortedKeys(out.schema.Properties), map[string]*shape{}, map[string]bool{}
	for _, name := range out.schema.Required {
		out.required[name] = true
	}
	for _, f := range fieldsOf(t) {
		name, _ := jsonTag(f)
		if s := out.schema.Properties[name]; s != nil {
			out.properties[name] = m.shapeOf(f.Type, s)
		}
	}
	for _, bounds := range boundsOf(t) {
		for name, keywords := range bounds.Keywords {
			if most, isSet := keywords["maxItems"].(int); isSet && out.properties[name].maxItems == 0 {
				least, _ := keywords["minItems"].(int)
				out.properties[name].limitItems(least, most)
			}
		}
	}
	for _, name := range out.names {
		property := out.properties[name]
		if property == nil || property.items != nil && property.maxItems == 0 {
			panic("rest: " + t.String() + "." + name + " wants a field of its own and, where it is an array, maxItems")
		}
	}
}

// limitItems sets how many items an array may have, and the text of the fault. A least of 0 stands for no lower limit.
func (s *shape) limitItems(least, most int) {
	s.maxItems, s.tooManyText = most, formatProblem("must have at most %d items", most)
	if least > 0 {
		s.tooManyText = formatProblem("must have between %d and %d items", least, most)
	}
}

// step leads to an item or, with a negative index, to a property.
type step struct {
	name  string
	index int
}

// steps is the path from a body to one of its values.
type steps []step

func (s *steps) enterProperty(name string) { *s = append(*s, step{name: name, index: -1}) }
func (s *steps) enterItem(index int)       { *s = append(*s, step{index: index}) }
func (s *steps) leave()                    { *s = (*s)[:len(*s)-1] }

// maxPath bounds the paths in faults, in bytes. Property names inside metadata are the caller's and may be of any
// length.
const maxPath = 256

// String returns the path with dots, such as entries.0.amount, cut after 256 bytes.
func (s steps) String() string {
	path := ""
	for _, step := range s {
		name := step.name
		if step.index >= 0 {
			name = strconv.Itoa(step.index)
		}
		path = joinPath(path, name[:min(len(name), maxPath+1)])
		if len(path) > maxPath {
			return strings.ToValidUTF8(path[:maxPath], "") + "…"
		}
	}
	return path
}

// maxFaults is how many faults a response lists (contract 1.4). laurel.Faults keeps no more either.
const maxFaults = 50

// isFull reports whether a response can list no further fault.
func isFull(f laurel.Faults) bool { return len(f) >= maxFaults }
