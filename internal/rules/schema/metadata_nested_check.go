package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
)

// checkSchema adds a fault for each part of a value that has another form than its schema says, so that what is stored
// is answered as the OpenAPI document describes it. It knows the keywords that the schemas of the metadata have inside:
// type, enum, items, properties, required, additionalProperties and oneOf. Numbers are checked for being numbers only:
// the check of the property knows their range. Names of properties count in their exact case.
func checkSchema(f *laurel.Faults, path string, value json.RawMessage, schema laurel.Keywords) {
	if forms, ok := schema["oneOf"].([]laurel.Keywords); ok {
		for _, form := range forms {
			if isOfType(value, form) {
				checkSchema(f, path, value, form)
				return
			}
		}
		f.Add(path, "must be %s", typesText(forms...))
		return
	}
	if !isOfType(value, schema) {
		f.Add(path, "must be %s", typesText(schema))
		return
	}
	if isNull(value) {
		return
	}
	if allowed := textsOf(schema["enum"]); len(allowed) > 0 {
		oneOf(allowed...)(f, path, value)
	}
	if schema["format"] == "uuid" {
		anID(f, path, value)
	}
	if items, ok := schema["items"].(laurel.Keywords); ok {
		var list []json.RawMessage
		_ = json.Unmarshal(value, &list) // it is an array
		for i, item := range list {
			checkSchema(f, path+"."+strconv.Itoa(i), item, items)
		}
	}
	checkProperties(f, path, value, schema)
}

// ofSchema returns the check of a property about which its schema says all.
func ofSchema(schema laurel.Keywords) check {
	return func(f *laurel.Faults, path string, value json.RawMessage) { checkSchema(f, path, value, schema) }
}

// addFaultOf adds the faults that a value has inside by its schema. If it has none there, it must be what is expected.
func addFaultOf(f *laurel.Faults, path string, value json.RawMessage, schema laurel.Keywords, expected string) {
	before := len(*f)
	if isOfType(value, schema) {
		checkSchema(f, path, value, schema)
	}
	if len(*f) == before {
		f.Add(path, "must be %s", expected)
	}
}

// checkProperties checks the properties of an object. Other values have none.
func checkProperties(f *laurel.Faults, path string, value json.RawMessage, schema laurel.Keywords) {
	var object map[string]json.RawMessage
	if !isObject(value) || json.Unmarshal(value, &object) != nil {
		return
	}
	known, _ := schema["properties"].(map[string]laurel.Keywords)
	others, _ := schema["additionalProperties"].(laurel.Keywords)
	required, _ := schema["required"].([]string)
	for _, name := range required {
		if isNull(object[name]) {
			f.Add(path+"."+name, "is required")
			delete(object, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if one, isKnown := known[name]; isKnown {
			checkSchema(f, path+"."+name, object[name], one)
		} else if others != nil {
			checkSchema(f, path+"."+name, object[name], others)
		}
	}
}

// isNull reports whether a value is null or absent.
func isNull(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

// isOfType reports whether a value is of a type that the schema allows; a schema without types allows all.
func isOfType(value json.RawMessage, schema laurel.Keywords) bool {
	types := textsOf(schema["type"])
	return len(types) == 0 || slices.ContainsFunc(types, func(name string) bool {
		switch name {
		case "null":
			return isNull(value)
		case "string":
			return isText(value)
		case "boolean":
			return decodes[bool](value) && !isNull(value)
		case "array":
			return len(value) > 0 && value[0] == '['
		case "object":
			return isObject(value)
		}
		return decodes[json.Number](value) && !isNull(value) && !isText(value) // of any size, as ids of proposals are
	})
}

// textsOf returns the texts of a keyword, which is a text or a list of texts or of values.
func textsOf(keyword any) []string {
	switch k := keyword.(type) {
	case string:
		return []string{k}
	case []string:
		return k
	case []any:
		var out []string
		for _, one := range k {
			if text, isText := one.(string); isText {
				out = append(out, text)
			}
		}
		return out
	}
	return nil
}

// typesText returns the types of schemas for a message, such as "a string or a number".
func typesText(schemas ...laurel.Keywords) string {
	var names []string
	for _, schema := range schemas {
		names = append(names, textsOf(schema["type"])...)
	}
	var out []string
	for _, t := range [][2]string{
		{"string", "a string"}, {"number", "a number"}, {"integer", "an integer"}, {"boolean", "a boolean"},
		{"array", "an array"}, {"object", "an object"},
	} {
		if slices.Contains(names, t[0]) {
			out = append(out, t[1])
		}
	}
	return strings.Join(out, " or ")
}
