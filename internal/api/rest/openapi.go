package rest

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/casing"

	"laurel.example/laurel"
)

// Document returns the OpenAPI 3.1 document of the operations: indented, the same bytes for the same operations.
func Document(operations []Operation, texts Texts) ([]byte, error) {
	return document("", operations, texts)
}

// document returns the OpenAPI document of the operations under a path prefix. Its schemas are made for it alone, since
// it changes them, and that must not change how requests are checked.
func document(prefix string, operations []Operation, lists Texts) ([]byte, error) {
	configureHuma()
	texts := lists.parse()
	config := newHuma(prefix)
	var registered *huma.Operation // what huma made of the operation that register was called with last
	capture := func(op *huma.Operation, _ func(huma.Context)) { registered = op }
	api := huma.NewAPI(config, captureAdapter{capture: capture})
	registry := config.Components.Schemas
	for i := range operations {
		route := &operations[i]
		op := newHumaOperation(route)
		op.Responses = errorResponses(registry, route)
		register(api, route, op)
		describeOperation(registry, route, registered)
		describeRequest(registry, registered)
		texts.describeParameters(registered)
		texts.addExamples(registered)
	}
	allowTextAmounts(config.OpenAPI)
	tidySchemas(config.OpenAPI)
	texts.describeSchemas(config.OpenAPI)
	texts.listTags(config.OpenAPI)
	if err := share(config.OpenAPI); err != nil {
		return nil, err
	}
	if err := dropUnused(config.OpenAPI); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(config.OpenAPI)
	return out.Bytes(), err
}

const apiDescription = "Loyalty rules, points, badges and members of an organization's websites. Every operation needs an API key in the header " +
	"X-API-KEY. Amounts are exact decimals with at most 6 places; times are RFC 3339 in UTC. Query parameters that take several values " +
	"accept k=a&k=b, k[]=a&k[]=b, k[0]=a&k[1]=b and k=a,b. Every POST takes the header Idempotency-Key."

// newHuma returns the configuration of huma, with the parts of the OpenAPI document that all operations share.
func newHuma(prefix string) huma.Config {
	config := huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "Laurel API", Version: "0.1", Description: apiDescription,
				License: &huma.License{Name: "Apache License 2.0", Identifier: "Apache-2.0"},
			},
			Servers: []*huma.Server{{URL: prefix + "/", Description: "The server that serves this document"}},
			Components: &huma.Components{
				Schemas:    huma.NewMapRegistry("#/components/schemas/", schemaName),
				Parameters: commonParameters(),
				Responses:  map[string]*huma.Response{},
				Headers:    commonHeaders(),
				Examples:   commonExamples(),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"apiKey": {
						Type:        "apiKey",
						In:          "header",
						Name:        "X-API-KEY",
						Description: "A key of laurel init or laurel keys create",
					},
					"memberToken": {
						Type:   "http",
						Scheme: "bearer",
						Description: "Authorization: Bearer <token>, with a token of POST /api/users/tokens. " +
							"Client keys need it wherever a call names a user; other keys never do",
					},
				},
			},
			Security: []map[string][]string{{"apiKey": {}}},
		},
		Formats:       map[string]huma.Format{jsonType: format, "application/json": format},
		DefaultFormat: jsonType,
	}
	config.AllowAdditionalPropertiesByDefault = true // unknown properties are ignored (contract 1.1)
	return config
}

// errorStatuses are the error statuses of every operation, with their meaning.
var errorStatuses = map[int]string{
	http.StatusBadRequest:            "Invalid input, or refused by a rule",
	http.StatusForbidden:             "API key missing, invalid, or not allowed to do this",
	http.StatusNotFound:              "Not found",
	http.StatusRequestEntityTooLarge: "Request body over 1 MiB",
	http.StatusUnsupportedMediaType:  "Request body of another type than application/json, or compressed",
	http.StatusTooManyRequests:       "Rate limit; Retry-After has the seconds to wait",
	http.StatusInternalServerError:   "Fault of the service",
	http.StatusServiceUnavailable:    "Not available at the moment; Retry-After has the seconds to wait",
}

// newHumaOperation returns the operation that is given to huma. huma checks neither parameters nor body: this package
// does that before.
func newHumaOperation(route *Operation) huma.Operation {
	status := http.StatusOK
	if route.created {
		status = http.StatusCreated
	}
	return huma.Operation{
		OperationID: casing.LowerCamel(
			strings.ToLower(route.method) + "-" +
				strings.NewReplacer("/api/", "", "/", "-", "{", "", "}", "").Replace(route.path),
		),
		Method:        route.method,
		Path:          route.path,
		Summary:       route.summary,
		Tags:          []string{tagOf(route.path)},
		DefaultStatus: status,
		// admit and admitBody have checked the parameters and read the body already.
		SkipValidateParams: true,
		SkipValidateBody:   true,
		MaxBodyBytes:       -1,
		BodyReadTimeout:    -1,
	}
}

// extensibleEnum is the keyword for a list of values that may grow.
const extensibleEnum = "x-extensible-enum"

// errorResponses returns the error responses of an operation for the OpenAPI document, by status. A GET has no body,
// and so none of the statuses 413 and 415.
func errorResponses(r huma.Registry, route *Operation) map[string]*huma.Response {
	out := map[string]*huma.Response{}
	registerTypes(r, reflect.TypeFor[Refusal](), typeSet{})
	for status, text := range errorStatuses {
		if route.method == http.MethodGet &&
			(status == http.StatusRequestEntityTooLarge || status == http.StatusUnsupportedMediaType) {
			continue
		}
		body := reflect.TypeFor[Refusal]()
		if status >= http.StatusInternalServerError {
			body = reflect.TypeFor[ServerFault]()
		}
		out[strconv.Itoa(status)] = &huma.Response{
			Description: text,
			Content:     map[string]*huma.MediaType{"application/json": {Schema: r.Schema(body, true, "")}},
		}
	}
	for t, codes := range map[reflect.Type][]string{
		reflect.TypeFor[Refusal](): errorCodes(), reflect.TypeFor[ServerFault](): errorCodes(),
		reflect.TypeFor[Fault](): faultCodes(),
	} {
		s := deref(r, r.Schema(t, true, ""))
		s.Properties["code"].Extensions = map[string]any{extensibleEnum: codes}
	}
	if body, ok := route.output.FieldByName("Body"); ok && route.leads {
		out[strconv.Itoa(http.StatusFound)] = &huma.Response{
			Description: "Redirect to the address in Location",
			Content:     map[string]*huma.MediaType{"application/json": {Schema: r.Schema(body.Type, true, "")}},
		}
	}
	return out
}

var kindNames = map[rune]string{'O': "organization", 'W': "website", 'R': "read-only", 'C': "client", 'S': "function"}

// keyKindNames returns the names of key kinds for the document, such as "organization, website" for OW.
func keyKindNames(keys string) string {
	var names []string
	for _, letter := range keys {
		names = append(names, kindNames[letter])
	}
	return strings.Join(names, ", ")
}

// allowTextAmounts documents that inputs may have amounts as numbers or as texts (contract 1.7). A schema of an amount
// that both an input and a response use stays a number.
func allowTextAmounts(api *huma.OpenAPI) {
	responses := schemaSet{registry: api.Components.Schemas, schemas: map[*huma.Schema]bool{}}
	inputs := schemaSet{registry: api.Components.Schemas, schemas: map[*huma.Schema]bool{}}
	for _, item := range api.Paths {
		for _, op := range operationsOf(item) {
			inputs.add(bodySchema(op))
			for _, response := range op.Responses {
				for _, media := range response.Content {
					responses.add(media.Schema)
				}
			}
		}
	}
	for s := range inputs.schemas {
		if responses.schemas[s] || s.Extensions["format"] != formatAmount {
			continue
		}
		s.Extensions = keepDescription(laurel.Keywords{"oneOf": amountForms(s.Extensions)}, s.Extensions)
	}
}

// amountForms returns the schemas that an amount in an input may have, from its schema as a number: the number, a text,
// and null if the number may be null.
func amountForms(number laurel.Keywords) []laurel.Keywords {
	forms := []laurel.Keywords{maps.Clone(number), {"type": huma.TypeString, "format": formatAmount}}
	if _, withNull := number["type"].([]string); withNull { // the type is not one name but also "null"
		forms = append(forms, laurel.Keywords{"type": "null"})
	}
	forms[0]["type"] = huma.TypeNumber
	delete(forms[0], "description")
	return forms
}

// schemaSet collects schemas, with all those that they contain or refer to.
type schemaSet struct {
	registry huma.Registry
	schemas  map[*huma.Schema]bool
}

// add adds a schema and all that it contains or refers to. A nil schema adds nothing.
func (c *schemaSet) add(s *huma.Schema) {
	if s = deref(c.registry, s); s == nil || c.schemas[s] {
		return
	}
	c.schemas[s] = true
	c.add(s.Items)
	for _, property := range s.Properties {
		c.add(property)
	}
	for _, sub := range s.OneOf {
		c.add(sub)
	}
	if more, ok := s.AdditionalProperties.(*huma.Schema); ok {
		c.add(more)
	}
}

// tidySchemas makes every schema one of OpenAPI: its required properties are sorted, so that their order says nothing
// about the order of Go fields, and it has no keywords that only huma knows.
func tidySchemas(api *huma.OpenAPI) {
	all := schemaSet{registry: api.Components.Schemas, schemas: map[*huma.Schema]bool{}}
	for _, schema := range api.Components.Schemas.Map() {
		all.add(schema)
	}
	for schema := range all.schemas {
		slices.Sort(schema.Required)
		schema.PatternDescription = ""
	}
}
