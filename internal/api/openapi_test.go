package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/api"
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
		t.Fatal("openapi.json is not what the routes say; run make openapi")
	}
	again, err := api.Document()
	must(t, err)
	if !bytes.Equal(got, again) {
		t.Fatal("the document differs from run to run")
	}
}

func TestDocumentTypesRulesAsTheyAre(t *testing.T) {
	t.Parallel()
	text, err := api.Document()
	must(t, err)
	var doc struct {
		Components struct {
			Schemas map[string]struct{ Properties map[string]json.RawMessage }
		}
	}
	must(t, json.Unmarshal(text, &doc))
	for _, c := range []struct{ schema, property, want string }{
		{"RuleBody", "amount", `{"format":"decimal","type":["number","null"]}`},
		{"RuleBody", "collections", `{"items":{"$ref":"#/components/schemas/Collection"},"type":["array","null"]}`},
		{"CompleteRuleInputBody", "rangeValue", `{"oneOf":[{"format":"decimal","type":"number"},{"format":"decimal","type":"string"},{"type":"null"}]}`},
		{"CompleteRuleInputBody", "verifyOnly", `{"oneOf":[{"type":"boolean"},{"type":"string"},{"type":"null"}]}`},
		{"CreateRuleBody", "claimType", `{"enum":["manual","auto",null],"type":["string","null"]}`},
		{"CreateRuleBody", "rewardType", `{"enum":["points","multiplier","badge","token"],"type":"string"}`},
	} {
		var schema map[string]any
		must(t, json.Unmarshal(doc.Components.Schemas[c.schema].Properties[c.property], &schema))
		delete(schema, "description")
		got, err := json.Marshal(schema)
		must(t, err)
		if string(got) != c.want {
			t.Errorf("%s.%s is %s, want %s", c.schema, c.property, got, c.want)
		}
	}
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
			note, keys, _ := strings.Cut(op.Description, "API keys: ")
			if note == "" || op.RequestBody != nil && len(op.RequestBody.Content["application/json"].Example) == 0 {
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
		"Token": "expiresAt,userId,websiteId",
	} {
		if got := strings.Join(doc.Components.Schemas[component].Required, ","); got != want {
			t.Errorf("%s needs %q, want %q", component, got, want)
		}
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The document has what records embed, too.
func TestDocumentHasWhatRecordsEmbed(t *testing.T) {
	t.Parallel()
	text, err := api.Document()
	must(t, err)
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any `json:"properties"`
				Required   []string       `json:"required"`
			} `json:"schemas"`
		} `json:"components"`
	}
	must(t, json.Unmarshal(text, &document))
	for name, wanted := range map[string]string{
		"Badge": "id name description imageUrl hideInUi loyaltyConditions rewards loyaltyRules dataJobs createdAt updatedAt " +
			"loyaltyBadgeUsers",
		"NewKey":          "id roleType name prefix allowedOrigins createdAt",
		"ReplayBody":      "id status progress loyaltyRuleId",
		"WholeTokenClaim": "id name contract merkleRoot totalAllocation walletAddress dataJob",
		"StoriedEvent":    "id attemptList",
		"ListedBadgeUser": "id userId websiteId organizationId loyaltyBadgeId status progress user createdAt updatedAt deletedAt",
	} {
		schema := document.Components.Schemas[name]
		for field := range strings.FieldsSeq(wanted) {
			if schema.Properties[field] == nil || !slices.Contains(schema.Required, field) {
				t.Errorf("%s of %s is missing", field, name)
			}
		}
	}
}
