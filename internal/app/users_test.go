package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

const metadatasPath = "/api/users/metadatas"

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
	each(t, func(t *testing.T, s *server) {
		body := profile()
		body["walletAddress"] = alice
		written := s.post(metadatasPath, body).ok()
		token := s.post("/api/users/tokens", object{"walletAddress": alice}).ok()["token"].(string)
		query := "/api/users?walletAddress=" + alice
		for name, got := range map[string]object{
			"answer": written, "O": listedProfile(s.call(s.OrganizationAPIKey, "GET", query, nil)), "W": listedProfile(s.get(query)),
			"R": listedProfile(s.call(s.ReadOnlyAPIKey, "GET", query, nil)), "C": listedProfile(s.call(s.ClientAPIKey, "GET", query, nil, "Authorization", "Bearer "+token)),
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
			if got["user"].(object)["walletAddress"] != alice || got["microblogVerifiedAccount"] != false || got["id"] == nil ||
				got["websiteId"] != s.WebsiteID.String() {
				t.Errorf("%s: %v", name, got)
			}
		}
		// Absent keeps, null clears, a value replaces.
		userID := written["userId"].(string)
		s.post(metadatasPath, object{"userId": userID, "displayName": "Alicia", "bio": nil, "microblogFollowersCount": 0, "location": ""}).
			ok()
		got := listedProfile(s.get(query))
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
		cleared := s.post(metadatasPath, all).ok()
		for field := range all {
			if field != "userId" && cleared[field] != nil {
				t.Errorf("%s is not cleared: %v", field, cleared[field])
			}
		}
		if n := s.count("/api/users"); n != 1 {
			t.Errorf("%d users", n)
		}
	})
}

// listedProfile returns the metadata of the one listed user.
func listedProfile(a answer) object {
	a.t.Helper()
	list := a.data()
	if len(list) != 1 || len(list[0]["userMetadata"].([]any)) != 1 {
		a.t.Fatalf("users: %s", a.body)
	}
	return list[0]["userMetadata"].([]any)[0].(object)
}

func TestBadMetadataIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
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
			body := object{"walletAddress": alice}
			for k, v := range c.change {
				body[k] = v
			}
			if got := s.post(metadatasPath, body); got.status != 400 || got.json()["message"] != c.message {
				t.Errorf("%s: %d %s", name, got.status, got.body)
			}
		}
		s.post(metadatasPath, object{"userId": nobody}).refused(404, "User not found")
		s.post(metadatasPath, object{"walletAddress": alice, "userGroupId": nobody}).refused(404, "User group not found")
		s.post(metadatasPath, object{"walletAddress": alice, "websiteId": nobody}).
			refused(403, "API key does not have access to this website")
		s.post(metadatasPath, strings.Repeat(" ", 1<<20)+"{}").refused(413, "Request body too large")
		s.post(metadatasPath, object{"walletAddress": wallet(1), "chatServerUserId": "C1"}).ok()
		if got := s.post(
			metadatasPath,
			object{"walletAddress": alice, "chatServerUserId": "c1"},
		); got.status != 400 ||
			!strings.HasSuffix(got.json()["message"].(string), " account is already connected to another user") {
			t.Errorf("a held account: %d %s", got.status, got.body)
		}
		if n := s.count("/api/users"); n != 1 {
			t.Errorf("refusals left %d users, want 1", n)
		}
	})
}

func TestUsersAreFoundExactlyAndWithoutCase(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		body := profile()
		body["walletAddress"], body["userGroupExternalIdentifier"] = alice, "family"
		m := s.post(metadatasPath, body).ok()
		s.transact(points(wallet(2), 1)).ok()
		find := func(field, value string) int {
			return s.count("/api/users?" + field + "=" + strings.ReplaceAll(value, "+", "%2B"))
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
				if got := s.call(
					key,
					"GET",
					"/api/users?"+field+"="+strings.ReplaceAll(value, "+", "%2B"),
					nil,
				); got.status != status {
					t.Errorf("%s by a read-only key: %d %s", field, got.status, got.body)
				}
			}
		}
		for query, want := range map[string]int{"userId=" + m["userId"].(string): 1, "walletAddress=" + alice + "," + wallet(2): 2, "address=" + wallet(2): 1, "address=" + alice + "&walletAddress=" + wallet(2): 2,
			"userGroupId=" + m["userGroupId"].(string): 1, "userGroupExternalIdentifier=family": 1, "userGroupExternalIdentifier=famil": 0, "userId=" + nobody: 0,
			"userId=" + m["userId"].(string) + "&walletAddress=" + wallet(2): 0, "limit=1": 1, "microblogUser=alice_m&chatServerUser=alice_c": 1, "microblogUser=alice_m&chatServerUser=bob": 0} {
			if got := s.count("/api/users?" + query); got != want {
				t.Errorf("%s finds %d, want %d", query, got, want)
			}
		}
		list := s.get("/api/users").data()
		if list[0]["walletAddress"] != wallet(2) || list[0]["temporaryLoyaltyUser"] != true || list[1]["temporaryLoyaltyUser"] != false || list[0]["isPlatformSuperAdmin"] != false ||
			list[0]["walletType"] != "evm" ||
			list[0]["notifications"] != nil ||
			len(list[0]["referrers"].([]any)) != 0 ||
			len(list[0]["websiteUserAttributes"].([]any)) != 0 {
			t.Errorf("users, newest first: %v", list)
		}
		if _, there := list[0]["delegationsFrom"]; there ||
			len(s.get("/api/users?includeDelegation=true").data()[0]["delegationsFrom"].([]any)) != 0 {
			t.Error("delegationsFrom is not answered on request only")
		}
	})
}

func TestPublishableKeysReadTheirOwnUserOnly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		ids := map[string]string{}
		for _, who := range []string{alice, wallet(2)} {
			ids[who] = s.post(metadatasPath, object{"walletAddress": who, "displayName": who}).ok()["userId"].(string)
			s.transact(points(who, 5)).ok()
		}
		token := s.post("/api/users/tokens", object{"walletAddress": alice}).ok()["token"].(string)
		read := func(path, token string) answer {
			return s.call(s.ClientAPIKey, "GET", path, nil, "Authorization", token)
		}
		for _, path := range []string{"/api/users", entriesPath} {
			for _, who := range []string{"walletAddress=" + alice, "userId=" + ids[alice], "userId=" + strings.ToUpper(ids[alice])} {
				if got := read(path+"?"+who, "Bearer "+token).data(); len(got) != 1 {
					t.Errorf("%s?%s lists %d", path, who, len(got))
				}
				for _, none := range []string{"", token, "Basic " + token, "Bearer ", "Bearer " + token[:len(token)-2], "Bearer x" + token, "Bearer " + strings.Replace(token, ".", "..", 1)} {
					read(path+"?"+who, none).refused(403, "Member token is required")
				}
			}
			for _, who := range []string{"walletAddress=" + wallet(2), "userId=" + ids[wallet(2)], "userId=" + nobody, "walletAddress=" + wallet(3)} {
				read(path+"?"+who, "Bearer "+token).refused(403, "Member token does not belong to this user")
			}
			for _, who := range []string{"", "userId=", "userId=" + ids[alice] + "," + ids[wallet(2)], "walletAddress=" + alice + "&userId=" + ids[wallet(2)], "externalIdentifier=x", "loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()} {
				read(path+"?"+who, "Bearer "+token).refused(400, "userId or walletAddress is required")
			}
		}
		read("/api/users?address="+alice, "Bearer "+token).ok()
	})
}

func TestMemberTokensAreIssuedExpireAndAreRevoked(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for name, c := range map[string]struct {
			body    object
			message string
		}{
			"nobody":           {object{}, "userId or walletAddress is required"},
			"59 seconds":       {object{"walletAddress": alice, "expiresInSeconds": 59}, "expiresInSeconds must be between 60 and 86400"},
			"more than a day":  {object{"walletAddress": alice, "expiresInSeconds": 86401}, "expiresInSeconds must be between 60 and 86400"},
			"0 seconds":        {object{"walletAddress": alice, "expiresInSeconds": 0}, "expiresInSeconds must be between 60 and 86400"},
			"a negative time":  {object{"walletAddress": alice, "expiresInSeconds": -1}, "expiresInSeconds must be between 60 and 86400"},
			"an endless time":  {object{"walletAddress": alice, "expiresInSeconds": json.Number("9223372036854775807")}, "expiresInSeconds must be between 60 and 86400"},
			"a time in text":   {object{"walletAddress": alice, "expiresInSeconds": "60"}, "expiresInSeconds must be an integer"},
			"no uuid":          {object{"userId": "alice"}, "userId must be a uuid"},
			"a numeric wallet": {object{"walletAddress": 5}, "walletAddress must be a string"},
		} {
			if got := s.post("/api/users/tokens", c.body); got.status != 400 || got.json()["message"] != c.message {
				t.Errorf("%s: %d %s", name, got.status, got.body)
			}
		}
		s.post("/api/users/tokens", object{"userId": nobody}).refused(404, "User not found")
		s.post("/api/users/tokens/revoke", object{"userId": nobody}).refused(404, "User not found")
		s.post("/api/users/tokens/revoke", nil).refused(400, "userId is required")
		s.post("/api/users/tokens/revoke", object{"userId": "alice"}).refused(400, "userId must be a uuid")
		if n := s.count("/api/users"); n != 0 {
			t.Errorf("refusals left %d users", n)
		}

		s.transact(points(alice, 1)).ok()
		issue := func(seconds any) object {
			return s.post("/api/users/tokens", object{"walletAddress": alice, "expiresInSeconds": seconds}).ok()
		}
		works := func(token object) bool {
			return s.call(
				s.ClientAPIKey,
				"GET",
				entriesPath+"?walletAddress="+alice,
				nil,
				"Authorization",
				"bearer "+token["token"].(string),
			).status == 200
		}
		minute, hour := issue(60), s.post("/api/users/tokens", object{"walletAddress": alice}).ok()
		expires, err := time.Parse(time.RFC3339, hour["expiresAt"].(string))
		if err != nil || expires.Sub(s.clock.Now()).Round(time.Minute) != time.Hour ||
			hour["websiteId"] != s.WebsiteID.String() ||
			hour["userId"] == nil ||
			len(hour) != 4 {
			t.Errorf("token: %v", hour)
		}
		if !works(minute) || !works(hour) {
			t.Error("fresh tokens do not work")
		}
		s.clock.advance(61 * time.Second)
		if works(minute) || !works(hour) {
			t.Error("the short token works on, or the long one does not")
		}
		s.clock.set(expires)
		if works(hour) {
			t.Error("a token works at its end")
		}
		day := issue(86400)
		s.post("/api/users/tokens/revoke", object{"userId": day["userId"]}).ok()
		if works(day) {
			t.Error("a revoked token works")
		}
		if later := issue(nil); !works(later) {
			t.Error("a token issued after the revocation does not work")
		}
		// A token is of one website, and is left out of replays.
		rival := *s
		rival.Program = s.program("Rival")
		rival.transact(points(alice, 1)).ok()
		foreign := s.call(
			rival.ClientAPIKey,
			"GET",
			entriesPath+"?walletAddress="+alice,
			nil,
			"Authorization",
			"Bearer "+issue(nil)["token"].(string),
		)
		foreign.refused(403, "Member token is required")
		for i := range 2 {
			got := s.call(s.WebsiteAPIKey, "POST", "/api/users/tokens", object{"walletAddress": alice}, "Idempotency-Key", "token").
				ok()
			if _, there := got["token"]; there != (i == 0) || got["userId"] == nil {
				t.Errorf("call %d answers %v", i, got)
			}
		}
	})
}

func TestConcurrentMetadataOfANewWalletMakesOneUser(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		var wg sync.WaitGroup
		for i := range 16 {
			wg.Go(func() {
				s.post(metadatasPath, object{"walletAddress": alice, fmt.Sprintf("unknown%d", i): 1, "displayName": fmt.Sprint(i), "userGroupExternalIdentifier": "family"}).
					ok()
			})
		}
		wg.Wait()
		list := s.get("/api/users").data()
		if len(list) != 1 || len(list[0]["userMetadata"].([]any)) != 1 {
			t.Fatalf("users: %v", list)
		}
	})
}
