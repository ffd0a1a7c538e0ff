package app_test

import (
	"net/http"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// The Idempotency-Key of a publishable key, which everybody may know, belongs to the member whose token the request
// shows (contract 1.8.1).

func TestTheKeysOfMembersNeverMeet(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		path := "/api/loyalty/rules/" + s.Rule("check_in", object{"interval": "unlimited"}) + "/complete"
		tokens := map[string]string{"": "", "forged": "Bearer a.b"}
		for _, wallet := range []string{apptest.Alice, apptest.Bob} {
			tokens[wallet] = "Bearer " + s.Post("/api/users/tokens", object{"walletAddress": wallet}).OK()["token"].(string)
		}
		send := func(shown, named, key string) apptest.Response {
			return s.Call(
				s.ClientAPIKey,
				http.MethodPost,
				path,
				object{"walletAddress": named},
				"Idempotency-Key",
				key,
				"Authorization",
				tokens[shown],
			)
		}
		send("", apptest.Alice, "order-1").Refused(403, apptest.TokenMissing) // and takes no key
		first := send(apptest.Alice, apptest.Alice, "order-1")
		if first.Status != 200 || first.Header.Get("Idempotent-Replayed") != "" {
			t.Errorf("the first request: %d %s", first.Status, first.Body)
		}
		for _, stranger := range []string{"", "forged"} {
			send(stranger, apptest.Alice, "order-1").Refused(403, apptest.TokenMissing)
		}
		send(apptest.Bob, apptest.Alice, "order-1").Refused(403, "Member token does not belong to this user")
		if again := send(
			apptest.Alice,
			apptest.Alice,
			"order-1",
		); again.Body != first.Body ||
			again.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the member's own repetition: %d %s", again.Status, again.Body)
		}
		for _, member := range []string{apptest.Bob, apptest.Alice} { // the same key, in turn
			if got := send(member, member, "order-2"); got.Status != 200 || got.Header.Get("Idempotent-Replayed") != "" {
				t.Errorf("%s met the key of somebody else: %d %s", member, got.Status, got.Body)
			}
		}
		if got := s.Balance(apptest.Alice) + " " + s.Balance(apptest.Bob); got != "20 10" {
			t.Errorf("balances %s, want 20 10", got)
		}
		s.Post("/api/users/tokens/revoke", object{"walletAddress": apptest.Alice, "userId": s.UserOf(apptest.Alice)}).OK()
		send(apptest.Alice, apptest.Alice, "order-1").Refused(403, apptest.TokenMissing)
		s.Call(s.ClientAPIKey, http.MethodPost, "/api/assets", object{"fileName": "a.png", "fileSize": 1, "filePath": "profiles"}, "Idempotency-Key", "a").
			Refused(403, apptest.TokenMissing)
	})
}

func TestTheKeysOfATrustingWebsiteBelongToWhomTheBodyNames(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		website := s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": "Trusting", "trustClientUsers": true}).OK()["id"].(string)
		key := s.ClientKey(website)
		currency := s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/loyalty/currencies",
			object{"websiteId": website, "name": "Coins", "symbol": "C", "decimals": 0}).OK()["id"]
		rule := s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/loyalty/rules",
			object{"websiteId": website, "name": "R", "type": "check_in", "interval": "unlimited", "amount": 5, "loyaltyCurrencyId": currency}).OK()["id"].(string)
		for _, wallet := range []string{apptest.Alice, apptest.Bob} {
			s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/users/metadatas", object{"websiteId": website, "walletAddress": wallet}).
				OK()
		}
		send := func(body object, replayed string) apptest.Response {
			got := s.Call(key, http.MethodPost, "/api/loyalty/rules/"+rule+"/complete", body, "Idempotency-Key", "k")
			if got.Header.Get("Idempotent-Replayed") != replayed {
				t.Errorf("%v: replayed %q, %d %s", body, got.Header.Get("Idempotent-Replayed"), got.Status, got.Body)
			}
			return got
		}
		for _, replayed := range []string{"", "true"} {
			for _, wallet := range []string{apptest.Alice, apptest.Bob} {
				send(object{"walletAddress": wallet}, replayed).OK()
			}
		}
		send(
			object{"walletAddress": apptest.Alice, "contentUrl": "https://example.com"},
			"",
		).Refused(400, "Idempotency-Key was already used with a different request")
		send(object{}, "").Refused(403, apptest.TokenMissing) // nobody is named whose key it could be
		send(object{"walletAddress": 5}, "").Refused(403, apptest.TokenMissing)
		s.Call(key, http.MethodPost, "/api/loyalty/rules/"+rule+"/complete", object{}).
			Refused(400, "userId or walletAddress is required")
	})
}
