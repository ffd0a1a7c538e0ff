package apptest

import (
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"laurel.example/laurel/internal/api"
	rules "laurel.example/laurel/internal/rules/schema"
)

// Schemas are the schemas of the OpenAPI document, compiled once for all tests.
type Schemas struct {
	Document Object
	paths    map[string][]string // the parts of each path, by path
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

// Document returns the schemas of the OpenAPI document.
var Document = sync.OnceValues(func() (*Schemas, error) {
	text, err := api.Document()
	if err != nil {
		return nil, err
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("laurel.json", v); err != nil {
		return nil, err
	}
	d := &Schemas{
		Document: v.(Object),
		paths:    map[string][]string{},
		compiler: c,
		compiled: map[string]*jsonschema.Schema{},
	}
	for path := range d.Document["paths"].(Object) {
		d.paths[path] = strings.Split(path, "/")
	}
	return d, nil
})

// pointerEscaper escapes a part of a JSON pointer for the fragment of an address.
var pointerEscaper = strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")

// At compiles the schema at the JSON pointer with the given parts, which it escapes. On the way it follows references
// to components. It returns nil if the document has no schema there.
func (d *Schemas) At(parts ...string) (*jsonschema.Schema, error) {
	pointer, here := "", any(d.Document)
	for _, part := range parts {
		inside, ok := here.(Object)
		if ref, isRef := inside["$ref"].(string); isRef {
			names := strings.Split(ref, "/") // #, components, responses, …
			pointer = "/" + strings.Join(names[1:], "/")
			inside, ok = d.Document["components"].(Object)[names[2]].(Object)[names[3]].(Object)
		}
		if !ok || inside[part] == nil {
			return nil, nil
		}
		here = inside[part]
		pointer += "/" + pointerEscaper.Replace(part)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.compiled[pointer] == nil {
		s, err := d.compiler.Compile("laurel.json#" + pointer)
		if err != nil {
			return nil, err
		}
		d.compiled[pointer] = s
	}
	return d.compiled[pointer], nil
}

// pathOf returns the path of the document, such as /api/loyalty/rules/{id}, that a request's path belongs to; "" if
// there is none. Of several the one with the fewest parameters counts.
func (d *Schemas) pathOf(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	sent := strings.Split(strings.TrimSuffix(path, "/"), "/")
	best := ""
	paths := d.Document["paths"].(Object)
	for candidate, parts := range d.paths {
		fits := len(parts) == len(sent) && paths[candidate].(Object)[strings.ToLower(method)] != nil
		for i := 0; fits && i < len(parts); i++ {
			fits = parts[i] == sent[i] || strings.HasPrefix(parts[i], "{")
		}
		if fits && (best == "" || strings.Count(candidate, "{") < strings.Count(best, "{")) {
			best = candidate
		}
	}
	return best
}

// checkSchema fails unless a response has the schema that the OpenAPI document has for its operation and status.
// Responses of unknown paths, and replays of lost responses, are not checked.
func (s *Server) checkSchema(method, path string, a Response) {
	s.T.Helper()
	d, err := Document()
	if err != nil {
		s.T.Fatal(err)
	}
	at := d.pathOf(method, path)
	if at == "" || strings.Contains(a.Body, `"message":"Already carried out"`) {
		return
	}
	schema, err := d.At(
		"paths",
		at,
		strings.ToLower(method),
		"responses",
		strconv.Itoa(a.Status),
		"content",
		"application/json",
		"schema",
	)
	if err != nil {
		s.T.Fatal(err)
	}
	if schema == nil {
		s.T.Errorf("%s %s: the document has no answer %d: %s", method, at, a.Status, a.Body)
		return
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(a.Body))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		s.T.Errorf("%s %s answers %d with what is not of its schema: %v\n%.2000s", method, at, a.Status, err, a.Body)
	}
}

// OpenAPI reads the document that the server serves, for tests that walk it. Parameters of paths and queries that
// operations share stand in each of them; headers stay references. The metadata of rules is any object, which it is to
// the service: the document types what is known of it.
func (s *Server) OpenAPI() Object {
	s.T.Helper()
	document := s.Call("", "GET", "/openapi.json", nil).JSON()
	schemas := document["components"].(Object)["schemas"].(Object)
	for _, name := range []string{rules.CommonMetadata, rules.AnyMetadata, rules.RuleByType} {
		schemas[name] = Object{"type": "object", "additionalProperties": true}
	}
	shared := document["components"].(Object)["parameters"].(Object)
	for _, item := range document["paths"].(Object) {
		for _, op := range item.(Object) {
			parameters, _ := op.(Object)["parameters"].([]any)
			for i, p := range parameters {
				ref, _ := p.(Object)["$ref"].(string)
				part, _ := shared[ref[strings.LastIndexByte(ref, '/')+1:]].(Object)
				if part != nil && part["in"] != "header" {
					parameters[i] = part
				}
			}
		}
	}
	return document
}
