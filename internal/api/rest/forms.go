package rest

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel"
)

// A form is a text or number that huma cannot judge: amounts would pass through floats, dates would have to hold a
// time. Schemas of a form carry its format among the extensions, where huma looks for nothing. Each function returns
// what is wrong, or "".
var forms = map[string]func(v any) string{
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
		if text, ok := v.(string); ok { // huma tells of every other type
			if _, err := parseTime(text); err != nil {
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

// Format alone would let huma take forms of UUIDs that laurel.ParseID does not.
func (idSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Format: "uuid", PatternDescription: "a uuid",
		Pattern: `^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`,
	}
}

// words are the shared words of the root package by name, as the wire shows them.
var words = map[string]reflect.Type{
	"ID":        reflect.TypeFor[idSchema](),
	"Amount":    reflect.TypeFor[amountSchema](),
	"Time":      reflect.TypeFor[timeSchema](),
	"Timestamp": reflect.TypeFor[timeSchema](),
}

// learn tells the document how the shared words inside a type look. A laurel.Optional is documented as its value.
func learn(r huma.Registry, t reflect.Type, seen seenTypes) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array, reflect.Struct, reflect.Int64:
	default:
		return
	}
	if seen[t] {
		return
	}
	seen[t] = true
	if t.PkgPath() == "laurel" {
		if alias := words[t.Name()]; alias != nil {
			r.RegisterTypeAlias(t, alias)
			return
		}
		if value, ok := t.FieldByName("Value"); ok && strings.HasPrefix(t.Name(), "Optional[") {
			r.RegisterTypeAlias(t, reflect.PointerTo(value.Type))
			learn(r, value.Type, seen)
			return
		}
	}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			f := t.Field(i)
			if strings.HasPrefix(f.Type.Name(), "Optional[") && !strings.Contains(f.Tag.Get("json"), ",omitzero") {
				panic("rest: " + t.Name() + "." + f.Name + " would be required: its tag wants omitzero")
			}
			learn(r, f.Type, seen)
		}
	} else if t.Kind() != reflect.Int64 {
		learn(r, t.Elem(), seen)
	}
}
