package rest

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
)

// formatProblems check the formats that huma cannot check: it would read amounts as floats, and would require a time in
// dates. Schemas have these formats among their extensions, which huma ignores. Each function returns what is wrong
// with a value, or "".
var formatProblems = map[string]func(v any) string{
	formatAmount: func(v any) string {
		var text string
		switch v := v.(type) {
		case json.Number:
			text = v.String()
		case string:
			text = v
		default:
			return notNumber
		}
		if _, err := laurel.ParseAmount(text); err != nil {
			return err.Error()
		}
		return ""
	},
	formatTime: func(v any) string {
		if text, ok := v.(string); ok { // huma reports every other type
			if _, err := laurel.ParseTime(text); err != nil {
				return err.Error()
			}
		}
		return ""
	},
}

const (
	formatAmount = "decimal"
	formatTime   = "date-time"
)

type amountSchema struct{}

func (amountSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Extensions: map[string]any{"type": "number", "format": formatAmount}}
}

type timeSchema struct{}

func (timeSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Extensions: map[string]any{"format": formatTime}}
}

type idSchema struct{}

// Schema has a pattern too: by the format alone huma would accept UUIDs that laurel.ParseID does not.
func (idSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Format: "uuid", PatternDescription: "a uuid",
		Pattern: `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`,
	}
}

type objectSchema struct{}

// Schema documents an object with any properties.
func (objectSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

// wireTypes are the types that describe the shared types of package laurel, by name, as JSON has them.
var wireTypes = map[string]reflect.Type{
	"ID":            reflect.TypeFor[idSchema](),
	"NullID":        reflect.TypeFor[idSchema](),
	"Amount":        reflect.TypeFor[amountSchema](),
	"Time":          reflect.TypeFor[timeSchema](),
	"Timestamp":     reflect.TypeFor[timeSchema](),
	"NullTimestamp": reflect.TypeFor[timeSchema](),
	"Object":        reflect.TypeFor[objectSchema](),
	"RawJSON":       reflect.TypeFor[json.RawMessage](),
}

// rootPath is the path of the module's root package, with ids, amounts and times.
var rootPath = reflect.TypeFor[laurel.ID]().PkgPath()

// registerTypes registers with huma what t and the types inside it look like in JSON if they are of package laurel:
// ids, amounts and times by wireTypes, and a laurel.Optional as its value. It panics if an Optional has a tag with
// which the document would require it.
func registerTypes(r huma.Registry, t reflect.Type, visited typeSet) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array, reflect.Struct, reflect.Int64:
		// It may be such a type, or have one inside.
	default:
		return
	}
	if visited[t] {
		return
	}
	visited[t] = true
	if alias := wireTypes[t.Name()]; alias != nil && t.PkgPath() == rootPath {
		r.RegisterTypeAlias(t, alias)
		return
	}
	if isOptional(t) {
		value := valueType(t)
		r.RegisterTypeAlias(t, reflect.PointerTo(value))
		registerTypes(r, value, visited)
		return
	}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			f := t.Field(i)
			if strings.HasPrefix(f.Type.Name(), "Optional[") && !strings.Contains(f.Tag.Get("json"), ",omitzero") {
				panic("rest: " + t.Name() + "." + f.Name + " would be required: its tag wants omitzero")
			}
			registerTypes(r, f.Type, visited)
		}
	} else if t.Kind() != reflect.Int64 {
		registerTypes(r, t.Elem(), visited)
	}
}
