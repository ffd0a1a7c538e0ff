package app_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

const (
	customer = "cust_1001"
	mail     = "zoe@example.com"
)

// identifiersIn collects every walletAddress of an answer, wherever it stands; null is "-".
func identifiersIn(a apptest.Response) []string {
	a.T.Helper()
	var value any
	if err := json.Unmarshal([]byte(a.Body), &value); err != nil || a.Status != 200 {
		a.T.Fatalf("status %d: %s", a.Status, a.Body)
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
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ids := map[string]string{}
		streak, referral := s.CreateStreakRule(nil), s.Rule("referred_user", nil)
		for _, who := range []string{apptest.Alice, customer, mail} {
			ids[who] = s.User(who, object{"externalIdentifier": "X-" + who, "userGroupExternalIdentifier": "home-" + who,
				"displayName": "D"})
			s.Transact(apptest.Points(who, 5)).OK()
			s.Complete(streak, object{"walletAddress": who}).OK()
			s.Post(apptest.MultipliersPath, object{"walletAddress": who, "multiplier": 2}).OK()
		}
		s.Refer(s.ReferralCode(referral, customer), s.UserOf("CRM-9"), ids[apptest.Alice]).OK()
		s.Refer(s.ReferralCode(referral, mail), ids[customer]).OK()
		as := func(member, path string) apptest.Response {
			if member == "" {
				return s.Call(s.ClientAPIKey, "GET", path, nil)
			}
			return s.Call(s.ClientAPIKey, "GET", path, nil, s.MemberTokenHeaders(ids[member])...)
		}
		boards := []string{"/api/loyalty/accounts?x=",
			"/api/loyalty/accounts?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String(),
			"/api/loyalty/accounts?userId=" + ids[apptest.Alice] + "," + ids[customer] + "," + ids[mail],
			"/api/loyalty/account_streaks?loyaltyRuleId=" + streak, apptest.MultipliersPath + "?x="}
		for _, board := range boards {
			for member, want := range map[string]string{"": "- " + apptest.Alice, apptest.Alice: "- " + apptest.Alice,
				customer: "- " + apptest.Alice + " " + customer, mail: "- " + apptest.Alice + " " + mail} {
				if got := strings.Join(identifiersIn(as(member, board)), " "); got != want {
					t.Errorf("%s with the token of %q shows %s, want %s", board, member, got, want)
				}
			}
			bad := identifiersIn(s.Call(s.ClientAPIKey, "GET", board, nil, "Authorization", "Bearer x"))
			if got := strings.Join(bad, " "); got != "- "+apptest.Alice {
				t.Errorf("%s with a bad token shows %s", board, got)
			}
			for _, key := range []string{s.WebsiteAPIKey, s.ReadOnlyAPIKey} {
				got := strings.Join(identifiersIn(s.Call(key, "GET", board, nil)), " ")
				if strings.Replace(got, "CRM-9 ", "", 1) != apptest.Alice+" "+customer+" "+mail {
					t.Errorf("%s through another key shows %s", board, got)
				}
			}
		}
		for path, want := range map[string]string{
			"/api/referral/users?userId=" + ids[customer]:    "- " + apptest.Alice, // whom the member brought
			"/api/users?userId=" + ids[customer]:             "- " + customer,      // and who brought the member
			apptest.EntriesPath + "?userId=" + ids[customer]: customer,
		} {
			if got := strings.Join(identifiersIn(as(customer, path)), " "); got != want {
				t.Errorf("%s shows %s, want %s", path, got, want)
			}
		}
	})
}

func TestFiltersOfPublishableKeysDoNotTellWhoseAnIdentifierIs(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ids := map[string]string{}
		streak := s.CreateStreakRule(nil)
		for _, who := range []string{apptest.Alice, apptest.Bob, customer, mail} {
			ids[who] = s.User(who, object{"externalIdentifier": "X-" + who, "userGroupExternalIdentifier": "home-" + who})
			s.Transact(apptest.Points(who, 5)).OK()
			s.Complete(streak, object{"walletAddress": who}).OK()
			s.Post(apptest.MultipliersPath, object{"walletAddress": who, "multiplier": 2}).OK()
		}
		token := s.MemberTokenHeaders(ids[customer])
		for _, board := range []string{"/api/loyalty/accounts?", "/api/loyalty/account_streaks?loyaltyRuleId=" + streak + "&",
			apptest.MultipliersPath + "?"} {
			read := func(filter string, headers ...string) apptest.Response {
				return s.Call(s.ClientAPIKey, "GET", board+filter, nil, headers...)
			}
			for _, who := range []string{mail, "nobody@example.com", customer, apptest.Alice + "," + mail} {
				read("walletAddress="+url.QueryEscape(who)).Refused(403, "Member token is required")
			}
			for _, who := range []string{mail, "nobody@example.com", customer + "," + mail} {
				read("walletAddress="+url.QueryEscape(who), token...).Refused(403, "Member token does not belong to this user")
			}
			for _, filter := range []string{
				"walletAddress=" + customer,
				"walletAddress=" + apptest.Alice,
				"userId=" + ids[mail],
			} {
				if got := read(filter, token...); got.Status != 200 || len(identifiersIn(got)) != 1 {
					t.Errorf("%s%s: %d %s", board, filter, got.Status, got.Body)
				}
			}
			if got := read("walletAddress=" + apptest.Alice + "," + apptest.Bob); len(identifiersIn(got)) != 2 {
				t.Errorf("%s: addresses may be asked for by anybody: %d %s", board, got.Status, got.Body)
			}
			for _, filter := range []string{"userGroupExternalIdentifier=home-" + url.QueryEscape(mail),
				"userGroupExternalIdentifier=nothing"} {
				read(filter, token...).Refused(400, "userId or walletAddress is required")
				read(filter+"&userId="+ids[mail], token...).Refused(403, "Member token does not belong to this user")
				if got := read(filter+"&userId="+ids[customer], token...); got.Status != 200 || len(identifiersIn(got)) != 0 {
					t.Errorf("%s%s: %d %s", board, filter, got.Status, got.Body)
				}
			}
		}
		for _, external := range []string{"X-" + mail, "X-nobody"} {
			s.Call(s.ClientAPIKey, "GET", "/api/loyalty/accounts?externalIdentifier="+url.QueryEscape(external), nil,
				token...).Refused(400, "userId or walletAddress is required")
		}
		got := s.Call(s.ReadOnlyAPIKey, "GET", "/api/loyalty/accounts?externalIdentifier=X-"+customer, nil).Data()
		if len(got) != 1 {
			t.Errorf("a read-only key finds %v", got)
		}
	})
}

func TestATrustingWebsiteShowsIdentifiersToTheirOwnTokenAlone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		website := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Trusting",
			"trustClientUsers": true}).OK()["id"].(string)
		key := s.ClientKey(website)
		user := s.Call(s.OrganizationAPIKey, "POST", "/api/users/metadatas", object{"websiteId": website,
			"walletAddress": customer}).OK()["userId"].(string)
		token := s.Call(s.OrganizationAPIKey, "POST", "/api/users/tokens", object{"websiteId": website,
			"userId": user}).OK()["token"].(string)
		if got := identifiersIn(s.Call(key, "GET", "/api/users?userId="+user, nil)); !slices.Equal(got, []string{"-"}) {
			t.Errorf("without a token: %v", got)
		}
		if got := identifiersIn(s.Call(key, "GET", "/api/users?userId="+user, nil, "Authorization",
			"Bearer "+token)); !slices.Equal(got, []string{customer}) {
			t.Errorf("with its own token: %v", got)
		}
	})
}
