package referrals_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestReferralCodesAreUniqueAndOnePerMemberAndRule(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other := s.Rule("referred_user", nil), s.Rule("referred_user", nil)
		made := s.Post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": apptest.Alice}).OK()
		if code := made["referralCode"].(string); !regexp.MustCompile(`^[A-HJ-NP-Z2-9]{8}$`).MatchString(code) {
			t.Errorf("a made code is %q", code)
		}
		if made["userId"] != s.UserOf(apptest.Alice) || made["loyaltyRuleId"] != rule || made["deletedAt"] != nil ||
			made["organizationId"] != s.OrganizationID.String() ||
			made["websiteId"] != s.WebsiteID.String() {
			t.Errorf("a code is %v", made)
		}
		again := s.Post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": apptest.Alice, "customReferralCode": "another"}).
			OK()
		if again["id"] != made["id"] || again["referralCode"] != made["referralCode"] {
			t.Errorf("asked again: %v, not %v", again, made)
		}
		custom := s.Post("/api/referral/codes", object{"loyaltyRuleId": other, "walletAddress": apptest.Alice, "customReferralCode": "Alice_1-x"}).
			OK()
		if custom["referralCode"] != "Alice_1-x" || custom["id"] == made["id"] {
			t.Errorf("a custom code is %v", custom)
		}
		for _, taken := range []string{"Alice_1-x", "aLICE_1-X"} {
			s.Post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": "bob", "customReferralCode": taken}).
				Refused(400, "Referral code is already taken")
		}
		for bad, message := range map[string]string{"ab": "customReferralCode must be at least 3 characters", "a b c": "customReferralCode must consist of letters, digits, _ and -",
			strings.Repeat("x", 65): "customReferralCode must be at most 64 characters", "straße": "customReferralCode must consist of letters, digits, _ and -"} {
			s.Post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": "bob", "customReferralCode": bad}).
				Refused(400, message)
		}
		s.Post("/api/referral/codes", object{"loyaltyRuleId": s.Rule("check_in", nil), "walletAddress": "bob"}).
			Refused(400, "loyaltyRuleId must name a rule of type referred_user")
		s.Post("/api/referral/codes", object{"loyaltyRuleId": apptest.SecondUnknownID, "walletAddress": "bob"}).
			Refused(404, "Loyalty rule not found")
		s.Post("/api/referral/codes", object{"walletAddress": "bob"}).Refused(400, "loyaltyRuleId is required")
		s.Post("/api/referral/codes", object{"loyaltyRuleId": rule}).Refused(400, "userId or walletAddress is required")
		s.Post("/api/referral/codes", object{"loyaltyRuleId": rule, "userId": apptest.SecondUnknownID}).Refused(404, "User not found")
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).OK()
		s.Post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": apptest.Alice}).
			Refused(404, "Loyalty rule not found")
	})
}

func TestAReferralIsRefusedAsAWholeForTheFirstReason(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other := s.Rule("referred_user", nil), s.Rule("referred_user", nil)
		a, b, c, d := s.UserOf("a"), s.UserOf("b"), s.UserOf("c"), s.UserOf("d")
		codeA, codeB, codeC := s.ReferralCode(rule, "a"), s.ReferralCode(rule, "b"), s.ReferralCode(rule, "c")
		count := func() int { return len(s.Get("/api/referral/users?loyaltyRuleId=" + rule).Data()) }

		s.Refer("NOSUCH", b).Refused(400, "Referral code not found")
		s.Post("/api/referral/users", object{"referralCodeId": apptest.SecondUnknownID, "userIds": []any{b}}).
			Refused(400, "Referral code not found")
		s.Refer(codeA, b, a).Refused(400, "Users cannot refer themselves")
		s.Refer(codeA, b, apptest.SecondUnknownID).Refused(404, "User not found")
		if n := count(); n != 0 {
			t.Fatalf("%d referrals after refusals", n)
		}
		s.Refer(strings.ToLower(codeA), b, b).OK() // codes are the same in any case; a user named twice is one
		s.Refer(codeA, b).Refused(400, "User was already referred")
		s.Refer(codeC, d, b).Refused(400, "User was already referred")
		s.Refer(codeB, a).Refused(400, "Referral loop is not allowed")
		s.Refer(codeB, c).OK()
		s.Refer(codeC, d, a).Refused(400, "Referral loop is not allowed")
		s.Refer(s.ReferralCode(other, "c"), a).Refused(400, "Referral loop is not allowed") // of another rule, a loop all the same
		s.Refer(s.ReferralCode(other, "a"), b).OK()                                         // once per rule
		if n := count(); n != 2 {
			t.Errorf("%d referrals, want b and c", n)
		}
		s.Post("/api/referral/users", object{"userIds": []any{d}}).Refused(400, "referralCode or referralCodeId is required")
		s.Post("/api/referral/users", object{"referralCode": codeA}).Refused(400, "userIds is required")
		if got := s.Post("/api/referral/users", object{"referralCode": codeA, "userIds": []any{}}); got.Status != 400 {
			t.Errorf("nobody referred: %d %s", got.Status, got.Body)
		}
		many := make([]string, 101)
		for i := range many {
			many[i] = d
		}
		if got := s.Refer(codeA, many...); got.Status != 400 {
			t.Errorf("101 referred: %d %s", got.Status, got.Body)
		}
		s.Post("/api/users/metadatas", object{"walletAddress": "a", "userGroupExternalIdentifier": "home"}).OK()
		s.Post("/api/users/metadatas", object{"walletAddress": "d", "userGroupExternalIdentifier": "home"}).OK()
		s.Refer(codeA, d).Refused(400, "Users cannot refer themselves") // two wallets of one person
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).OK()
		s.Refer(codeA, s.UserOf("e")).Refused(400, "Referral code not found")
	})
}

func TestOfReferralsThatRaceOneWins(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("referred_user", object{"metadata": object{"referrerReward": 5}})
		victim := s.UserOf("victim")
		var codes []string
		for i := range 8 {
			codes = append(codes, s.ReferralCode(rule, fmt.Sprintf("referrer-%d", i)))
		}
		answers := apptest.CallConcurrently(len(codes), func(i int) apptest.Response { return s.Refer(codes[i], victim) })
		apptest.CheckOutcomes(t, answers, 1, "User was already referred")

		ring := []string{s.UserOf("r0"), s.UserOf("r1"), s.UserOf("r2")}
		for i := range ring {
			codes[i] = s.ReferralCode(rule, fmt.Sprintf("r%d", i))
		}
		answers = apptest.CallConcurrently(
			len(ring),
			func(i int) apptest.Response { return s.Refer(codes[i], ring[(i+1)%len(ring)]) },
		)
		apptest.CheckOutcomes(t, answers, 2, "Referral loop is not allowed")

		made := apptest.CallConcurrently(8, func(int) apptest.Response {
			return s.Post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": "one-of-many"})
		})
		for _, a := range made {
			if a.OK()["id"] != made[0].OK()["id"] {
				t.Errorf("two codes for one member: %s, %s", a.Body, made[0].Body)
			}
		}
		taken := apptest.CallConcurrently(8, func(i int) apptest.Response {
			return s.Post(
				"/api/referral/codes",
				object{"loyaltyRuleId": rule, "walletAddress": fmt.Sprintf("w%d", i), "customReferralCode": "wanted"},
			)
		})
		apptest.CheckOutcomes(t, taken, 1, "Referral code is already taken")
	})
}

func TestAReferralPaysWelcomeAndLumpSumAtOnceAndOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		gold := s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		rule := s.Rule(
			"referred_user",
			object{
				"amount":            10,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"interval":          "unlimited",
				"metadata":          object{"referrerReward": "2.5"},
			},
		)
		s.Post("/api/loyalty/multipliers", object{"walletAddress": "a", "multiplier": 3}).OK()
		s.Post("/api/loyalty/multipliers", object{"walletAddress": "b", "multiplier": 3}).OK()
		a, b := s.UserOf("a"), s.UserOf("b")
		s.Refer(s.ReferralCode(rule, "a"), b).OK()
		if referee, referrer := s.Balance("b"), s.Balance("a"); referee != "10" || referrer != "2.5" {
			t.Errorf("welcome %s, lump sum %s", referee, referrer)
		}
		entries := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data()
		metadata := map[string]any{}
		for _, e := range entries {
			m := e["metadata"].(object)
			if m["refereeUserId"] != b || e["type"] != "loyalty_rule" {
				t.Errorf("an entry is %v", e)
			}
			metadata[m["referral"].(string)] = e["loyaltyTransactionId"]
		}
		if len(entries) != 2 || metadata["welcome"] == nil || metadata["welcome"] != metadata["lump_sum"] {
			t.Errorf("entries %v", entries)
		}
		item := s.Get("/api/referral/users?userId=" + a).Data()[0]
		code := item["referralCode"].(object)
		if fmt.Sprintf("%v %v %v %v", item["amount"], item["tier1Amount"], item["tier2Amount"], item["eligible"]) != "2.5 0 0 true" || item["user"].(object)["id"] != b ||
			item["user"].(object)["walletAddress"] != "b" || code["userId"] != a ||
			code["loyaltyRuleId"] != rule ||
			code["deletedAt"] != nil {
			t.Errorf("the referral is %v", item)
		}
		who := s.Get("/api/users?userId=" + b).Data()[0]["referrers"].([]any)[0].(object)
		if who["eligible"] != true || who["user"].(object)["id"] != b ||
			who["referralCode"].(object)["user"].(object)["id"] != a {
			t.Errorf("referrers %v", who)
		}
		s.Complete(rule, object{"walletAddress": "b"}).Refused(400, "Quest not completed")
		for range 3 {
			if _, err := s.App.Referrals.RunDue(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		other := s.Rule(
			"referred_user",
			object{
				"amount":            0,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"metadata":          object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": gold},
			},
		)
		s.Refer(s.ReferralCode(other, "a"), b).OK()
		if s.Balance("a") != "2.5" ||
			s.Get("/api/loyalty/accounts?walletAddress=a&loyaltyCurrencyId=" + gold).Data()[0]["amount"] == nil {
			t.Errorf("a lump sum in gold left %s points", s.Balance("a"))
		}
	})
}

func TestTheCurrencyOfALumpSumIsThereWhenARuleNamesIt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		other, gone := s.NewProgram(
			"Other",
		), s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		terms := func(currency any) object {
			return object{
				"metadata":          object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": currency},
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
			}
		}
		kept := s.Rule("referred_user", terms(gone))
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/currencies/"+gone, nil).OK()
		rule := s.Rule("referred_user", terms(nil))
		for _, currency := range []any{apptest.UnknownID, other.LoyaltyCurrencyID, gone} {
			for path, body := range map[string]object{
				"/api/loyalty/rules":         apptest.Over(object{"name": "N", "type": "referred_user"}, terms(currency)),
				"/api/loyalty/rules/" + rule: terms(currency),
			} {
				faults := s.Post(path, body).Refused(400, "Loyalty currency not found")["errors"].([]any)
				if len(faults) != 1 || faults[0].(object)["path"] != "metadata.referrerRewardLoyaltyCurrencyId" {
					t.Errorf("%s, %v: %v", path, currency, faults)
				}
			}
		}
		s.Post("/api/loyalty/rules/"+kept, object{"name": "Another"}).OK() // it was deleted since
	})
}

// TestAReferralThatGivesAMultiplierPaysTheLumpSum: with a currency of the rule's, by which the welcome has an entry of
// 0, and without one.
func TestAReferralThatGivesAMultiplierPaysTheLumpSum(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, outside string) {
		bonusRule := func(currency any) object {
			return object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": currency}
		}
		for i, properties := range []object{
			{"metadata": bonusRule(s.LoyaltyCurrencyID)},
			{"metadata": bonusRule(nil), "loyaltyCurrencyId": s.LoyaltyCurrencyID},
			{"metadata": bonusRule(outside)},
		} {
			rule := s.Rule("referred_user", apptest.Over(object{"rewardType": "multiplier", "amount": 2}, properties))
			referrer, referee := fmt.Sprint("a", i), fmt.Sprint("b", i)
			s.Refer(s.ReferralCode(rule, referrer), s.UserOf(referee)).OK()
			if got := fmt.Sprint(s.MultiplierValues(referee)); got != "[2]" {
				t.Errorf("%v: the referee holds %s", properties, got)
			}
			if item := s.Get("/api/referral/users?userId=" + s.UserOf(referrer)).Data()[0]; item["eligible"] != true {
				t.Errorf("%v: %v", properties, item)
			}
		}
		if got := s.Balance("a0") + " " + s.Balance("a1"); got != "7 7" {
			t.Errorf("lump sums: %s", got)
		}
		b.CheckBalance(t, "a2", "7")
		s.Sound()
	})
}

func TestWhatAReferralAsksForIsPaidWhenItFirstHolds(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		write := func(fields object) func(wallet string) {
			return func(wallet string) {
				fields["walletAddress"] = wallet
				for k, v := range fields {
					if text, ok := v.(string); ok {
						fields[k] = strings.ReplaceAll(text, "$", wallet)
					}
				}
				s.Post("/api/users/metadatas", fields).OK()
			}
		}
		cases := map[string]struct {
			requirements, metadata object
			short                  func(wallet string) // does not suffice
			enough                 func(wallet string)
		}{
			"points": {
				requirements: object{"points": object{"amount": 20, "loyaltyCurrencyId": s.LoyaltyCurrencyID}},
				short:        func(w string) { s.Credit(w, 19) },
				enough:       func(w string) { s.Credit(w, 1) },
			},
			"points-alias": {
				requirements: object{
					"achievePoints": true,
					"points":        object{"amount": "20", "loyaltyCurrecyId": s.LoyaltyCurrencyID},
				},
				short:  func(w string) { s.Credit(w, 19) },
				enough: func(w string) { s.Credit(w, 1) },
			},
			"any-points": {
				requirements: object{"achievePoints": true},
				short:        write(object{"displayName": "$"}),
				enough:       func(w string) { s.Credit(w, 1) },
			},
			"profile": {
				requirements: object{"completeProfile": true},
				short:        write(object{"displayName": "$", "bio": "b"}),
				enough:       write(object{"logoUrl": "https://x.example/l.png"}),
			},
			"chosen-profile": {
				requirements: object{"completeProfile": true},
				metadata:     object{"completeProfileConditions": object{"location": true, "messenger": true, "bio": false}},
				short:        write(object{"location": "here"}),
				enough:       write(object{"messengerUserId": "m-$"}),
			},
			"microblog": {
				requirements: object{"connectMicroblog": true},
				short:        write(object{"microblogUser": "$"}),
				enough:       write(object{"microblogUserId": "mb-$"}),
			},
			"chat-server": {
				requirements: object{"connectChatServer": true},
				short:        write(object{"chatServerUser": "$"}),
				enough:       write(object{"chatServerUserId": "cs-$"}),
			},
			"all": {
				requirements: object{
					"connectChatServer": true,
					"connectMicroblog":  true,
					"connectEmail":      false,
					"achievePoints":     true,
					"points":            object{"amount": 5},
				},
				short:  func(w string) { write(object{"chatServerUserId": "a-$", "microblogUserId": "a-$"})(w); s.Credit(w, 4) },
				enough: func(w string) { s.Credit(w, 1) },
			},
			"email": {
				requirements: object{"connectEmail": true},
				short:        write(object{"emailAddress": "$@x.example"}),
				enough: func(w string) {
					// No operation verifies an address yet.
					db.Exec(
						`UPDATE user_metadata SET record = REPLACE(record, '"emailVerifiedAt":null', '"emailVerifiedAt":"2026-01-14T12:00:00.000Z"') WHERE user_id = (SELECT id FROM users WHERE wallet_address = ?)`,
						w,
					)
					write(object{"bio": "so that a change tells of it"})(w)
				},
			},
		}
		rules := map[string]string{}
		for name, c := range cases {
			metadata := object{"referrerReward": 3, "referralRequirements": c.requirements}
			for k, v := range c.metadata {
				metadata[k] = v
			}
			rules[name] = s.Rule("referred_user", object{"amount": 1000, "metadata": metadata})
			s.Refer(s.ReferralCode(rules[name], "from-"+name), s.UserOf("to-"+name)).OK()
			c.short("to-" + name)
		}
		paid := func(name string) bool { return s.Balance("from-"+name) == "3" }
		s.RunReferrals()
		for name := range cases {
			if item := s.Get("/api/referral/users?loyaltyRuleId=" + rules[name]).Data()[0]; paid(name) ||
				item["eligible"] != false {
				t.Errorf("%s: paid before the requirements hold: %v", name, item)
			}
		}
		for name, c := range cases {
			c.enough("to-" + name)
		}
		s.RunReferralsUntil(func() bool {
			for name := range cases {
				if !paid(name) {
					return false
				}
			}
			return true
		})
		s.RunReferrals()
		for name := range cases {
			entries := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rules[name]).Data()
			if len(entries) != 2 || s.Get("/api/referral/users?loyaltyRuleId=" + rules[name]).Data()[0]["eligible"] != true {
				t.Errorf("%s: entries %v", name, entries)
			}
		}
	})
}

func TestAnOpenReferralWaitsForItsRuleAndItsReferee(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		later := apptest.Noon.Add(time.Hour).Format(time.RFC3339)
		waiting := s.Rule("referred_user", object{"amount": 10, "startTime": later})
		asking := s.Rule(
			"referred_user",
			object{"amount": 10, "metadata": object{"referralRequirements": object{"points": object{"amount": 500}}}},
		)
		blocking := s.Rule("referred_user", object{"amount": 10, "metadata": object{"referrerReward": 1}})
		a, b, c, d := s.UserOf("a"), s.UserOf("b"), s.UserOf("c"), s.UserOf("d")
		s.Post("/api/users/metadatas", object{"userId": c, "isBlocked": true}).OK()
		s.Refer(s.ReferralCode(waiting, "a"), b).OK()
		s.Refer(s.ReferralCode(asking, "a"), b).OK()
		s.Refer(s.ReferralCode(blocking, "a"), c).OK()
		s.RunReferrals()
		if s.Balance("b") != "" || s.Balance("c") != "" {
			t.Errorf("paid before the time: %q, %q", s.Balance("b"), s.Balance("c"))
		}
		if item := s.Get("/api/referral/users?loyaltyRuleId=" + waiting).Data()[0]; item["eligible"] != true {
			t.Errorf("nothing is asked for, but %v", item)
		}
		s.Clock.Advance(time.Hour)
		s.RunReferralsUntil(func() bool { return s.Balance("b") == "10" })
		s.Post("/api/loyalty/rules/"+asking, object{"metadata": object{}}).OK()
		s.RunReferralsUntil(func() bool { return s.Balance("b") == "20" })
		s.Post("/api/users/metadatas", object{"userId": c, "isBlocked": false}).OK()
		s.RunReferralsUntil(func() bool { return s.Balance("c") == "10" && s.Balance("a") == "1" })

		s.Post("/api/users/metadatas", object{"userId": a, "isBlocked": true}).OK()
		s.Refer(s.ReferralCode(blocking, "a"), d).OK() // a blocked referrer gets nothing, and the referee its welcome
		if s.Balance("d") != "10" || s.Balance("a") != "1" {
			t.Errorf("welcome %s, lump sum of a blocked referrer %s", s.Balance("d"), s.Balance("a"))
		}
	})
}

func TestTheWalletsOfAPersonAreWelcomedOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule(
			"referred_user",
			object{
				"amount":   10,
				"metadata": object{"referrerReward": 1, "referralRequirements": object{"connectMicroblog": true}},
			},
		)
		b, c := s.UserOf("b"), s.UserOf("c")
		for _, id := range []string{b, c} {
			s.Post("/api/users/metadatas", object{"userId": id, "userGroupExternalIdentifier": "home"}).OK()
		}
		s.Refer(s.ReferralCode(rule, "a"), b).OK()
		s.RunReferrals()
		s.Post("/api/users/metadatas", object{"userId": c, "microblogUserId": "c-77"}).OK() // what a mate has counts
		s.RunReferralsUntil(func() bool { return s.Balance("b") == "10" })
		s.Refer(s.ReferralCode(rule, "z"), c).OK()
		s.RunReferrals()
		if s.Balance("c") != "" || s.Balance("z") != "" {
			t.Errorf("the same person was welcomed twice: %q, lump sum %q", s.Balance("c"), s.Balance("z"))
		}
	})
}

func TestPublishableKeysReferTheirOwnUserOnly(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("referred_user", nil)
		a, b := s.UserOf("a"), s.UserOf("b")
		token := "Bearer " + s.Post("/api/users/tokens", object{"userId": b}).OK()["token"].(string)
		as := func(method, path string, body any, headers ...string) apptest.Response {
			return s.Call(s.ClientAPIKey, method, path, body, headers...)
		}
		const own, missing = "Member token does not belong to this user", "Member token is required"
		as("POST", "/api/referral/codes", object{"loyaltyRuleId": rule, "userId": b}).Refused(403, missing)
		as(
			"POST",
			"/api/referral/codes",
			object{"loyaltyRuleId": rule, "userId": a},
			"Authorization",
			token,
		).Refused(403, own)
		if code := as(
			"POST",
			"/api/referral/codes",
			object{"loyaltyRuleId": rule, "userId": b},
			"Authorization",
			token,
		).OK(); code["userId"] != b {
			t.Errorf("the code of %v", code)
		}
		codeA := s.ReferralCode(rule, "a")
		as("POST", "/api/referral/users", object{"referralCode": codeA, "userIds": []any{b}}).Refused(403, missing)
		as(
			"POST",
			"/api/referral/users",
			object{"referralCode": codeA, "userIds": []any{b, s.UserOf("c")}},
			"Authorization",
			token,
		).Refused(403, own)
		as("POST", "/api/referral/users", object{"referralCode": codeA, "userIds": []any{b}}, "Authorization", token).OK()
		if list := as("GET", "/api/referral/users", nil, "Authorization", token).Data(); len(list) != 0 {
			t.Errorf("by its token alone b referred %v", list)
		}
		as("GET", "/api/referral/users?userId="+a, nil, "Authorization", token).Refused(403, own)
		if list := as("GET", "/api/referral/users?userId="+b, nil, "Authorization", token).Data(); len(list) != 0 {
			t.Errorf("b referred %v", list)
		}
	})
}

func TestReferralsAreListedNewestFirstByReferrer(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other := s.Rule("referred_user", nil), s.Rule("referred_user", nil)
		var want []string
		for i := range 5 {
			id := s.UserOf(fmt.Sprintf("u%d", i))
			s.Refer(s.ReferralCode(rule, "a"), id).OK()
			want = append(want, id)
		}
		s.Refer(s.ReferralCode(other, "b"), want[0]).OK()
		slices.Reverse(want)
		var got []string
		after := ""
		for {
			page := s.Get("/api/referral/users?limit=2&walletAddress=a" + after)
			for _, item := range page.Data() {
				got = append(got, item["user"].(object)["id"].(string))
				after = "&startingAfter=" + item["id"].(string)
			}
			if page.OK()["hasNextPage"] != true {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("pages give %v, want %v", got, want)
		}
		if list := s.Get("/api/referral/users?loyaltyRuleId=" + other).Data(); len(list) != 1 {
			t.Errorf("of the other rule: %v", list)
		}
		s.Get("/api/referral/users?startingAfter="+apptest.SecondUnknownID).Refused(400, "startingAfter not found")
	})
}

func TestReferralRequirementsAreCheckedWithTheRule(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for message, metadata := range map[string]object{
			"metadata.referralRequirements must be an object":                            {"referralRequirements": []any{}},
			"metadata.referralRequirements.connectEmail must be a boolean":               {"referralRequirements": object{"connectEmail": "yes"}},
			"metadata.referralRequirements.points must be an object":                     {"referralRequirements": object{"points": 5}},
			"metadata.referralRequirements.points.amount must be a number of at least 0": {"referralRequirements": object{"points": object{"amount": -1}}},
			"metadata.referralRequirements.points.loyaltyCurrencyId must be a uuid":      {"referralRequirements": object{"points": object{"loyaltyCurrencyId": "x"}}},
			"metadata.referrerReward must be a number of at least 0":                     {"referrerReward": -1},
			"metadata.firstReferralReward must be between 0 and 100":                     {"firstReferralReward": 101},
		} {
			s.Post("/api/loyalty/rules", object{"name": "R", "type": "referred_user", "amount": 1, "metadata": metadata}).
				Refused(400, message)
		}
		s.Rule(
			"referred_user",
			object{"metadata": object{"referralRequirements": object{"connectEmail": nil, "points": nil, "else": 1}}},
		)
	})
}
