package completion_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// TestWhoIsNamedByIDIsJudgedAsItIs completes for members that the node has not looked at yet, each other than most
// members are.
func TestWhoIsNamedByIDIsJudgedAsItIs(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"interval": "daily"})
		byID := func(user string) apptest.Response { t.Helper(); return s.Complete(rule, object{"userId": user}) }
		again := func(user string) {
			t.Helper()
			if a := byID(user); a.Status != 400 || a.JSON()["rewarded"] != true {
				t.Errorf("answered %d %s", a.Status, a.Body)
			}
		}
		balance := func(wallet, want string) {
			t.Helper()
			if got := s.Balance(wallet); got != want {
				t.Errorf("%s has %q, want %q", wallet, got, want)
			}
		}
		plain := s.User("plain", nil)
		byID(plain).OK()
		again(plain)
		balance("plain", "10")

		one, other := s.User(
			"one",
			object{"userGroupExternalIdentifier": "pair"},
		), s.User(
			"other",
			object{"userGroupExternalIdentifier": "pair"},
		)
		byID(one).OK()
		again(other)
		balance("other", "")

		blocked, mate := s.User(
			"blocked",
			object{"isBlocked": true, "userGroupExternalIdentifier": "bad"},
		), s.User(
			"mate",
			object{"userGroupExternalIdentifier": "bad"},
		)
		for _, user := range []string{blocked, mate} {
			if a := byID(user); a.Status == 200 {
				t.Errorf("a blocked one was answered %s", a.Body)
			}
		}
		balance("blocked", "")
		balance("mate", "")

		doubled := s.User("doubled", nil)
		s.Post("/api/loyalty/multipliers", object{"userId": doubled, "multiplier": 2}).OK()
		byID(doubled).OK()
		balance("doubled", "20")

		elsewhere := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Elsewhere"}).OK()["id"].(string)
		guest := s.Call(s.OrganizationAPIKey, "POST", "/api/users/metadatas", object{"walletAddress": "guest", "websiteId": elsewhere}).OK()["userId"].(string)
		byID(guest).OK()
		balance("guest", "10")

		foreign := s.NewProgram("Foreign")
		stranger := s.Call(foreign.WebsiteAPIKey, "POST", "/api/users/metadatas", object{"walletAddress": "stranger"}).OK()["userId"].(string)
		byID(stranger).Refused(404, "User not found")
		byID(apptest.UnknownID).Refused(404, "User not found")
	})
}

func TestWhoIsNamedByIDIsAsNewAsTheWebsiteKnows(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		old := s.User("old", nil)
		s.Clock.Advance(time.Hour)
		start := s.Clock.Now()
		rule := s.Rule(
			"external_rule",
			object{"interval": "daily", "startTime": start, "metadata": object{"isRestrictedToNewUsers": true}},
		)
		s.Clock.Advance(time.Hour)
		if a := s.Complete(rule, object{"userId": old}); a.Status != 400 {
			t.Errorf("one who was there before is answered %d %s", a.Status, a.Body)
		}
		s.Complete(rule, object{"userId": s.User("new", nil)}).OK()
	})
}

// TestWhoIsNamedByIDHasWhatItsGroupHasDone calls for a member whose mate has completed what comes first, with and
// without a check-in that the call sets off.
func TestWhoIsNamedByIDHasWhatItsGroupHasDone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		first := s.Rule("external_rule", object{"isRequired": true})
		plain, followed := s.Rule("external_rule", nil), s.Rule("external_rule", nil)
		s.CreateSideCheckInRule(object{"autoCheckInRuleIds": []string{followed}})
		s.User("one", object{"userGroupExternalIdentifier": "family"})
		mates := []string{
			s.User("mate", object{"userGroupExternalIdentifier": "family"}),
			s.User("other", object{"userGroupExternalIdentifier": "family"}),
		}
		s.Complete(first, object{"walletAddress": "one"}).OK()
		for i, rule := range []string{plain, followed} {
			s.Complete(rule, object{"userId": mates[i]}).OK()
		}
	})
}

// TestACodeThatWasEnteredCostsItsBatchNothing enters one code again and again: its claim, which alone tells of it, is
// looked for and not met.
func TestACodeThatWasEnteredCostsItsBatchNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule(
			"code_entry",
			object{
				"interval": "unlimited",
				"metadata": object{"promoCode": "HELLO", "promoCodeType": "code", "allowMultipleRedemptions": true},
			},
		)
		user := s.User("w", nil)
		s.Complete(rule, object{"userId": user, "verificationCode": "HELLO"}).OK()
		before := s.Metric("laurel_store_transaction_retries_total")
		for range 5 {
			s.Complete(rule, object{"userId": user, "verificationCode": "HELLO"}).Refused(400, "You have already been rewarded")
		}
		if after := s.Metric("laurel_store_transaction_retries_total"); after != before {
			t.Errorf("%s transactions had run again, and %s afterwards", before, after)
		}
		if got := s.Balance("w"); got != "10" {
			t.Errorf("balance %s", got)
		}
	})
}

// TestAWindowThatOnlyItsClaimTellsOfPaysNobody has claims stand alone, as they never do, among members who are paid in
// the same batches.
func TestAWindowThatOnlyItsClaimTellsOfPaysNobody(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true})
		rule := s.Rule("external_rule", object{"interval": "daily"})
		const members = 40
		ids := make([]string, members)
		for i := range ids {
			ids[i] = s.User(fmt.Sprint("m", i), nil)
			if i%4 == 0 {
				s.Complete(rule, object{"userId": ids[i]}).OK()
			}
		}
		apptest.ExecOnce(t, address, "UPDATE rule_subjects SET window_paid_at = NULL, last_paid_at = NULL")
		var wg sync.WaitGroup
		var paid atomic.Int64
		for i, id := range ids {
			wg.Go(func() {
				a := s.Complete(rule, object{"userId": id})
				if a.Status == 200 {
					paid.Add(1)
				} else if i%4 != 0 || a.JSON()["rewarded"] != true {
					t.Errorf("member %d: %d %s", i, a.Status, a.Body)
				}
			})
		}
		wg.Wait()
		if paid.Load() != members*3/4 {
			t.Errorf("%d were paid, want %d", paid.Load(), members*3/4)
		}
		for i := range ids {
			if got := s.Balance(fmt.Sprint("m", i)); got != "10" {
				t.Errorf("member %d has %q", i, got)
			}
		}
	})
}
