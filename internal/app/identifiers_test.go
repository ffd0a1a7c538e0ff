package app_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
)

const (
	customer = "cust_1001"
	mail     = "zoe@example.com"
)

// identifiersIn collects every walletAddress of an answer, wherever it stands; null is "-".
func identifiersIn(a answer) []string {
	a.t.Helper()
	var value any
	if err := json.Unmarshal([]byte(a.body), &value); err != nil || a.status != 200 {
		a.t.Fatalf("status %d: %s", a.status, a.body)
	}
	found := []string{}
	var walk func(value any)
	walk = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case object:
			for name, item := range v {
				switch {
				case name == "walletAddress" && item == nil:
					found = append(found, "-")
				case name == "walletAddress":
					found = append(found, item.(string))
				default:
					walk(item)
				}
			}
		}
	}
	walk(value)
	slices.Sort(found)
	return slices.Compact(found)
}

func TestPublishableKeysSeeIdentifiersOfOthersOnlyWhereTheyAreAddresses(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		ids := map[string]string{}
		streak, referral := s.counting(nil), s.rule("referred_user", nil)
		for _, who := range []string{alice, customer, mail} {
			ids[who] = s.user(who, object{"externalIdentifier": "X-" + who, "userGroupExternalIdentifier": "home-" + who,
				"displayName": "D"})
			s.transact(points(who, 5)).ok()
			s.complete(streak, object{"walletAddress": who}).ok()
			s.post(multipliersPath, object{"walletAddress": who, "multiplier": 2}).ok()
		}
		s.refer(s.code(referral, customer), s.userOf("CRM-9"), ids[alice]).ok()
		s.refer(s.code(referral, mail), ids[customer]).ok()
		as := func(member, path string) answer {
			if member == "" {
				return s.call(s.ClientAPIKey, "GET", path, nil)
			}
			return s.call(s.ClientAPIKey, "GET", path, nil, s.speak(ids[member])...)
		}
		boards := []string{"/api/loyalty/accounts?x=",
			"/api/loyalty/accounts?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String(),
			"/api/loyalty/accounts?userId=" + ids[alice] + "," + ids[customer] + "," + ids[mail],
			"/api/loyalty/account_streaks?loyaltyRuleId=" + streak, multipliersPath + "?x="}
		for _, board := range boards {
			for member, want := range map[string]string{"": "- " + alice, alice: "- " + alice,
				customer: "- " + alice + " " + customer, mail: "- " + alice + " " + mail} {
				if got := strings.Join(identifiersIn(as(member, board)), " "); got != want {
					t.Errorf("%s with the token of %q shows %s, want %s", board, member, got, want)
				}
			}
			bad := identifiersIn(s.call(s.ClientAPIKey, "GET", board, nil, "Authorization", "Bearer x"))
			if got := strings.Join(bad, " "); got != "- "+alice {
				t.Errorf("%s with a bad token shows %s", board, got)
			}
			for _, key := range []string{s.WebsiteAPIKey, s.ReadOnlyAPIKey} {
				got := strings.Join(identifiersIn(s.call(key, "GET", board, nil)), " ")
				if strings.Replace(got, "CRM-9 ", "", 1) != alice+" "+customer+" "+mail {
					t.Errorf("%s through another key shows %s", board, got)
				}
			}
		}
		for path, want := range map[string]string{
			"/api/referral/users?userId=" + ids[customer]: "- " + alice,    // whom the member brought
			"/api/users?userId=" + ids[customer]:          "- " + customer, // and who brought the member
			entriesPath + "?userId=" + ids[customer]:      customer,
		} {
			if got := strings.Join(identifiersIn(as(customer, path)), " "); got != want {
				t.Errorf("%s shows %s, want %s", path, got, want)
			}
		}
	})
}

func TestFiltersOfPublishableKeysDoNotTellWhoseAnIdentifierIs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		ids := map[string]string{}
		streak := s.counting(nil)
		for _, who := range []string{alice, bob, customer, mail} {
			ids[who] = s.user(who, object{"externalIdentifier": "X-" + who, "userGroupExternalIdentifier": "home-" + who})
			s.transact(points(who, 5)).ok()
			s.complete(streak, object{"walletAddress": who}).ok()
			s.post(multipliersPath, object{"walletAddress": who, "multiplier": 2}).ok()
		}
		token := s.speak(ids[customer])
		for _, board := range []string{"/api/loyalty/accounts?", "/api/loyalty/account_streaks?loyaltyRuleId=" + streak + "&",
			multipliersPath + "?"} {
			read := func(filter string, headers ...string) answer {
				return s.call(s.ClientAPIKey, "GET", board+filter, nil, headers...)
			}
			for _, who := range []string{mail, "nobody@example.com", customer, alice + "," + mail} {
				read("walletAddress="+url.QueryEscape(who)).refused(403, "Member token is required")
			}
			for _, who := range []string{mail, "nobody@example.com", customer + "," + mail} {
				read("walletAddress="+url.QueryEscape(who), token...).refused(403, "Member token does not belong to this user")
			}
			for _, filter := range []string{"walletAddress=" + customer, "walletAddress=" + alice, "userId=" + ids[mail]} {
				if got := read(filter, token...); got.status != 200 || len(identifiersIn(got)) != 1 {
					t.Errorf("%s%s: %d %s", board, filter, got.status, got.body)
				}
			}
			if got := read("walletAddress=" + alice + "," + bob); len(identifiersIn(got)) != 2 {
				t.Errorf("%s: addresses may be asked for by anybody: %d %s", board, got.status, got.body)
			}
			for _, filter := range []string{"userGroupExternalIdentifier=home-" + url.QueryEscape(mail),
				"userGroupExternalIdentifier=nothing"} {
				read(filter, token...).refused(400, "userId or walletAddress is required")
				read(filter+"&userId="+ids[mail], token...).refused(403, "Member token does not belong to this user")
				if got := read(filter+"&userId="+ids[customer], token...); got.status != 200 || len(identifiersIn(got)) != 0 {
					t.Errorf("%s%s: %d %s", board, filter, got.status, got.body)
				}
			}
		}
		for _, external := range []string{"X-" + mail, "X-nobody"} {
			s.call(s.ClientAPIKey, "GET", "/api/loyalty/accounts?externalIdentifier="+url.QueryEscape(external), nil,
				token...).refused(400, "userId or walletAddress is required")
		}
		got := s.call(s.ReadOnlyAPIKey, "GET", "/api/loyalty/accounts?externalIdentifier=X-"+customer, nil).data()
		if len(got) != 1 {
			t.Errorf("a read-only key finds %v", got)
		}
	})
}

func TestATrustingWebsiteShowsIdentifiersToTheirOwnTokenAlone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		website := s.call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Trusting",
			"trustClientUsers": true}).ok()["id"].(string)
		key := s.clientKey(website)
		user := s.call(s.OrganizationAPIKey, "POST", "/api/users/metadatas", object{"websiteId": website,
			"walletAddress": customer}).ok()["userId"].(string)
		token := s.call(s.OrganizationAPIKey, "POST", "/api/users/tokens", object{"websiteId": website,
			"userId": user}).ok()["token"].(string)
		if got := identifiersIn(s.call(key, "GET", "/api/users?userId="+user, nil)); !slices.Equal(got, []string{"-"}) {
			t.Errorf("without a token: %v", got)
		}
		if got := identifiersIn(s.call(key, "GET", "/api/users?userId="+user, nil, "Authorization",
			"Bearer "+token)); !slices.Equal(got, []string{customer}) {
			t.Errorf("with its own token: %v", got)
		}
	})
}
