package app_test

import (
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/webhooks"
)

// closed are query parameters that take words of a list, whether or not the document says so.
var closed = []string{"status", "loyaltyRuleType", "table"}

// TestUnknownWordsOfEnumerationsAreRefused sends a word that no list of words has to every parameter that takes one,
// and each of its own words. Whatever takes other texts is in names, with a text of its own.
func TestUnknownWordsOfEnumerationsAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		document := s.OpenAPI()
		acme := settle(s, called("acme"))
		checked := 0
		for _, op := range operations(s) {
			described := document["paths"].(object)[op.path].(object)[strings.ToLower(op.method)].(object)
			for _, p := range items(described["parameters"]) {
				name, _ := p.(object)["name"].(string)
				schema, _ := p.(object)["schema"].(object)
				if item, many := schema["items"].(object); many {
					schema = item
				}
				if p.(object)["in"] != "query" || schema["enum"] == nil && !slices.Contains(closed, name) {
					continue
				}
				checked++
				kind := op.visit.keys[min(1, len(op.visit.keys)-1)]
				words := wordsOf(schema)
				for i, word := range append(words, "Nonsense", strings.Join(words, "_")+"_") {
					v := acme.visit(op, kind)
					v.query.Set(name, word)
					got := v.send(acme.key(kind))
					refused := got.Status == 400 && strings.Contains(got.Body, name+" must be ")
					if known := i < len(words); refused == known {
						t.Errorf("%s %s, %s=%s: %d %.200s", op.method, op.path, name, word, got.Status, got.Body)
					}
				}
			}
		}
		if checked < 10 {
			t.Errorf("only %d enumerations were found", checked)
		}
	})
}

func wordsOf(schema object) (words []string) {
	for _, word := range items(schema["enum"]) {
		if text, ok := word.(string); ok {
			words = append(words, text)
		}
	}
	return words
}

// TestSubscriptionsAreListedByEveryTable: the words of the parameter are those that a subscription may name.
func TestSubscriptionsAreListedByEveryTable(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, table := range webhooks.TableNames() {
			made := s.Subscribe("", nil, table)["id"]
			found := s.Get("/api/stratus/subscriptions?table=" + table).Data()
			if len(found) != 1 || found[0]["id"] != made {
				t.Errorf("by %s: %v", table, found)
			}
		}
	})
}

// TestASubscriptionNamesItsTenant: no key implies it there (contract 1.3.3), as in the other five detailed operations.
func TestASubscriptionNamesItsTenant(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		whole := object{
			"name": "CRM", "organizationId": s.OrganizationID, "websiteId": s.WebsiteID,
			"platformSubscriptions": []any{object{"tableNames": []any{"User"}}},
		}
		for _, name := range []string{"organizationId", "websiteId"} {
			for _, key := range []string{s.WebsiteAPIKey, s.OrganizationAPIKey} {
				body := apptest.Over(whole, object{name: nil})
				s.Call(key, "POST", "/api/stratus/subscriptions", body).Refused(400, name+" is required")
				delete(body, name)
				s.Call(key, "POST", "/api/stratus/subscriptions", body).Refused(400, name+" is required")
				body[name] = apptest.SecondUnknownID // the tenant is judged after the form (contract 1.3.1)
				s.Call(key, "POST", "/api/stratus/subscriptions", apptest.Over(body, object{"name": 1})).
					Refused(400, "name must be a string")
				s.Call(key, "POST", "/api/stratus/subscriptions", body).
					Refused(403, "API key does not have access to this "+strings.TrimSuffix(name, "Id"))
			}
		}
		s.Post("/api/stratus/subscriptions", whole).OK()
		tenant := "organizationId=" + s.OrganizationID.String() + "&websiteId=" + s.WebsiteID.String()
		account := s.Get("/api/loyalty/accounts?userId=").Data()[0]["id"].(string)
		for path, needed := range map[string]string{
			"/api/loyalty/accounts/" + account + "/rank?" + tenant: "loyaltyCurrencyId",
			"/api/loyalty/accounts/" + account + "/rank?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String() + "&websiteId=" +
				s.WebsiteID.String(): "organizationId",
			"/api/loyalty/accounts/" + account + "/rank?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String() +
				"&organizationId=" + s.OrganizationID.String(): "websiteId",
			"/api/loyalty/rule_edits":  "loyaltyRuleId",
			"/api/website_collections": "websiteId",
		} {
			s.Get(path).Refused(400, needed+" is required")
		}
	})
}
