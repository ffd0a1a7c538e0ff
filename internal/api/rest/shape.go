package rest

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
)

// Sizes in bytes of what no schema describes, such as metadata (contract 1.1).
const (
	maxObject = 16 << 10
	maxOpen   = 64 << 10
)

// shape is what the frame knows of a body or of a part of it: the schema that huma made of its type, and the bounds
// that its package tells. Bodies are walked along it, so the cost of a walk is bounded by the bytes of the body and
// never by what is wrong with it.
type shape struct {
	schema     *huma.Schema // without references
	names      []string     // of the properties of an object, in the order in which their problems are listed
	properties map[string]*shape
	required   map[string]bool
	items      *shape // of an array
	most       int    // items of an array
	crowded    string // the problem of an array that has more
	open       bool   // anything may be inside, of at most so many bytes
	bytes      int
}

// shaper makes shapes of types and of their schemas.
type shaper struct{ registry huma.Registry }

func (m shaper) of(t reflect.Type, s *huma.Schema) *shape {
	t, s = valueType(t), deref(m.registry, s)
	out := &shape{schema: s, bytes: maxOpen}
	_, judged := s.Extensions["format"]
	switch {
	case s.Items != nil:
		out.items = m.of(t.Elem(), s.Items)
		if s.MaxItems != nil {
			out.holds(0, *s.MaxItems)
		}
	case len(s.Properties) > 0:
		m.properties(out, t)
	default:
		out.open = s.Type == huma.TypeObject || s.Type == "" && s.OneOf == nil && !judged
		if t == reflect.TypeFor[Object]() {
			out.bytes = maxObject
		}
	}
	return out
}

func (m shaper) properties(out *shape, t reflect.Type) {
	out.names, out.properties, out.required = sortedKeys(out.schema.Properties), map[string]*shape{}, map[string]bool{}
	for _, name := range out.schema.Required {
		out.required[name] = true
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if s := out.schema.Properties[name]; s != nil {
			out.properties[name] = m.of(f.Type, s)
		}
	}
	for _, bounds := range boundsOf(t) {
		for name, words := range bounds.Keywords {
			if most, told := words["maxItems"].(int); told && out.properties[name].most == 0 {
				least, _ := words["minItems"].(int)
				out.properties[name].holds(least, most)
			}
		}
	}
	for _, name := range out.names {
		property := out.properties[name]
		if property == nil || property.items != nil && property.most == 0 {
			panic("rest: " + t.String() + "." + name + " wants a field of its own and, where it is an array, maxItems")
		}
	}
}

// holds bounds the items of an array, with the text of the package that tells the bounds.
func (s *shape) holds(least, most int) {
	s.most, s.crowded = most, formatProblem("must have at most %d items", most)
	if least > 0 {
		s.crowded = formatProblem("must have between %d and %d items", least, most)
	}
}

// step leads to an item, or, with a negative index, to a property.
type step struct {
	name  string
	index int
}

// steps lead from a body to one of its values.
type steps []step

func (s *steps) property(name string) { *s = append(*s, step{name: name, index: -1}) }
func (s *steps) item(index int)       { *s = append(*s, step{index: index}) }
func (s *steps) leave()               { *s = (*s)[:len(*s)-1] }

// maxPath bounds the paths of problems in bytes. Names of properties inside of metadata are the caller's, and may be of
// any length.
const maxPath = 256

// String names the place, cut where it is too long.
func (s steps) String() string {
	path := ""
	for _, step := range s {
		name := step.name
		if step.index >= 0 {
			name = strconv.Itoa(step.index)
		}
		path = join(path, name[:min(len(name), maxPath+1)])
		if len(path) > maxPath {
			return strings.ToValidUTF8(path[:maxPath], "") + "…"
		}
	}
	return path
}

// maxFaults is how many problems an answer lists (contract 1.4). laurel.Faults keep no more either.
const maxFaults = 50

// full reports whether an answer can list no further problem.
func full(f laurel.Faults) bool { return len(f) >= maxFaults }
