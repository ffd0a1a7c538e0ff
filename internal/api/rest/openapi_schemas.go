package rest

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
)

// hasBounds is a body, or a part of one, that declares the limits of its properties.
type hasBounds interface{ Bounds() laurel.Bounds }

// creation marks the body of a request that creates something. The document marks its Bounds.Required as required.
type creation interface{ Creates() }

// SchemaParts complete the schema of a body in the document with what neither its Go type nor its bounds express.
type SchemaParts struct {
	Keywords   laurel.Keywords            // of the schema itself
	Properties map[string]laurel.Keywords // schemas that replace those of properties
	Components map[string]laurel.Keywords // the components that these refer to, by name
}

// hasSchemaParts is a body, or a part of one, that completes its schema.
type hasSchemaParts interface{ SchemaParts() SchemaParts }

// boundsOf returns the bounds that a struct declares for its properties, and those of the structs embedded in it.
func boundsOf(t reflect.Type) []laurel.Bounds {
	var out []laurel.Bounds
	if withBounds, ok := reflect.Zero(t).Interface().(hasBounds); ok {
		out = append(out, withBounds.Bounds())
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous && f.Type.Kind() == reflect.Struct {
			out = append(out, boundsOf(f.Type)...)
		}
	}
	return out
}

// describer adds to schemas what Go types do not express: null, bounds, and required properties. It changes the schemas
// of the OpenAPI document only, never those that bodies are checked with: what breaks those bounds is refused by the
// services, in their own words.
type describer struct {
	registry huma.Registry
	input    bool // of requests; else of responses
	visited  typeSet
}

// describe adds to the schema of a Go type, and to those of its properties and items, what the type does not express:
// bounds, required properties and null. It describes each struct once.
func (d describer) describe(t reflect.Type, s *huma.Schema) {
	t = valueType(t)
	if isRefOrNull(s) { // described before, as a part of another body
		s = s.OneOf[0]
	}
	if s = deref(d.registry, s); s == nil || d.visited[t] {
		return
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		if s.Items != nil {
			d.describe(t.Elem(), s.Items)
		}
	case reflect.Struct:
		d.visited[t] = true
		bounds := boundsOf(t)
		_, creates := reflect.Zero(t).Interface().(creation)
		for _, b := range bounds {
			writeKeywords(t, s, b)
			if creates {
				s.Required = append(s.Required, b.Required...)
				slices.Sort(s.Required)
				s.Required = slices.Compact(s.Required)
			}
		}
		for _, f := range fieldsOf(t) {
			name, options := jsonTag(f)
			if property := s.Properties[name]; property != nil {
				d.describe(f.Type, property)
				if d.input && namesAddress(name) {
					mustHaveFormat(t, name, property)
				}
				neverNull := slices.ContainsFunc(bounds, func(b laurel.Bounds) bool { return slices.Contains(b.NotNull, name) })
				s.Properties[name] = withNull(property, !neverNull && d.mayBeNull(f.Type, options))
			}
		}
		d.addParts(t, s)
	}
}

// addParts completes the schema of a struct with the parts that it declares.
func (d describer) addParts(t reflect.Type, s *huma.Schema) {
	withParts, ok := reflect.Zero(t).Interface().(hasSchemaParts)
	if !ok {
		return
	}
	parts := withParts.SchemaParts()
	s.Extensions = maps.Clone(s.Extensions)
	if s.Extensions == nil {
		s.Extensions = map[string]any{}
	}
	maps.Copy(s.Extensions, parts.Keywords)
	for name, keywords := range parts.Properties {
		s.Properties[name] = &huma.Schema{Extensions: keywords}
	}
	for name, keywords := range parts.Components {
		d.registry.Map()[name] = &huma.Schema{Extensions: keywords}
	}
}

// mustHaveFormat panics if a property that names an address declares neither the format of identifiers nor a pattern,
// for itself or for its items.
func mustHaveFormat(t reflect.Type, name string, property *huma.Schema) {
	keywords := property.Extensions
	if items, ok := keywords["items"].(laurel.Keywords); ok {
		keywords = items
	}
	if keywords["format"] != laurel.FormatIdentifier && keywords["pattern"] == nil && property.Pattern == "" {
		panic("rest: " + t.String() + "." + name + " names an address: its bounds want laurel.IdentifierKeywords")
	}
}

// mayBeNull reports whether a property may be null, by its Go type and the options of its json tag: in a response, or
// in an input to clear a stored value. A property that a response leaves out if it is none is never null there.
func (d describer) mayBeNull(t reflect.Type, options string) bool {
	isNone := isNullable(t) || t.Kind() == reflect.Pointer
	return isOptional(t) || isNone && (d.input || !strings.Contains(options, "omit"))
}

// isNullable reports whether the zero value of a type is null in JSON.
func isNullable(t reflect.Type) bool {
	return t == reflect.TypeFor[laurel.NullID]() || t == reflect.TypeFor[laurel.NullTimestamp]() ||
		t == reflect.TypeFor[laurel.NullText]()
}

func isOptional(t reflect.Type) bool {
	return t.PkgPath() == rootPath && strings.HasPrefix(t.Name(), "Optional[")
}

// valueType returns the type inside pointers and Optionals.
func valueType(t reflect.Type) reflect.Type {
	for {
		switch {
		case t.Kind() == reflect.Pointer:
			t = t.Elem()
		case isOptional(t):
			value, _ := t.FieldByName("Value")
			t = value.Type
		default:
			return t
		}
	}
}

// writeKeywords sets the keywords of bounds, such as maxLength, on the properties of the schema of a type. It panics if
// a property is not part of that schema itself.
func writeKeywords(t reflect.Type, s *huma.Schema, b laurel.Bounds) {
	for name, keywords := range b.Keywords {
		property := s.Properties[name]
		if property == nil || property.Ref != "" {
			panic("rest: " + t.String() + " has bounds for " + name + ", which it does not hold by itself")
		}
		if property.Extensions == nil {
			property.Extensions = map[string]any{}
		}
		for keyword, value := range keywords {
			if now, ok := value.(func() []string); ok { // known when the server starts
				value = now()
			}
			property.Extensions[keyword] = value
		}
	}
}

// isRefOrNull reports whether a schema is a reference that may be null, as withNull makes it.
func isRefOrNull(s *huma.Schema) bool {
	return s != nil && len(s.OneOf) == 2 && s.OneOf[0].Ref != "" && s.OneOf[1].Type == "null"
}

// withNull returns the schema of a property, changed so that it accepts null if nullable is true, and otherwise does
// not. A reference that may be null becomes a new schema; any other schema is changed in place. A second call changes
// nothing.
func withNull(s *huma.Schema, nullable bool) *huma.Schema {
	if !nullable {
		s.Nullable = s.Nullable && s.Type == huma.TypeArray // a list that its tag declares nullable
		return s
	}
	if s.Ref != "" {
		return &huma.Schema{OneOf: []*huma.Schema{s, {Type: "null"}}}
	}
	if isRefOrNull(s) { // described before, in another body that holds it
		return s
	}
	if kind, ok := s.Extensions["type"].(string); ok {
		s.Extensions["type"] = []string{kind, "null"}
	} else if s.Type != "" {
		s.Nullable = true
	}
	if forms, ok := s.Extensions["oneOf"].([]laurel.Keywords); ok && forms[len(forms)-1]["type"] != "null" {
		s.Extensions["oneOf"] = append(slices.Clone(forms), laurel.Keywords{"type": "null"})
	}
	if values := reflect.ValueOf(s.Extensions["enum"]); values.Kind() == reflect.Slice {
		s.Extensions["enum"] = enumWithNull(values)
	}
	return s
}

// enumWithNull returns the values of an enumeration, and null as the last. An enumeration without null would refuse
// null, whatever the type allows.
func enumWithNull(values reflect.Value) []any {
	var all []any
	for i := range values.Len() {
		if v := values.Index(i).Interface(); v != nil {
			all = append(all, v)
		}
	}
	return append(all, nil)
}

// describeOperation completes an operation of the OpenAPI document, as huma made it: description, keys, required
// properties, headers and examples.
func describeOperation(r huma.Registry, route *Operation, op *huma.Operation) {
	op.Description = strings.TrimSpace(route.note + " API keys: " + keyKindNames(route.keys) + ".")
	if strings.Contains(route.keys, "C") { // client keys may call it, with a member token or without
		op.Security = []map[string][]string{{"apiKey": {}}, {"apiKey": {}, "memberToken": {}}}
	}
	success := op.Responses[strconv.Itoa(op.DefaultStatus)]
	if body, ok := route.output.FieldByName("Body"); ok && success.Content["application/json"] != nil {
		schema := success.Content["application/json"].Schema
		describer{registry: r, visited: typeSet{}}.describe(body.Type, schema)
		schema = deref(r, schema)
		// A response that is repeated for an Idempotency-Key has no secrets.
		schema.Required = slices.DeleteFunc(
			schema.Required,
			func(name string) bool { return slices.Contains(route.secrets, name) },
		)
	}
	if route.invalidMessage != "" {
		op.Responses["400"].Description = "Refused for the reason in message. If the input is invalid, message is " + route.invalidMessage + " and errors has the reasons"
	}
	if route.method == http.MethodPost {
		describePost(op)
	}
	describeBody(r, route, op)
	if route.readCurrent != nil {
		describeIfMatch(op)
	}
	describeHandling(op)
}

// commonParameters returns the parameters that every operation refers to.
func commonParameters() map[string]*huma.Param {
	return map[string]*huma.Param{
		preferHeader: {
			Name: preferHeader, In: "header", Schema: &huma.Schema{Type: huma.TypeString}, Example: strictHandling,
			Description: "handling=strict: properties and query parameters that the operation does not have are refused with 400, " +
				"instead of being ignored. What is stored as it is sent, such as metadata, may hold any property",
		},
		ifMatchHeader: {
			Name: ifMatchHeader, In: "header", Schema: &huma.Schema{Type: huma.TypeString}, Example: ifMatchExample,
			Description: "The updatedAt of the record as it was read, in quotes. If the record was changed since, nothing is " +
				"saved: 400 Record was changed meanwhile, with the record as it is now in current. * stands for any updatedAt",
		},
	}
}

// commonHeaders returns the response headers that operations refer to.
func commonHeaders() map[string]*huma.Header {
	return map[string]*huma.Header{
		appliedHeader: {
			Schema:      &huma.Schema{Type: huma.TypeString},
			Description: "handling=strict, if the request prefers it",
		},
		ignoredHeader: {
			Schema: &huma.Schema{Type: huma.TypeString},
			Description: "Up to ten paths of properties of the body that the operation does not have, separated by commas, " +
				"percent-encoded and cut if needed. Absent if there are none",
		},
	}
}

// describeHandling documents the headers about unknown properties and parameters (contract 1.11).
func describeHandling(op *huma.Operation) {
	op.Parameters = append(op.Parameters, &huma.Param{Ref: "#/components/parameters/" + preferHeader})
	names := []string{appliedHeader}
	if op.Method != http.MethodGet {
		names = append(names, ignoredHeader)
	}
	for _, status := range []string{strconv.Itoa(op.DefaultStatus), "400"} {
		response := op.Responses[status]
		if response.Headers == nil {
			response.Headers = map[string]*huma.Header{}
		}
		for _, name := range names {
			response.Headers[name] = &huma.Header{Ref: "#/components/headers/" + name}
		}
	}
}

const idempotencyNote = "1 to 255 characters. The same key with the same method, path, query and body, byte for byte, is executed once; for 24 hours " +
	"repetitions get the first response, without secrets. If that response was lost, they get the message Already carried out. " +
	"Through a client key the key belongs to the member of the token that is sent, and needs that token"

// describePost documents the header Idempotency-Key, and the response header that marks a replay.
func describePost(op *huma.Operation) {
	least, most := 1, 255
	op.Parameters = append(op.Parameters, &huma.Param{Name: idempotencyHeader, In: "header", Description: idempotencyNote,
		Schema: &huma.Schema{Type: huma.TypeString, MinLength: &least, MaxLength: &most}})
	success := op.Responses[strconv.Itoa(op.DefaultStatus)]
	if success.Headers == nil {
		success.Headers = map[string]*huma.Param{}
	}
	success.Headers["Idempotent-Replayed"] = &huma.Param{
		Description: "true: the stored response to an earlier request",
		Schema:      &huma.Schema{Type: huma.TypeString},
	}
}

// describeBody completes the schema and the example of a request body; operations without one stay as they are.
func describeBody(r huma.Registry, route *Operation, op *huma.Operation) {
	if op.RequestBody == nil {
		return
	}
	body, _ := route.input.FieldByName("Body")
	describer{registry: r, input: true, visited: typeSet{}}.describe(body.Type, bodySchema(op))
	op.RequestBody.Required = len(deref(r, bodySchema(op)).Required) > 0 // an empty body stands for {}
	if route.example != nil {
		op.RequestBody.Content["application/json"].Example = route.example
	}
}
