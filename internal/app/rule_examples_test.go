package app_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/rules/schema"
)

// ruleExample matches an example in JSON, and the heading before it: a rule type.
var ruleExample = regexp.MustCompile("(?ms)^### (\\w+)\n|^```json\n(.*?\n)```\n")

// ruleExamples returns the examples of docs/contract/rule-examples.md by rule type.
func ruleExamples(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile("../../docs/contract/rule-examples.md")
	if err != nil {
		t.Fatal(err)
	}
	found, ruleType := map[string]string{}, ""
	for _, part := range ruleExample.FindAllStringSubmatch(string(page), -1) {
		if part[1] != "" {
			ruleType = part[1]
			continue
		}
		if found[ruleType] != "" {
			t.Errorf("%s has two examples", ruleType)
		}
		found[ruleType] = part[2]
	}
	return found
}

// Each rule type has an example in the docs. A server takes it as it stands, and knows each property of it.
func TestTheDocsHaveAnExampleOfEachRuleTypeThatServersTake(t *testing.T) {
	t.Parallel()
	examples := ruleExamples(t)
	for name := range examples {
		if !schema.Type(name).IsKnown() {
			t.Errorf("%s is no rule type", name)
		}
	}
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ids := strings.NewReplacer("FUNCTION_ID", s.CreateFunction(), "CONTRACT_ID", s.RegisterContract())
		for _, ruleType := range schema.Types() {
			var body object
			if err := json.Unmarshal([]byte(ids.Replace(examples[string(ruleType)])), &body); err != nil {
				t.Errorf("docs/contract/rule-examples.md has no example of %s: %v", ruleType, err)
				continue
			}
			got := s.Call(s.WebsiteAPIKey, "POST", "/api/loyalty/rules", body, "Prefer", "handling=strict")
			if got.Status != 200 || body["type"] != string(ruleType) {
				t.Errorf("%s: status %d, %s", ruleType, got.Status, got.Body)
			}
			metadata, _ := body["metadata"].(object)
			for name := range metadata {
				if !slices.Contains(inNoForm, name) && !slices.ContainsFunc(schema.FieldsOf(ruleType), isOf("metadata."+name)) {
					t.Errorf("%s: rules of this type have no metadata.%s", ruleType, name)
				}
			}
		}
	})
}

// inNoForm are properties of the metadata that only callers of the API set.
var inNoForm = []string{"chatServersToJoin", "swap"}

// isOf returns whether a field is a property, or stands within it.
func isOf(path string) func(schema.Field) bool {
	return func(f schema.Field) bool { return f.Path == path || strings.HasPrefix(f.Path, path+".") }
}
