package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// profile is every property that a caller may write, with a value (contract 3.5). Groups and block marks have tests of
// their own.
func profile() object {
	return object{
		"displayName":          "Alice",
		"bio":                  strings.Repeat("b", 10_000),
		"location":             "Rome",
		"portfolioUrl":         "https://alice.example",
		"logoUrl":              "https://alice.example/l.png",
		"externalIdentifier":   "CRM-1",
		"externalLoyaltyScore": "9.5",
		"emailAddress":         "Alice@example.com",
		"phoneNumber":          "+4915112345678",
		"microblogUser":        "alice_m",
		"microblogUserId":      "m1",
		"microblogFollowersCount": json.Number(
			"123",
		),
		"chatServerUser":         "alice_c",
		"chatServerUserId":       "c1",
		"messengerUserId":        "77",
		"messengerUsername":      "alice_g",
		"shortVideoUser":         "alice_s",
		"shortVideoUserId":       "s1",
		"videoPlatformChannelId": "v1",
		"webAccountUser":         "alice_w",
		"webAccountUserId":       "w1",
		"forumPlatformUser":      "alice_f",
		"forumPlatformUserId":    "f1",
		"codeHostUser":           "alice_h",
		"codeHostUserId":         "h1",
		"gameStoreUserId":        "g1",
		"gameStoreUsername":      "alice_gs",
		"gameLauncherAccountId":  "l1",
		"gameLauncherUsername":   "alice_l",
		"blockStatusReason":      "not_sybil",
		"sybilScore":             json.Number("0.5"),
		"internalNotes":          strings.Repeat("n", 10_000),
		"walletGroupIdentifier":  "label",
		"isBlockExempt":          true,
		"isBlocked":              false,
	}
}

// hidden are the properties that only secret keys see.
var hidden = []string{"emailAddress", "phoneNumber", "blockStatusReason", "sybilScore", "internalNotes"}

func TestMetadataIsKeptInFullAndHiddenFromOtherKeys(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		body := profile()
		body["walletAddress"] = apptest.Alice
		written := s.Post(apptest.MetadatasPath, body).OK()
		token := s.Post("/api/users/tokens", object{"walletAddress": apptest.Alice}).OK()["token"].(string)
		query := "/api/users?walletAddress=" + apptest.Alice
		for name, got := range map[string]object{
			"answer": written, "O": listedProfile(s.Call(s.OrganizationAPIKey, "GET", query, nil)), "W": listedProfile(s.Get(query)),
			"R": listedProfile(s.Call(s.ReadOnlyAPIKey, "GET", query, nil)), "C": listedProfile(s.Call(s.ClientAPIKey, "GET", query, nil, "Authorization", "Bearer "+token)),
		} {
			for field, want := range profile() {
				secret := name == "R" || name == "C"
				switch {
				case secret && strings.Contains(strings.Join(hidden, " "), field), name == "C" && field == "externalLoyaltyScore":
					want = nil
				case secret && field == "isBlockExempt":
					want = false
				}
				if value, there := got[field]; !there || value != want {
					t.Errorf("%s: %s is %.60v, want %.60v", name, field, value, want)
				}
			}
			for _, field := range []string{"emailVerifiedAt", "phoneVerifiedAt", "microblogVerifiedAt", "photoPlatformUser", "liveStreamUser", "userGroupId", "userGroup", "verifiedLocallyAt", "meta"} {
				if value, there := got[field]; !there || value != nil {
					t.Errorf("%s: %s is %v, want null", name, field, value)
				}
			}
			if got["user"].(object)["walletAddress"] != apptest.Alice || got["microblogVerifiedAccount"] != false || got["id"] == nil ||
				got["websiteId"] != s.WebsiteID.String() {
				t.Errorf("%s: %v", name, got)
			}
		}
		// Absent keeps, null clears, a value replaces.
		userID := written["userId"].(string)
		s.Post(apptest.MetadatasPath, object{"userId": userID, "displayName": "Alicia", "bio": nil, "microblogFollowersCount": 0, "location": ""}).
			OK()
		got := listedProfile(s.Get(query))
		for field, want := range profile() {
			switch field {
			case "displayName":
				want = "Alicia"
			case "bio":
				want = nil
			case "microblogFollowersCount":
				want = json.Number("0")
			case "location":
				want = ""
			}
			if got[field] != want {
				t.Errorf("after an update %s is %.60v, want %.60v", field, got[field], want)
			}
		}
		all := object{"userId": userID}
		for field := range profile() {
			if field != "isBlocked" && field != "isBlockExempt" {
				all[field] = nil
			}
		}
		cleared := s.Post(apptest.MetadatasPath, all).OK()
		for field := range all {
			if field != "userId" && cleared[field] != nil {
				t.Errorf("%s is not cleared: %v", field, cleared[field])
			}
		}
		if n := s.Count("/api/users"); n != 1 {
			t.Errorf("%d users", n)
		}
	})
}

// listedProfile returns the metadata of the one listed user.
func listedProfile(a apptest.Response) object {
	a.T.Helper()
	list := a.Data()
	if len(list) != 1 || len(list[0]["userMetadata"].([]any)) != 1 {
		a.T.Fatalf("users: %s", a.Body)
	}
	return list[0]["userMetadata"].([]any)[0].(object)
}

func TestBadMetadataIsRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for name, c := range map[string]struct {
			change  object
			message string
		}{
			"nobody":                {object{"walletAddress": nil}, "userId or walletAddress is required"},
			"user is no uuid":       {object{"userId": "alice"}, "userId must be a uuid"},
			"wallet is a number":    {object{"walletAddress": 5}, "walletAddress must be a string"},
			"long wallet":           {object{"walletAddress": strings.Repeat("w", 129)}, "walletAddress must be at most 128 characters"},
			"long name":             {object{"displayName": strings.Repeat("n", 1001)}, "displayName must be at most 1000 characters"},
			"long bio":              {object{"bio": strings.Repeat("n", 10_001)}, "bio must be at most 10000 characters"},
			"name is a number":      {object{"displayName": 5}, "displayName must be a string"},
			"name with NUL":         {object{"displayName": "a\x00"}, "displayName must not contain NUL characters"},
			"phone in words":        {object{"phoneNumber": "0151 1234"}, "phoneNumber must be in E.164 format"},
			"phone with leading 0":  {object{"phoneNumber": "+0151123456"}, "phoneNumber must be in E.164 format"},
			"phone too long":        {object{"phoneNumber": "+1234567890123456"}, "phoneNumber must be in E.164 format"},
			"followers in text":     {object{"microblogFollowersCount": "many"}, "microblogFollowersCount must be an integer"},
			"followers in halves":   {object{"microblogFollowersCount": 1.5}, "microblogFollowersCount must be an integer"},
			"blocked in text":       {object{"isBlocked": "yes"}, "isBlocked must be a boolean"},
			"unknown block reason":  {object{"blockStatusReason": "because"}, "blockStatusReason must be one of: sybil_and_multi_account, account_migration, abuse_manipulation, not_sybil, issue_resolved, microblog_suspended, other"},
			"score in text":         {object{"sybilScore": "high"}, "sybilScore must be a number"},
			"group is no uuid":      {object{"userGroupId": "family"}, "userGroupId must be a uuid"},
			"e-mail without domain": {object{"emailAddress": "alice"}, "emailAddress must be a valid email address"},
			"e-mail with a name":    {object{"emailAddress": "Alice <alice@example.com>"}, "emailAddress must be a valid email address"},
		} {
			body := object{"walletAddress": apptest.Alice}
			for k, v := range c.change {
				body[k] = v
			}
			if got := s.Post(apptest.MetadatasPath, body); got.Status != 400 || got.JSON()["message"] != c.message {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		s.Post(apptest.MetadatasPath, object{"userId": apptest.SecondUnknownID}).Refused(404, "User not found")
		s.Post(
			apptest.MetadatasPath,
			object{"walletAddress": apptest.Alice, "userGroupId": apptest.SecondUnknownID},
		).Refused(404, "User group not found")
		s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Alice, "websiteId": apptest.SecondUnknownID}).
			Refused(403, "API key does not have access to this website")
		s.Post(apptest.MetadatasPath, strings.Repeat(" ", 1<<20)+"{}").Refused(413, "Request body too large")
		s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Wallet(1), "chatServerUserId": "C1"}).OK()
		if got := s.Post(
			apptest.MetadatasPath,
			object{"walletAddress": apptest.Alice, "chatServerUserId": "c1"},
		); got.Status != 400 ||
			!strings.HasSuffix(got.JSON()["message"].(string), " account is already connected to another user") {
			t.Errorf("a held account: %d %s", got.Status, got.Body)
		}
		if n := s.Count("/api/users"); n != 1 {
			t.Errorf("refusals left %d users, want 1", n)
		}
	})
}

func TestUsersAreFoundExactlyAndWithoutCase(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		body := profile()
		body["walletAddress"], body["userGroupExternalIdentifier"] = apptest.Alice, "family"
		m := s.Post(apptest.MetadatasPath, body).OK()
		s.Transact(apptest.Points(apptest.Wallet(2), 1)).OK()
		find := func(field, value string) int {
			return s.Count("/api/users?" + field + "=" + strings.ReplaceAll(value, "+", "%2B"))
		}
		for _, field := range []string{"externalIdentifier", "emailAddress", "microblogUser", "chatServerUser", "messengerUserId", "messengerUsername", "shortVideoUser", "forumPlatformUser",
			"forumPlatformUserId", "gameStoreUserId", "gameStoreUsername", "codeHostUser", "phoneNumber"} {
			value := profile()[field].(string)
			for text, want := range map[string]int{value: 1, strings.ToUpper(value): 1, strings.ToLower(value): 1, value[:len(value)-1]: 0, value + "x": 0, value[:len(value)-1] + "%25": 0, "": 2} {
				if got := find(field, text); got != want {
					t.Errorf("%s=%s finds %d, want %d", field, text, got, want)
				}
			}
			for key, status := range map[string]int{s.ReadOnlyAPIKey: 200} {
				if field == "emailAddress" || field == "phoneNumber" {
					status = 403
				}
				if got := s.Call(
					key,
					"GET",
					"/api/users?"+field+"="+strings.ReplaceAll(value, "+", "%2B"),
					nil,
				); got.Status != status {
					t.Errorf("%s by a read-only key: %d %s", field, got.Status, got.Body)
				}
			}
		}
		for query, want := range map[string]int{"userId=" + m["userId"].(string): 1, "walletAddress=" + apptest.Alice + "," + apptest.Wallet(2): 2, "address=" + apptest.Wallet(2): 1, "address=" + apptest.Alice + "&walletAddress=" + apptest.Wallet(2): 2,
			"userGroupId=" + m["userGroupId"].(string): 1, "userGroupExternalIdentifier=family": 1, "userGroupExternalIdentifier=famil": 0, "userId=" + apptest.SecondUnknownID: 0,
			"userId=" + m["userId"].(string) + "&walletAddress=" + apptest.Wallet(2): 0, "limit=1": 1, "microblogUser=alice_m&chatServerUser=alice_c": 1, "microblogUser=alice_m&chatServerUser=bob": 0} {
			if got := s.Count("/api/users?" + query); got != want {
				t.Errorf("%s finds %d, want %d", query, got, want)
			}
		}
		list := s.Get("/api/users").Data()
		if list[0]["walletAddress"] != apptest.Wallet(2) || list[0]["temporaryLoyaltyUser"] != true || list[1]["temporaryLoyaltyUser"] != false || list[0]["isPlatformSuperAdmin"] != false ||
			list[0]["walletType"] != "evm" ||
			list[0]["notifications"] != nil ||
			len(list[0]["referrers"].([]any)) != 0 ||
			len(list[0]["websiteUserAttributes"].([]any)) != 0 {
			t.Errorf("users, newest first: %v", list)
		}
		if _, there := list[0]["delegationsFrom"]; there ||
			len(s.Get("/api/users?includeDelegation=true").Data()[0]["delegationsFrom"].([]any)) != 0 {
			t.Error("delegationsFrom is not answered on request only")
		}
	})
}

func TestPublishableKeysReadTheirOwnUserOnly(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ids := map[string]string{}
		for _, who := range []string{apptest.Alice, apptest.Wallet(2)} {
			ids[who] = s.Post(apptest.MetadatasPath, object{"walletAddress": who, "displayName": who}).OK()["userId"].(string)
			s.Transact(apptest.Points(who, 5)).OK()
		}
		token := s.Post("/api/users/tokens", object{"walletAddress": apptest.Alice}).OK()["token"].(string)
		read := func(path, token string) apptest.Response {
			return s.Call(s.ClientAPIKey, "GET", path, nil, "Authorization", token)
		}
		for _, path := range []string{"/api/users", apptest.EntriesPath} {
			for _, who := range []string{"walletAddress=" + apptest.Alice, "userId=" + ids[apptest.Alice], "userId=" + strings.ToUpper(ids[apptest.Alice])} {
				if got := read(path+"?"+who, "Bearer "+token).Data(); len(got) != 1 {
					t.Errorf("%s?%s lists %d", path, who, len(got))
				}
				for _, none := range []string{"", token, "Basic " + token, "Bearer ", "Bearer " + token[:len(token)-2], "Bearer x" + token, "Bearer " + strings.Replace(token, ".", "..", 1)} {
					read(path+"?"+who, none).Refused(403, "Member token is required")
				}
			}
			for _, who := range []string{"walletAddress=" + apptest.Wallet(2), "userId=" + ids[apptest.Wallet(2)], "userId=" + apptest.SecondUnknownID, "walletAddress=" + apptest.Wallet(3)} {
				read(path+"?"+who, "Bearer "+token).Refused(403, "Member token does not belong to this user")
			}
			for _, who := range []string{"", "userId=", "loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()} {
				if got := read(path+"?"+who, "Bearer "+token).Data(); len(got) != 1 {
					t.Errorf("%s?%s, by the token alone, lists %d", path, who, len(got))
				}
			}
			for _, who := range []string{"userId=" + ids[apptest.Alice] + "," + ids[apptest.Wallet(2)], "walletAddress=" + apptest.Alice + "&userId=" + ids[apptest.Wallet(2)]} {
				read(path+"?"+who, "Bearer "+token).Refused(400, "userId or walletAddress is required")
			}
		}
		read("/api/users?address="+apptest.Alice, "Bearer "+token).OK()
	})
}

func TestMemberTokensAreIssuedExpireAndAreRevoked(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for name, c := range map[string]struct {
			body    object
			message string
		}{
			"nobody":           {object{}, "userId or walletAddress is required"},
			"59 seconds":       {object{"walletAddress": apptest.Alice, "expiresInSeconds": 59}, "expiresInSeconds must be between 60 and 86400"},
			"more than a day":  {object{"walletAddress": apptest.Alice, "expiresInSeconds": 86401}, "expiresInSeconds must be between 60 and 86400"},
			"0 seconds":        {object{"walletAddress": apptest.Alice, "expiresInSeconds": 0}, "expiresInSeconds must be between 60 and 86400"},
			"a negative time":  {object{"walletAddress": apptest.Alice, "expiresInSeconds": -1}, "expiresInSeconds must be between 60 and 86400"},
			"an endless time":  {object{"walletAddress": apptest.Alice, "expiresInSeconds": json.Number("9223372036854775807")}, "expiresInSeconds must be between 60 and 86400"},
			"a time in text":   {object{"walletAddress": apptest.Alice, "expiresInSeconds": "60"}, "expiresInSeconds must be an integer"},
			"no uuid":          {object{"userId": "alice"}, "userId must be a uuid"},
			"a numeric wallet": {object{"walletAddress": 5}, "walletAddress must be a string"},
		} {
			if got := s.Post("/api/users/tokens", c.body); got.Status != 400 || got.JSON()["message"] != c.message {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		s.Post("/api/users/tokens", object{"userId": apptest.SecondUnknownID}).Refused(404, "User not found")
		s.Post("/api/users/tokens/revoke", object{"userId": apptest.SecondUnknownID}).Refused(404, "User not found")
		s.Post("/api/users/tokens/revoke", nil).Refused(400, "userId is required")
		s.Post("/api/users/tokens/revoke", object{"userId": "alice"}).Refused(400, "userId must be a uuid")
		if n := s.Count("/api/users"); n != 0 {
			t.Errorf("refusals left %d users", n)
		}

		s.Transact(apptest.Points(apptest.Alice, 1)).OK()
		issue := func(seconds any) object {
			return s.Post("/api/users/tokens", object{"walletAddress": apptest.Alice, "expiresInSeconds": seconds}).OK()
		}
		works := func(token object) bool {
			return s.Call(
				s.ClientAPIKey,
				"GET",
				apptest.EntriesPath+"?walletAddress="+apptest.Alice,
				nil,
				"Authorization",
				"bearer "+token["token"].(string),
			).Status == 200
		}
		minute, hour := issue(60), s.Post("/api/users/tokens", object{"walletAddress": apptest.Alice}).OK()
		expires, err := time.Parse(time.RFC3339, hour["expiresAt"].(string))
		if err != nil || expires.Sub(s.Clock.Now()).Round(time.Minute) != time.Hour ||
			hour["websiteId"] != s.WebsiteID.String() ||
			hour["userId"] == nil ||
			len(hour) != 4 {
			t.Errorf("token: %v", hour)
		}
		if !works(minute) || !works(hour) {
			t.Error("fresh tokens do not work")
		}
		s.Clock.Advance(61 * time.Second)
		if works(minute) || !works(hour) {
			t.Error("the short token works on, or the long one does not")
		}
		s.Clock.Set(expires)
		if works(hour) {
			t.Error("a token works at its end")
		}
		day := issue(86400)
		s.Post("/api/users/tokens/revoke", object{"userId": day["userId"]}).OK()
		if works(day) {
			t.Error("a revoked token works")
		}
		if later := issue(nil); !works(later) {
			t.Error("a token issued after the revocation does not work")
		}
		// A token is of one website, and is left out of replays.
		rival := *s
		rival.Program = s.NewProgram("Rival")
		rival.Transact(apptest.Points(apptest.Alice, 1)).OK()
		foreign := s.Call(
			rival.ClientAPIKey,
			"GET",
			apptest.EntriesPath+"?walletAddress="+apptest.Alice,
			nil,
			"Authorization",
			"Bearer "+issue(nil)["token"].(string),
		)
		foreign.Refused(403, "Member token is required")
		for i := range 2 {
			got := s.Call(s.WebsiteAPIKey, "POST", "/api/users/tokens", object{"walletAddress": apptest.Alice}, "Idempotency-Key", "token").
				OK()
			if _, there := got["token"]; there != (i == 0) || got["userId"] == nil {
				t.Errorf("call %d answers %v", i, got)
			}
		}
	})
}

func TestConcurrentMetadataOfANewWalletMakesOneUser(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				s.Post(apptest.MetadatasPath, object{"walletAddress": apptest.Alice, fmt.Sprintf("unknown%d", i): 1, "displayName": fmt.Sprint(i), "userGroupExternalIdentifier": "family"}).
					OK()
			})
		}
		wg.Wait()
		list := s.Get("/api/users").Data()
		if len(list) != 1 || len(list[0]["userMetadata"].([]any)) != 1 {
			t.Fatalf("users: %v", list)
		}
	})
}
