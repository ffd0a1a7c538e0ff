package app_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"
)

// silent has the bank write and answer so that nobody knows it.
func (b *bank) silent() {
	b.set(func(b *bank) { b.after = func(int) int { return http.StatusTeapot } })
}

// well has it answer again.
func (b *bank) well() { b.set(func(b *bank) { b.before, b.after = nil, nil }) }

// inside is the program's own currency, whose balances are kept here.
func (s *server) inside() string { return s.LoyaltyCurrencyID.String() }

func TestPointsThatWaitKeepTheirCurrencyHere(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, _ string) {
		own := "/api/loyalty/currencies/" + s.inside()
		s.post(own, object{"pointsWaitHours": 48}).ok()
		s.complete(s.rule("external_rule", object{"loyaltyCurrencyId": s.inside()}), object{"walletAddress": alice}).ok()
		s.post(own, object{"pointsWaitHours": nil, "apiPostUrl": b.URL + "/post"}).
			refused(400, "apiPostUrl cannot be set while points wait")
		s.pass(49 * time.Hour)
		s.is(alice, "10", "released 10 0")
		s.post(own, object{"pointsWaitHours": nil, "apiPostUrl": b.URL + "/post"}).ok()
	})
}

func TestWhatIsOpenIsNotPaidByOtherMeans(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		own, path := "/api/loyalty/currencies/"+currency, "/api/loyalty/rules/"+rule
		b.silent()
		s.complete(rule, object{"walletAddress": alice}).refused(503, "Service unavailable")
		s.post(own, object{"apiPostUrl": nil}).refused(400, "apiPostUrl cannot be removed while payments are open")
		s.post(path, object{"loyaltyCurrencyId": s.inside()}).
			refused(400, "loyaltyCurrencyId cannot be changed while payments of the rule are open")
		s.post(path, object{"rewardType": "multiplier", "amount": 2}).
			refused(400, "rewardType cannot be changed while payments of the rule are open")
		s.post(path, object{"deletedAt": "2026-01-14T12:00:00Z", "loyaltyCurrencyId": s.inside()}).
			refused(400, "loyaltyCurrencyId cannot be changed while payments of the rule are open")
		s.call(s.WebsiteAPIKey, "DELETE", path, nil).ok()
		s.post(path, object{"deletedAt": nil, "loyaltyCurrencyId": s.inside()}).
			refused(400, "loyaltyCurrencyId cannot be changed while payments of the rule are open")
		s.post(path, object{"deletedAt": nil}).ok()
		s.post(path, object{"name": "Another name", "amount": 3}).ok()
		s.post(own, object{"name": "Another name", "apiPostUrl": b.URL + "/post?moved"}).ok()
		b.well()
		s.clock.advance(time.Minute)
		s.carryOn()
		s.post(path, object{"loyaltyCurrencyId": s.inside()}).ok()
		s.post(own, object{"apiPostUrl": nil, "apiGetUrl": nil}).ok()
		s.complete(rule, object{"walletAddress": alice}).refused(400, "You have already been rewarded")
		b.has(t, alice, "10")
		if got := s.mirror(currency, alice); got != "10" || s.balance(alice) != "" {
			t.Errorf("the mirror has %s, the other currency %s", got, s.balance(alice))
		}
		s.sound()
	})
}

func TestADeletedRuleTakesBackWhatIsKeptHere(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.post("/api/loyalty/rules/"+rule, object{"loyaltyCurrencyId": s.inside()}).ok()
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.complete(rule, object{"walletAddress": bob}).ok()
		s.takeBack(rule).ok()
		job := s.get("/api/loyalty/clearing_jobs?loyaltyRuleId=" + rule).data()[0]
		if got := spelt(
			job["status"],
			job["accounts"],
			job["amount"],
			job["message"],
		); got != "complete 2 20 Balances of currency "+currency+" are kept outside" {
			t.Errorf("the job: %s", got)
		}
		if s.balance(alice) != "0" || s.balance(bob) != "0" {
			t.Errorf("%s and %s are left", s.balance(alice), s.balance(bob))
		}
		b.has(t, alice, "10")
		s.sound()
	})
}

func TestSeveralCurrenciesOfWhichOneIsKeptOutside(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		s.post("/api/loyalty/transactions", object{"description": "Mixed", "entries": []any{
			object{"walletAddress": alice, "amount": 1, "loyaltyCurrencyId": s.inside()},
			object{
				"walletAddress":     alice,
				"amount":            1,
				"loyaltyCurrencyId": currency,
			},
		}}).
			refused(400, "A currency that is kept outside cannot share a transaction with another one")

		for _, of := range []string{currency, s.inside()} {
			s.post("/api/loyalty/transactions", gift(of, alice, 10, nil)).ok()
		}
		retroactive := object{
			"rewardType":        "multiplier",
			"amount":            2,
			"loyaltyCurrencyId": s.inside(),
			"metadata":          object{"isRetroactive": true},
		}
		s.complete(s.rule("external_rule", retroactive), object{"walletAddress": alice}).ok()
		if got := s.balance(alice); got != "20" {
			t.Errorf("of what is kept here it made %s", got)
		}
		b.has(t, alice, "10")
		named := object{"isRetroactive": true, "multiplierLoyaltyCurrencyIds": []string{s.inside(), currency}}
		s.post("/api/loyalty/rules", object{"name": "x", "type": "external_rule", "rewardType": "multiplier", "amount": 2, "loyaltyCurrencyId": s.inside(), "metadata": named}).
			refused(400, "metadata.multiplierLoyaltyCurrencyIds cannot name balances that are kept outside where isRetroactive is set")
		milestones := object{
			"isRetroactive": true,
			"enableStreaks": true,
			"streakArray":   []object{{"streakMilestone": 1, "streakAmount": 5}},
		}
		s.post("/api/loyalty/rules", object{"name": "x", "type": "check_in", "interval": "daily", "rewardType": "multiplier", "amount": 2, "loyaltyCurrencyId": currency, "metadata": milestones}).
			refused(400, "metadata.isRetroactive cannot be set where milestones pay what is kept outside")
	})
}

func TestALumpSumThatIsKeptOutside(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		terms := object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": currency}
		brings := object{
			"name":              "x",
			"type":              "referred_user",
			"amount":            5,
			"loyaltyCurrencyId": s.inside(),
			"metadata":          terms,
		}
		const differs = "metadata.referrerRewardLoyaltyCurrencyId cannot differ from the rule's where balances are kept outside"
		s.post("/api/loyalty/rules", brings).refused(400, differs)
		rule := s.rule("referred_user", over(brings, object{"amount": 0}))
		s.refer(s.code(rule, alice), s.userOf(bob)).ok()
		b.has(t, alice, "7")
		if got := s.mirror(currency, alice); got != "7" {
			t.Errorf("the mirror has %s", got)
		}
		s.post("/api/loyalty/rules/"+rule, object{"amount": 1}).refused(400, differs)

		// A lump sum alone is decided by no facts of its own: a replay says so.
		gift := object{"rewardType": "multiplier", "amount": 2, "loyaltyCurrencyId": nil, "metadata": terms}
		alone := s.rule("referred_user", gift)
		s.refer(s.code(alone, "brings"), s.userOf("is brought")).ok()
		b.has(t, "brings", "7")
		if r := s.replay(alone, nil); r.Unknown != 1 || r.Total.Completions != 0 {
			t.Errorf("a lump sum alone: %+v", r)
		}

		// Whoever was blocked after the outside had accepted it keeps what was accepted, and whoever was blocked before gets
		// nothing later.
		welcome := s.rule(
			"referred_user",
			object{"amount": 5, "loyaltyCurrencyId": currency, "metadata": object{"referrerReward": 3}},
		)
		code, blocked := s.code(welcome, alice), s.code(welcome, carol)
		s.post("/api/users/metadatas", object{"walletAddress": carol, "isBlocked": true}).ok()
		b.silent()
		s.refer(code, s.userOf("referee-one")).ok()
		s.refer(blocked, s.userOf("referee-two")).ok()
		s.post("/api/users/metadatas", object{"walletAddress": alice, "isBlocked": true}).ok()
		s.post("/api/users/metadatas", object{"walletAddress": carol, "isBlocked": false}).ok()
		b.well()
		s.clock.advance(time.Hour)
		s.carryOn()
		for wallet, amount := range map[string]string{alice: "10", "referee-one": "5", "referee-two": "5"} {
			b.has(t, wallet, amount)
			if got := s.mirror(currency, wallet); got != amount {
				t.Errorf("the mirror of %s has %s", wallet, got)
			}
		}
		b.has(t, carol, "0")
		if got := s.mirror(currency, carol); got != "" {
			t.Errorf("the mirror of who was blocked has %s", got)
		}
		s.sound()

		gold := s.post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		two := s.rule(
			"referred_user",
			object{
				"amount":            5,
				"loyaltyCurrencyId": s.inside(),
				"metadata":          object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": gold},
			},
		)
		for _, of := range []string{gold, s.inside()} {
			s.post("/api/loyalty/currencies/"+of, object{"apiPostUrl": b.URL + "/post"}).
				refused(400, "apiPostUrl cannot be set while rule "+two+" pays in this currency and another one at once")
		}
	})
}

func TestCheckInsThatFollowFromWhatIsKeptOutside(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		far := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		near := s.rule("external_rule", object{"loyaltyCurrencyId": s.inside(), "interval": "unlimited"})
		here := s.checksIn(object{"autoCheckInRuleIds": []string{far}}, object{"amount": 3, "loyaltyCurrencyId": s.inside()})
		s.complete(far, object{"walletAddress": alice}).ok()
		if got := s.balance(alice); got != "4" || s.streak(here, alice) != "1 2026-01-16T00:00:00.000Z" {
			t.Errorf("it checks in here: %s, %q", got, s.streak(here, alice))
		}
		b.has(t, alice, "10")

		there := s.checksIn(object{"autoCheckInRuleIds": []string{near}}, object{"amount": 3, "loyaltyCurrencyId": currency})
		calls := b.asked()
		s.complete(near, object{"walletAddress": bob}).ok() // a member that is made by it
		if b.asked() != calls {
			t.Error("the call waited for a check-in")
		}
		s.complete(near, object{"walletAddress": bob}).ok()
		s.carryOn()
		b.has(t, bob, "4")
		if got := s.mirror(
			currency,
			bob,
		); got != "4" || s.balance(bob) != "20" ||
			s.streak(there, bob) != "1 2026-01-16T00:00:00.000Z" {
			t.Errorf("it checks in there: %s, %s, %q", got, s.balance(bob), s.streak(there, bob))
		}

		every := s.checksIn(object{"isCheckInOnEveryTxn": true}, object{"amount": 6, "loyaltyCurrencyId": currency})
		b.set(func(b *bank) { b.before = func(int) int { return 404 } }) // it is not there for a while: nobody would ask anew
		s.post("/api/loyalty/transactions", gift(s.inside(), carol, 1, nil)).ok()
		s.carryOn()
		if got := s.state(currency); got != "open in doubt: false" {
			t.Errorf("while it is not there: %s", got)
		}
		b.well()
		s.clock.advance(time.Minute)
		s.carryOn()
		b.has(t, carol, "7")
		if got := s.mirror(currency, carol); got != "7" || s.streak(every, carol) != "1 2026-01-16T00:00:00.000Z" {
			t.Errorf("it checks in by an entry: %s, %q", got, s.streak(every, carol))
		}
		s.sound()
	})
}

func TestACheckInThatIsAcceptedLateCountsForItsDay(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.counting(object{"amount": 1, "loyaltyCurrencyId": currency}, 3, 100)
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.clock.advance(24 * time.Hour)
		b.silent()
		s.complete(rule, object{"walletAddress": alice}).refused(503, "Service unavailable")
		b.well()
		s.clock.advance(48 * time.Hour)
		s.carryOn()
		if got := s.streak(rule, alice); got != "2 2026-01-17T00:00:00.000Z" {
			t.Errorf("the streak is %q", got)
		}
		s.complete(rule, object{"walletAddress": alice}).ok() // a day was missed
		if got := s.streak(rule, alice); got != "1 2026-01-19T00:00:00.000Z" {
			t.Errorf("then it is %q", got)
		}
		b.has(t, alice, "3")
		s.sound()
	})
}

func TestASlowSystemDelaysNoOther(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, slow *bank, currency string) {
		quick := newBank(t)
		other := s.post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0, "apiPostUrl": quick.URL + "/post"}).ok()["id"].(string)
		slow.silent()
		quick.silent()
		for i := range 20 {
			s.post("/api/loyalty/transactions", gift(currency, alice, i+1, nil)).refused(503, "Service unavailable")
		}
		s.post("/api/loyalty/transactions", gift(other, bob, 1, nil)).refused(503, "Service unavailable")
		asked, release := make(chan struct{}, 100), make(chan struct{})
		slow.set(func(b *bank) {
			b.after = nil
			b.before = func(int) int { asked <- struct{}{}; <-release; return 0 }
		})
		quick.well()
		s.clock.advance(time.Minute)
		stop, letGo := beside(s.app.Carrier.Run), sync.OnceFunc(func() { close(release) })
		defer func() { letGo(); stop() }()
		<-asked
		s.waits(func() bool { return s.posts(other)[0]["status"] == "done" })
		for _, post := range s.posts(currency) { // a call that is under way tells nothing, one that has ended would tell why
			if told := fmt.Sprint(
				post["status"],
				" ",
				post["message"],
			); told != "open <nil>" &&
				told != "open answered with status 418" {
				t.Errorf("the other waited for the end of a call: %s", told)
			}
		}
		letGo()
		s.waits(func() bool { return s.count("/api/loyalty/currencies/"+currency+"/external_posts?status=open") == 0 })
		stop()
		slow.has(t, alice, "210")
		if got := s.mirror(currency, alice); got != "210" {
			t.Errorf("the mirror has %s", got)
		}
		s.sound()
	})
}

func TestWhatIsOpenIsNotPaidAgainInAGroup(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		rule := s.rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		for _, wallet := range []string{alice, bob, carol} {
			s.userOf(wallet)
		}
		s.in(bob, "family")
		b.silent()
		s.complete(rule, object{"walletAddress": alice}).refused(503, "Service unavailable")
		s.in(alice, "family") // and what it is owed comes along
		b.well()
		s.complete(rule, object{"walletAddress": bob}).refused(400, "You have already been rewarded")
		b.has(t, alice, "10")
		b.has(t, bob, "0")

		s.in(carol, "crew")
		s.in("mate", "crew")
		b.silent()
		s.complete(rule, object{"walletAddress": carol}).refused(503, "Service unavailable")
		s.in("mate", nil) // it leaves before it is known what the group was paid
		s.complete(rule, object{"walletAddress": "mate"}).refused(503, "Service unavailable")
		b.well()
		s.clock.advance(time.Minute)
		s.carryOn()
		b.has(t, carol, "10")
		b.has(t, "mate", "0")
		s.sound()
	})
}

func TestARuleThatIsDeletedWhileTheOutsideIsAskedGivesNothingElse(t *testing.T) {
	t.Parallel()
	eachWithBank(t, func(t *testing.T, s *server, b *bank, currency string) {
		milestone := object{"enableStreaks": true, "streakArray": []object{{"streakMilestone": 1, "streakAmount": 5}}}
		gift := object{
			"rewardType":        "multiplier",
			"amount":            2,
			"loyaltyCurrencyId": currency,
			"interval":          "daily",
			"metadata":          milestone,
		}
		stays, goes := s.rule("check_in", gift), s.rule("check_in", gift)
		b.silent()
		s.complete(stays, object{"walletAddress": alice}).refused(503, "Service unavailable")
		s.complete(goes, object{"walletAddress": bob}).refused(503, "Service unavailable")
		s.remove("/api/loyalty/rules/" + goes)
		b.well()
		s.clock.advance(time.Minute)
		s.carryOn()
		b.has(t, alice, "5")
		b.has(t, bob, "5")
		if a, c := s.held(alice), s.held(bob); len(a) != 1 || len(c) != 0 || s.mirror(currency, bob) != "5" {
			t.Errorf("alice holds %v, bob %v and %s", a, c, s.mirror(currency, bob))
		}
		s.sound()
	})
}
