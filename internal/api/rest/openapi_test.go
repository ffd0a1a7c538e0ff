package rest_test

import (
	"bytes"
	"encoding/json"
	"testing"
)

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
			{"Website", "id", `{"format":"uuid","pattern":"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$","type":"string"}`},
			{"Website", "onchainTokens", `{"items":{"additionalProperties":true,"type":"object"},"type":"array"}`},
			{"Website", "termsSignedAt", `{"format":"date-time","type":["string","null"]}`},
			{"Written", "amount", `{"format":"decimal","type":"number"}`},
			{"WriteEntry", "amount", `{"oneOf":[{"format":"decimal","type":"number"},{"format":"decimal","type":"string"}]}`},
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
