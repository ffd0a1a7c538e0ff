package app_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestUsersAreCounted(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		count := func(key, query string) string {
			t.Helper()
			return fmt.Sprint(s.Call(key, "GET", "/api/users/count"+query, nil).OK()["totalCount"])
		}
		if got := count(s.WebsiteAPIKey, ""); got != "0" {
			t.Errorf("an empty website has %s users", got)
		}
		s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Alice}).OK()
		s.Transact(apptest.Points(apptest.Alice, 1), apptest.Points(apptest.Bob, 1)).OK()
		s.Post("/api/users/tokens", object{"walletAddress": apptest.Wallet(3)}).OK() // neither metadata nor an account
		for _, key := range []string{s.WebsiteAPIKey, s.ReadOnlyAPIKey, s.ClientAPIKey} {
			if got := count(key, ""); got != "2" {
				t.Errorf("%.6s counts %s users, the list has %d", key, got, s.Count("/api/users"))
			}
		}
		site := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Second"}).OK()["id"].(string)
		if got := count(s.OrganizationAPIKey, "?websiteId="+site); got != "0" {
			t.Errorf("another website has %s users", got)
		}
		if got := count(s.OrganizationAPIKey, ""); got != "3" {
			t.Errorf("the organization has %s users", got)
		}
	})
}

func TestMetadataIsListedSearchedAndRead(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for i, body := range []object{
			{"displayName": "Älice", "emailAddress": "first@acme.example", "externalIdentifier": "CRM-1"},
			{"microblogUser": "bob_micro", "gameLauncherUsername": "Bobby", "bio": "not a name: älice"},
			{"webAccountUser": "carol"},
		} {
			body["walletAddress"] = apptest.Wallet(i + 1)
			s.Post(apptest.MetadatasPath, body).OK()
		}
		find := func(key, query string) string {
			t.Helper()
			var found []string
			for _, m := range s.Call(key, "GET", apptest.MetadatasPath+"?"+query, nil).Data() {
				wallet := m["user"].(object)["walletAddress"].(string)
				found = append(found, strings.TrimLeft(wallet[2:], "0"))
			}
			return strings.Join(found, " ")
		}
		first, third := strings.TrimLeft(apptest.Wallet(1)[2:], "0"), strings.TrimLeft(apptest.Wallet(3)[2:], "0")
		second := strings.TrimLeft(apptest.Wallet(2)[2:], "0")
		user := s.UserOf(apptest.Wallet(2))
		for query, want := range map[string]string{
			"":                                     third + " " + second + " " + first, // newest first
			"limit=2":                              third + " " + second,
			"userSearch=%C3%84LI":                  first, // folded, and no bio
			"userSearch=MICRO":                     second,
			"userSearch=bobb":                      second,
			"userSearch=arol":                      third,
			"userSearch=crm-":                      first,
			"userSearch=nobody":                    "",
			"userSearch=first@":                    first,
			"userSearch=" + apptest.Wallet(3)[30:]: third,
			"userSearch=o&limit=1":                 third,
			"externalIdentifier=crm-1":             first,
			"externalIdentifier=crm":               "",
			"userId=" + user:                       second,
			"walletAddress=" + apptest.Wallet(2):   second,
			"userId=" + user + "&userSearch=carol": "",
		} {
			for _, key := range []string{s.OrganizationAPIKey, s.WebsiteAPIKey} {
				if got := find(key, query); got != want {
					t.Errorf("%s finds %q, want %q", query, got, want)
				}
			}
		}
		if got := find(s.ReadOnlyAPIKey, "userSearch=first@"); got != "" {
			t.Errorf("a read-only key finds %s by its e-mail address", got)
		}
		page := s.Get(apptest.MetadatasPath + "?limit=1&userSearch=ar").OK()
		if page["hasNextPage"] != false || len(page["data"].([]any)) != 1 {
			t.Errorf("the last page of a search: %v", page)
		}
		all := s.Get(apptest.MetadatasPath).Data()
		next := s.Get(apptest.MetadatasPath + "?limit=1&startingAfter=" + all[0]["id"].(string)).OK()
		if next["hasNextPage"] != true || next["data"].([]any)[0].(object)["id"] != all[1]["id"] {
			t.Errorf("the second page: %v", next)
		}
		s.Get(apptest.MetadatasPath+"?startingAfter="+apptest.UnknownID).Refused(400, "startingAfter not found")
		for _, m := range all {
			if got := s.Get(apptest.MetadatasPath + "/" + m["id"].(string)).OK(); !reflect.DeepEqual(got, m) {
				t.Errorf("read as %v, listed as %v", got, m)
			}
		}
		hidden := s.Call(s.ReadOnlyAPIKey, "GET", apptest.MetadatasPath+"/"+all[2]["id"].(string), nil).OK()
		if hidden["emailAddress"] != nil || hidden["displayName"] != "Älice" {
			t.Errorf("a read-only key reads %v", hidden)
		}
		s.Get(apptest.MetadatasPath+"/"+apptest.UnknownID).Refused(404, "User metadata not found")
	})
}

func TestAMemberReadsItself(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 7), apptest.Points(apptest.Bob, 9)).OK()
		for _, wallet := range []string{apptest.Alice, apptest.Bob, "cust_1001"} {
			s.Post(apptest.MetadatasPath, object{"walletAddress": wallet, "userGroupExternalIdentifier": "family"}).OK()
		}
		me := func(token string) apptest.Response {
			return s.Call(s.ClientAPIKey, "GET", "/api/users/me", nil, "Authorization", "Bearer "+token)
		}
		got := me(s.Token(apptest.Alice)).OK()
		account := got["accounts"].([]any)[0].(object)
		if got["id"] != s.UserOf(apptest.Alice) || len(got["accounts"].([]any)) != 1 ||
			account["loyaltyCurrencyId"] != s.LoyaltyCurrencyID.String() || account["amount"] != apptest.JSONNumber("7") ||
			account["rank"] != apptest.JSONNumber("2") || len(got["userMetadata"].([]any)) != 1 {
			t.Errorf("alice is %v", got)
		}
		group := got["userGroup"].(object)
		users := group["users"].([]any)
		if group["externalIdentifier"] != "family" || len(users) != 3 || users[0].(object)["walletAddress"] != apptest.Alice ||
			users[1].(object)["walletAddress"] != apptest.Bob || users[2].(object)["walletAddress"] != nil {
			t.Errorf("the group of alice is %v", group)
		}
		fresh := me(s.Token(apptest.Wallet(5))).OK() // with neither metadata nor an account
		if fresh["walletAddress"] != apptest.Wallet(5) || fresh["userGroup"] != nil || len(fresh["accounts"].([]any)) != 0 {
			t.Errorf("a new member is %v", fresh)
		}
		me("x").Refused(403, apptest.TokenMissing)
		s.Get("/api/users/me").Refused(403, "API key is not allowed to perform this operation")
	})
}

func TestAUserIsReadByItsID(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Alice, "emailAddress": "a@acme.example"}).OK()
		id := s.UserOf(apptest.Alice)
		for _, key := range []string{s.OrganizationAPIKey, s.WebsiteAPIKey, s.ReadOnlyAPIKey} {
			listed := s.Call(key, "GET", "/api/users", nil).Data()[0]
			if got := s.Call(key, "GET", "/api/users/"+id, nil).OK(); !reflect.DeepEqual(got, listed) {
				t.Errorf("read as %v, listed as %v", got, listed)
			}
		}
		s.Get("/api/users/"+apptest.UnknownID).Refused(404, "User not found")
		read := func(token string) apptest.Response {
			return s.Call(s.ClientAPIKey, "GET", "/api/users/"+id, nil, "Authorization", "Bearer "+token)
		}
		if got := read(s.Token(apptest.Alice)).OK(); got["id"] != id {
			t.Errorf("alice reads %v", got)
		}
		read(s.Token(apptest.Bob)).Refused(403, "Member token does not belong to this user")
	})
}
