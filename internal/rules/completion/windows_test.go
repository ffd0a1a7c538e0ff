package completion_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

// pays completes a rule at a moment and reports whether it paid; any other refusal than a closed window fails the test.
func pays(s *apptest.Server, rule, wallet, moment string) bool {
	s.T.Helper()
	s.Clock.Set(at(moment))
	a := s.Complete(rule, object{"walletAddress": wallet})
	if a.Status == 200 {
		return true
	}
	a.Refused(400, "You have already been rewarded")
	return false
}

func TestWindowsAreOfTheUTCCalendar(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for i, c := range []struct {
			name, interval string
			paid           []string // each opens a window
			closed         []string // after the payment before, in the order of time with the above
		}{
			{"hour", "hourly", []string{"2026-01-14T12:00:00Z", "2026-01-14T13:00:00Z"}, []string{"2026-01-14T12:59:59.950Z", "2026-01-14T13:30:00Z"}},
			{"midnight", "daily", []string{"2026-01-14T12:00:00Z", "2026-01-15T00:00:00Z"}, []string{"2026-01-14T23:59:59.950Z", "2026-01-15T23:59:59.950Z"}},
			{"a day is of UTC", "daily", []string{"2026-01-14T00:30:00Z", "2026-01-15T00:00:00Z"}, []string{"2026-01-14T23:30:00Z", "2026-01-15T01:00:00Z"}},
			{"leap day", "daily", []string{"2028-02-28T12:00:00Z", "2028-02-29T00:00:00Z", "2028-03-01T00:00:00Z"}, []string{"2028-02-28T23:59:59.950Z", "2028-02-29T23:59:59.950Z"}},
			{"weeks start on Sunday", "weekly", []string{"2026-01-14T12:00:00Z", "2026-01-18T00:00:00Z", "2026-01-25T00:00:00Z"},
				[]string{"2026-01-17T23:59:59.950Z", "2026-01-24T23:59:59.950Z"}},
			{"a week over new year", "weekly", []string{"2025-12-28T00:00:00Z", "2026-01-04T00:00:00Z"}, []string{"2026-01-03T23:59:59.950Z"}},
			{"a week over leap day", "weekly", []string{"2028-02-27T00:00:00Z", "2028-03-05T00:00:00Z"}, []string{"2028-02-29T12:00:00Z", "2028-03-04T23:59:59.950Z"}},
			{"month's end", "monthly", []string{"2026-01-31T23:59:59Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"}, []string{"2026-01-31T23:59:59.950Z", "2026-02-28T23:59:59.950Z"}},
			{"leap February", "monthly", []string{"2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"}, []string{"2028-02-29T23:59:59.950Z"}},
			{"year's end", "monthly", []string{"2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z", "2027-12-01T00:00:00Z"}, []string{"2026-12-31T23:59:59.950Z", "2027-01-31T00:00:00Z"}},
			{"once", "once", []string{"2026-01-14T12:00:00Z"}, []string{"2026-01-14T12:00:01Z", "2126-01-01T00:00:00Z"}},
			{"unlimited", "unlimited", []string{"2026-01-14T12:00:00Z", "2026-01-14T12:00:00.010Z", "2026-01-14T12:00:00.020Z"}, nil},
			{"rolling", "custom", []string{"2026-01-14T23:59:30Z", "2026-01-15T00:01:10Z", "2026-01-15T00:05:00Z"},
				[]string{"2026-01-15T00:00:00Z", "2026-01-15T00:00:59Z", "2026-01-15T00:02:09.950Z"}},
		} {
			properties := object{"interval": c.interval}
			if c.interval == "custom" {
				properties["metadata"] = object{"customIntervalSeconds": 90}
			}
			for _, kind := range []string{"check_in", "external_rule"} {
				rule, wallet := s.Rule(kind, properties), fmt.Sprint("w", i)
				before := s.Balance(wallet)
				paid, closed := c.paid, c.closed
				for len(paid)+len(closed) > 0 {
					if len(closed) == 0 || len(paid) > 0 && at(paid[0]).Before(at(closed[0])) {
						if !pays(s, rule, wallet, paid[0]) {
							t.Errorf("%s: %s is closed at %s", c.name, kind, paid[0])
						}
						paid = paid[1:]
						continue
					}
					if pays(s, rule, wallet, closed[0]) {
						t.Errorf("%s: %s pays again at %s", c.name, kind, closed[0])
					}
					closed = closed[1:]
				}
				if c.name == "month's end" && kind == "external_rule" && (before != "30" || s.Balance(wallet) != "60") {
					t.Errorf("%s: balance %s, then %s", c.name, before, s.Balance(wallet))
				}
			}
		}
	})
}

func TestStartAndEndAreMoments(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Clock.Set(at("2026-03-01T11:00:00Z"))
		rule := s.Rule(
			"check_in",
			object{
				"name":      "Spring 100%d",
				"interval":  "unlimited",
				"startTime": "2026-03-01T13:00:00+01:00",
				"endTime":   "2026-03-01T13:00:00Z",
			},
		)
		body := object{"walletAddress": apptest.Alice}
		s.Clock.Set(at("2026-03-01T11:59:59.900Z"))
		s.Complete(rule, body).Refused(400, "Loyalty rule Spring 100%d has not started yet")
		s.Clock.Set(at("2026-03-01T12:00:00Z"))
		s.Complete(rule, body).OK()
		s.Clock.Set(at("2026-03-01T12:59:59.900Z"))
		s.Complete(rule, body).OK()
		s.Clock.Set(at("2026-03-01T13:00:00Z"))
		s.Complete(rule, body).Refused(400, "Loyalty rule has expired")
	})
}

func TestClientsLearnTheNamesOfShownRulesOnly(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Post("/api/users/metadatas", object{"walletAddress": apptest.Alice}).OK()
		token := "Bearer " + s.Token(apptest.Alice)
		for _, c := range []struct {
			shown bool
			want  string
		}{{false, "Loyalty rule has not started yet"}, {true, "Loyalty rule Surprise has not started yet"}} {
			rule := s.Rule(
				"check_in",
				object{"name": "Surprise", "startTime": apptest.Noon.Add(time.Hour), "showBeforeStart": c.shown},
			)
			s.Call(s.ClientAPIKey, "POST", "/api/loyalty/rules/"+rule+"/complete", object{"walletAddress": apptest.Alice}, "Authorization", token).
				Refused(400, c.want)
			s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, "Loyalty rule Surprise has not started yet")
		}
	})
}

func TestCapsClipToTheRestOfTheirInterval(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for i, c := range []struct {
			interval, first, last, next string // next "": never opens again
		}{
			{"daily", "2026-01-14T12:00:00Z", "2026-01-14T23:59:59.900Z", "2026-01-15T00:00:00Z"},
			{"weekly", "2026-01-14T12:00:00Z", "2026-01-17T23:59:59.900Z", "2026-01-18T00:00:00Z"},
			{"monthly", "2028-02-01T00:00:00Z", "2028-02-29T23:59:59.900Z", "2028-03-01T00:00:00Z"},
			{"lifetime", "2026-01-14T12:00:00Z", "2090-01-01T00:00:00Z", ""},
		} {
			rule := s.Rule(
				"external_rule",
				object{"interval": "unlimited", "amount": "10.000001", "maxAmountInterval": c.interval, "maxAmountPerInterval": 25},
			)
			wallet := fmt.Sprint("w", i)
			s.Clock.Set(at(c.first))
			s.Complete(rule, object{"walletAddress": wallet}).OK()
			s.Complete(rule, object{"walletAddress": wallet, "amount": 0}).OK()
			s.Complete(rule, object{"walletAddress": wallet, "amount": 10, "idempotencyKey": "c" + wallet}).OK()
			s.Clock.Set(at(c.last))
			s.Complete(rule, object{"walletAddress": wallet, "amount": 1000}).OK()
			if got := s.Balance(wallet); got != "25" {
				t.Errorf("%s: balance %s, want 25", c.interval, got)
			}
			s.Complete(rule, object{"walletAddress": wallet, "amount": "0.000001"}).
				Refused(400, "You have already been rewarded")
			s.Complete(rule, object{"walletAddress": wallet, "idempotencyKey": "d" + wallet}).
				Refused(400, "You have already been rewarded")
			// a replay pays nothing
			s.Complete(rule, object{"walletAddress": wallet, "amount": 10, "idempotencyKey": "c" + wallet}).OK()
			s.Complete(rule, object{"walletAddress": "other" + wallet}).OK()
			want := "25"
			if c.next != "" {
				s.Clock.Set(at(c.next))
				s.Complete(rule, object{"walletAddress": wallet}).OK()
				want = "35.000001"
			}
			if got := s.Balance(wallet); got != want {
				t.Errorf("%s: balance %s, want %s", c.interval, got, want)
			}
		}
	})
}

func TestAGroupSharesWindowsAndCaps(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		day := []string{"2026-01-15T12:00:00Z", "2026-01-16T12:00:00Z", "2026-01-17T12:00:00Z"}
		rule := s.Rule("check_in", object{"interval": "daily"})
		rolling := s.Rule("external_rule", object{"interval": "custom", "metadata": object{"customIntervalSeconds": 86_000}})
		s.In("a", "family")
		s.In("b", "family")
		for _, r := range []string{rule, rolling} {
			if !pays(s, r, "a", day[0]) || pays(s, r, "b", day[0]) || !pays(s, r, "c", day[0]) {
				t.Error("mates share a window, strangers do not")
			}
		}
		if s.Balance("a") != "20" || s.Balance("b") != "" {
			t.Errorf("a has %s, b has %s: rewards go to who acts", s.Balance("a"), s.Balance("b"))
		}
		s.In("late", "family")
		s.In("c", "family")
		for _, r := range []string{rule, rolling} {
			if pays(s, r, "late", day[0]) || pays(s, r, "c", day[0]) || pays(s, r, "a", day[0]) {
				t.Error("joining opened a window")
			}
		}
		s.In("c", nil)
		s.In("a", nil)
		for _, r := range []string{rule, rolling} {
			if pays(s, r, "a", day[0]) || pays(s, r, "c", day[0]) || pays(s, r, "b", day[0]) {
				t.Error("leaving opened a window")
			}
			if !pays(s, r, "b", day[1]) || pays(s, r, "late", day[1]) || !pays(s, r, "a", day[1]) {
				t.Error("the next window is the group's, and each leaver's own")
			}
		}
		s.In("fresh", nil)
		if !pays(s, rule, "fresh", day[1]) {
			t.Error("a wallet of no group does not pay")
		}
		s.In("fresh", "family") // both have paid today
		if pays(s, rule, "fresh", day[1]) || !pays(s, rule, "fresh", day[2]) || pays(s, rule, "b", day[2]) {
			t.Error("two paid windows that meet are one")
		}

		for _, r := range []string{rule, rolling} { // what a joiner paid closes the window of a group that has not paid
			if !pays(s, r, "early", day[2]) {
				t.Error("a window of nobody's is closed")
			}
		}
		s.In("mate", "pair")
		s.In("early", "pair")
		for _, r := range []string{rule, rolling} {
			if pays(s, r, "mate", day[2]) || pays(s, r, "early", day[2]) {
				t.Error("joining with a paid window opened it")
			}
		}

		capped := s.Rule(
			"external_rule",
			object{"interval": "unlimited", "maxAmountInterval": "monthly", "maxAmountPerInterval": 35},
		)
		s.Complete(capped, object{"walletAddress": "b"}).OK()
		s.Complete(capped, object{"walletAddress": "late"}).OK()
		s.Complete(capped, object{"walletAddress": "x"}).OK()
		s.In("x", "family")
		s.Complete(capped, object{"walletAddress": "b", "amount": 30}).OK()
		if got := s.Balance("b"); got != "35" { // 10 and 10 of windows, 10 and the clipped 5 of the cap
			t.Errorf("b has %s, want 35", got)
		}
		for _, wallet := range []string{"b", "late", "x", "fresh"} {
			s.Complete(capped, object{"walletAddress": wallet}).Refused(400, "You have already been rewarded")
		}
		s.In("x", nil) // what it was paid goes with it, on both sides
		s.Complete(capped, object{"walletAddress": "x", "amount": 30}).OK()
		s.Complete(capped, object{"walletAddress": "x"}).Refused(400, "You have already been rewarded")
		s.Complete(capped, object{"walletAddress": "late"}).OK()
		s.In("x", "family")
		for _, wallet := range []string{"b", "late", "x"} {
			s.Complete(capped, object{"walletAddress": wallet}).Refused(400, "You have already been rewarded")
		}
	})
}

func TestABlockedMateBlocksItsGroup(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("check_in", object{"interval": "unlimited"})
		s.In("a", "family")
		s.In("b", "family")
		s.Complete(rule, object{"walletAddress": "b"}).OK()
		s.Post("/api/users/metadatas", object{"walletAddress": "a", "isBlocked": true, "blockStatusReason": "other"}).OK()
		for _, wallet := range []string{"a", "b"} {
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, "Access restricted. Your account is blocked.")
		}
		s.Post("/api/users/metadatas", object{"walletAddress": "b", "isBlockExempt": true}).OK()
		s.Complete(rule, object{"walletAddress": "b"}).OK()
		s.Complete(rule, object{"walletAddress": "a"}).Refused(400, "Access restricted. Your account is blocked.")
	})
}

func TestNewUsersAreSeenSinceTheStart(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		start := at("2026-01-14T13:00:00Z")
		rule := s.Rule("external_rule", object{"startTime": start, "metadata": object{"isRestrictedToNewUsers": true}})
		anyone := s.Rule("external_rule", object{"metadata": object{"isRestrictedToNewUsers": true}})
		s.Post("/api/users/metadatas", object{"walletAddress": "old"}).OK()
		s.Clock.Set(start)
		s.Post("/api/users/metadatas", object{"walletAddress": "new"}).OK()
		s.Complete(rule, object{"walletAddress": "old"}).Refused(400, "this quest is only available for new users")
		s.Complete(anyone, object{"walletAddress": "old"}).OK()
		s.Complete(rule, object{"walletAddress": "new"}).OK()
		s.Complete(rule, object{"walletAddress": "unheard of"}).OK()
	})
}

func TestResetOnClaimOpensTheWindowAgain(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, interval := range []string{"once", "daily", "custom"} {
			rule := s.Rule(
				"external_rule",
				object{"interval": interval, "metadata": object{"resetProgressOnClaim": true, "customIntervalSeconds": 3600},
					"maxAmountInterval": "lifetime", "maxAmountPerInterval": 25},
			)
			body := object{"walletAddress": "w" + interval, "idempotencyKey": strings.Repeat(interval, 2)}
			s.Complete(rule, body).OK()
			s.Complete(rule, object{"walletAddress": "w" + interval}).OK()
			s.Complete(rule, object{"walletAddress": "w" + interval}).OK()
			// the cap stays
			s.Complete(rule, object{"walletAddress": "w" + interval}).Refused(400, "You have already been rewarded")
			if again := s.Complete(
				rule,
				body,
			); again.Header.Get("Idempotent-Replayed") != "true" ||
				s.Balance("w"+interval) != "25" {
				t.Errorf("%s: %d %s, balance %s", interval, again.Status, again.Body, s.Balance("w"+interval))
			}
		}
	})
}
