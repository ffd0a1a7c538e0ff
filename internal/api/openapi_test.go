package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laurel/internal/api"
)

var update = flag.Bool("update", false, "write openapi.json anew")

// document is the file at the root of the project that clients are generated from.
var document = filepath.Join("..", "..", "openapi.json")

func TestDocumentIsTheOneInTheRepository(t *testing.T) {
	t.Parallel()
	got, err := api.Document()
	must(t, err)
	if *update {
		must(t, os.WriteFile(document, got, 0o644))
	}
	want, err := os.ReadFile(document)
	must(t, err)
	if !bytes.Equal(got, want) {
		t.Fatal("openapi.json is not what the routes say; run go test ./internal/httpapi -run Document -update")
	}
	again, err := api.Document()
	must(t, err)
	if !bytes.Equal(got, again) {
		t.Fatal("the document differs from run to run")
	}
}

func TestDocumentTypesAnswersAsTheyAre(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		var doc struct {
			Paths      map[string]map[string]struct{ Responses map[string]any }
			Components struct {
				Schemas map[string]struct {
					Required   []string
					Properties map[string]json.RawMessage
				}
			}
		}
		must(s.T, json.Unmarshal([]byte(s.get("", "/openapi.json").body), &doc))
		for _, c := range []struct{ schema, property, want string }{
			{"Website", "homeUrl", `{"type":["string","null"]}`},
			{"Website", "id", `{"format":"uuid","pattern":"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$","patternDescription":"a uuid","type":"string"}`},
			{"Website", "onchainTokens", `{"items":{"additionalProperties":true,"type":"object"},"type":"array"}`},
			{"Website", "termsSignedAt", `{"format":"date-time","type":["string","null"]}`},
			{"Written", "amount", `{"format":"decimal","type":"number"}`},
			{"WriteEntry", "amount", `{"oneOf":[{"format":"decimal","type":"number"},{"format":"decimal","type":"string"}]}`},
			{"RuleBody", "amount", `{"format":"decimal","type":["number","null"]}`},
			{"RuleBody", "collections", `{"items":{"$ref":"#/components/schemas/Collection"},"type":["array","null"]}`},
			{"CompleteRuleInputBody", "rangeValue", `{"description":"Picks the tier of a rule with a range","oneOf":[{"format":"decimal","type":"number"},{"format":"decimal","type":"string"},{"type":"null"}]}`},
			{"CompleteRuleInputBody", "verifyOnly", `{"description":"true, as boolean or text: every check and no reward","oneOf":[{"type":"boolean"},{"type":"string"},{"type":"null"}]}`},
			{"CreateRuleBody", "claimType", `{"enum":["manual","auto",null],"type":["string","null"]}`},
			{"CreateRuleBody", "rewardType", `{"enum":["points","multiplier","badge","token"],"type":"string"}`},
			{"ListWebsite", "data", `{"items":{"$ref":"#/components/schemas/Website"},"type":"array"}`},
		} {
			var compact bytes.Buffer
			must(s.T, json.Compact(&compact, doc.Components.Schemas[c.schema].Properties[c.property]))
			s.equal(c.schema+"."+c.property+" "+compact.String(), c.schema+"."+c.property+" "+c.want)
		}
		for path, item := range doc.Paths {
			for method, op := range item {
				for _, status := range []string{"400", "403", "404", "429", "500", "503"} {
					if op.Responses[status] == nil {
						s.Errorf("%s %s does not tell of %s", method, path, status)
					}
				}
			}
		}
	})
}

func TestDocumentTellsOfEveryOperation(t *testing.T) {
	t.Parallel()
	text, err := api.Document()
	must(t, err)
	var doc struct {
		Paths map[string]map[string]struct {
			Description string
			Security    []map[string][]string
			RequestBody *struct {
				Content map[string]struct{ Example json.RawMessage }
			}
			Parameters []struct{ Name, Description string }
			Responses  map[string]struct{ Description string }
		}
		Components struct {
			Schemas map[string]struct{ Required []string }
		}
	}
	must(t, json.Unmarshal(text, &doc))
	for path, item := range doc.Paths {
		for method, op := range item {
			told, keys, _ := strings.Cut(op.Description, "API keys: ")
			if told == "" || op.RequestBody != nil && len(op.RequestBody.Content["application/json"].Example) == 0 {
				t.Errorf("%s %s has no note, or no example: %q", method, path, op.Description)
			}
			if token := len(op.Security) == 2 &&
				op.Security[1]["memberToken"] != nil; token != strings.Contains(
				keys,
				"client",
			) {
				t.Errorf("%s %s: %s, and a member token: %v", method, path, keys, token)
			}
			for _, p := range op.Parameters {
				if strings.HasPrefix(p.Name, "createdAt") && !strings.Contains(p.Description, "%2B") {
					t.Errorf("%s %s does not tell how %s is written", method, path, p.Name)
				}
			}
		}
	}
	if got := doc.Paths["/api/loyalty/rules/{id}/complete"]["post"].Responses["400"].Description; !strings.Contains(
		got,
		"message is Invalid request",
	) {
		t.Errorf("400 of a completion: %q", got)
	}
	for component, want := range map[string]string{
		"CreateRuleBody": "name,type", "WriteRuleBody": "", "CreateCurrencyBody": "decimals,name,symbol", "WriteCurrencyBody": "", "CreateGroupBody": "name", "WriteGroupBody": "",
		"Token": "userId,websiteId,expiresAt",
	} {
		if got := strings.Join(doc.Components.Schemas[component].Required, ","); got != want {
			t.Errorf("%s needs %q, want %q", component, got, want)
		}
	}
}
