package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/casing"
)

// Document answers the OpenAPI 3.1 document of the API: indented, the same bytes for the same routes.
func Document() ([]byte, error) {
	a, err := newAPI(Config{})
	if err != nil {
		return nil, err
	}
	api := huma.NewAPI(a.huma, nowhereAdapter{})
	for _, rt := range a.routes() {
		a.add(api, &rt)
	}
	return a.document()
}

// nowhereAdapter serves nothing: the document needs no server.
type nowhereAdapter struct{ huma.Adapter }

func (nowhereAdapter) Handle(*huma.Operation, func(huma.Context)) {}

const apiDescription = "Loyalty rules, points, badges and members of an organization's websites. Every operation needs an API key in the header " +
	"X-API-KEY. Amounts are exact decimals with at most 6 places; times are RFC 3339 in UTC. Query parameters that take several values " +
	"accept k=a&k=b, k[]=a&k[]=b, k[0]=a&k[1]=b and k=a,b. Every POST takes the header Idempotency-Key."

func newHuma(prefix string) huma.Config {
	config := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info:    &huma.Info{Title: "Laurel API", Version: "0.1", Description: apiDescription},
			Servers: []*huma.Server{{URL: prefix + "/"}},
			Components: &huma.Components{
				Schemas:         huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
				SecuritySchemes: map[string]*huma.SecurityScheme{"apiKey": {Type: "apiKey", In: "header", Name: "X-API-KEY"}},
			},
			Security: []map[string][]string{{"apiKey": {}}},
		},
		Formats:       map[string]huma.Format{jsonType: format, "application/json": format},
		DefaultFormat: jsonType,
	}
	config.AllowAdditionalPropertiesByDefault = true // unknown properties are ignored (contract 1.1)
	return config
}

func (a *API) registry() huma.Registry { return a.huma.Components.Schemas }

// errorStatuses are those that every operation may answer, with their meaning.
var errorStatuses = map[int]string{
	http.StatusBadRequest:            "Invalid input, or refused by a rule",
	http.StatusForbidden:             "API key missing, invalid, or not allowed to do this",
	http.StatusNotFound:              "Not found",
	http.StatusRequestEntityTooLarge: "Request body over 1 MiB",
	http.StatusUnsupportedMediaType:  "Request body of another type than application/json",
	http.StatusTooManyRequests:       "Rate limit; Retry-After tells the seconds to wait",
	http.StatusInternalServerError:   "Fault of the service",
	http.StatusServiceUnavailable:    "Not available at the moment; Retry-After tells the seconds to wait",
}

func operationOf(r huma.Registry, rt *route) huma.Operation {
	op := huma.Operation{
		OperationID: casing.LowerCamel(strings.ToLower(rt.method) + "-" + strings.NewReplacer("/api/", "", "/", "-", "{", "", "}", "").Replace(rt.path)),
		Method:      rt.method, Path: rt.path, Summary: rt.summary, Tags: []string{tagOf(rt.path)},
		Description:   "API keys: " + kindsOf(rt.keys) + ".",
		DefaultStatus: max(rt.status, http.StatusOK),
		Responses:     map[string]*huma.Response{},
		// The frame has judged parameters and read the body already.
		SkipValidateParams: true, MaxBodyBytes: -1, BodyReadTimeout: -1,
	}
	for status, text := range errorStatuses {
		if rt.method == http.MethodGet && (status == http.StatusRequestEntityTooLarge || status == http.StatusUnsupportedMediaType) {
			continue
		}
		body := reflect.TypeFor[Refusal]()
		if status >= http.StatusInternalServerError {
			body = reflect.TypeFor[ServerFault]()
		}
		op.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: text,
			Content:     map[string]*huma.MediaType{"application/json": {Schema: r.Schema(body, true, "")}},
		}
	}
	return op
}

var kindNames = map[rune]string{'O': "organization", 'W': "website", 'R': "read-only", 'C': "client", 'S': "function"}

func kindsOf(keys string) string {
	var names []string
	for _, letter := range keys {
		names = append(names, kindNames[letter])
	}
	return strings.Join(names, ", ")
}

// finishOperation completes what huma wrote of an operation: nullable fields, bodies that may be left out.
func finishOperation(r huma.Registry, rt *route, item *huma.PathItem) {
	op := map[string]*huma.Operation{http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodDelete: item.Delete}[rt.method]
	if body, ok := rt.output.FieldByName("Body"); ok {
		if media := op.Responses[strconv.Itoa(op.DefaultStatus)].Content["application/json"]; media != nil {
			markNullable(r, body.Type, media.Schema, seenTypes{})
		}
	}
	if op.RequestBody != nil {
		schema := deref(r, bodySchema(op))
		op.RequestBody.Required = schema != nil && len(schema.Required) > 0 // an empty body stands for {}
	}
	if rt.method == http.MethodPost {
		op.Parameters = append(op.Parameters, &huma.Param{
			Name: idempotencyHeader, In: "header", Description: "The same key with the same request is carried out once; later ones get its answer",
			Schema: &huma.Schema{Type: huma.TypeString},
		})
	}
}

// document writes the document with the inputs' amounts in both of their forms (contract 1.7).
func (a *API) document() ([]byte, error) {
	answers := reached{registry: a.registry(), seen: map[*huma.Schema]bool{}}
	inputs := reached{registry: a.registry(), seen: map[*huma.Schema]bool{}}
	for _, item := range a.huma.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Delete} {
			if op == nil {
				continue
			}
			inputs.from(bodySchema(op))
			for _, response := range op.Responses {
				for _, media := range response.Content {
					answers.from(media.Schema)
				}
			}
		}
	}
	for s := range inputs.seen {
		if !answers.seen[s] && s.Extensions["format"] == formatAmount {
			delete(s.Extensions, "type")
			s.Extensions["oneOf"] = []map[string]string{{"type": "number"}, {"type": "string"}}
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(a.huma.OpenAPI)
	return out.Bytes(), err
}

// reached collects the schemas that can be reached from some.
type reached struct {
	registry huma.Registry
	seen     map[*huma.Schema]bool
}

func (c *reached) from(s *huma.Schema) {
	if s = deref(c.registry, s); s == nil || c.seen[s] {
		return
	}
	c.seen[s] = true
	c.from(s.Items)
	for _, property := range s.Properties {
		c.from(property)
	}
	for _, sub := range s.OneOf {
		c.from(sub)
	}
	if more, ok := s.AdditionalProperties.(*huma.Schema); ok {
		c.from(more)
	}
}
