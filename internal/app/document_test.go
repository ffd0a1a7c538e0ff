package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// properties returns the schemas of a component's properties.
func properties(t *testing.T, component string) object {
	t.Helper()
	d, err := apptest.Document()
	if err != nil {
		t.Fatal(err)
	}
	return d.Document["components"].(object)["schemas"].(object)[component].(object)["properties"].(object)
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
	{"CreateCollectionBody", "/api/website_collections", object{
		"name": "N", "collectionAddress": "0xc011ec7", "network": "base", "sortId": 1,
	}},
	{"CreateContractBody", "/api/contracts", object{
		"name": "N", "address": "0x00000000000000000000000000000000000c0113", "chainId": 1, "type": "custom",
	}},
	{"WriteMetadataInputBody", "/api/users/metadatas", object{"walletAddress": "0xa11ce"}},
	{"IssueTokenInputBody", "/api/users/tokens", object{"walletAddress": "0xa11ce"}},
	// last: with a second website the others would have to name theirs
	{"CreateWebsiteInputBody", "/api/websites", object{"name": "N"}},
}

// tried sends a value and reports whether that very property was refused, with the message.
func tried(s *apptest.Server, path string, base object, name string, value any) (string, bool) {
	s.T.Helper()
	body := object{name: value}
	for k, v := range base {
		if k != name {
			body[k] = v
		}
	}
	a := s.Call(s.OrganizationAPIKey, http.MethodPost, path, body)
	faults, _ := a.JSON()["errors"].([]any)
	for _, f := range faults {
		if f.(object)["path"] == name {
			return f.(object)["message"].(string), true
		}
	}
	return a.Body, false
}

func TestEnumerationsAndLengthsOfTheDocumentAreThoseThatRefuse(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		enums, lengths := 0, 0
		for _, b := range bodies {
			for name, p := range properties(t, b.component) {
				property := p.(object)
				if values, ok := property["enum"].([]any); ok {
					enums++
					enumeration(s, b.path, b.base, name, values)
				}
				if most, ok := property["maxLength"].(json.Number); ok && property["pattern"] == nil {
					lengths++
					length(s, b.path, b.base, name, property["format"], most)
				}
			}
		}
		if enums < 13 || lengths < 60 {
			t.Errorf("tried %d enumerations and %d lengths", enums, lengths)
		}
	})
}

func enumeration(s *apptest.Server, path string, base object, name string, values []any) {
	s.T.Helper()
	message, refused := tried(s, path, base, name, "nonsense")
	var texts []string
	for _, v := range values {
		if v == nil {
			continue
		}
		texts = append(texts, v.(string))
		if m, refused := tried(
			s,
			path,
			base,
			name,
			v,
		); refused && strings.Contains(m, "must be") &&
			!strings.Contains(m, "for a rule of type") {
			s.T.Errorf("%s: %v is refused: %s", name, v, m)
		}
	}
	want := name + " must be one of: " + strings.Join(texts, ", ")
	if name == "network" {
		want = "network must be a known network"
	}
	if !refused || message != want {
		s.T.Errorf("%s: got %q, want %q", name, message, want)
	}
}

func length(s *apptest.Server, path string, base object, name string, format any, limit json.Number) {
	s.T.Helper()
	most, err := limit.Int64()
	if err != nil {
		s.T.Fatal(err)
	}
	before, after := "", ""
	switch format {
	case "uri", "uri-reference":
		before = "https://shop.example/"
	case "email":
		after = "@shop.example"
	}
	of := func(n int64) string { return before + strings.Repeat("x", int(n)-len(before)-len(after)) + after }
	if m, refused := tried(s, path, base, name, of(most)); refused {
		s.T.Errorf("%s of %d characters: %s", name, most, m)
	}
	if m, refused := tried(
		s,
		path,
		base,
		name,
		of(most+1),
	); !refused ||
		format == nil && m != fmt.Sprintf("%s must be at most %d characters", name, most) {
		s.T.Errorf("%s of %d characters: %s", name, most+1, m)
	}
}

func TestNullIsTakenWhereTheDocumentSaysSo(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("token_hold", nil)
		all := append([]tryable{{"WriteRuleBody", "/api/loyalty/rules/" + rule, object{}}}, bodies...)
		nullable, refusing := 0, 0
		for _, b := range all {
			for name := range properties(t, b.component) {
				if name == "organizationId" || name == "websiteId" || b.base[name] != nil && name == "walletAddress" {
					continue
				}
				d, _ := apptest.Document()
				schema, err := d.At("components", "schemas", b.component, "properties", name)
				if err != nil {
					t.Fatal(err)
				}
				message, refused := tried(s, b.path, b.base, name, nil)
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
