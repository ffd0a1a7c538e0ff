package catalog_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
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
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ids := map[string]string{}
		for _, r := range []object{
			{"name": "plain"}, {"name": "hidden", "hideInUi": true}, {"name": "special", "isSpecial": true},
			{"name": "later", "startTime": apptest.Noon.Add(time.Hour)}, {"name": "shown later", "startTime": apptest.Noon.Add(time.Hour), "showBeforeStart": true},
			{"name": "ending", "endTime": apptest.Noon.Add(time.Hour)}, {"name": "address", "collectionAddress": apptest.Alice},
			{"name": "addresses", "collections": []object{{"address": apptest.Bob, "network": "polygon"}, {"address": "A_b%c", "network": "solana"}}},
			{"name": "gone"},
		} {
			ids[r["name"].(string)] = s.Rule("check_in", r)
		}
		s.Call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/rules/"+ids["gone"], nil).OK()
		s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": "Second"}).OK()
		rival := s.NewProgram("Rival")
		foreignRule := s.Call(rival.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rules", object{"name": "theirs", "type": "check_in"}).OK()["id"].(string)

		all := []string{"addresses", "address", "ending", "shown later", "later", "hidden", "plain"} // newest first
		check := func(key, query string, want ...string) {
			t.Helper()
			a := s.Call(key, http.MethodGet, "/api/loyalty/rules"+query, nil)
			if got := namesOf(a.Data()); !slices.Equal(got, want) || a.OK()["hasNextPage"] != false {
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
			check(key, "?loyaltyRuleId[]="+strings.ToUpper(ids["plain"])+"&loyaltyRuleId[]="+foreignRule, "plain")
			check(key, "?loyaltyRuleId="+foreignRule)
			check(key, "?loyaltyRuleGroupId="+apptest.UnknownID+","+foreignRule)
			check(key, "?allotedToUserId="+apptest.UnknownID)
			check(key, "?collectionAddress=0x"+strings.ToUpper(apptest.Alice[2:]), "address")
			check(key, "?collectionAddress="+apptest.Bob, "addresses")
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
		s.Clock.Set(apptest.Noon.Add(time.Hour))
		check(s.ClientAPIKey, "", "addresses", "address", "ending", "shown later", "later", "plain")
		check(s.WebsiteAPIKey, "?isActive=true", "addresses", "address", "shown later", "later", "hidden", "plain")
		check(s.WebsiteAPIKey, "?isActive=false", "ending")
	})
}

func TestRuleListsArePagedAndBounded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			s.Rule("check_in", object{"name": name})
		}
		rival := s.NewProgram("Rival")
		foreign := s.Call(rival.WebsiteAPIKey, http.MethodPost, "/api/loyalty/rules", object{"name": "theirs", "type": "check_in"}).OK()["id"].(string)
		var listed []string
		after := ""
		for page := 0; ; page++ {
			a := s.Get("/api/loyalty/rules?limit=2" + after)
			list := a.Data()
			listed = append(listed, namesOf(list)...)
			if page == 0 { // rows that come and go between pages
				s.Rule("check_in", object{"name": "new"})
				s.Call(s.WebsiteAPIKey, http.MethodDelete, "/api/loyalty/rules/"+list[1]["id"].(string), nil).OK()
			}
			if a.OK()["hasNextPage"] == false {
				break
			}
			after = "&startingAfter=" + list[len(list)-1]["id"].(string)
		}
		if strings.Join(listed, "") != "edcba" {
			t.Errorf("pages hold %v", listed)
		}
		for _, cursor := range []string{foreign, apptest.UnknownID, "00000000-0000-0000-0000-000000000000"} {
			refusal := s.Get("/api/loyalty/rules?startingAfter="+cursor).Refused(400, "startingAfter not found")
			apptest.SameFaults(t, cursor, refusal, []object{{"path": "startingAfter", "message": "startingAfter not found"}})
		}
		for query, message := range map[string]string{
			"limit=0": "limit must be between 1 and 100", "limit=101": "limit must be between 1 and 100", "limit=-1": "limit must be between 1 and 100",
			"limit=x": "limit must be a number", "limit=99999999999999999999": "limit must be between 1 and 100", "startingAfter=x": "startingAfter must be a uuid",
			"isActive=maybe": "isActive must be a boolean", "includeDeleted=2": "includeDeleted must be a boolean", "loyaltyRuleId=x": "loyaltyRuleId must be a uuid",
			"websiteId=x": "websiteId must be a uuid", "loyaltyRuleGroupId=" + strings.Repeat("x", 40): "loyaltyRuleGroupId must be a uuid",
		} {
			s.Get("/api/loyalty/rules?"+query).Refused(400, message)
		}
		refusal := s.Get("/api/loyalty/rules?limit=0&isActive=x&startingAfter=y")
		apptest.SameFaults(t, "several", refusal.JSON(), []object{
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
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("check_in", object{"interval": "unlimited"})
		user := s.Post("/api/users/metadatas", object{"walletAddress": apptest.Alice}).OK()["user"].(object)["id"]
		s.Post("/api/users/metadatas", object{"walletAddress": apptest.Bob}).OK()
		path := "/api/loyalty/rules/" + rule + "/complete"
		client := func(body object, token string) apptest.Response {
			if token == "" {
				return s.Call(s.ClientAPIKey, http.MethodPost, path, body)
			}
			return s.Call(s.ClientAPIKey, http.MethodPost, path, body, "Authorization", token)
		}
		own := "Bearer " + s.Token(apptest.Alice)
		client(object{"walletAddress": apptest.Alice}, "").Refused(403, "Member token is required")
		client(object{"walletAddress": "nobody at all"}, "").Refused(403, "Member token is required") // before any look-up
		client(object{"walletAddress": apptest.Bob}, own).Refused(403, "Member token does not belong to this user")
		client(object{"userId": apptest.UnknownID}, own).Refused(403, "Member token does not belong to this user")
		client(object{"userId": user, "walletAddress": apptest.Bob}, own).OK() // the id wins
		client(
			object{"walletAddress": "0x" + strings.ToUpper(apptest.Alice[2:])},
			"bearer "+strings.TrimPrefix(own, "Bearer "),
		).OK()
		for _, broken := range []string{"Bearer x", own + "x", "Basic " + strings.TrimPrefix(own, "Bearer ")} {
			if a := client(object{"walletAddress": apptest.Alice}, broken); a.Status != 403 {
				t.Errorf("%.20s…: %d %s", broken, a.Status, a.Body)
			}
		}
		rival := s.NewProgram("Rival")
		other := *s
		other.Program = rival
		other.Post("/api/users/metadatas", object{"walletAddress": apptest.Alice}).OK()
		if a := client(object{"walletAddress": apptest.Alice}, "Bearer "+other.Token(apptest.Alice)); a.Status != 403 {
			t.Errorf("a token of another website: %d %s", a.Status, a.Body)
		}
		s.Clock.Advance(2 * time.Hour)
		if a := client(object{"walletAddress": apptest.Alice}, own); a.Status != 403 {
			t.Errorf("an old token: %d %s", a.Status, a.Body)
		}
		if s.Balance(apptest.Alice) != "20" || s.Balance(apptest.Bob) != "" {
			t.Errorf("alice has %s, bob has %s", s.Balance(apptest.Alice), s.Balance(apptest.Bob))
		}
	})
}

func TestATrustingWebsiteAsksForNoToken(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": "Trusting", "trustClientUsers": true}).
			OK()
		website := made["id"].(string)
		key := s.ClientKey(website)
		currency := s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/loyalty/currencies",
			object{"websiteId": website, "name": "Coins", "symbol": "C", "decimals": 0}).OK()["id"]
		rule := func(kind string) string {
			return s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/loyalty/rules",
				object{"websiteId": website, "name": "R", "type": kind, "amount": 5, "loyaltyCurrencyId": currency}).OK()["id"].(string)
		}
		checkIn, external := rule("check_in"), rule("external_rule")
		s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/users/metadatas", object{"websiteId": website, "walletAddress": apptest.Alice}).
			OK()
		complete := func(rule string, body object) apptest.Response {
			return s.Call(key, http.MethodPost, "/api/loyalty/rules/"+rule+"/complete", body)
		}
		complete(checkIn, object{"walletAddress": apptest.Alice}).OK()
		complete(checkIn, object{"walletAddress": apptest.Bob}).Refused(404, "User not found") // trust makes no users
		complete(external, object{"walletAddress": apptest.Alice}).Refused(
			403,
			"API key is not allowed to perform this operation",
		)
		complete(
			checkIn,
			object{"walletAddress": apptest.Alice, "amount": 5},
		).Refused(400, "Only external rules can have amount override")
		// of a sibling website
		complete(s.Rule("check_in", nil), object{"walletAddress": apptest.Alice}).Refused(404, "Loyalty rule not found")
	})
}
