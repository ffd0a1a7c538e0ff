package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

// pays completes a rule at a moment and reports whether it paid; any other refusal than a closed window fails the test.
func (s *server) pays(rule, wallet, moment string) bool {
	s.t.Helper()
	s.clock.set(at(moment))
	a := s.complete(rule, object{"walletAddress": wallet})
	if a.status == 200 {
		return true
	}
	a.refused(400, "You have already been rewarded")
	return false
}

func TestWindowsAreOfTheUTCCalendar(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
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
				rule, wallet := s.rule(kind, properties), fmt.Sprint("w", i)
				before := s.balance(wallet)
				paid, closed := c.paid, c.closed
				for len(paid)+len(closed) > 0 {
					if len(closed) == 0 || len(paid) > 0 && at(paid[0]).Before(at(closed[0])) {
						if !s.pays(rule, wallet, paid[0]) {
							t.Errorf("%s: %s is closed at %s", c.name, kind, paid[0])
						}
						paid = paid[1:]
						continue
					}
					if s.pays(rule, wallet, closed[0]) {
						t.Errorf("%s: %s pays again at %s", c.name, kind, closed[0])
					}
					closed = closed[1:]
				}
				if c.name == "month's end" && kind == "external_rule" && (before != "30" || s.balance(wallet) != "60") {
					t.Errorf("%s: balance %s, then %s", c.name, before, s.balance(wallet))
				}
			}
		}
	})
}

func TestStartAndEndAreMoments(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.clock.set(at("2026-03-01T11:00:00Z"))
		rule := s.rule(
			"check_in",
			object{
				"name":      "Spring 100%d",
				"interval":  "unlimited",
				"startTime": "2026-03-01T13:00:00+01:00",
				"endTime":   "2026-03-01T13:00:00Z",
			},
		)
		body := object{"walletAddress": alice}
		s.clock.set(at("2026-03-01T11:59:59.900Z"))
		s.complete(rule, body).refused(400, "Loyalty rule Spring 100%d has not started yet")
		s.clock.set(at("2026-03-01T12:00:00Z"))
		s.complete(rule, body).ok()
		s.clock.set(at("2026-03-01T12:59:59.900Z"))
		s.complete(rule, body).ok()
		s.clock.set(at("2026-03-01T13:00:00Z"))
		s.complete(rule, body).refused(400, "Loyalty rule has expired")
	})
}

func TestClientsLearnTheNamesOfShownRulesOnly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.post("/api/users/metadatas", object{"walletAddress": alice}).ok()
		token := "Bearer " + s.token(alice)
		for _, c := range []struct {
			shown bool
			want  string
		}{{false, "Loyalty rule has not started yet"}, {true, "Loyalty rule Surprise has not started yet"}} {
			rule := s.rule("check_in", object{"name": "Surprise", "startTime": noon.Add(time.Hour), "showBeforeStart": c.shown})
			s.call(s.ClientAPIKey, "POST", "/api/loyalty/rules/"+rule+"/complete", object{"walletAddress": alice}, "Authorization", token).
				refused(400, c.want)
			s.complete(rule, object{"walletAddress": alice}).refused(400, "Loyalty rule Surprise has not started yet")
		}
	})
}

func TestCapsClipToTheRestOfTheirInterval(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for i, c := range []struct {
			interval, first, last, next string // next "": never opens again
		}{
			{"daily", "2026-01-14T12:00:00Z", "2026-01-14T23:59:59.900Z", "2026-01-15T00:00:00Z"},
			{"weekly", "2026-01-14T12:00:00Z", "2026-01-17T23:59:59.900Z", "2026-01-18T00:00:00Z"},
			{"monthly", "2028-02-01T00:00:00Z", "2028-02-29T23:59:59.900Z", "2028-03-01T00:00:00Z"},
			{"lifetime", "2026-01-14T12:00:00Z", "2090-01-01T00:00:00Z", ""},
		} {
			rule := s.rule(
				"external_rule",
				object{"interval": "unlimited", "amount": "10.000001", "maxAmountInterval": c.interval, "maxAmountPerInterval": 25},
			)
			wallet := fmt.Sprint("w", i)
			s.clock.set(at(c.first))
			s.complete(rule, object{"walletAddress": wallet}).ok()
			s.complete(rule, object{"walletAddress": wallet, "amount": 0}).ok()
			s.complete(rule, object{"walletAddress": wallet, "amount": 10, "idempotencyKey": "c" + wallet}).ok()
			s.clock.set(at(c.last))
			s.complete(rule, object{"walletAddress": wallet, "amount": 1000}).ok()
			if got := s.balance(wallet); got != "25" {
				t.Errorf("%s: balance %s, want 25", c.interval, got)
			}
			s.complete(rule, object{"walletAddress": wallet, "amount": "0.000001"}).
				refused(400, "You have already been rewarded")
			s.complete(rule, object{"walletAddress": wallet, "idempotencyKey": "d" + wallet}).
				refused(400, "You have already been rewarded")
			// a replay pays nothing
			s.complete(rule, object{"walletAddress": wallet, "amount": 10, "idempotencyKey": "c" + wallet}).ok()
			s.complete(rule, object{"walletAddress": "other" + wallet}).ok()
			want := "25"
			if c.next != "" {
				s.clock.set(at(c.next))
				s.complete(rule, object{"walletAddress": wallet}).ok()
				want = "35.000001"
			}
			if got := s.balance(wallet); got != want {
				t.Errorf("%s: balance %s, want %s", c.interval, got, want)
			}
		}
	})
}

// in puts a wallet into a group, or out of every group.
func (s *server) in(wallet string, group any) {
	s.t.Helper()
	body := object{"walletAddress": wallet, "userGroupExternalIdentifier": group}
	if group == nil {
		body = object{"walletAddress": wallet, "userGroupId": nil}
	}
	s.post("/api/users/metadatas", body).ok()
}

func TestAGroupSharesWindowsAndCaps(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		day := []string{"2026-01-15T12:00:00Z", "2026-01-16T12:00:00Z", "2026-01-17T12:00:00Z"}
		rule := s.rule("check_in", object{"interval": "daily"})
		rolling := s.rule("external_rule", object{"interval": "custom", "metadata": object{"customIntervalSeconds": 86_000}})
		s.in("a", "family")
		s.in("b", "family")
		for _, r := range []string{rule, rolling} {
			if !s.pays(r, "a", day[0]) || s.pays(r, "b", day[0]) || !s.pays(r, "c", day[0]) {
				t.Error("mates share a window, strangers do not")
			}
		}
		if s.balance("a") != "20" || s.balance("b") != "" {
			t.Errorf("a has %s, b has %s: rewards go to who acts", s.balance("a"), s.balance("b"))
		}
		s.in("late", "family")
		s.in("c", "family")
		for _, r := range []string{rule, rolling} {
			if s.pays(r, "late", day[0]) || s.pays(r, "c", day[0]) || s.pays(r, "a", day[0]) {
				t.Error("joining opened a window")
			}
		}
		s.in("c", nil)
		s.in("a", nil)
		for _, r := range []string{rule, rolling} {
			if s.pays(r, "a", day[0]) || s.pays(r, "c", day[0]) || s.pays(r, "b", day[0]) {
				t.Error("leaving opened a window")
			}
			if !s.pays(r, "b", day[1]) || s.pays(r, "late", day[1]) || !s.pays(r, "a", day[1]) {
				t.Error("the next window is the group's, and each leaver's own")
			}
		}
		s.in("fresh", nil)
		if !s.pays(rule, "fresh", day[1]) {
			t.Error("a wallet of no group does not pay")
		}
		s.in("fresh", "family") // both have paid today
		if s.pays(rule, "fresh", day[1]) || !s.pays(rule, "fresh", day[2]) || s.pays(rule, "b", day[2]) {
			t.Error("two paid windows that meet are one")
		}

		for _, r := range []string{rule, rolling} { // what a joiner paid closes the window of a group that has not paid
			if !s.pays(r, "early", day[2]) {
				t.Error("a window of nobody's is closed")
			}
		}
		s.in("mate", "pair")
		s.in("early", "pair")
		for _, r := range []string{rule, rolling} {
			if s.pays(r, "mate", day[2]) || s.pays(r, "early", day[2]) {
				t.Error("joining with a paid window opened it")
			}
		}

		capped := s.rule(
			"external_rule",
			object{"interval": "unlimited", "maxAmountInterval": "monthly", "maxAmountPerInterval": 35},
		)
		s.complete(capped, object{"walletAddress": "b"}).ok()
		s.complete(capped, object{"walletAddress": "late"}).ok()
		s.complete(capped, object{"walletAddress": "x"}).ok()
		s.in("x", "family")
		s.complete(capped, object{"walletAddress": "b", "amount": 30}).ok()
		if got := s.balance("b"); got != "35" { // 10 and 10 of windows, 10 and the clipped 5 of the cap
			t.Errorf("b has %s, want 35", got)
		}
		for _, wallet := range []string{"b", "late", "x", "fresh"} {
			s.complete(capped, object{"walletAddress": wallet}).refused(400, "You have already been rewarded")
		}
		s.in("x", nil) // what it was paid goes with it, on both sides
		s.complete(capped, object{"walletAddress": "x", "amount": 30}).ok()
		s.complete(capped, object{"walletAddress": "x"}).refused(400, "You have already been rewarded")
		s.complete(capped, object{"walletAddress": "late"}).ok()
		s.in("x", "family")
		for _, wallet := range []string{"b", "late", "x"} {
			s.complete(capped, object{"walletAddress": wallet}).refused(400, "You have already been rewarded")
		}
	})
}

func TestABlockedMateBlocksItsGroup(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("check_in", object{"interval": "unlimited"})
		s.in("a", "family")
		s.in("b", "family")
		s.complete(rule, object{"walletAddress": "b"}).ok()
		s.post("/api/users/metadatas", object{"walletAddress": "a", "isBlocked": true, "blockStatusReason": "other"}).ok()
		for _, wallet := range []string{"a", "b"} {
			s.complete(rule, object{"walletAddress": wallet}).refused(400, "Access restricted. Your account is blocked.")
		}
		s.post("/api/users/metadatas", object{"walletAddress": "b", "isBlockExempt": true}).ok()
		s.complete(rule, object{"walletAddress": "b"}).ok()
		s.complete(rule, object{"walletAddress": "a"}).refused(400, "Access restricted. Your account is blocked.")
	})
}

func TestNewUsersAreSeenSinceTheStart(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		start := at("2026-01-14T13:00:00Z")
		rule := s.rule("external_rule", object{"startTime": start, "metadata": object{"isRestrictedToNewUsers": true}})
		anyone := s.rule("external_rule", object{"metadata": object{"isRestrictedToNewUsers": true}})
		s.post("/api/users/metadatas", object{"walletAddress": "old"}).ok()
		s.clock.set(start)
		s.post("/api/users/metadatas", object{"walletAddress": "new"}).ok()
		s.complete(rule, object{"walletAddress": "old"}).refused(400, "this quest is only available for new users")
		s.complete(anyone, object{"walletAddress": "old"}).ok()
		s.complete(rule, object{"walletAddress": "new"}).ok()
		s.complete(rule, object{"walletAddress": "unheard of"}).ok()
	})
}

func TestResetOnClaimOpensTheWindowAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for _, interval := range []string{"once", "daily", "custom"} {
			rule := s.rule(
				"external_rule",
				object{"interval": interval, "metadata": object{"resetProgressOnClaim": true, "customIntervalSeconds": 3600},
					"maxAmountInterval": "lifetime", "maxAmountPerInterval": 25},
			)
			body := object{"walletAddress": "w" + interval, "idempotencyKey": strings.Repeat(interval, 2)}
			s.complete(rule, body).ok()
			s.complete(rule, object{"walletAddress": "w" + interval}).ok()
			s.complete(rule, object{"walletAddress": "w" + interval}).ok()
			// the cap stays
			s.complete(rule, object{"walletAddress": "w" + interval}).refused(400, "You have already been rewarded")
			if again := s.complete(
				rule,
				body,
			); again.header.Get("Idempotent-Replayed") != "true" ||
				s.balance("w"+interval) != "25" {
				t.Errorf("%s: %d %s, balance %s", interval, again.status, again.body, s.balance("w"+interval))
			}
		}
	})
}
