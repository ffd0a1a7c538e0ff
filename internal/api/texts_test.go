package api_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel.example/laurel/internal/api"
	"laurel.example/laurel/internal/api/rest"
)

// walker finds what a document does not describe.
type walker struct {
	t     *testing.T
	found map[string]bool // the names of texts that the document has use for
}

// schema walks a schema of a component, and all inside it. at is where it is.
func (w *walker) schema(component, at string, schema any) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	properties, _ := s["properties"].(map[string]any)
	for name, property := range properties {
		w.found[name], w.found[component+"."+name] = true, true
		w.text(at+"."+name, property)
		w.schema(component, at+"."+name, property)
	}
	w.schema(component, at, s["items"])
	w.schema(component, at, s["additionalProperties"])
	for _, word := range []string{"oneOf", "anyOf", "allOf"} {
		forms, _ := s[word].([]any)
		for _, form := range forms {
			w.schema(component, at, form)
		}
	}
}

// text fails if a part of the document has no description, or one that says nothing but its name.
func (w *walker) text(at string, part any) {
	text, _ := part.(map[string]any)["description"].(string)
	if len(text) < 4 || strings.HasSuffix(text, ".") && strings.Count(text, ".") == 1 && len(text) < 8 {
		w.t.Errorf("%s has no description: %q", at, text)
	}
}

func TestEveryPartOfTheDocumentIsDescribed(t *testing.T) {
	t.Parallel()
	text, err := api.Document()
	must(t, err)
	var doc map[string]any
	must(t, json.Unmarshal(text, &doc))
	w := &walker{t: t, found: map[string]bool{}}
	components := doc["components"].(map[string]any)
	for kind, list := range components {
		for name, part := range list.(map[string]any) {
			w.found[name] = true
			if kind != "examples" {
				w.text(name, part)
			}
			if kind == "schemas" {
				w.schema(name, name, part)
			}
		}
	}
	for _, tag := range doc["tags"].([]any) {
		w.found[tag.(map[string]any)["name"].(string)] = true
		w.text("tag", tag)
	}
	for path, item := range doc["paths"].(map[string]any) {
		for method, part := range item.(map[string]any) {
			w.operation(components, method+" "+path, part.(map[string]any))
		}
	}
	for _, file := range []string{"schemas", "properties", "parameters", "tags"} {
		list, err := os.ReadFile(filepath.Join("texts", file+".txt"))
		must(t, err)
		for name := range rest.ParseTexts(string(list)) {
			if !w.found[name] {
				t.Errorf("texts/%s.txt describes %s, which the document does not have", file, name)
			}
		}
	}
}

// operation walks an operation.
func (w *walker) operation(components map[string]any, at string, op map[string]any) {
	w.text(at, op)
	for _, p := range op["parameters"].([]any) {
		parameter := p.(map[string]any)
		if ref, ok := parameter["$ref"].(string); ok {
			name := ref[strings.LastIndex(ref, "/")+1:]
			parameter = components["parameters"].(map[string]any)[name].(map[string]any)
		}
		name := parameter["name"].(string)
		w.found[name], w.found[op["operationId"].(string)+"."+name] = true, true
		w.text(at+" "+name, parameter)
	}
	if body, ok := op["requestBody"]; ok {
		w.text(at+" body", body)
	}
	for _, part := range op["responses"].(map[string]any) {
		if content, ok := part.(map[string]any)["content"].(map[string]any); ok {
			w.schema("", at, content["application/json"].(map[string]any)["schema"])
		}
	}
}
