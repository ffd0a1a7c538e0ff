package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// document is what the clients need of an OpenAPI document (version 3.1).
type document struct {
	Info struct {
		Title, Version, Description string
	}
	Paths      map[string]map[string]json.RawMessage
	Components struct {
		Schemas    map[string]*schema
		Parameters map[string]parameter
	}
	calls []call
}

// call is an operation with its method and path.
type call struct {
	method, path string // GET, /api/users/{id}
	operation
}

type operation struct {
	OperationID, Summary, Description string
	Tags                              []string
	Deprecated                        bool
	Parameters                        []parameter
	RequestBody                       *struct {
		Required bool
		Content  map[string]media
	}
	Responses map[string]struct{ Content map[string]media }
	Security  []map[string][]string
}

type parameter struct {
	Ref         string `json:"$ref"`
	Name, In    string
	Description string
	Required    bool
	Schema      *schema
	Example     any
}

type media struct {
	Schema   *schema
	Example  json.RawMessage
	Examples map[string]struct{ Value json.RawMessage }
}

// schema is a JSON Schema, as far as the API uses them.
type schema struct {
	Ref           string    `json:"$ref"`
	Type          typeNames `json:"type"`
	Format        string
	Description   string
	Enum          []any
	Const         any
	KnownWords    []string `json:"x-extensible-enum"`
	Properties    map[string]*schema
	Required      []string
	Items         *schema
	Additional    *additional `json:"additionalProperties"`
	OneOf         []*schema
	AnyOf         []*schema
	AllOf         []*schema
	Discriminator *struct {
		PropertyName string
		Mapping      map[string]string
	}
}

// typeNames is the keyword type: one name, or a list of names.
type typeNames []string

func (t *typeNames) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*t = typeNames{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(t))
}

// additional is the keyword additionalProperties: a boolean, or a schema.
type additional struct{ schema *schema }

func (a *additional) UnmarshalJSON(text []byte) error {
	var yes bool
	if json.Unmarshal(text, &yes) == nil {
		return nil
	}
	return json.Unmarshal(text, &a.schema)
}

const jsonMedia = "application/json"

// methods are the HTTP methods of the API, in the order in which clients list them.
var methods = []string{"get", "post", "put", "patch", "delete"}

// parseDocument reads an OpenAPI document. Its calls are sorted by path and method.
func parseDocument(text []byte) (*document, error) {
	doc := &document{}
	if err := json.Unmarshal(text, doc); err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
		for _, method := range methods {
			raw, ok := doc.Paths[path][method]
			if !ok {
				continue
			}
			c := call{method: strings.ToUpper(method), path: path}
			if err := json.Unmarshal(raw, &c.operation); err != nil {
				return nil, err
			}
			for i, p := range c.Parameters {
				if p.Ref != "" {
					c.Parameters[i] = doc.Components.Parameters[refName(p.Ref)]
				}
			}
			doc.calls = append(doc.calls, c)
		}
	}
	return doc, nil
}

func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// responseSchema returns the schema of a success, or nil if it has no body.
func (c call) responseSchema() *schema {
	for _, status := range slices.Sorted(maps.Keys(c.Responses)) {
		if strings.HasPrefix(status, "2") {
			return c.Responses[status].Content[jsonMedia].Schema
		}
	}
	return nil
}

// bodySchema returns the schema of the request's body, or nil if it has none.
func (c call) bodySchema() *schema {
	if c.RequestBody == nil {
		return nil
	}
	return c.RequestBody.Content[jsonMedia].Schema
}

// bodyExample returns the example of the request's body, or nil if there is none.
func (c call) bodyExample() json.RawMessage {
	if c.RequestBody == nil {
		return nil
	}
	body := c.RequestBody.Content[jsonMedia]
	if body.Example != nil {
		return body.Example
	}
	for _, name := range slices.Sorted(maps.Keys(body.Examples)) {
		return body.Examples[name].Value
	}
	return nil
}
