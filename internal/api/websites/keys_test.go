package websites_test

import (
	"reflect"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestKeysAreMadeShownOnceAndRevoked(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		body := apptest.Object{"roleType": laurel.RoleClient, "name": "Shop page", "allowedOrigins": []string{
			"https://shop.example", "https://SHOP.example:443",
		}, "expiresAt": "2026-02-01T00:00:00.000Z"}
		answer := s.Call(s.WebsiteAPIKey, "POST", "/api/api_keys", body, "Idempotency-Key", "k")
		made := answer.OK()
		key, id := made["key"].(string), made["id"].(string)
		wants := apptest.Object{
			"organizationId": s.OrganizationID.String(), "websiteId": s.WebsiteID.String(), "roleType": "WEBSITE_CLIENT_API_KEY",
			"name": "Shop page", "prefix": key[:12], "allowedOrigins": []any{"https://shop.example"},
			"expiresAt": "2026-02-01T00:00:00.000Z", "lastUsedAt": nil, "revokedAt": nil,
		}
		for field, want := range wants {
			if !reflect.DeepEqual(made[field], want) {
				t.Errorf("%s is %v, want %v", field, made[field], want)
			}
		}
		s.Call(key, "GET", "/api/loyalty/rules", nil).OK()
		again := s.Call(s.WebsiteAPIKey, "POST", "/api/api_keys", body, "Idempotency-Key", "k").OK()
		if again["id"] != id || again["key"] != nil {
			t.Errorf("a repetition got %v", again)
		}
		list := s.Get("/api/api_keys?limit=1").Data()
		if _, hasSecret := list[0]["key"]; list[0]["id"] != id || hasSecret {
			t.Errorf("listed as %v", list[0])
		}
		gone := s.Call(s.WebsiteAPIKey, "DELETE", "/api/api_keys/"+id, nil).OK()
		s.Call(key, "GET", "/api/loyalty/rules", nil).Refused(403, "Invalid API key")
		twice := s.Call(s.WebsiteAPIKey, "DELETE", "/api/api_keys/"+id, nil).OK()
		if gone["revokedAt"] == nil || twice["revokedAt"] != gone["revokedAt"] {
			t.Errorf("revoked %v, then %v", gone["revokedAt"], twice["revokedAt"])
		}
	})
}

func TestKeysAreThoseOfTheCallersReach(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		const (
			kinds = "ORGANIZATION_API_KEY, WEBSITE_API_KEY, WEBSITE_READ_ONLY_API_KEY, WEBSITE_CLIENT_API_KEY, STRATUS_API_KEY"
			never = "API key is not allowed to perform this operation"
		)
		key := func(more string) string { return `{"roleType":"WEBSITE_API_KEY","name":"x"` + more + `}` }
		for body, message := range map[string]string{
			`{"name":"x"}`: "roleType is required",
			`{"name":"x","roleType":"WEBSITE_ADMIN"}`:  "roleType must be one of: " + kinds,
			`{"roleType":"WEBSITE_API_KEY"}`:           "name is required",
			`{"roleType":"WEBSITE_API_KEY","name":""}`: "name is required",
			key(`,"allowedOrigins":["shop"]`):          "allowedOrigins.0 must be an origin, such as https://shop.example",
			key(`,"expiresAt":"2020-01-01T00:00:00Z"`): "expiresAt must be in the future",
			key(`,"expiresAt":"soon"`):                 "expiresAt must be an ISO 8601 date-time",
		} {
			s.Post("/api/api_keys", body).Refused(400, message)
		}
		if n := len(s.Get("/api/api_keys").Data()); n != 4 { // those that the website began with
			t.Errorf("%d keys after refusals", n)
		}
		s.Post("/api/api_keys", apptest.Object{"roleType": laurel.RoleOrganization, "name": "x"}).Refused(403, never)
		owner := s.Call(s.OrganizationAPIKey, "POST", "/api/api_keys", apptest.Object{
			"roleType": laurel.RoleOrganization, "name": "Operator",
		}).OK()
		s.Call(s.OrganizationAPIKey, "POST", "/api/api_keys", apptest.Object{
			"roleType": laurel.RoleOrganization, "name": "x", "websiteId": s.WebsiteID.String(),
		}).Refused(400, "websiteId does not go with ORGANIZATION_API_KEY: such a key is good for every website of its organization")
		if owner["websiteId"] != nil {
			t.Errorf("a key of the organization has a website: %v", owner)
		}
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/api_keys/"+owner["id"].(string), nil).Refused(404, "API key not found")
		rival := s.NewProgram("Rival")
		s.Call(rival.OrganizationAPIKey, "DELETE", "/api/api_keys/"+owner["id"].(string), nil).
			Refused(404, "API key not found")
		s.Call(owner["key"].(string), "DELETE", "/api/api_keys/"+owner["id"].(string), nil).OK()
	})
}
