package app_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel"
	"laurel/internal/tenancy"
)

// namesOf returns the names of a list, in its order.
func namesOf(list []object) []string {
	out := []string{}
	for _, o := range list {
		out = append(out, o["name"].(string))
	}
	return out
}

func TestRulesAreListedByEveryFilter(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		ids := map[string]string{}
		for _, r := range []object{
			{"name": "plain"}, {"name": "hidden", "hideInUi": true}, {"name": "special", "isSpecial": true},
			{"name": "later", "startTime": noon.Add(time.Hour)}, {"name": "shown later", "startTime": noon.Add(time.Hour), "showBeforeStart": true},
			{"name": "ending", "endTime": noon.Add(time.Hour)}, {"name": "address", "collectionAddress": alice},
			{"name": "addresses", "collections": []object{{"address": bob, "network": "polygon"}, {"address": "A_b%c", "network": "solana"}}},
			{"name": "gone"},
		} {
			ids[r["name"].(string)] = s.rule("check_in", r)
		}
		s.call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/rules/"+ids["gone"], nil).ok()
		s.call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": "Second"}).ok()
		rival := s.program("Rival")
		theirs := s.call(rival.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rules", object{"name": "theirs", "type": "check_in"}).ok()["id"].(string)

		all := []string{"addresses", "address", "ending", "shown later", "later", "hidden", "plain"} // newest first
		check := func(key, query string, want ...string) {
			t.Helper()
			a := s.call(key, http.MethodGet, "/api/loyalty/rules"+query, nil)
			if got := namesOf(a.data()); !slices.Equal(got, want) || a.ok()["hasNextPage"] != false {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
		secret := []string{s.WebsiteAPIKey, s.OrganizationAPIKey, s.ReadOnlyAPIKey}
		for _, key := range secret {
			check(key, "", all...)
			check(key, "?isSpecial=false", all...)
			check(key, "?isSpecial=1", "special")
			check(key, "?isActive=true", "addresses", "address", "ending", "hidden", "plain")
			check(key, "?isActive=0", "shown later", "later")
			check(key, "?includeDeleted=TRUE", append([]string{"gone"}, all...)...)
			check(key, "?loyaltyRuleId="+ids["plain"]+","+ids["hidden"], "hidden", "plain")
			check(key, "?loyaltyRuleId[]="+strings.ToUpper(ids["plain"])+"&loyaltyRuleId[]="+theirs, "plain")
			check(key, "?loyaltyRuleId="+theirs)
			check(key, "?loyaltyRuleGroupId="+unknownID+","+theirs)
			check(key, "?allotedToUserId="+unknownID)
			check(key, "?collectionAddress=0x"+strings.ToUpper(alice[2:]), "address")
			check(key, "?collectionAddress="+bob, "addresses")
			check(key, "?collectionAddress=A_b%25c", "addresses")
			check(key, "?collectionAddress=A_b")
			check(key, "?collectionAddress=a_b%25c")
			check(key, "?collectionAddress=%25")
			check(key, "?collectionAddress=AXb%25c")
			check(key, "?websiteId="+s.WebsiteID.String()+"&organizationId="+s.OrganizationID.String()+"&unheardOf=1", all...)
		}
		check(s.ClientAPIKey, "", "addresses", "address", "ending", "shown later", "plain")
		check(s.ClientAPIKey, "?isActive=false", "shown later")
		check(s.ClientAPIKey, "?loyaltyRuleId="+ids["hidden"]+","+ids["later"])
		check(rival.ClientAPIKey, "", "theirs")
		s.clock.set(noon.Add(time.Hour))
		check(s.ClientAPIKey, "", "addresses", "address", "ending", "shown later", "later", "plain")
		check(s.WebsiteAPIKey, "?isActive=true", "addresses", "address", "shown later", "later", "hidden", "plain")
		check(s.WebsiteAPIKey, "?isActive=false", "ending")
	})
}

func TestRuleListsArePagedAndBounded(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			s.rule("check_in", object{"name": name})
		}
		rival := s.program("Rival")
		foreign := s.call(rival.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rules", object{"name": "theirs", "type": "check_in"}).ok()["id"].(string)
		var seen []string
		after := ""
		for page := 0; ; page++ {
			a := s.get("/api/loyalty/rules?limit=2" + after)
			list := a.data()
			seen = append(seen, namesOf(list)...)
			if page == 0 { // rows that come and go between pages
				s.rule("check_in", object{"name": "new"})
				s.call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/rules/"+list[1]["id"].(string), nil).ok()
			}
			if a.ok()["hasNextPage"] == false {
				break
			}
			after = "&startingAfter=" + list[len(list)-1]["id"].(string)
		}
		if strings.Join(seen, "") != "edcba" {
			t.Errorf("pages hold %v", seen)
		}
		for _, cursor := range []string{foreign, unknownID, "00000000-0000-0000-0000-000000000000"} {
			refusal := s.get("/api/loyalty/rules?startingAfter="+cursor).refused(400, "startingAfter not found")
			sameFaults(t, cursor, refusal, []object{{"path": "startingAfter", "message": "startingAfter not found"}})
		}
		for query, message := range map[string]string{
			"limit=0": "limit must be between 1 and 100", "limit=101": "limit must be between 1 and 100", "limit=-1": "limit must be between 1 and 100",
			"limit=x": "limit must be a number", "limit=99999999999999999999": "limit must be between 1 and 100", "startingAfter=x": "startingAfter must be a uuid",
			"isActive=maybe": "isActive must be a boolean", "includeDeleted=2": "includeDeleted must be a boolean", "loyaltyRuleId=x": "loyaltyRuleId must be a uuid",
			"websiteId=x": "websiteId must be a uuid", "loyaltyRuleGroupId=" + strings.Repeat("x", 40): "loyaltyRuleGroupId must be a uuid",
		} {
			s.get("/api/loyalty/rules?"+query).refused(400, message)
		}
		refusal := s.get("/api/loyalty/rules?limit=0&isActive=x&startingAfter=y")
		sameFaults(t, "several", refusal.json(), []object{
			{"path": "limit", "message": "limit must be between 1 and 100"},
			{
				"path":    "isActive",
				"message": "isActive must be a boolean",
			},
			{"path": "startingAfter", "message": "startingAfter must be a uuid"},
		})
	})
}

// TestClientKeysActForWhomTheTokenNames is contract 1.2: a publishable key proves nothing about who sits in front of
// the browser.
func TestClientKeysActForWhomTheTokenNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("check_in", object{"interval": "unlimited"})
		user := s.post("/api/users/metadatas", object{"walletAddress": alice}).ok()["user"].(object)["id"]
		s.post("/api/users/metadatas", object{"walletAddress": bob}).ok()
		path := "/api/loyalty/rules/" + rule + "/complete"
		client := func(body object, token string) answer {
			if token == "" {
				return s.call(s.ClientAPIKey, http.MethodPost, path, body)
			}
			return s.call(s.ClientAPIKey, http.MethodPost, path, body, "Authorization", token)
		}
		own := "Bearer " + s.token(alice)
		client(object{"walletAddress": alice}, "").refused(403, "Member token is required")
		client(object{"walletAddress": "nobody at all"}, "").refused(403, "Member token is required") // before any look-up
		client(object{"walletAddress": bob}, own).refused(403, "Member token does not belong to this user")
		client(object{"userId": unknownID}, own).refused(403, "Member token does not belong to this user")
		client(object{"userId": user, "walletAddress": bob}, own).ok() // the id wins
		client(object{"walletAddress": "0x" + strings.ToUpper(alice[2:])}, "bearer "+strings.TrimPrefix(own, "Bearer ")).ok()
		for _, broken := range []string{"Bearer x", own + "x", "Basic " + strings.TrimPrefix(own, "Bearer ")} {
			if a := client(object{"walletAddress": alice}, broken); a.status != 403 {
				t.Errorf("%.20s…: %d %s", broken, a.status, a.body)
			}
		}
		rival := s.program("Rival")
		other := *s
		other.Program = rival
		other.post("/api/users/metadatas", object{"walletAddress": alice}).ok()
		if a := client(object{"walletAddress": alice}, "Bearer "+other.token(alice)); a.status != 403 {
			t.Errorf("a token of another website: %d %s", a.status, a.body)
		}
		s.clock.advance(2 * time.Hour)
		if a := client(object{"walletAddress": alice}, own); a.status != 403 {
			t.Errorf("an old token: %d %s", a.status, a.body)
		}
		if s.balance(alice) != "20" || s.balance(bob) != "" {
			t.Errorf("alice has %s, bob has %s", s.balance(alice), s.balance(bob))
		}
	})
}

// clientKey makes a publishable key of a further website.
func (s *server) clientKey(website string) string {
	s.t.Helper()
	id, err := laurel.ParseID(website)
	if err != nil {
		s.t.Fatal(err)
	}
	scope := laurel.Scope{OrganizationID: s.OrganizationID, Role: laurel.RoleOrganization}
	made, err := s.app.Tenancy.CreateKey(
		context.Background(),
		scope,
		tenancy.CreateKeyInput{Role: laurel.RoleClient, WebsiteID: id, Name: "client"},
	)
	if err != nil {
		s.t.Fatal(err)
	}
	return made.Key
}

func TestATrustingWebsiteAsksForNoToken(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		made := s.call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": "Trusting", "trustClientUsers": true}).
			ok()
		website := made["id"].(string)
		key := s.clientKey(website)
		currency := s.call(s.OrganizationAPIKey, http.MethodPost, "/api/loyalty/currencies",
			object{"websiteId": website, "name": "Coins", "symbol": "C", "decimals": 0}).ok()["id"]
		rule := func(kind string) string {
			return s.call(s.OrganizationAPIKey, http.MethodPost, "/api/loyalty/rules",
				object{"websiteId": website, "name": "R", "type": kind, "amount": 5, "loyaltyCurrencyId": currency}).ok()["id"].(string)
		}
		checkIn, external := rule("check_in"), rule("external_rule")
		s.call(s.OrganizationAPIKey, http.MethodPost, "/api/users/metadatas", object{"websiteId": website, "walletAddress": alice}).
			ok()
		complete := func(rule string, body object) answer {
			return s.call(key, http.MethodPost, "/api/loyalty/rules/"+rule+"/complete", body)
		}
		complete(checkIn, object{"walletAddress": alice}).ok()
		complete(checkIn, object{"walletAddress": bob}).refused(404, "User not found") // trust makes no users
		complete(external, object{"walletAddress": alice}).refused(403, "API key is not allowed to perform this operation")
		complete(
			checkIn,
			object{"walletAddress": alice, "amount": 5},
		).refused(400, "Only external rules can have amount override")
		// of a sibling website
		complete(s.rule("check_in", nil), object{"walletAddress": alice}).refused(404, "Loyalty rule not found")
	})
}
