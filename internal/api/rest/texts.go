package rest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
)

// Texts are what the OpenAPI document says besides what types and operations say of themselves. Each of the lists has
// lines of a name and a text, such as "name: text"; lines that begin with # are comments.
type Texts struct {
	Schemas    string // by name of the component
	Properties string // by name, or by component and name, such as "Rule.type", which counts first
	Parameters string // by name, or by operation id and name
	Tags       string
	// Examples are recorded calls by method and path, such as "GET /api/users": a JSON object of RecordedCall.
	Examples []byte
}

// RecordedCall is an answer of a server, and the body of the request if it had one.
type RecordedCall struct {
	Body     json.RawMessage `json:"body,omitempty"`
	Response json.RawMessage `json:"response"`
}

// texts are the lists of Texts, by name.
type texts struct {
	schemas, properties, parameters, tags map[string]string
	examples                              map[string]RecordedCall
}

// parse reads the lists. It panics if they are malformed, as they are part of the program.
func (t Texts) parse() texts {
	out := texts{
		schemas: ParseTexts(t.Schemas), properties: ParseTexts(t.Properties), parameters: ParseTexts(t.Parameters),
		tags: ParseTexts(t.Tags), examples: map[string]RecordedCall{},
	}
	if len(t.Examples) > 0 {
		if err := json.Unmarshal(t.Examples, &out.examples); err != nil {
			panic("rest: examples: " + err.Error())
		}
	}
	return out
}

// ParseTexts returns the texts of a list by their names. It panics if a line has no text, or a name comes twice.
func ParseTexts(list string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, text, ok := strings.Cut(line, ": ")
		if !ok || out[name] != "" {
			panic("rest: no text, or a second one: " + line)
		}
		out[name] = text
	}
	return out
}

// describeSchemas gives a description to each component and property that has none of its own.
func (t texts) describeSchemas(api *huma.OpenAPI) {
	all := api.Components.Schemas.Map()
	for name, s := range all {
		if !hasDescription(s) {
			s.Description = t.schemas[name]
		}
		if s.Description == "" && s.Properties["hasNextPage"] != nil {
			s.Description = "One page of a list (contract 1.6)"
		}
		t.describeProperties(name, s)
	}
	for _, item := range api.Paths {
		for _, op := range operationsOf(item) {
			for _, response := range op.Responses {
				for _, media := range response.Content {
					t.describeProperties("", media.Schema)
				}
			}
		}
	}
}

// describeProperties gives a description to each property of a component, and to those of objects inside it.
func (t texts) describeProperties(component string, s *huma.Schema) {
	if s == nil {
		return
	}
	for name, property := range s.Properties {
		if !hasDescription(property) {
			property.Description = t.properties[name]
			if own := t.properties[component+"."+name]; own != "" {
				property.Description = own
			}
		}
		t.describeProperties(component, property)
	}
	t.describeProperties(component, s.Items)
	for _, form := range s.OneOf {
		t.describeProperties(component, form)
	}
}

// hasDescription reports whether a schema has a description, in a field or among its keywords.
func hasDescription(s *huma.Schema) bool {
	return s.Description != "" || s.Extensions["description"] != nil
}

// describeParameters gives a description to each parameter of an operation that has none.
func (t texts) describeParameters(op *huma.Operation) {
	for _, p := range op.Parameters {
		if p.Ref != "" || p.Description != "" {
			continue
		}
		p.Description = t.parameters[p.Name]
		if own := t.parameters[op.OperationID+"."+p.Name]; own != "" {
			p.Description = own
		}
	}
}

// describeRequest says what the body of a request needs, and what it is for.
func describeRequest(r huma.Registry, op *huma.Operation) {
	if op.RequestBody == nil {
		return
	}
	body := deref(r, bodySchema(op))
	op.RequestBody.Description = "A JSON object of at most 1 MiB. Every property is optional, and an empty body counts as {}"
	if len(body.Required) > 0 {
		op.RequestBody.Description = "A JSON object of at most 1 MiB. Required: " + strings.Join(body.Required, ", ")
	}
	if !hasDescription(body) {
		body.Description = "Input of the operation: " + op.Summary
	}
}

// addExamples sets the recorded examples of an operation.
func (t texts) addExamples(op *huma.Operation) {
	recorded, ok := t.examples[op.Method+" "+op.Path]
	if !ok {
		return
	}
	if media := op.Responses[strconv.Itoa(op.DefaultStatus)].Content["application/json"]; media != nil {
		media.Example = recorded.Response
	}
	if op.RequestBody != nil && len(recorded.Body) > 0 {
		op.RequestBody.Content["application/json"].Example = recorded.Body
	}
}

// listTags lists the tags of the operations, with what is found under them.
func (t texts) listTags(api *huma.OpenAPI) {
	used := map[string]bool{}
	for _, item := range api.Paths {
		for _, op := range operationsOf(item) {
			for _, tag := range op.Tags {
				used[tag] = true
			}
		}
	}
	for _, tag := range slices.Sorted(maps.Keys(used)) {
		api.Tags = append(api.Tags, &huma.Tag{Name: tag, Description: t.tags[tag]})
	}
}

// operationsOf returns the operations of a path, in a fixed order.
func operationsOf(item *huma.PathItem) []*huma.Operation {
	return slices.DeleteFunc([]*huma.Operation{item.Get, item.Post, item.Delete}, func(op *huma.Operation) bool {
		return op == nil
	})
}

// shareLeast is how many operations must have a part alike for the document to list it once, as a component.
const shareLeast = 10

// sharer makes components of parts that many operations have alike.
type sharer struct {
	counts map[string]int    // by kind, name and JSON
	names  map[string]string // of the components, by the same
	taken  map[string]bool   // names of components
}

// share makes components of the parameters and of the error responses that many operations have.
func share(api *huma.OpenAPI) error {
	s := sharer{counts: map[string]int{}, names: map[string]string{}, taken: map[string]bool{}}
	for _, visit := range []func(huma.OpenAPI, *huma.Operation) error{s.count, s.replace} {
		for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
			for _, op := range operationsOf(api.Paths[path]) {
				if err := visit(*api, op); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// key returns what tells a part from others.
func (s *sharer) key(name string, part any) (string, error) {
	text, err := json.Marshal(part)
	return name + " " + string(text), err
}

// count counts the parts of an operation.
func (s *sharer) count(_ huma.OpenAPI, op *huma.Operation) error {
	for _, p := range op.Parameters {
		key, err := s.key(p.Name, p)
		if err != nil {
			return err
		}
		s.counts[key]++
	}
	for status, response := range op.Responses {
		key, err := s.key(status, response)
		if err != nil {
			return err
		}
		s.counts[key]++
	}
	return nil
}

// replace replaces the parts of an operation that are shared by references to components.
func (s *sharer) replace(api huma.OpenAPI, op *huma.Operation) error {
	for i, p := range op.Parameters {
		key, err := s.key(p.Name, p)
		if err != nil {
			return err
		}
		if p.Ref == "" && s.counts[key] >= shareLeast {
			name := s.nameOf(key, p.Name)
			api.Components.Parameters[name] = p
			op.Parameters[i] = &huma.Param{Ref: "#/components/parameters/" + name}
		}
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		response := op.Responses[status]
		key, err := s.key(status, response)
		if err != nil {
			return err
		}
		if s.counts[key] >= shareLeast && status[0] >= '4' {
			code, _ := strconv.Atoi(status)
			name := s.nameOf(key, strings.ReplaceAll(http.StatusText(code), " ", ""))
			api.Components.Responses[name] = response
			op.Responses[status] = &huma.Response{Ref: "#/components/responses/" + name}
		}
	}
	return nil
}

// nameOf returns the name of the component of a part: the usual one, with a number if another part has it.
func (s *sharer) nameOf(key, usual string) string {
	if s.names[key] == "" {
		name := usual
		for i := 2; s.taken[name]; i++ {
			name = fmt.Sprint(usual, i)
		}
		s.names[key], s.taken[name] = name, true
	}
	return s.names[key]
}

// dropUnused drops the schemas to which nothing refers, until there are none.
func dropUnused(api *huma.OpenAPI) error {
	const ref = `"#/components/schemas/`
	for {
		text, err := json.Marshal(api)
		if err != nil {
			return err
		}
		used := map[string]bool{}
		parts := strings.Split(string(text), ref)
		for _, part := range parts[1:] {
			name, _, _ := strings.Cut(part, `"`)
			used[name] = true
		}
		all := api.Components.Schemas.Map()
		before := len(all)
		maps.DeleteFunc(all, func(name string, _ *huma.Schema) bool { return !used[name] })
		if len(all) == before {
			return nil
		}
	}
}

// keepDescription returns the keywords with the description of the former ones.
func keepDescription(keywords, former laurel.Keywords) laurel.Keywords {
	if text := former["description"]; text != nil {
		keywords["description"] = text
	}
	return keywords
}
