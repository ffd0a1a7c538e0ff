package app_test

import (
	"net/http"
	"testing"
)

// The Idempotency-Key of a publishable key, which everybody may know, belongs to the member whose token the request
// shows (contract 1.8.1).

const tokenMissing = "Member token is required"

func TestTheKeysOfMembersNeverMeet(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		path := "/api/loyalty/rules/" + s.rule("check_in", object{"interval": "unlimited"}) + "/complete"
		tokens := map[string]string{"": "", "forged": "Bearer a.b"}
		for _, wallet := range []string{alice, bob} {
			tokens[wallet] = "Bearer " + s.post("/api/users/tokens", object{"walletAddress": wallet}).ok()["token"].(string)
		}
		send := func(shown, named, key string) answer {
			return s.call(
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
		send("", alice, "order-1").refused(403, tokenMissing) // and takes no key
		first := send(alice, alice, "order-1")
		if first.status != 200 || first.header.Get("Idempotent-Replayed") != "" {
			t.Errorf("the first request: %d %s", first.status, first.body)
		}
		for _, stranger := range []string{"", "forged"} {
			send(stranger, alice, "order-1").refused(403, tokenMissing)
		}
		send(bob, alice, "order-1").refused(403, "Member token does not belong to this user")
		if again := send(
			alice,
			alice,
			"order-1",
		); again.body != first.body ||
			again.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the member's own repetition: %d %s", again.status, again.body)
		}
		for _, member := range []string{bob, alice} { // the same key, in turn
			if got := send(member, member, "order-2"); got.status != 200 || got.header.Get("Idempotent-Replayed") != "" {
				t.Errorf("%s met the key of somebody else: %d %s", member, got.status, got.body)
			}
		}
		if got := s.balance(alice) + " " + s.balance(bob); got != "20 10" {
			t.Errorf("balances %s, want 20 10", got)
		}
		s.post("/api/users/tokens/revoke", object{"walletAddress": alice, "userId": s.userOf(alice)}).ok()
		send(alice, alice, "order-1").refused(403, tokenMissing)
		s.call(s.ClientAPIKey, http.MethodPost, "/api/assets", object{"fileName": "a.png", "fileSize": 1, "filePath": "profiles"}, "Idempotency-Key", "a").
			refused(403, tokenMissing)
	})
}

func TestTheKeysOfATrustingWebsiteBelongToWhomTheBodyNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		website := s.call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": "Trusting", "trustClientUsers": true}).ok()["id"].(string)
		key := s.clientKey(website)
		currency := s.call(s.OrganizationAPIKey, http.MethodPost, "/api/loyalty/currencies",
			object{"websiteId": website, "name": "Coins", "symbol": "C", "decimals": 0}).ok()["id"]
		rule := s.call(s.OrganizationAPIKey, http.MethodPost, "/api/loyalty/rules",
			object{"websiteId": website, "name": "R", "type": "check_in", "interval": "unlimited", "amount": 5, "loyaltyCurrencyId": currency}).ok()["id"].(string)
		for _, wallet := range []string{alice, bob} {
			s.call(s.OrganizationAPIKey, http.MethodPost, "/api/users/metadatas", object{"websiteId": website, "walletAddress": wallet}).
				ok()
		}
		send := func(body object, replayed string) answer {
			got := s.call(key, http.MethodPost, "/api/loyalty/rules/"+rule+"/complete", body, "Idempotency-Key", "k")
			if got.header.Get("Idempotent-Replayed") != replayed {
				t.Errorf("%v: replayed %q, %d %s", body, got.header.Get("Idempotent-Replayed"), got.status, got.body)
			}
			return got
		}
		for _, replayed := range []string{"", "true"} {
			for _, wallet := range []string{alice, bob} {
				send(object{"walletAddress": wallet}, replayed).ok()
			}
		}
		send(
			object{"walletAddress": alice, "contentUrl": "https://example.com"},
			"",
		).refused(400, "Idempotency-Key was already used with a different request")
		send(object{}, "").refused(403, tokenMissing) // nobody is named whose key it could be
		send(object{"walletAddress": 5}, "").refused(403, tokenMissing)
		s.call(key, http.MethodPost, "/api/loyalty/rules/"+rule+"/complete", object{}).
			refused(400, "userId or walletAddress is required")
	})
}
