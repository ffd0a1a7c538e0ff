package catalog_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// TestMetadataIsAsTheDocumentSaysOrRefused sends values of wrong kinds at each place inside the metadata of rules that
// the OpenAPI document has a schema for. Each is refused below the property, or answered as the document says, which
// apptest checks of each answer.
func TestMetadataIsAsTheDocumentSaysOrRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		schemas := s.Call("", "GET", "/openapi.json", nil).JSON()["components"].(object)["schemas"].(object)
		typesOf := map[string]string{"RuleMetadata": "external_rule"} // by the component of their metadata
		for _, one := range schemas["RuleByType"].(object)["oneOf"].([]any) {
			rule := schemas[nameOf(one)].(object)["properties"].(object)
			if metadata, has := rule["metadata"].(object); has {
				typesOf[nameOf(metadata)] = rule["type"].(object)["enum"].([]any)[0].(string)
			}
		}
		sent := map[string]bool{}
		for _, component := range slices.Sorted(maps.Keys(typesOf)) {
			path := "/api/loyalty/rules/" + s.Rule(typesOf[component], nil)
			for name, schema := range schemas[component].(object)["properties"].(object) {
				if sent[name] || !isNested(schema.(object)) {
					continue
				}
				sent[name] = true
				for _, value := range wrongValues(schema.(object)) {
					got := s.Post(path, object{"metadata": object{name: value}})
					at := firstPath(got)
					if got.Status != 200 && (got.Status != 400 || at+"." != "metadata."+name+"." &&
						!strings.HasPrefix(at, "metadata."+name+".")) {
						text, _ := json.Marshal(value)
						t.Errorf("%s = %s: %d %s", name, text, got.Status, got.Body)
					}
				}
			}
		}
		if len(sent) < 12 {
			t.Errorf("the document has no more than %v", slices.Sorted(maps.Keys(sent)))
		}
	})
}

// nameOf returns the name of the component that a schema refers to.
func nameOf(schema any) string {
	ref := fmt.Sprint(schema.(object)["$ref"])
	return ref[strings.LastIndexByte(ref, '/')+1:]
}

// isNested reports whether values of the schema have parts.
func isNested(schema object) bool {
	return schema["items"] != nil || schema["properties"] != nil || schema["oneOf"] != nil
}

// wrongValues returns values of many kinds, and values that have one of them at one place inside and are right else.
func wrongValues(schema object) []any {
	out := []any{nil, true, 5, 1.5, "", "x", []any{}, []any{nil}, []any{"x"}, []any{[]any{}}, object{}, object{"x": 1}}
	forms, _ := schema["oneOf"].([]any)
	for _, form := range forms {
		out = append(out, wrongValues(form.(object))...)
	}
	if items, has := schema["items"].(object); has {
		for _, item := range wrongValues(items) {
			out = append(out, []any{item})
		}
	}
	right := rightValue(schema)
	properties, _ := schema["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		for _, value := range wrongValues(properties[name].(object)) {
			out = append(out, apptest.Over(right, object{name: value}))
		}
		shouted := object{strings.ToUpper(name): 5}
		out = append(out, shouted, apptest.Over(right, shouted))
	}
	return out
}

// rightValue returns an object that has all required properties.
func rightValue(schema object) object {
	out := object{}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		out[name.(string)] = "1" // a text, or a number in one
	}
	return out
}

// TestWrongMetadataIsNamedByItsPlace sends what earlier versions have stored, and the messages that it is refused with.
func TestWrongMetadataIsNamedByItsPlace(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, c := range []struct{ kind, metadata, message string }{
			{"swap", `{"swap":{"from":{"mode":""}}}`, "swap.from.mode must be one of: any, specific"},
			{"swap", `{"swap":{"from":{"trackAmount":""}}}`, "swap.from.trackAmount must be a boolean"},
			{"swap", `{"swap":{"to":{"tokens":[null]}}}`, "swap.to.tokens.0 must be an object"},
			{"swap", `{"swap":{"to":{"tokens":[{"chainId":{}}]}}}`, "swap.to.tokens.0.chainId must be a string or a number"},
			{
				"swap", `{"swap":{"from":{"trackAmount":true,"tokens":[{}]},"to":{"trackAmount":true,"tokens":[{}]}}}`,
				"swap.to.trackAmount may be set on one side only",
			},
			{"governance_vote", `{"governanceProposals":[null]}`, "governanceProposals.0 must be an object"},
			{
				"governance_vote", `{"governanceProposals":[{"id":true}]}`,
				"governanceProposals.0.id must be a string or a number",
			},
			{"external_rule", `{"cta":{"href":5}}`, "cta.href must be a string"},
			{"external_rule", `{"range":[{"startRange":1,"EndRange":2,"endRange":2}]}`, "range.0.EndRange must be spelled endRange"},
			{"token_hold", `{"collection":[{"address":5}]}`, "collection.0.address must be a string"},
			{"smart_contract_event", `{"smartContract":{"params":[null]}}`, "smartContract.params.0 must be an object"},
			{"code_entry", `{"checkText":[null]}`, "checkText.0 must be a string"},
		} {
			body := object{"name": "N", "type": c.kind, "amount": 1, "metadata": json.RawMessage(c.metadata)}
			s.Post("/api/loyalty/rules", body).Refused(400, "metadata."+c.message)
		}
	})
}
