package badges_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestADeletedBadgeIsAnsweredAsItWas(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := s.CreateBadge(s.PointsReward(5), object{"rewardType": "multiplier", "multiplier": 2})
		path := apptest.BadgesPath + "/" + badge
		watching := s.CreateBadgeWith(object{"conditions": []object{{"type": "badge", "loyaltyBadgeIds": []string{badge}}}})
		s.RunBadgeJobs()
		for _, wallet := range []string{apptest.Alice, apptest.Bob} {
			s.GrantBadge(badge, wallet)
		}
		s.Post(path+"/reward", object{"walletAddress": apptest.Carol, "status": "inactive"}).OK()
		before := list(s, s.WebsiteAPIKey, "?badgeIds="+badge)[0]
		gone := s.Remove(path)
		for _, u := range append(before["loyaltyBadgeUsers"].([]any), gone["loyaltyBadgeUsers"].([]any)...) {
			delete(u.(object), "updatedAt")
		}
		for _, u := range before["loyaltyBadgeUsers"].([]any) {
			if u.(object)["status"] == "active" {
				u.(object)["status"] = "revoked"
			}
		}
		fields(t, "the answer", gone, before)
		if len(gone["loyaltyBadgeUsers"].([]any)) != 3 {
			t.Errorf("its users: %v", gone["loyaltyBadgeUsers"])
		}
		is(t, "multipliers", s.MultiplierValues(apptest.Alice))
		if s.Balance(apptest.Alice) != "5" {
			t.Error("its points are gone")
		}
		for _, call := range []apptest.Response{
			s.Call(s.WebsiteAPIKey, http.MethodDelete, path, nil), s.Post(path, object{"name": "N"}),
			s.Post(path+"/reward", object{"walletAddress": apptest.Alice}), s.Post(path+"/revoke", object{"walletAddress": apptest.Alice}),
		} {
			call.Refused(404, "Badge not found")
		}
		if got := list(s, s.WebsiteAPIKey, ""); len(got) != 1 || got[0]["id"] != watching {
			t.Errorf("the list has %v", got)
		}
		deleted := list(s, s.WebsiteAPIKey, "?includeDeleted=true&badgeIds="+badge)[0]
		if deleted["deletedAt"] == nil || len(deleted["loyaltyBadgeUsers"].([]any)) != 3 {
			t.Errorf("deleted, it is %v", deleted)
		}
		if _, there := list(s, s.WebsiteAPIKey, "?includeDeleted=true&badgeIds="+watching)[0]["deletedAt"]; there {
			t.Error("a live badge has a deletedAt")
		}
		if n := s.Count(apptest.BadgeUsersPath + "?loyaltyBadgeId=" + badge); n != 0 {
			t.Errorf("%d users of a deleted badge", n)
		}
		s.Post(apptest.BadgesPath, apptest.BadgeBody(object{"conditions": []object{{"type": "badge", "loyaltyBadgeIds": []string{badge}}}})).
			Refused(400, "Badge not found")
		s.Sound()
	})
}

func TestADeletedBadgeOfManyIsTakenFromAll(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		badge := s.CreateBadge(object{"rewardType": "multiplier", "multiplier": 2})
		const many = 300
		apptest.CallConcurrently(many, func(i int) apptest.Response {
			return s.Post(apptest.BadgesPath+"/"+badge+"/reward", object{"walletAddress": apptest.Wallet(i)})
		})
		gone := s.Remove(apptest.BadgesPath + "/" + badge)
		if n := len(gone["loyaltyBadgeUsers"].([]any)); n != 100 {
			t.Errorf("it is listed with %d users", n)
		}
		const active = "loyalty_badge_users WHERE status = 'active'"
		if n := db.Count(active); n == 0 || n > many-256 {
			t.Errorf("%d are left for later", n)
		}
		for _, u := range list(s, s.WebsiteAPIKey, "?includeDeleted=true&walletAddress="+apptest.Wallet(0)+","+apptest.Wallet(299))[0]["loyaltyBadgeUsers"].([]any) {
			if u.(object)["status"] != "revoked" {
				t.Errorf("meanwhile a user is %v", u)
			}
		}
		s.RunBadgeRevocations()
		if n := db.Count(active); n != 0 {
			t.Errorf("%d have it still", n)
		}
		if n := db.Count("loyalty_multipliers WHERE deleted_at IS NULL"); n != 0 {
			t.Errorf("%d multipliers are live", n)
		}
		if n := db.Count("badge_endings"); n != 0 {
			t.Errorf("%d endings are left", n)
		}
	})
}

func TestBadgesAreToldWithTheUsersThatAreNamed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge, other := s.CreateBadge(), s.CreateBadge()
		for _, wallet := range []string{apptest.Alice, apptest.Bob, "cust_1001"} {
			s.GrantBadge(badge, wallet)
		}
		s.GrantBadge(other, apptest.Bob)
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		alice, bob := s.UserOf(apptest.Alice), s.UserOf(apptest.Bob)
		for query, want := range map[string]string{
			"": "1 3", "?userId=" + alice: "0 1", "?userId=" + alice + "," + bob: "1 2",
			"?walletAddress=" + apptest.Bob:          "1 1",
			"?walletAddress=" + apptest.Carol:        "0 0",
			"?userGroupExternalIdentifier=family":    "1 2",
			"?userGroupExternalIdentifier=strangers": "0 0", "?userId=" + bob + "&badgeIds=" + badge: "1",
		} {
			got := ""
			for _, b := range list(s, s.WebsiteAPIKey, query) {
				got = apptest.Spaced(got, len(b["loyaltyBadgeUsers"].([]any)))
			}
			if got != want {
				t.Errorf("%q: %s users, not %s", query, got, want)
			}
		}
		if got := s.Get(apptest.BadgesPath + "?limit=1").OK(); got["hasNextPage"] != true || len(got["data"].([]any)) != 1 {
			t.Errorf("a page of one: %v", got)
		}
		if got := list(s, s.WebsiteAPIKey, "?startingAfter="+other); len(got) != 1 || got[0]["id"] != badge {
			t.Errorf("after the first: %v", got)
		}
		s.Get(apptest.BadgesPath+"?startingAfter="+apptest.UnknownID).Refused(400, "startingAfter not found")
		users := apptest.BadgeUsersPath + "?loyaltyBadgeId=" + badge
		s.RevokeBadge(badge, apptest.Bob)
		for query, want := range map[string]int{
			"": 3, "&status=active": 2, "&status=revoked": 1, "&status=active,revoked": 3, "&userId=" + alice: 1, "&limit=2": 2,
			"&walletAddress=" + apptest.Bob + "&status=active": 0,
		} {
			if got := s.Count(users + query); got != want {
				t.Errorf("%q: %d users, not %d", query, got, want)
			}
		}
		s.Get(users+"&status=lost").Refused(400, "status must be one of: active, inactive, revoked")
		s.Get(apptest.BadgeUsersPath).Refused(400, "loyaltyBadgeId is required")
		s.Get(users+"&startingAfter="+apptest.UnknownID).Refused(400, "startingAfter not found")
		if n := s.Count(apptest.BadgeUsersPath + "?loyaltyBadgeId=" + apptest.UnknownID); n != 0 {
			t.Errorf("%d users of nothing", n)
		}
	})
}

func TestClientKeysSeeWhatIsNotHidden(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := s.CreateBadge()
		hidden := s.CreateBadgeWith(object{"hideInUi": true})
		for _, wallet := range []string{apptest.Alice, "cust_1001"} {
			s.GrantBadge(badge, wallet)
			s.GrantBadge(hidden, wallet)
		}
		id := row(s, badge, apptest.Alice)["id"].(string)
		path := apptest.BadgeUsersPath + "/" + id
		key := s.ClientAPIKey
		if got := list(s, key, ""); len(got) != 1 || len(got[0]["loyaltyBadgeUsers"].([]any)) != 2 ||
			got[0]["loyaltyBadgeUsers"].([]any)[0].(object)["user"].(object)["walletAddress"] != nil {
			t.Errorf("a client key sees %v", got)
		}
		if got := s.Call(key, http.MethodGet, apptest.BadgeUsersPath+"?loyaltyBadgeId="+hidden, nil).Data(); len(got) != 0 {
			t.Errorf("users of a hidden badge: %v", got)
		}
		s.Call(key, http.MethodGet, apptest.BadgesPath+"?walletAddress=cust_1001", nil).Refused(403, "Member token is required")
		s.Call(key, http.MethodPost, path, object{"hideInUi": true}).Refused(403, "Member token is required")
		s.Call(key, http.MethodPost, path, object{"hideInUi": true}, s.MemberTokenHeaders(s.UserOf(apptest.Bob))...).
			Refused(404, "Badge user not found")
		mine := s.MemberTokenHeaders(s.UserOf(apptest.Alice))
		got := s.Call(key, http.MethodPost, path, object{"dismissedInUi": true}, mine...).OK()
		if got["dismissedInUi"] != true || got["hideInUi"] != false || got["id"] != id || got["status"] != "active" {
			t.Errorf("dismissed: %v", got)
		}
		s.Call(key, http.MethodPost, path, object{"hideInUi": true}, mine...).OK()
		if got := list(s, key, ""); len(got[0]["loyaltyBadgeUsers"].([]any)) != 1 {
			t.Errorf("hidden, it is there: %v", got)
		}
		if r := row(s, badge, apptest.Alice); r["hideInUi"] != true || r["dismissedInUi"] != true {
			t.Errorf("the website sees %v", r)
		}
		s.Post(path, object{"hideInUi": false}).OK()
		s.Post(apptest.BadgeUsersPath+"/"+apptest.UnknownID, object{}).Refused(404, "Badge user not found")
		for _, verb := range []string{"", "/" + badge, "/" + badge + "/reward", "/" + badge + "/revoke"} {
			s.Call(key, http.MethodPost, apptest.BadgesPath+verb, object{}).
				Refused(403, "API key is not allowed to perform this operation")
		}
	})
}

func TestBadgesBelongToOneTenant(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := s.CreateBadge(s.PointsReward(5))
		s.GrantBadge(badge, apptest.Alice)
		user := row(s, badge, apptest.Alice)["id"].(string)
		rival := *s
		rival.Program = s.NewProgram("Rival")
		path := apptest.BadgesPath + "/" + badge
		for what, a := range map[string]apptest.Response{
			"change": rival.Post(path, object{"name": "Mine"}), "delete": rival.Call(rival.WebsiteAPIKey, http.MethodDelete, path, nil),
			"reward": rival.Post(path+"/reward", object{"walletAddress": apptest.Bob}),
			"revoke": rival.Post(path+"/revoke", object{"walletAddress": apptest.Alice}),
		} {
			if a.Status != 404 || a.JSON()["message"] != "Badge not found" {
				t.Errorf("%s: %d %s", what, a.Status, a.Body)
			}
		}
		rival.Post(apptest.BadgeUsersPath+"/"+user, object{"hideInUi": true}).Refused(404, "Badge user not found")
		if len(list(&rival, rival.WebsiteAPIKey, "")) != 0 || rival.Count(apptest.BadgeUsersPath+"?loyaltyBadgeId="+badge) != 0 {
			t.Error("a stranger sees a badge")
		}
		if s.BadgeStatus(badge, apptest.Alice) != "active" || s.BadgeStatus(badge, apptest.Bob) != "" {
			t.Error("a stranger changed who has a badge")
		}
	})
}

func TestChainsGoByBadges(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge, other := s.CreateBadge(), s.CreateBadge()
		one, both := s.Free(nil), s.Free(nil)
		chain := s.CreateChain(one, "AND", object{"type": "badge", "loyaltyBadgeIds": []string{badge}})
		s.CreateChain(both, "AND", object{"type": "badges", "loyaltyBadgeIds": []string{badge, other}})
		if got := chain["loyaltyConditions"].([]any)[0].(object)["association"].([]any)[0].(object)["loyaltyBadgeId"]; got != badge {
			t.Errorf("the chain names %v", got)
		}
		may := func(rule string, open bool) {
			t.Helper()
			if got := s.Complete(rule, object{"walletAddress": apptest.Alice}); (got.Status == 200) != open {
				t.Errorf("open is %v: %s", open, got.Body)
			}
		}
		may(one, false)
		s.GrantBadge(badge, apptest.Alice)
		may(one, true)
		may(both, false)
		s.GrantBadge(other, apptest.Alice)
		may(both, true)
		s.RevokeBadge(other, apptest.Alice)
		may(both, false)
		s.Remove(apptest.BadgesPath + "/" + badge)
		may(one, false)
	})
}

func TestSubscriptionsAreToldOfBadges(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, s *apptest.Server) {
		out := apptest.NewReceiver(t)
		s.Subscribe(out.URL, nil, "LoyaltyBadge", "LoyaltyBadgeUser")
		badge := s.CreateBadge(s.PointsReward(5))
		s.GrantBadge(badge, apptest.Alice)
		s.RevokeBadge(badge, apptest.Alice)
		s.Post(apptest.BadgesPath+"/"+badge, object{"description": "New"}).OK()
		s.Post(apptest.BadgeUsersPath+"/"+row(s, badge, apptest.Alice)["id"].(string), object{"hideInUi": true}).OK()
		s.Remove(apptest.BadgesPath + "/" + badge)
		s.DeliverEvents()
		eventCounts := map[string]int{}
		for _, c := range out.TakeCalls() {
			event := plain(json.RawMessage(c.Body)).(object)
			eventCounts[event["type"].(string)]++
			data := event["data"].(object)
			switch event["type"] {
			case "LoyaltyBadge.created":
				want := list(s, s.WebsiteAPIKey, "?includeDeleted=true")[0]
				delete(want, "loyaltyBadgeUsers")
				delete(want, "deletedAt")
				fields(t, "the badge", data, want)
			case "LoyaltyBadgeUser.created":
				if data["loyaltyBadgeId"] != badge || data["user"].(object)["walletAddress"] != apptest.Alice {
					t.Errorf("the user: %v", data)
				}
			}
		}
		want := "map[LoyaltyBadge.created:1 LoyaltyBadge.deleted:1 LoyaltyBadge.updated:1 LoyaltyBadgeUser.created:1 LoyaltyBadgeUser.updated:2]"
		if got := fmt.Sprint(eventCounts); got != want {
			t.Errorf("got %s, not %s", got, want)
		}
	})
}

func TestACurrencyThatBadgesPayInStaysHere(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, _ string) {
		badge := s.CreateBadge(s.PointsReward(5))
		path := apptest.CurrenciesPath + "/" + s.LoyaltyCurrencyID.String()
		move := object{"apiPostUrl": b.URL + "/post", "apiGetUrl": b.URL + "/get"}
		s.Post(path, move).Refused(400, "apiPostUrl cannot be set while badge "+badge+" pays in this currency")
		s.Remove(apptest.BadgesPath + "/" + badge)
		s.Post(path, move).OK()
	})
}
