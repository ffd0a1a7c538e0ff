package app_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// userOf returns the id of the wallet's user, which it makes where there is none.
func (s *server) userOf(wallet string) string { s.t.Helper(); return s.user(wallet, nil) }

// code returns the wallet's referral code for the rule.
func (s *server) code(rule, wallet string) string {
	s.t.Helper()
	return s.post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": wallet}).ok()["referralCode"].(string)
}

func (s *server) refer(code string, users ...string) answer {
	s.t.Helper()
	return s.post("/api/referral/users", object{"referralCode": code, "userIds": users})
}

// referring runs the workers of referrals until the condition holds, or for twenty seconds.
func (s *server) referring(until func() bool) {
	s.t.Helper()
	defer beside(s.app.Referrals.Run, func(ctx context.Context) { _ = s.app.Feed.Run(ctx, s.app.Referrals.Consumer()) })()
	s.waits(until)
}

// settled runs the workers until they have seen everything that happened so far.
func (s *server) settled() {
	s.t.Helper()
	mark, rule := s.userOf(
		"the-mark",
	), s.rule(
		"referred_user",
		object{"amount": 1, "metadata": object{"referralRequirements": object{"points": object{"amount": 1}}}},
	)
	wallet := "marked-" + rule
	s.refer(s.code(rule, "marker-"+mark), s.userOf(wallet)).ok()
	s.give(wallet, 1)
	s.referring(func() bool { return s.balance(wallet) == "2" })
}

// give credits the wallet in the program's currency, by the caller's own transaction.
func (s *server) give(wallet string, amount int) {
	s.t.Helper()
	s.post("/api/loyalty/transactions", object{"description": "A gift", "loyaltyCurrencyId": s.LoyaltyCurrencyID,
		"entries": []any{object{"walletAddress": wallet, "amount": amount}}}).ok()
}

func TestReferralCodesAreUniqueAndOnePerMemberAndRule(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, other := s.rule("referred_user", nil), s.rule("referred_user", nil)
		made := s.post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": alice}).ok()
		if code := made["referralCode"].(string); !regexp.MustCompile(`^[A-HJ-NP-Z2-9]{8}$`).MatchString(code) {
			t.Errorf("a made code is %q", code)
		}
		if made["userId"] != s.userOf(alice) || made["loyaltyRuleId"] != rule || made["deletedAt"] != nil ||
			made["organizationId"] != s.OrganizationID.String() ||
			made["websiteId"] != s.WebsiteID.String() {
			t.Errorf("a code is %v", made)
		}
		again := s.post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": alice, "customReferralCode": "another"}).
			ok()
		if again["id"] != made["id"] || again["referralCode"] != made["referralCode"] {
			t.Errorf("asked again: %v, not %v", again, made)
		}
		custom := s.post("/api/referral/codes", object{"loyaltyRuleId": other, "walletAddress": alice, "customReferralCode": "Alice_1-x"}).
			ok()
		if custom["referralCode"] != "Alice_1-x" || custom["id"] == made["id"] {
			t.Errorf("a custom code is %v", custom)
		}
		for _, taken := range []string{"Alice_1-x", "aLICE_1-X"} {
			s.post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": "bob", "customReferralCode": taken}).
				refused(400, "Referral code is already taken")
		}
		for bad, message := range map[string]string{"ab": "customReferralCode must be at least 3 characters", "a b c": "customReferralCode must consist of letters, digits, _ and -",
			strings.Repeat("x", 65): "customReferralCode must be at most 64 characters", "straße": "customReferralCode must consist of letters, digits, _ and -"} {
			s.post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": "bob", "customReferralCode": bad}).
				refused(400, message)
		}
		s.post("/api/referral/codes", object{"loyaltyRuleId": s.rule("check_in", nil), "walletAddress": "bob"}).
			refused(400, "loyaltyRuleId must name a rule of type referred_user")
		s.post("/api/referral/codes", object{"loyaltyRuleId": nobody, "walletAddress": "bob"}).
			refused(404, "Loyalty rule not found")
		s.post("/api/referral/codes", object{"walletAddress": "bob"}).refused(400, "loyaltyRuleId is required")
		s.post("/api/referral/codes", object{"loyaltyRuleId": rule}).refused(400, "userId or walletAddress is required")
		s.post("/api/referral/codes", object{"loyaltyRuleId": rule, "userId": nobody}).refused(404, "User not found")
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).ok()
		s.post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": alice}).
			refused(404, "Loyalty rule not found")
	})
}

func TestAReferralIsRefusedAsAWholeForTheFirstReason(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, other := s.rule("referred_user", nil), s.rule("referred_user", nil)
		a, b, c, d := s.userOf("a"), s.userOf("b"), s.userOf("c"), s.userOf("d")
		codeA, codeB, codeC := s.code(rule, "a"), s.code(rule, "b"), s.code(rule, "c")
		count := func() int { return len(s.get("/api/referral/users?loyaltyRuleId=" + rule).data()) }

		s.refer("NOSUCH", b).refused(400, "Referral code not found")
		s.post("/api/referral/users", object{"referralCodeId": nobody, "userIds": []any{b}}).
			refused(400, "Referral code not found")
		s.refer(codeA, b, a).refused(400, "Users cannot refer themselves")
		s.refer(codeA, b, nobody).refused(404, "User not found")
		if n := count(); n != 0 {
			t.Fatalf("%d referrals after refusals", n)
		}
		s.refer(strings.ToLower(codeA), b, b).ok() // codes are the same in any case; a user named twice is one
		s.refer(codeA, b).refused(400, "User was already referred")
		s.refer(codeC, d, b).refused(400, "User was already referred")
		s.refer(codeB, a).refused(400, "Referral loop is not allowed")
		s.refer(codeB, c).ok()
		s.refer(codeC, d, a).refused(400, "Referral loop is not allowed")
		s.refer(s.code(other, "c"), a).refused(400, "Referral loop is not allowed") // of another rule, a loop all the same
		s.refer(s.code(other, "a"), b).ok()                                         // once per rule
		if n := count(); n != 2 {
			t.Errorf("%d referrals, want b and c", n)
		}
		s.post("/api/referral/users", object{"userIds": []any{d}}).refused(400, "referralCode or referralCodeId is required")
		s.post("/api/referral/users", object{"referralCode": codeA}).refused(400, "userIds is required")
		if got := s.post("/api/referral/users", object{"referralCode": codeA, "userIds": []any{}}); got.status != 400 {
			t.Errorf("nobody referred: %d %s", got.status, got.body)
		}
		many := make([]string, 101)
		for i := range many {
			many[i] = d
		}
		if got := s.refer(codeA, many...); got.status != 400 {
			t.Errorf("101 referred: %d %s", got.status, got.body)
		}
		s.post("/api/users/metadatas", object{"walletAddress": "a", "userGroupExternalIdentifier": "home"}).ok()
		s.post("/api/users/metadatas", object{"walletAddress": "d", "userGroupExternalIdentifier": "home"}).ok()
		s.refer(codeA, d).refused(400, "Users cannot refer themselves") // two wallets of one person
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).ok()
		s.refer(codeA, s.userOf("e")).refused(400, "Referral code not found")
	})
}

func TestOfReferralsThatRaceOneWins(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("referred_user", object{"metadata": object{"referrerReward": 5}})
		victim := s.userOf("victim")
		var codes []string
		for i := range 8 {
			codes = append(codes, s.code(rule, fmt.Sprintf("referrer-%d", i)))
		}
		answers := callsAtOnce(len(codes), func(i int) answer { return s.refer(codes[i], victim) })
		outcomes(t, answers, 1, "User was already referred")

		ring := []string{s.userOf("r0"), s.userOf("r1"), s.userOf("r2")}
		for i := range ring {
			codes[i] = s.code(rule, fmt.Sprintf("r%d", i))
		}
		answers = callsAtOnce(len(ring), func(i int) answer { return s.refer(codes[i], ring[(i+1)%len(ring)]) })
		outcomes(t, answers, 2, "Referral loop is not allowed")

		made := callsAtOnce(8, func(int) answer {
			return s.post("/api/referral/codes", object{"loyaltyRuleId": rule, "walletAddress": "one-of-many"})
		})
		for _, a := range made {
			if a.ok()["id"] != made[0].ok()["id"] {
				t.Errorf("two codes for one member: %s, %s", a.body, made[0].body)
			}
		}
		taken := callsAtOnce(8, func(i int) answer {
			return s.post(
				"/api/referral/codes",
				object{"loyaltyRuleId": rule, "walletAddress": fmt.Sprintf("w%d", i), "customReferralCode": "wanted"},
			)
		})
		outcomes(t, taken, 1, "Referral code is already taken")
	})
}

// callsAtOnce makes calls at once.
func callsAtOnce(n int, call func(i int) answer) []answer {
	out := make([]answer, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { out[i] = call(i) })
	}
	wg.Wait()
	return out
}

// outcomes demands a number of successes and one refusal for all others.
func outcomes(t *testing.T, answers []answer, good int, message string) {
	t.Helper()
	ok := 0
	for _, a := range answers {
		if a.status == 200 {
			ok++
		} else if a.status != 400 || a.json()["message"] != message {
			t.Errorf("%d %s", a.status, a.body)
		}
	}
	if ok != good {
		t.Errorf("%d succeeded, want %d", ok, good)
	}
}

func TestAReferralPaysWelcomeAndLumpSumAtOnceAndOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		gold := s.post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		rule := s.rule(
			"referred_user",
			object{
				"amount":            10,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"interval":          "unlimited",
				"metadata":          object{"referrerReward": "2.5"},
			},
		)
		s.post("/api/loyalty/multipliers", object{"walletAddress": "a", "multiplier": 3}).ok()
		s.post("/api/loyalty/multipliers", object{"walletAddress": "b", "multiplier": 3}).ok()
		a, b := s.userOf("a"), s.userOf("b")
		s.refer(s.code(rule, "a"), b).ok()
		if referee, referrer := s.balance("b"), s.balance("a"); referee != "10" || referrer != "2.5" {
			t.Errorf("welcome %s, lump sum %s", referee, referrer)
		}
		entries := s.get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).data()
		told := map[string]any{}
		for _, e := range entries {
			m := e["metadata"].(object)
			if m["refereeUserId"] != b || e["type"] != "loyalty_rule" {
				t.Errorf("an entry is %v", e)
			}
			told[m["referral"].(string)] = e["loyaltyTransactionId"]
		}
		if len(entries) != 2 || told["welcome"] == nil || told["welcome"] != told["lump_sum"] {
			t.Errorf("entries %v", entries)
		}
		item := s.get("/api/referral/users?userId=" + a).data()[0]
		code := item["referralCode"].(object)
		if fmt.Sprintf("%v %v %v %v", item["amount"], item["tier1Amount"], item["tier2Amount"], item["eligible"]) != "2.5 0 0 true" || item["user"].(object)["id"] != b ||
			item["user"].(object)["walletAddress"] != "b" || code["userId"] != a ||
			code["loyaltyRuleId"] != rule ||
			code["deletedAt"] != nil {
			t.Errorf("the referral is %v", item)
		}
		who := s.get("/api/users?userId=" + b).data()[0]["referrers"].([]any)[0].(object)
		if who["eligible"] != true || who["user"].(object)["id"] != b ||
			who["referralCode"].(object)["user"].(object)["id"] != a {
			t.Errorf("referrers %v", who)
		}
		s.complete(rule, object{"walletAddress": "b"}).refused(400, "Quest not completed")
		for range 3 {
			if _, err := s.app.Referrals.RunDue(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		other := s.rule(
			"referred_user",
			object{
				"amount":            0,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"metadata":          object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": gold},
			},
		)
		s.refer(s.code(other, "a"), b).ok()
		if s.balance("a") != "2.5" ||
			s.get("/api/loyalty/accounts?walletAddress=a&loyaltyCurrencyId=" + gold).data()[0]["amount"] == nil {
			t.Errorf("a lump sum in gold left %s points", s.balance("a"))
		}
	})
}

func TestTheCurrencyOfALumpSumIsThereWhenARuleNamesIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		other, gone := s.program(
			"Other",
		), s.post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		terms := func(currency any) object {
			return object{
				"metadata":          object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": currency},
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
			}
		}
		kept := s.rule("referred_user", terms(gone))
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/currencies/"+gone, nil).ok()
		rule := s.rule("referred_user", terms(nil))
		for _, currency := range []any{unknownID, other.LoyaltyCurrencyID, gone} {
			for path, body := range map[string]object{
				"/api/loyalty/rules":         over(object{"name": "N", "type": "referred_user"}, terms(currency)),
				"/api/loyalty/rules/" + rule: terms(currency),
			} {
				faults := s.post(path, body).refused(400, "Loyalty currency not found")["errors"].([]any)
				if len(faults) != 1 || faults[0].(object)["path"] != "metadata.referrerRewardLoyaltyCurrencyId" {
					t.Errorf("%s, %v: %v", path, currency, faults)
				}
			}
		}
		s.post("/api/loyalty/rules/"+kept, object{"name": "Another"}).ok() // it was deleted since
		s.rule("external_rule", over(terms(unknownID), object{"amount": 1}))
	})
}

// TestAReferralThatGivesAMultiplierPaysTheLumpSum: with a currency of the rule's, by which the welcome has an entry of
// 0, and without one.
func TestAReferralThatGivesAMultiplierPaysTheLumpSum(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, outside string) {
		lump := func(currency any) object {
			return object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": currency}
		}
		for i, properties := range []object{
			{"metadata": lump(s.LoyaltyCurrencyID)},
			{"metadata": lump(nil), "loyaltyCurrencyId": s.LoyaltyCurrencyID},
			{"metadata": lump(outside)},
		} {
			rule := s.rule("referred_user", over(object{"rewardType": "multiplier", "amount": 2}, properties))
			referrer, referee := fmt.Sprint("a", i), fmt.Sprint("b", i)
			s.refer(s.code(rule, referrer), s.userOf(referee)).ok()
			if got := fmt.Sprint(s.held(referee)); got != "[2]" {
				t.Errorf("%v: the referee holds %s", properties, got)
			}
			if item := s.get("/api/referral/users?userId=" + s.userOf(referrer)).data()[0]; item["eligible"] != true {
				t.Errorf("%v: %v", properties, item)
			}
		}
		if got := s.balance("a0") + " " + s.balance("a1"); got != "7 7" {
			t.Errorf("lump sums: %s", got)
		}
		b.has(t, "a2", "7")
		s.sound()
	})
}

func TestWhatAReferralAsksForIsPaidWhenItFirstHolds(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		write := func(fields object) func(wallet string) {
			return func(wallet string) {
				fields["walletAddress"] = wallet
				for k, v := range fields {
					if text, ok := v.(string); ok {
						fields[k] = strings.ReplaceAll(text, "$", wallet)
					}
				}
				s.post("/api/users/metadatas", fields).ok()
			}
		}
		cases := map[string]struct {
			requirements, metadata object
			short                  func(wallet string) // does not suffice
			enough                 func(wallet string)
		}{
			"points": {
				requirements: object{"points": object{"amount": 20, "loyaltyCurrencyId": s.LoyaltyCurrencyID}},
				short:        func(w string) { s.give(w, 19) },
				enough:       func(w string) { s.give(w, 1) },
			},
			"points-alias": {
				requirements: object{
					"achievePoints": true,
					"points":        object{"amount": "20", "loyaltyCurrecyId": s.LoyaltyCurrencyID},
				},
				short:  func(w string) { s.give(w, 19) },
				enough: func(w string) { s.give(w, 1) },
			},
			"any-points": {
				requirements: object{"achievePoints": true},
				short:        write(object{"displayName": "$"}),
				enough:       func(w string) { s.give(w, 1) },
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
				short:  func(w string) { write(object{"chatServerUserId": "a-$", "microblogUserId": "a-$"})(w); s.give(w, 4) },
				enough: func(w string) { s.give(w, 1) },
			},
			"email": {
				requirements: object{"connectEmail": true},
				short:        write(object{"emailAddress": "$@x.example"}),
				enough: func(w string) {
					// No operation verifies an address yet.
					db.exec(
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
			rules[name] = s.rule("referred_user", object{"amount": 1000, "metadata": metadata})
			s.refer(s.code(rules[name], "from-"+name), s.userOf("to-"+name)).ok()
			c.short("to-" + name)
		}
		paid := func(name string) bool { return s.balance("from-"+name) == "3" }
		s.settled()
		for name := range cases {
			if item := s.get("/api/referral/users?loyaltyRuleId=" + rules[name]).data()[0]; paid(name) ||
				item["eligible"] != false {
				t.Errorf("%s: paid before the requirements hold: %v", name, item)
			}
		}
		for name, c := range cases {
			c.enough("to-" + name)
		}
		s.referring(func() bool {
			for name := range cases {
				if !paid(name) {
					return false
				}
			}
			return true
		})
		s.settled()
		for name := range cases {
			entries := s.get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rules[name]).data()
			if len(entries) != 2 || s.get("/api/referral/users?loyaltyRuleId=" + rules[name]).data()[0]["eligible"] != true {
				t.Errorf("%s: entries %v", name, entries)
			}
		}
	})
}

func TestAnOpenReferralWaitsForItsRuleAndItsReferee(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		later := noon.Add(time.Hour).Format(time.RFC3339)
		waiting := s.rule("referred_user", object{"amount": 10, "startTime": later})
		asking := s.rule(
			"referred_user",
			object{"amount": 10, "metadata": object{"referralRequirements": object{"points": object{"amount": 500}}}},
		)
		blocking := s.rule("referred_user", object{"amount": 10, "metadata": object{"referrerReward": 1}})
		a, b, c, d := s.userOf("a"), s.userOf("b"), s.userOf("c"), s.userOf("d")
		s.post("/api/users/metadatas", object{"userId": c, "isBlocked": true}).ok()
		s.refer(s.code(waiting, "a"), b).ok()
		s.refer(s.code(asking, "a"), b).ok()
		s.refer(s.code(blocking, "a"), c).ok()
		s.settled()
		if s.balance("b") != "" || s.balance("c") != "" {
			t.Errorf("paid before the time: %q, %q", s.balance("b"), s.balance("c"))
		}
		if item := s.get("/api/referral/users?loyaltyRuleId=" + waiting).data()[0]; item["eligible"] != true {
			t.Errorf("nothing is asked for, but %v", item)
		}
		s.clock.advance(time.Hour)
		s.referring(func() bool { return s.balance("b") == "10" })
		s.post("/api/loyalty/rules/"+asking, object{"metadata": object{}}).ok()
		s.referring(func() bool { return s.balance("b") == "20" })
		s.post("/api/users/metadatas", object{"userId": c, "isBlocked": false}).ok()
		s.referring(func() bool { return s.balance("c") == "10" && s.balance("a") == "1" })

		s.post("/api/users/metadatas", object{"userId": a, "isBlocked": true}).ok()
		s.refer(s.code(blocking, "a"), d).ok() // a blocked referrer gets nothing, and the referee its welcome
		if s.balance("d") != "10" || s.balance("a") != "1" {
			t.Errorf("welcome %s, lump sum of a blocked referrer %s", s.balance("d"), s.balance("a"))
		}
	})
}

func TestTheWalletsOfAPersonAreWelcomedOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule(
			"referred_user",
			object{
				"amount":   10,
				"metadata": object{"referrerReward": 1, "referralRequirements": object{"connectMicroblog": true}},
			},
		)
		b, c := s.userOf("b"), s.userOf("c")
		for _, id := range []string{b, c} {
			s.post("/api/users/metadatas", object{"userId": id, "userGroupExternalIdentifier": "home"}).ok()
		}
		s.refer(s.code(rule, "a"), b).ok()
		s.settled()
		s.post("/api/users/metadatas", object{"userId": c, "microblogUserId": "c-77"}).ok() // what a mate has counts
		s.referring(func() bool { return s.balance("b") == "10" })
		s.refer(s.code(rule, "z"), c).ok()
		s.settled()
		if s.balance("c") != "" || s.balance("z") != "" {
			t.Errorf("the same person was welcomed twice: %q, lump sum %q", s.balance("c"), s.balance("z"))
		}
	})
}

func TestPublishableKeysReferTheirOwnUserOnly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("referred_user", nil)
		a, b := s.userOf("a"), s.userOf("b")
		token := "Bearer " + s.post("/api/users/tokens", object{"userId": b}).ok()["token"].(string)
		as := func(method, path string, body any, headers ...string) answer {
			return s.call(s.ClientAPIKey, method, path, body, headers...)
		}
		const own, missing = "Member token does not belong to this user", "Member token is required"
		as("POST", "/api/referral/codes", object{"loyaltyRuleId": rule, "userId": b}).refused(403, missing)
		as(
			"POST",
			"/api/referral/codes",
			object{"loyaltyRuleId": rule, "userId": a},
			"Authorization",
			token,
		).refused(403, own)
		if code := as(
			"POST",
			"/api/referral/codes",
			object{"loyaltyRuleId": rule, "userId": b},
			"Authorization",
			token,
		).ok(); code["userId"] != b {
			t.Errorf("the code of %v", code)
		}
		codeA := s.code(rule, "a")
		as("POST", "/api/referral/users", object{"referralCode": codeA, "userIds": []any{b}}).refused(403, missing)
		as(
			"POST",
			"/api/referral/users",
			object{"referralCode": codeA, "userIds": []any{b, s.userOf("c")}},
			"Authorization",
			token,
		).refused(403, own)
		as("POST", "/api/referral/users", object{"referralCode": codeA, "userIds": []any{b}}, "Authorization", token).ok()
		as("GET", "/api/referral/users", nil, "Authorization", token).refused(400, "userId or walletAddress is required")
		as("GET", "/api/referral/users?userId="+a, nil, "Authorization", token).refused(403, own)
		if list := as("GET", "/api/referral/users?userId="+b, nil, "Authorization", token).data(); len(list) != 0 {
			t.Errorf("b referred %v", list)
		}
	})
}

func TestReferralsAreListedNewestFirstByReferrer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, other := s.rule("referred_user", nil), s.rule("referred_user", nil)
		var want []string
		for i := range 5 {
			id := s.userOf(fmt.Sprintf("u%d", i))
			s.refer(s.code(rule, "a"), id).ok()
			want = append(want, id)
		}
		s.refer(s.code(other, "b"), want[0]).ok()
		slices.Reverse(want)
		var got []string
		after := ""
		for {
			page := s.get("/api/referral/users?limit=2&walletAddress=a" + after)
			for _, item := range page.data() {
				got = append(got, item["user"].(object)["id"].(string))
				after = "&startingAfter=" + item["id"].(string)
			}
			if page.ok()["hasNextPage"] != true {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("pages give %v, want %v", got, want)
		}
		if list := s.get("/api/referral/users?loyaltyRuleId=" + other).data(); len(list) != 1 {
			t.Errorf("of the other rule: %v", list)
		}
		s.get("/api/referral/users?startingAfter="+nobody).refused(400, "startingAfter not found")
	})
}

func TestReferralRequirementsAreCheckedWithTheRule(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for message, metadata := range map[string]object{
			"metadata.referralRequirements must be an object":                            {"referralRequirements": []any{}},
			"metadata.referralRequirements.connectEmail must be a boolean":               {"referralRequirements": object{"connectEmail": "yes"}},
			"metadata.referralRequirements.points must be an object":                     {"referralRequirements": object{"points": 5}},
			"metadata.referralRequirements.points.amount must be a number of at least 0": {"referralRequirements": object{"points": object{"amount": -1}}},
			"metadata.referralRequirements.points.loyaltyCurrencyId must be a uuid":      {"referralRequirements": object{"points": object{"loyaltyCurrencyId": "x"}}},
			"metadata.referrerReward must be a number of at least 0":                     {"referrerReward": -1},
			"metadata.firstReferralReward must be between 0 and 100":                     {"firstReferralReward": 101},
		} {
			s.post("/api/loyalty/rules", object{"name": "R", "type": "referred_user", "amount": 1, "metadata": metadata}).
				refused(400, message)
		}
		s.rule(
			"referred_user",
			object{"metadata": object{"referralRequirements": object{"connectEmail": nil, "points": nil, "else": 1}}},
		)
	})
}
