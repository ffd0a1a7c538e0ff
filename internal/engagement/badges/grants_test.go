package badges_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// entries are the entries of a wallet, newest first, as "amount description metadata".
func entries(s *apptest.Server, wallet string) []string {
	s.T.Helper()
	texts := []string{}
	for _, e := range s.Get(apptest.EntriesPath + "?walletAddress=" + wallet).Data() {
		texts = append(texts, fmt.Sprint(
			e["type"], " ", e["amount"], " ", e["loyaltyTransaction"].(object)["description"], " ", text(e["metadata"]),
		))
	}
	return texts
}

// is demands the same list.
func is(t *testing.T, name string, got any, want ...string) {
	t.Helper()
	if text(got) != text(append([]string{}, want...)) {
		t.Errorf("%s: %v, not %v", name, text(got), text(want))
	}
}

// row reads the badge of a wallet.
func row(s *apptest.Server, badge, wallet string) object {
	s.T.Helper()
	return s.Get(apptest.BadgeUsersPath + "?loyaltyBadgeId=" + badge + "&walletAddress=" + wallet).Data()[0]
}

func TestABadgePaysItsRewardsOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		currency := s.LoyaltyCurrencyID.String()
		miles := s.Post(apptest.CurrenciesPath, object{"name": "Miles", "symbol": "M", "decimals": 0}).OK()["id"].(string)
		s.Transact(apptest.Points(apptest.Alice, 100, object{"loyaltyCurrencyId": currency})).OK()
		s.Transact(apptest.Points(apptest.Alice, 40, object{"loyaltyCurrencyId": miles})).OK()
		last := s.CreateBadgeWith(object{"name": "Last", "rewards": []object{s.PointsReward(1)}})
		badge := s.CreateBadge(
			s.PointsReward("2.5"), object{"rewardType": "points", "amount": 7, "loyaltyCurrencyId": miles},
			object{"rewardType": "multiplier", "multiplier": 1.5, "isRetroactive": true},
			object{"rewardType": "multiplier", "multiplier": 3, "loyaltyCurrencyIds": []string{miles}},
			object{"rewardType": "badge", "loyaltyBadgeId": last},
		)
		s.Clock.Advance(time.Minute)
		answer := s.Post(apptest.BadgesPath+"/"+badge+"/reward", object{"walletAddress": apptest.Alice}).OK()
		alice := s.UserOf(apptest.Alice)
		fields(t, "the answer", answer, object{"message": "Badge rewarded", "data": object{
			"id": row(s, badge, apptest.Alice)["id"], "loyaltyBadgeId": badge, "userId": alice, "status": "active",
		}})
		fields(t, "the row", row(s, badge, apptest.Alice), object{
			"id": "*", "userId": alice, "organizationId": s.OrganizationID.String(), "websiteId": s.WebsiteID.String(),
			"loyaltyBadgeId": badge, "status": "active", "hideInUi": false, "dismissedInUi": false,
			"progress": []object{{
				"loyaltyConditionId": list(s, s.WebsiteAPIKey, "?badgeIds="+badge)[0]["loyaltyConditions"].([]any)[0].(object)["id"],
				"type":               "api", "current": 0, "required": 1, "complete": false,
			}},
			"user": object{"id": alice, "walletAddress": apptest.Alice}, "createdAt": "*", "updatedAt": "*",
			"completedAt": "*", "deletedAt": nil,
		})
		origin := `{"loyaltyBadgeId":"` + badge + `"}`
		raised := `{"loyaltyBadgeId":"` + badge + `","multiplier":1.5}`
		texts := entries(s, apptest.Alice)
		is(t, "the last badge's entry", texts[:1], `loyalty_rule 1 Last {"loyaltyBadgeId":"`+last+`"}`)
		paid := map[string]bool{}
		for _, e := range texts[1:5] {
			paid[e] = true
		}
		for _, e := range []string{
			"loyalty_rule 2.5 Regular " + origin, "loyalty_rule 7 Regular " + origin, "loyalty_rule 50 Regular " + raised,
			"loyalty_rule 20 Regular " + raised,
		} {
			if !paid[e] {
				t.Errorf("there is no entry %s among %v", e, texts)
			}
		}
		if len(texts) != 7 || s.Balance(apptest.Alice) != "153.5" {
			t.Errorf("entries %v, balance %s", texts, s.Balance(apptest.Alice))
		}
		is(t, "multipliers", s.MultiplierValues(apptest.Alice), "3", "1.5")
		for _, m := range s.Get(apptest.MultipliersPath + "?walletAddress=" + apptest.Alice).Data() {
			if m["loyaltyBadgeId"] != badge || m["loyaltyRuleId"] != nil {
				t.Errorf("a multiplier of %v", m)
			}
		}
		if got := s.CompletePaid(s.Rule("external_rule", object{"loyaltyCurrencyId": currency}), apptest.Alice, nil); got != "15" {
			t.Errorf("a rule pays %s", got)
		}
		again := s.Post(apptest.BadgesPath+"/"+badge+"/reward", object{"userId": alice}).OK()
		if text(again) != text(answer) || len(s.MultiplierValues(apptest.Alice)) != 2 || s.Balance(apptest.Alice) != "168.5" {
			t.Errorf("again: %v", again)
		}
		s.Sound()
	})
}

func TestARevokedBadgeComesBackUnpaid(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		further := s.CreateBadge(s.PointsReward(3))
		badge := s.CreateBadge(
			s.PointsReward(5), object{"rewardType": "multiplier", "multiplier": 2, "isRetroactive": true},
			object{"rewardType": "badge", "loyaltyBadgeId": further},
		)
		s.EarnPoints(apptest.Alice, 10)
		s.GrantBadge(badge, apptest.Alice)
		if got := s.Balance(apptest.Alice); got != "28" {
			t.Fatalf("granted, she has %s", got)
		}
		path := apptest.BadgesPath + "/" + badge
		s.Post(path+"/revoke", object{"walletAddress": apptest.Bob}).Refused(404, "Badge user not found")
		s.Post(path+"/revoke", object{"userId": apptest.UnknownID}).Refused(404, "Badge user not found")
		answer := s.Post(path+"/revoke", object{"walletAddress": apptest.Alice}).OK()
		if data := answer["data"].(object); answer["message"] != "Badge revoked" || data["status"] != "revoked" ||
			data["id"] != row(s, badge, apptest.Alice)["id"] {
			t.Errorf("revoked: %v", answer)
		}
		is(t, "multipliers after the revoke", s.MultiplierValues(apptest.Alice))
		if s.BadgeStatus(further, apptest.Alice) != "active" || s.Balance(apptest.Alice) != "28" {
			t.Error("the revoke took more than the badge")
		}
		s.RevokeBadge(badge, apptest.Alice)
		s.RevokeBadge(further, apptest.Alice)
		if got := s.GrantBadge(badge, apptest.Alice); got["status"] != "active" {
			t.Errorf("it came back as %v", got)
		}
		is(t, "multipliers", s.MultiplierValues(apptest.Alice), "2")
		if s.Balance(apptest.Alice) != "28" || s.BadgeStatus(further, apptest.Alice) != "revoked" {
			t.Errorf("paid again: %s, further %s", s.Balance(apptest.Alice), s.BadgeStatus(further, apptest.Alice))
		}
		// A badge of a reward that was revoked is not given by it.
		other := s.CreateBadge(object{"rewardType": "badge", "loyaltyBadgeId": further})
		s.GrantBadge(other, apptest.Alice)
		if got := s.BadgeStatus(further, apptest.Alice); got != "revoked" {
			t.Errorf("a reward gave back what was revoked: %s", got)
		}
		s.Sound()
	})
}

func TestStatusesAreSetByHand(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := s.CreateBadge(s.PointsReward(5), object{"rewardType": "multiplier", "multiplier": 2})
		path := apptest.BadgesPath + "/" + badge
		set := func(verb, wallet, status string) apptest.Response {
			return s.Post(path+verb, object{"walletAddress": wallet, "status": status})
		}
		set("/reward", apptest.Alice, "revoked").Refused(400, "status must be one of: active, inactive")
		set("/revoke", apptest.Alice, "active").Refused(400, "status must be one of: revoked, inactive")
		s.Post(path+"/reward", object{}).Refused(400, "userId or walletAddress is required")
		s.Post(path+"/revoke", object{"status": "inactive"}).Refused(400, "userId or walletAddress is required")
		s.Post(path+"/reward", object{"userId": apptest.UnknownID}).Refused(404, "User not found")
		if n := s.Count(apptest.BadgeUsersPath + "?loyaltyBadgeId=" + badge); n != 0 {
			t.Errorf("refusals made %d rows", n)
		}
		if got := set("/reward", apptest.Alice, "inactive").OK()["data"].(object)["status"]; got != "inactive" {
			t.Errorf("made as %v", got)
		}
		if r := row(s, badge, apptest.Alice); r["completedAt"] != nil || s.Balance(apptest.Alice) != "" {
			t.Errorf("not granted, it is %v", r)
		}
		s.GrantBadge(badge, apptest.Alice)
		if s.Balance(apptest.Alice) != "5" || len(s.MultiplierValues(apptest.Alice)) != 1 {
			t.Error("granted, it pays nothing")
		}
		set("/revoke", apptest.Alice, "inactive").OK()
		if len(s.MultiplierValues(apptest.Alice)) != 0 || s.BadgeStatus(badge, apptest.Alice) != "inactive" {
			t.Error("inactive, its multiplier stays")
		}
		s.GrantBadge(badge, apptest.Alice)
		set("/reward", apptest.Alice, "inactive").OK()
		if len(s.MultiplierValues(apptest.Alice)) != 0 || s.Balance(apptest.Alice) != "5" {
			t.Error("inactive by a reward, its multiplier stays")
		}
		s.Sound()
	})
}

func TestATokenOfABadgeIsOwedAndPaidOut(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		y := apptest.NewTreasury(t)
		driver := apptest.WriteConfig(t, `{"url":"`+y.URL+`/pay","headers":{"Authorization":"Bearer s3cret"}}`)
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Payouts: driver})
		s.CreateTokenRule("external_rule", nil)
		token := tokenOf(s)
		badge := s.CreateBadge(
			object{"rewardType": "token", "amount": "1.25", "loyaltyCurrencyId": token}, s.PointsReward(4),
			object{"rewardType": "token", "amount": 2, "loyaltyCurrencyId": token},
		)
		s.GrantBadge(badge, apptest.Alice)
		owed := s.Payouts("")
		if len(owed) != 2 {
			t.Fatalf("owed: %v", owed)
		}
		for _, p := range owed {
			for field, want := range (object{
				"status": "waiting", "walletAddress": apptest.Alice, "loyaltyRuleId": nil, "loyaltyBadgeId": badge, "relayerId": nil,
				"contractId": nil, "isNative": true, "network": "polygon", "loyaltyCurrencyId": token,
			}) {
				if p[field] != want {
					t.Errorf("%s is %v, not %v", field, p[field], want)
				}
			}
		}
		s.RunPayouts()
		s.GrantBadge(badge, apptest.Alice)
		s.RunPayouts()
		if y.CountCalls() != 2 || s.Balance(apptest.Alice) != "4" || s.Payouts("")[0]["status"] != "done" {
			t.Errorf("%d calls, balance %s, %v", y.CountCalls(), s.Balance(apptest.Alice), s.Payouts(""))
		}
		order := y.Calls[0]
		if order["relayerId"] != nil || order["chainId"] != 137.0 || order["walletAddress"] != apptest.Alice {
			t.Errorf("the driver got %v", order)
		}
		// Who has no wallet cannot be sent one, and is granted nothing.
		user := s.Post(apptest.CurrenciesPath, object{"name": "Miles", "symbol": "M", "decimals": 0}).OK()["createdById"]
		s.Post(apptest.BadgesPath+"/"+badge+"/reward", object{"userId": user}).Refused(400, "User has no wallet address")
		s.Sound()
	})
}

func TestWhatCannotBePaidAnyMoreIsLeftOut(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		miles := s.Post(apptest.CurrenciesPath, object{"name": "Miles", "symbol": "M", "decimals": 0}).OK()["id"].(string)
		gone := s.CreateBadge(s.PointsReward(100))
		badge := s.CreateBadge(
			object{"rewardType": "points", "amount": 7, "loyaltyCurrencyId": miles}, s.PointsReward(5),
			object{"rewardType": "multiplier", "multiplier": 2, "isRetroactive": true, "loyaltyCurrencyIds": []string{miles}},
			object{"rewardType": "badge", "loyaltyBadgeId": gone},
		)
		s.Remove(apptest.CurrenciesPath + "/" + miles)
		s.Remove(apptest.BadgesPath + "/" + gone)
		s.GrantBadge(badge, apptest.Alice)
		if got := s.Balance(apptest.Alice); got != "5" {
			t.Errorf("paid %s", got)
		}
		if got := s.BadgeStatus(gone, apptest.Alice); got != "" {
			t.Errorf("a deleted badge is %s", got)
		}
		is(t, "multipliers", s.MultiplierValues(apptest.Alice), "2")
		// Nothing at all where something would be out of range.
		much := s.CreateBadge(s.PointsReward(5), object{"rewardType": "points", "amount": "8999999999999", "loyaltyCurrencyId": s.LoyaltyCurrencyID.String()})
		s.Post(apptest.BadgesPath+"/"+much+"/reward", object{"walletAddress": apptest.Alice}).
			Refused(400, "amount would take a balance to 9000000000000 units or more")
		if s.Balance(apptest.Alice) != "5" || s.BadgeStatus(much, apptest.Alice) != "" {
			t.Error("a refusal left something behind")
		}
		s.Sound()
	})
}

func TestABadgeIsGrantedOnceToManyCallers(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := s.CreateBadge(s.PointsReward(5), object{"rewardType": "multiplier", "multiplier": 2})
		for range 4 {
			for _, a := range apptest.CallConcurrently(8, func(i int) apptest.Response {
				verb := []string{"/reward", "/reward", "/reward", "/revoke"}[i%4]
				return s.Post(apptest.BadgesPath+"/"+badge+verb, object{"walletAddress": apptest.Alice})
			}) {
				if a.Status != http.StatusOK && (a.Status != 404 || a.JSON()["message"] != "Badge user not found") {
					t.Errorf("%d %s", a.Status, a.Body)
				}
			}
			s.GrantBadge(badge, apptest.Alice)
			if s.Balance(apptest.Alice) != "5" || len(s.MultiplierValues(apptest.Alice)) != 1 {
				t.Fatalf("balance %s, multipliers %v", s.Balance(apptest.Alice), s.MultiplierValues(apptest.Alice))
			}
		}
		s.Sound()
	})
}

func TestTwoNodesGrantABadgeOnce(t *testing.T) {
	t.Parallel()
	both := apptest.Nodes(t)
	s := both[0]
	further := s.CreateBadge(s.PointsReward(1))
	badge := s.CreateBadge(s.PointsReward(5), object{"rewardType": "badge", "loyaltyBadgeId": further})
	wallets := []string{apptest.Alice, apptest.Bob, apptest.Carol}
	for _, a := range apptest.CallConcurrently(24, func(i int) apptest.Response {
		return both[i%2].Call(
			s.WebsiteAPIKey, http.MethodPost, apptest.BadgesPath+"/"+badge+"/reward", object{"walletAddress": wallets[i%3]},
		)
	}) {
		a.OK()
	}
	for _, wallet := range wallets {
		if got := s.Balance(wallet); got != "6" {
			t.Errorf("%s has %s", wallet, got)
		}
	}
	s.Sound()
}

// A badge that changes while it is granted is granted as it was or as it is, and never after it was deleted.
func TestABadgeThatChangesMeanwhileIsGrantedWhole(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		badge := s.CreateBadge(s.PointsReward(5))
		path := apptest.BadgesPath + "/" + badge
		for _, a := range apptest.CallConcurrently(30, func(i int) apptest.Response {
			switch {
			case i == 29:
				return s.Call(s.WebsiteAPIKey, http.MethodDelete, path, nil)
			case i%3 == 0:
				return s.Post(path, object{"rewards": []object{s.PointsReward(5), s.PointsReward(i)}[:1+i%2]})
			}
			return s.Post(path+"/reward", object{"walletAddress": apptest.Wallet(i)})
		}) {
			if a.Status != http.StatusOK && a.Status != http.StatusBadRequest && a.JSON()["message"] != "Badge not found" {
				t.Errorf("%d %s", a.Status, a.Body)
			}
		}
		s.RunBadgeRevocations()
		for i := range 30 {
			for _, e := range s.Get(apptest.EntriesPath + "?walletAddress=" + apptest.Wallet(i)).Data() {
				if e["metadata"].(object)["loyaltyBadgeId"] != badge {
					t.Errorf("an entry of %v", e)
				}
			}
		}
		s.Sound()
	})
}

// A node that dies after the grant and before its answer leaves the grant; who asks again is paid nothing more.
func TestAGrantWhoseAnswerIsLostIsRepeated(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		badge := s.CreateBadge(s.PointsReward(5))
		grant := func() apptest.Response {
			return s.Call(s.WebsiteAPIKey, http.MethodPost, apptest.BadgesPath+"/"+badge+"/reward",
				object{"walletAddress": apptest.Alice}, "Idempotency-Key", "once")
		}
		first := grant().OK()
		db.Exec("UPDATE request_keys SET status = 0, answer = ''")
		if got := grant().OK(); got["message"] != "Already carried out" {
			t.Errorf("repeated: %v", got)
		}
		if got := s.GrantBadge(badge, apptest.Alice); text(got) != text(first["data"]) {
			t.Errorf("asked again: %v", got)
		}
		if got := s.Balance(apptest.Alice); got != "5" {
			t.Errorf("paid %s", got)
		}
		s.Sound()
	})
}
