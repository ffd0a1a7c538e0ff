package rest

import (
	"encoding"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

const (
	maxText = 2048 // characters of a query text; longer than any name or url that is stored
	maxMany = 100  // values of a one-or-many parameter (contract 4)
	// nullMark replaces `k=` in a normalized query, if an empty value has a meaning. Clients cannot send NUL.
	nullMark = "\x00"
)

// parameter is what is checked of a query parameter before huma reads it.
type parameter struct {
	name     string
	many     bool // several values, in any form of contract 1.5
	nullable bool // `k=` is null
	required bool
	enum     []string
}

// Interfaces of parameter types: many accepts several values; emptiable reads an empty value as null; enumerated lists
// its values, so that no struct tag repeats them.
type (
	many       interface{ many() }
	emptiable  interface{ emptiable() }
	enumerated interface{ Values() []string }
)

// listParameters returns the query parameters of an input, by the tags of its fields. It panics if a field has a type
// or tag that this package does not support.
func listParameters(t reflect.Type) []parameter {
	var out []parameter
	for _, f := range reflect.VisibleFields(t) {
		name := f.Tag.Get("query")
		if f.Anonymous || name == "" {
			continue
		}
		mustBeReadable(f)
		p := parameter{name: name, required: f.Tag.Get("required") == "true"}
		v := reflect.New(f.Type).Interface()
		_, p.many = v.(many)
		_, p.nullable = v.(emptiable)
		if enum := f.Tag.Get("enum"); enum != "" {
			p.enum = strings.Split(enum, ",")
		}
		if e, ok := v.(enumerated); ok {
			p.enum = e.Values()
		}
		out = append(out, p)
	}
	return out
}

// mustBeReadable panics unless the type of a query parameter can be read from text, and its tags have an effect here:
// huma's own validation is off.
func mustBeReadable(f reflect.StructField) {
	_, reads := reflect.New(f.Type).Interface().(encoding.TextUnmarshaler)
	if f.Type.Kind() != reflect.String && (!reads || f.Type.Kind() != reflect.Struct) {
		panic("rest: query parameter " + f.Name + " must be a string or one of the types of params.go")
	}
	if namesAddress(f.Tag.Get("query")) {
		switch reflect.New(f.Type).Interface().(type) {
		case *Address, *Addresses: // as it must be
		default:
			panic("rest: query parameter " + f.Name + " must be an Address or Addresses")
		}
	}
	for _, tag := range []string{"minimum", "maximum", "maxLength", "minLength", "pattern", "default"} {
		if f.Tag.Get(tag) != "" {
			panic("rest: tag " + tag + " of query parameter " + f.Name + " has no effect")
		}
	}
}

// normalizeQuery returns a query in the one form that huma reads, from any form that contract 1.5 accepts. It keeps the
// known parameters only. A value that is refused is left out and reported.
func normalizeQuery(raw string, known []parameter, report func(path, problem string)) string {
	if raw == "" && !slices.ContainsFunc(known, func(p parameter) bool { return p.required }) {
		return ""
	}
	sent := sentValues(raw)
	out := url.Values{}
	for _, p := range known {
		values := sent[p.name]
		if !p.many && len(values) > 1 {
			values = values[:1]
		}
		value := strings.Join(values, ",")
		switch {
		case slices.ContainsFunc(values, isUnreadable):
			report(p.name, "must be valid text without NUL")
		case value == "" && len(values) > 0 && p.nullable:
			out.Set(p.name, nullMark)
		case value == "":
			if p.required {
				report(p.name, "is required")
			}
		case !p.many && utf8.RuneCountInString(value) > maxText:
			report(p.name, formatProblem("must be at most %d characters", maxText))
		case p.enum != nil && !isInEnum(p, value):
			report(p.name, "must be one of: "+strings.Join(p.enum, ", "))
		default:
			out.Set(p.name, value)
		}
	}
	return out.Encode()
}

// sentValues returns the values of each parameter of a query, with k, k[] and k[0] as one name. Values that cannot be
// decoded stay as they are, so that they are checked.
func sentValues(raw string) map[string][]string {
	sent := map[string][]string{}
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if decoded, err := url.QueryUnescape(name); err == nil {
			name = decoded
		}
		if decoded, err := url.QueryUnescape(value); err == nil {
			value = decoded
		}
		if open := strings.IndexByte(name, '['); open > 0 && strings.Trim(name[open:], "[0123456789]") == "" {
			name = name[:open]
		}
		sent[name] = append(sent[name], value)
	}
	return sent
}

func isUnreadable(s string) bool { return !utf8.ValidString(s) || strings.ContainsRune(s, 0) }

// isInEnum reports whether all values of a parameter are in its enumeration. Empty ones are ignored.
func isInEnum(p parameter, value string) bool {
	values := []string{value}
	if p.many {
		values = strings.Split(value, ",")
	}
	return !slices.ContainsFunc(values, func(v string) bool { return v != "" && !slices.Contains(p.enum, v) })
}

// StringSchema describes a text with a format, or without one if format is "".
func StringSchema(format string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: format}
}
