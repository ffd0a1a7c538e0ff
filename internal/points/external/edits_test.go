package external_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// silent has the bank write and answer so that nobody knows it.
func silent(b *apptest.Bank) {
	set(b, func(b *apptest.Bank) { b.After = func(int) int { return http.StatusTeapot } })
}

// well has it answer again.
func well(b *apptest.Bank) { set(b, func(b *apptest.Bank) { b.Before, b.After = nil, nil }) }

// inside is the program's own currency, whose balances are kept here.
func inside(s *apptest.Server) string { return s.LoyaltyCurrencyID.String() }

func TestPointsThatWaitKeepTheirCurrencyHere(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, _ string) {
		own := "/api/loyalty/currencies/" + inside(s)
		s.Post(own, object{"pointsWaitHours": 48}).OK()
		s.Complete(
			s.Rule("external_rule", object{"loyaltyCurrencyId": inside(s)}),
			object{"walletAddress": apptest.Alice},
		).OK()
		s.Post(own, object{"pointsWaitHours": nil, "apiPostUrl": b.URL + "/post"}).
			Refused(400, "apiPostUrl cannot be set while points wait")
		s.AdvanceAndExpire(49 * time.Hour)
		s.CheckLots(apptest.Alice, "10", "released 10 0")
		s.Post(own, object{"pointsWaitHours": nil, "apiPostUrl": b.URL + "/post"}).OK()
	})
}

func TestWhatIsOpenIsNotPaidByOtherMeans(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		own, path := "/api/loyalty/currencies/"+currency, "/api/loyalty/rules/"+rule
		silent(b)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(503, "Service unavailable")
		s.Post(own, object{"apiPostUrl": nil}).Refused(400, "apiPostUrl cannot be removed while payments are open")
		s.Post(path, object{"loyaltyCurrencyId": inside(s)}).
			Refused(400, "loyaltyCurrencyId cannot be changed while payments of the rule are open")
		s.Post(path, object{"rewardType": "multiplier", "amount": 2}).
			Refused(400, "rewardType cannot be changed while payments of the rule are open")
		s.Post(path, object{"deletedAt": "2026-01-14T12:00:00Z", "loyaltyCurrencyId": inside(s)}).
			Refused(400, "loyaltyCurrencyId cannot be changed while payments of the rule are open")
		s.Call(s.WebsiteAPIKey, "DELETE", path, nil).OK()
		s.Post(path, object{"deletedAt": nil, "loyaltyCurrencyId": inside(s)}).
			Refused(400, "loyaltyCurrencyId cannot be changed while payments of the rule are open")
		s.Post(path, object{"deletedAt": nil}).OK()
		s.Post(path, object{"name": "Another name", "amount": 3}).OK()
		s.Post(own, object{"name": "Another name", "apiPostUrl": b.URL + "/post?moved"}).OK()
		well(b)
		s.Clock.Advance(time.Minute)
		carryOn(s)
		s.Post(path, object{"loyaltyCurrencyId": inside(s)}).OK()
		s.Post(own, object{"apiPostUrl": nil, "apiGetUrl": nil}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "You have already been rewarded")
		b.CheckBalance(t, apptest.Alice, "10")
		if got := mirror(s, currency, apptest.Alice); got != "10" || s.Balance(apptest.Alice) != "" {
			t.Errorf("the mirror has %s, the other currency %s", got, s.Balance(apptest.Alice))
		}
		s.Sound()
	})
}

func TestADeletedRuleTakesBackWhatIsKeptHere(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Post("/api/loyalty/rules/"+rule, object{"loyaltyCurrencyId": inside(s)}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.DeleteRuleAndDebit(rule).OK()
		job := s.Get("/api/loyalty/clearing_jobs?loyaltyRuleId=" + rule).Data()[0]
		if got := apptest.Spaced(
			job["status"],
			job["accounts"],
			job["amount"],
			job["message"],
		); got != "complete 2 20 Balances of currency "+currency+" are kept outside" {
			t.Errorf("the job: %s", got)
		}
		if s.Balance(apptest.Alice) != "0" || s.Balance(apptest.Bob) != "0" {
			t.Errorf("%s and %s are left", s.Balance(apptest.Alice), s.Balance(apptest.Bob))
		}
		b.CheckBalance(t, apptest.Alice, "10")
		s.Sound()
	})
}

func TestSeveralCurrenciesOfWhichOneIsKeptOutside(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		s.Post("/api/loyalty/transactions", object{"description": "Mixed", "entries": []any{
			object{"walletAddress": apptest.Alice, "amount": 1, "loyaltyCurrencyId": inside(s)},
			object{
				"walletAddress":     apptest.Alice,
				"amount":            1,
				"loyaltyCurrencyId": currency,
			},
		}}).
			Refused(400, "A currency that is kept outside cannot share a transaction with another one")

		for _, of := range []string{currency, inside(s)} {
			s.Post("/api/loyalty/transactions", apptest.CreditBody(of, apptest.Alice, 10, nil)).OK()
		}
		retroactive := object{
			"rewardType":        "multiplier",
			"amount":            2,
			"loyaltyCurrencyId": inside(s),
			"metadata":          object{"isRetroactive": true},
		}
		s.Complete(s.Rule("external_rule", retroactive), object{"walletAddress": apptest.Alice}).OK()
		if got := s.Balance(apptest.Alice); got != "20" {
			t.Errorf("for a currency in Laurel it made %s", got)
		}
		b.CheckBalance(t, apptest.Alice, "10")
		named := object{"isRetroactive": true, "multiplierLoyaltyCurrencyIds": []string{inside(s), currency}}
		s.Post("/api/loyalty/rules", object{"name": "x", "type": "external_rule", "rewardType": "multiplier", "amount": 2, "loyaltyCurrencyId": inside(s), "metadata": named}).
			Refused(400, "metadata.multiplierLoyaltyCurrencyIds cannot name balances that are kept outside where isRetroactive is set")
		milestones := object{
			"isRetroactive": true,
			"enableStreaks": true,
			"streakArray":   []object{{"streakMilestone": 1, "streakAmount": 5}},
		}
		s.Post("/api/loyalty/rules", object{"name": "x", "type": "check_in", "interval": "daily", "rewardType": "multiplier", "amount": 2, "loyaltyCurrencyId": currency, "metadata": milestones}).
			Refused(400, "metadata.isRetroactive cannot be set where milestones pay what is kept outside")
	})
}

func TestALumpSumThatIsKeptOutside(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		terms := object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": currency}
		brings := object{
			"name":              "x",
			"type":              "referred_user",
			"amount":            5,
			"loyaltyCurrencyId": inside(s),
			"metadata":          terms,
		}
		const differs = "metadata.referrerRewardLoyaltyCurrencyId cannot differ from the rule's where balances are kept outside"
		s.Post("/api/loyalty/rules", brings).Refused(400, differs)
		rule := s.Rule("referred_user", apptest.Over(brings, object{"amount": 0}))
		s.Refer(s.ReferralCode(rule, apptest.Alice), s.UserOf(apptest.Bob)).OK()
		b.CheckBalance(t, apptest.Alice, "7")
		if got := mirror(s, currency, apptest.Alice); got != "7" {
			t.Errorf("the mirror has %s", got)
		}
		s.Post("/api/loyalty/rules/"+rule, object{"amount": 1}).Refused(400, differs)

		// A lump sum alone is decided by no facts of its own: a replay says so.
		gift := object{"rewardType": "multiplier", "amount": 2, "loyaltyCurrencyId": nil, "metadata": terms}
		bonusOnly := s.Rule("referred_user", gift)
		s.Refer(s.ReferralCode(bonusOnly, "brings"), s.UserOf("is brought")).OK()
		b.CheckBalance(t, "brings", "7")
		if r := s.Replay(bonusOnly, nil); r.WithoutFacts != 1 || r.Total.Completions != 0 {
			t.Errorf("a lump sum alone: %+v", r)
		}

		// A member who was blocked after the external ledger accepted a payment keeps it. A member who was blocked before
		// gets nothing later.
		welcome := s.Rule(
			"referred_user",
			object{"amount": 5, "loyaltyCurrencyId": currency, "metadata": object{"referrerReward": 3}},
		)
		code, blocked := s.ReferralCode(welcome, apptest.Alice), s.ReferralCode(welcome, apptest.Carol)
		s.Post("/api/users/metadatas", object{"walletAddress": apptest.Carol, "isBlocked": true}).OK()
		silent(b)
		s.Refer(code, s.UserOf("referee-one")).OK()
		s.Refer(blocked, s.UserOf("referee-two")).OK()
		s.Post("/api/users/metadatas", object{"walletAddress": apptest.Alice, "isBlocked": true}).OK()
		s.Post("/api/users/metadatas", object{"walletAddress": apptest.Carol, "isBlocked": false}).OK()
		well(b)
		s.Clock.Advance(time.Hour)
		carryOn(s)
		for wallet, amount := range map[string]string{apptest.Alice: "10", "referee-one": "5", "referee-two": "5"} {
			b.CheckBalance(t, wallet, amount)
			if got := mirror(s, currency, wallet); got != amount {
				t.Errorf("the mirror of %s has %s", wallet, got)
			}
		}
		b.CheckBalance(t, apptest.Carol, "0")
		if got := mirror(s, currency, apptest.Carol); got != "" {
			t.Errorf("the mirror of who was blocked has %s", got)
		}
		s.Sound()

		gold := s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		two := s.Rule(
			"referred_user",
			object{
				"amount":            5,
				"loyaltyCurrencyId": inside(s),
				"metadata":          object{"referrerReward": 7, "referrerRewardLoyaltyCurrencyId": gold},
			},
		)
		for _, of := range []string{gold, inside(s)} {
			s.Post("/api/loyalty/currencies/"+of, object{"apiPostUrl": b.URL + "/post"}).
				Refused(400, "apiPostUrl cannot be set while rule "+two+" pays in this currency and another one at once")
		}
	})
}

func TestCheckInsThatFollowFromWhatIsKeptOutside(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		far := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "unlimited"})
		near := s.Rule("external_rule", object{"loyaltyCurrencyId": inside(s), "interval": "unlimited"})
		here := s.CreateSideCheckInRule(object{"autoCheckInRuleIds": []string{far}}, object{"amount": 3, "loyaltyCurrencyId": inside(s)})
		s.Complete(far, object{"walletAddress": apptest.Alice}).OK()
		if got := s.Balance(apptest.Alice); got != "4" || s.Streak(here, apptest.Alice) != "1 2026-01-16T00:00:00.000Z" {
			t.Errorf("it checks in here: %s, %q", got, s.Streak(here, apptest.Alice))
		}
		b.CheckBalance(t, apptest.Alice, "10")

		there := s.CreateSideCheckInRule(object{"autoCheckInRuleIds": []string{near}}, object{"amount": 3, "loyaltyCurrencyId": currency})
		calls := writesAsked(b)
		s.Complete(near, object{"walletAddress": apptest.Bob}).OK() // a member that is made by it
		if writesAsked(b) != calls {
			t.Error("the call waited for a check-in")
		}
		s.Complete(near, object{"walletAddress": apptest.Bob}).OK()
		carryOn(s)
		b.CheckBalance(t, apptest.Bob, "4")
		if got := mirror(
			s,
			currency,
			apptest.Bob,
		); got != "4" || s.Balance(apptest.Bob) != "20" ||
			s.Streak(there, apptest.Bob) != "1 2026-01-16T00:00:00.000Z" {
			t.Errorf("it checks in there: %s, %s, %q", got, s.Balance(apptest.Bob), s.Streak(there, apptest.Bob))
		}

		every := s.CreateSideCheckInRule(object{"isCheckInOnEveryTxn": true}, object{"amount": 6, "loyaltyCurrencyId": currency})
		set(b, func(b *apptest.Bank) { b.Before = func(int) int { return 404 } }) // it is not there for a while: nobody would ask anew
		s.Post("/api/loyalty/transactions", apptest.CreditBody(inside(s), apptest.Carol, 1, nil)).OK()
		carryOn(s)
		if got := state(s, currency); got != "open in doubt: false" {
			t.Errorf("while it is not there: %s", got)
		}
		well(b)
		s.Clock.Advance(time.Minute)
		carryOn(s)
		b.CheckBalance(t, apptest.Carol, "7")
		if got := mirror(
			s,
			currency,
			apptest.Carol,
		); got != "7" || s.Streak(every, apptest.Carol) != "1 2026-01-16T00:00:00.000Z" {
			t.Errorf("it checks in by an entry: %s, %q", got, s.Streak(every, apptest.Carol))
		}
		s.Sound()
	})
}

func TestACheckInThatIsAcceptedLateCountsForItsDay(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.CreateStreakRule(object{"amount": 1, "loyaltyCurrencyId": currency}, 3, 100)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Clock.Advance(24 * time.Hour)
		silent(b)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(503, "Service unavailable")
		well(b)
		s.Clock.Advance(48 * time.Hour)
		carryOn(s)
		if got := s.Streak(rule, apptest.Alice); got != "2 2026-01-17T00:00:00.000Z" {
			t.Errorf("the streak is %q", got)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK() // a day was missed
		if got := s.Streak(rule, apptest.Alice); got != "1 2026-01-19T00:00:00.000Z" {
			t.Errorf("then it is %q", got)
		}
		b.CheckBalance(t, apptest.Alice, "3")
		s.Sound()
	})
}

func TestASlowSystemDelaysNoOther(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, slow *apptest.Bank, currency string) {
		quick := apptest.NewBank(t)
		other := s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0, "apiPostUrl": quick.URL + "/post"}).OK()["id"].(string)
		silent(slow)
		silent(quick)
		for i := range 20 {
			s.Post(
				"/api/loyalty/transactions",
				apptest.CreditBody(currency, apptest.Alice, i+1, nil),
			).Refused(503, "Service unavailable")
		}
		s.Post("/api/loyalty/transactions", apptest.CreditBody(other, apptest.Bob, 1, nil)).Refused(503, "Service unavailable")
		asked, release := make(chan struct{}, 100), make(chan struct{})
		set(slow, func(b *apptest.Bank) {
			b.After = nil
			b.Before = func(int) int { asked <- struct{}{}; <-release; return 0 }
		})
		well(quick)
		s.Clock.Advance(time.Minute)
		stop, released := apptest.RunWorkers(s.App.PostResolver.Run), sync.OnceFunc(func() { close(release) })
		defer func() { released(); stop() }()
		<-asked
		s.WaitUntil(func() bool { return s.ExternalPosts(other)[0]["status"] == "done" })
		for _, post := range s.ExternalPosts(currency) { // a call that is under way tells nothing, one that has ended would tell why
			if state := fmt.Sprint(
				post["status"],
				" ",
				post["message"],
			); state != "open <nil>" &&
				state != "open answered with status 418" {
				t.Errorf("the other waited for the end of a call: %s", state)
			}
		}
		released()
		s.WaitUntil(func() bool { return s.Count("/api/loyalty/currencies/"+currency+"/external_posts?status=open") == 0 })
		stop()
		slow.CheckBalance(t, apptest.Alice, "210")
		if got := mirror(s, currency, apptest.Alice); got != "210" {
			t.Errorf("the mirror has %s", got)
		}
		s.Sound()
	})
}

func TestWhatIsOpenIsNotPaidAgainInAGroup(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": currency, "interval": "once"})
		for _, wallet := range []string{apptest.Alice, apptest.Bob, apptest.Carol} {
			s.UserOf(wallet)
		}
		s.In(apptest.Bob, "family")
		silent(b)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(503, "Service unavailable")
		s.In(apptest.Alice, "family") // and what it is owed comes along
		well(b)
		s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(400, "You have already been rewarded")
		b.CheckBalance(t, apptest.Alice, "10")
		b.CheckBalance(t, apptest.Bob, "0")

		s.In(apptest.Carol, "crew")
		s.In("mate", "crew")
		silent(b)
		s.Complete(rule, object{"walletAddress": apptest.Carol}).Refused(503, "Service unavailable")
		s.In("mate", nil) // it leaves before it is known what the group was paid
		s.Complete(rule, object{"walletAddress": "mate"}).Refused(503, "Service unavailable")
		well(b)
		s.Clock.Advance(time.Minute)
		carryOn(s)
		b.CheckBalance(t, apptest.Carol, "10")
		b.CheckBalance(t, "mate", "0")
		s.Sound()
	})
}

func TestARuleThatIsDeletedWhileTheOutsideIsAskedGivesNothingElse(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, currency string) {
		milestone := object{"enableStreaks": true, "streakArray": []object{{"streakMilestone": 1, "streakAmount": 5}}}
		gift := object{
			"rewardType":        "multiplier",
			"amount":            2,
			"loyaltyCurrencyId": currency,
			"interval":          "daily",
			"metadata":          milestone,
		}
		stays, goes := s.Rule("check_in", gift), s.Rule("check_in", gift)
		silent(b)
		s.Complete(stays, object{"walletAddress": apptest.Alice}).Refused(503, "Service unavailable")
		s.Complete(goes, object{"walletAddress": apptest.Bob}).Refused(503, "Service unavailable")
		s.Remove("/api/loyalty/rules/" + goes)
		well(b)
		s.Clock.Advance(time.Minute)
		carryOn(s)
		b.CheckBalance(t, apptest.Alice, "5")
		b.CheckBalance(t, apptest.Bob, "5")
		if a, c := s.MultiplierValues(apptest.Alice), s.MultiplierValues(apptest.Bob); len(a) != 1 || len(c) != 0 || mirror(
			s,
			currency,
			apptest.Bob,
		) != "5" {
			t.Errorf("alice holds %v, bob %v and %s", a, c, mirror(s, currency, apptest.Bob))
		}
		s.Sound()
	})
}
