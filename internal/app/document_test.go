package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"laurel/internal/api"
)

// schemas are those of the document, compiled once for all tests.
type schemas struct {
	document object
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

var document = sync.OnceValues(func() (*schemas, error) {
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
	return &schemas{document: v.(object), compiler: c, compiled: map[string]*jsonschema.Schema{}}, nil
})

// at compiles the schema at a pointer, nil where the document has none. Parts are escaped here.
func (d *schemas) at(parts ...string) (*jsonschema.Schema, error) {
	pointer, here := "", any(d.document)
	for _, part := range parts {
		inside, ok := here.(object)
		if !ok || inside[part] == nil {
			return nil, nil
		}
		here = inside[part]
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(part)
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

// operation returns the path of the document that a request's path is of; "" for none.
func (d *schemas) operation(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	sent := strings.Split(strings.TrimSuffix(path, "/"), "/")
	best := ""
	for candidate, item := range d.document["paths"].(object) {
		parts := strings.Split(candidate, "/")
		fits := len(parts) == len(sent) && item.(object)[strings.ToLower(method)] != nil
		for i := 0; fits && i < len(parts); i++ {
			fits = parts[i] == sent[i] || strings.HasPrefix(parts[i], "{")
		}
		if fits && (best == "" || strings.Count(candidate, "{") < strings.Count(best, "{")) {
			best = candidate
		}
	}
	return best
}

// fits demands that an answer is what the document says of its operation and status.
func (s *server) fits(method, path string, a answer) {
	s.t.Helper()
	d, err := document()
	if err != nil {
		s.t.Fatal(err)
	}
	at := d.operation(method, path)
	if at == "" || strings.Contains(a.body, `"message":"Already carried out"`) {
		return
	}
	schema, err := d.at(
		"paths",
		at,
		strings.ToLower(method),
		"responses",
		strconv.Itoa(a.status),
		"content",
		"application/json",
		"schema",
	)
	if err != nil {
		s.t.Fatal(err)
	}
	if schema == nil {
		s.t.Errorf("%s %s: the document has no answer %d: %s", method, at, a.status, a.body)
		return
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(a.body))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		s.t.Errorf("%s %s answers %d with what is not of its schema: %v\n%.2000s", method, at, a.status, err, a.body)
	}
}

// properties returns the schemas of a component's properties.
func properties(t *testing.T, component string) object {
	t.Helper()
	d, err := document()
	if err != nil {
		t.Fatal(err)
	}
	return d.document["components"].(object)["schemas"].(object)[component].(object)["properties"].(object)
}

// tryable is an operation with a body: what to send besides the property that is tried.
type tryable struct {
	component, path string
	base            object
}

var bodies = []tryable{
	{"CreateRuleBody", "/api/loyalty/rules", object{"name": "N", "type": "token_hold"}},
	{"CreateCurrencyBody", "/api/loyalty/currencies", object{"name": "N", "symbol": "S", "decimals": 0}},
	{"CreateGroupBody", "/api/loyalty/rule_groups/create", object{"name": "N"}},
	{"WriteMetadataInputBody", "/api/users/metadatas", object{"walletAddress": "0xa11ce"}},
	{"IssueTokenInputBody", "/api/users/tokens", object{"walletAddress": "0xa11ce"}},
	// last: with a second website the others would have to name theirs
	{"CreateWebsiteInputBody", "/api/websites", object{"name": "N"}},
}

// tried sends a value and reports whether that very property was refused, with the message.
func (s *server) tried(path string, base object, name string, value any) (string, bool) {
	s.t.Helper()
	body := object{name: value}
	for k, v := range base {
		if k != name {
			body[k] = v
		}
	}
	a := s.call(s.OrganizationAPIKey, http.MethodPost, path, body)
	faults, _ := a.json()["errors"].([]any)
	for _, f := range faults {
		if f.(object)["path"] == name {
			return f.(object)["message"].(string), true
		}
	}
	return a.body, false
}

func TestEnumerationsAndLengthsOfTheDocumentAreThoseThatRefuse(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		enums, lengths := 0, 0
		for _, b := range bodies {
			for name, p := range properties(t, b.component) {
				property := p.(object)
				if values, ok := property["enum"].([]any); ok {
					enums++
					s.enumeration(b.path, b.base, name, values)
				}
				if most, ok := property["maxLength"].(json.Number); ok && property["pattern"] == nil {
					lengths++
					s.length(b.path, b.base, name, property["format"], most)
				}
			}
		}
		if enums < 13 || lengths < 60 {
			t.Errorf("tried %d enumerations and %d lengths", enums, lengths)
		}
	})
}

func (s *server) enumeration(path string, base object, name string, values []any) {
	s.t.Helper()
	message, refused := s.tried(path, base, name, "nonsense")
	var texts []string
	for _, v := range values {
		if v == nil {
			continue
		}
		texts = append(texts, v.(string))
		if m, refused := s.tried(
			path,
			base,
			name,
			v,
		); refused && strings.Contains(m, "must be") &&
			!strings.Contains(m, "for a rule of type") {
			s.t.Errorf("%s: %v is refused: %s", name, v, m)
		}
	}
	want := name + " must be one of: " + strings.Join(texts, ", ")
	if name == "network" {
		want = "network must be a known network"
	}
	if !refused || message != want {
		s.t.Errorf("%s: got %q, want %q", name, message, want)
	}
}

func (s *server) length(path string, base object, name string, format any, limit json.Number) {
	s.t.Helper()
	most, err := limit.Int64()
	if err != nil {
		s.t.Fatal(err)
	}
	before, after := "", ""
	switch format {
	case "uri", "uri-reference":
		before = "https://shop.example/"
	case "email":
		after = "@shop.example"
	}
	of := func(n int64) string { return before + strings.Repeat("x", int(n)-len(before)-len(after)) + after }
	if m, refused := s.tried(path, base, name, of(most)); refused {
		s.t.Errorf("%s of %d characters: %s", name, most, m)
	}
	if m, refused := s.tried(
		path,
		base,
		name,
		of(most+1),
	); !refused ||
		format == nil && m != fmt.Sprintf("%s must be at most %d characters", name, most) {
		s.t.Errorf("%s of %d characters: %s", name, most+1, m)
	}
}

func TestNullIsTakenWhereTheDocumentSaysSo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("token_hold", nil)
		all := append([]tryable{{"WriteRuleBody", "/api/loyalty/rules/" + rule, object{}}}, bodies...)
		nullable, refusing := 0, 0
		for _, b := range all {
			for name := range properties(t, b.component) {
				if name == "organizationId" || name == "websiteId" || b.base[name] != nil && name == "walletAddress" {
					continue
				}
				d, _ := document()
				schema, err := d.at("components", "schemas", b.component, "properties", name)
				if err != nil {
					t.Fatal(err)
				}
				message, refused := s.tried(b.path, b.base, name, nil)
				declared := schema.Validate(nil) == nil
				if (b.path == "/api/websites" || name == "isDappRule") && !declared && !refused {
					continue // null is as good as what is there, and need not be said
				}
				switch {
				case declared == refused:
					t.Errorf("%s.%s: declared nullable %v, and null is answered with %s", b.component, name, declared, message)
				case declared:
					nullable++
				default:
					refusing++
				}
			}
		}
		if nullable < 100 || refusing < 20 {
			t.Errorf("null was taken %d times and refused %d times", nullable, refusing)
		}
	})
}
