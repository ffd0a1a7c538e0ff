package app_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// TestWhoIsNamedByIDIsJudgedAsItIs completes for members that the node has not looked at yet, each other than most
// members are.
func TestWhoIsNamedByIDIsJudgedAsItIs(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", object{"interval": "daily"})
		byID := func(user string) answer { t.Helper(); return s.complete(rule, object{"userId": user}) }
		again := func(user string) {
			t.Helper()
			if a := byID(user); a.status != 400 || a.json()["rewarded"] != true {
				t.Errorf("answered %d %s", a.status, a.body)
			}
		}
		balance := func(wallet, want string) {
			t.Helper()
			if got := s.balance(wallet); got != want {
				t.Errorf("%s has %q, want %q", wallet, got, want)
			}
		}
		plain := s.user("plain", nil)
		byID(plain).ok()
		again(plain)
		balance("plain", "10")

		one, other := s.user(
			"one",
			object{"userGroupExternalIdentifier": "pair"},
		), s.user(
			"other",
			object{"userGroupExternalIdentifier": "pair"},
		)
		byID(one).ok()
		again(other)
		balance("other", "")

		blocked, mate := s.user(
			"blocked",
			object{"isBlocked": true, "userGroupExternalIdentifier": "bad"},
		), s.user(
			"mate",
			object{"userGroupExternalIdentifier": "bad"},
		)
		for _, user := range []string{blocked, mate} {
			if a := byID(user); a.status == 200 {
				t.Errorf("a blocked one was answered %s", a.body)
			}
		}
		balance("blocked", "")
		balance("mate", "")

		doubled := s.user("doubled", nil)
		s.post("/api/loyalty/multipliers", object{"userId": doubled, "multiplier": 2}).ok()
		byID(doubled).ok()
		balance("doubled", "20")

		elsewhere := s.call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Elsewhere"}).ok()["id"].(string)
		guest := s.call(s.OrganizationAPIKey, "POST", "/api/users/metadatas", object{"walletAddress": "guest", "websiteId": elsewhere}).ok()["userId"].(string)
		byID(guest).ok()
		balance("guest", "10")

		foreign := s.program("Foreign")
		stranger := s.call(foreign.WebsiteAPIKey, "POST", "/api/users/metadatas", object{"walletAddress": "stranger"}).ok()["userId"].(string)
		byID(stranger).refused(404, "User not found")
		byID(unknownID).refused(404, "User not found")
	})
}

func TestWhoIsNamedByIDIsAsNewAsTheWebsiteKnows(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		old := s.user("old", nil)
		s.clock.advance(time.Hour)
		start := s.clock.Now()
		rule := s.rule(
			"external_rule",
			object{"interval": "daily", "startTime": start, "metadata": object{"isRestrictedToNewUsers": true}},
		)
		s.clock.advance(time.Hour)
		if a := s.complete(rule, object{"userId": old}); a.status != 400 {
			t.Errorf("one who was there before is answered %d %s", a.status, a.body)
		}
		s.complete(rule, object{"userId": s.user("new", nil)}).ok()
	})
}

// TestWhoIsNamedByIDHasWhatItsGroupHasDone calls for a member whose mate has completed what comes first, with and
// without a check-in that the call sets off.
func TestWhoIsNamedByIDHasWhatItsGroupHasDone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		first := s.rule("external_rule", object{"isRequired": true})
		plain, followed := s.rule("external_rule", nil), s.rule("external_rule", nil)
		s.checksIn(object{"autoCheckInRuleIds": []string{followed}})
		s.user("one", object{"userGroupExternalIdentifier": "family"})
		mates := []string{
			s.user("mate", object{"userGroupExternalIdentifier": "family"}),
			s.user("other", object{"userGroupExternalIdentifier": "family"}),
		}
		s.complete(first, object{"walletAddress": "one"}).ok()
		for i, rule := range []string{plain, followed} {
			s.complete(rule, object{"userId": mates[i]}).ok()
		}
	})
}

// TestACodeThatWasEnteredCostsItsBatchNothing enters one code again and again: its claim, which alone tells of it, is
// looked for and not met.
func TestACodeThatWasEnteredCostsItsBatchNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule(
			"code_entry",
			object{
				"interval": "unlimited",
				"metadata": object{"promoCode": "HELLO", "promoCodeType": "code", "allowMultipleRedemptions": true},
			},
		)
		user := s.user("w", nil)
		s.complete(rule, object{"userId": user, "verificationCode": "HELLO"}).ok()
		before := s.counted("laurel_store_transaction_retries_total")
		for range 5 {
			s.complete(rule, object{"userId": user, "verificationCode": "HELLO"}).refused(400, "You have already been rewarded")
		}
		if after := s.counted("laurel_store_transaction_retries_total"); after != before {
			t.Errorf("%s transactions had run again, and %s afterwards", before, after)
		}
		if got := s.balance("w"); got != "10" {
			t.Errorf("balance %s", got)
		}
	})
}

// TestAWindowThatOnlyItsClaimTellsOfPaysNobody has claims stand alone, as they never do, among members who are paid in
// the same batches.
func TestAWindowThatOnlyItsClaimTellsOfPaysNobody(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := openAtNoon(t, address, app.Config{NoRateLimits: true})
		rule := s.rule("external_rule", object{"interval": "daily"})
		const members = 40
		ids := make([]string, members)
		for i := range ids {
			ids[i] = s.user(fmt.Sprint("m", i), nil)
			if i%4 == 0 {
				s.complete(rule, object{"userId": ids[i]}).ok()
			}
		}
		plant(t, address, "UPDATE rule_subjects SET window_paid_at = NULL, last_paid_at = NULL")
		var wg sync.WaitGroup
		var paid atomic.Int64
		for i, id := range ids {
			wg.Go(func() {
				a := s.complete(rule, object{"userId": id})
				if a.status == 200 {
					paid.Add(1)
				} else if i%4 != 0 || a.json()["rewarded"] != true {
					t.Errorf("member %d: %d %s", i, a.status, a.body)
				}
			})
		}
		wg.Wait()
		if paid.Load() != members*3/4 {
			t.Errorf("%d were paid, want %d", paid.Load(), members*3/4)
		}
		for i := range ids {
			if got := s.balance(fmt.Sprint("m", i)); got != "10" {
				t.Errorf("member %d has %q", i, got)
			}
		}
	})
}
