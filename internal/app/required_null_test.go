package app_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// requiredIn walks a schema of the document: it returns the dotted paths of the required properties, and a body that
// has them all.
func requiredIn(t *testing.T, document object, schema object) (paths []string, body any) {
	t.Helper()
	if ref, ok := schema["$ref"].(string); ok {
		name := ref[strings.LastIndex(ref, "/")+1:]
		return requiredIn(t, document, document["components"].(object)["schemas"].(object)[name].(object))
	}
	if items, ok := schema["items"].(object); ok {
		inner, item := requiredIn(t, document, items)
		for _, p := range inner {
			paths = append(paths, "0."+p)
		}
		return paths, []any{item}
	}
	switch {
	case schema["type"] == "integer", schema["oneOf"] != nil: // an amount is a number or a text
		return nil, 1
	case schema["format"] == "uuid":
		return nil, apptest.UnknownID
	case schema["format"] == "date-time":
		return nil, apptest.Noon
	}
	properties, _ := schema["properties"].(object)
	if len(properties) == 0 {
		return nil, "x"
	}
	out := object{}
	required, _ := schema["required"].([]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		inner, value := requiredIn(t, document, properties[name].(object))
		if slices.Contains(required, any(name)) && !mayBeNull(properties[name].(object)) {
			paths = append(paths, name)
			out[name] = value
		}
		if len(inner) > 0 {
			out[name] = value
		}
		for _, p := range inner {
			paths = append(paths, name+"."+p)
		}
	}
	return paths, out
}

// mayBeNull reports whether the document lets null stand for a property.
func mayBeNull(schema object) bool {
	types, _ := schema["type"].([]any)
	return slices.Contains(types, any("null"))
}

// withNull returns a copy of the body with null at the path.
func withNull(t *testing.T, body any, path string) any {
	t.Helper()
	name, rest, deeper := strings.Cut(path, ".")
	switch b := body.(type) {
	case object:
		out := maps.Clone(b)
		if out[name] = nil; deeper {
			out[name] = withNull(t, b[name], rest)
		}
		return out
	case []any:
		return []any{withNull(t, b[0], rest)}
	}
	t.Fatalf("nothing at %s in %v", path, body)
	return nil
}

// TestANullIsNoValueOfARequiredProperty sends every required property of every body as null: it is missing, as if it
// were absent.
func TestANullIsNoValueOfARequiredProperty(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		document := s.Get("/openapi.json").OK()
		rule := s.Rule("check_in", nil)
		checked := 0
		for path, operations := range document["paths"].(object) {
			operation, _ := operations.(object)["post"].(object)
			request, _ := operation["requestBody"].(object)
			if request == nil {
				continue
			}
			schema := request["content"].(object)["application/json"].(object)["schema"].(object)
			paths, body := requiredIn(t, document, schema)
			for name, own := range map[string]string{"organizationId": s.OrganizationID.String(), "websiteId": s.WebsiteID.String()} {
				if slices.Contains(paths, name) { // a foreign tenant is refused before what is missing
					body.(object)[name] = own
				}
			}
			for _, name := range paths {
				checked++
				sent := withNull(t, body, name)
				a := s.Call(s.OrganizationAPIKey, "POST", strings.Replace(path, "{id}", rule, 1), sent)
				var refusal struct {
					Errors []struct{ Path, Message string }
				}
				if err := json.Unmarshal([]byte(a.Body), &refusal); err != nil || a.Status != 400 {
					t.Fatalf("%s %v: %d %s", path, sent, a.Status, a.Body)
				}
				var named []string
				for _, fault := range refusal.Errors {
					if fault.Path == name {
						named = append(named, fault.Message)
					}
				}
				if !slices.Equal(named, []string{name + " is required"}) {
					t.Errorf("%s with %s null: %q in %s", path, name, named, a.Body)
				}
			}
		}
		if checked < 12 {
			t.Errorf("only %d required properties were found", checked)
		}
		s.Post("/api/loyalty/rule_statuses", object{"loyaltyRuleId": nil, "walletAddress": "w", "progress": 1}).
			Refused(400, "loyaltyRuleId is required")
	})
}
