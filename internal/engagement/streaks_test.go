package engagement_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

func moment(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

// TestStreaksCountWindowsInARow covers the edges of the calendar: each step checks in at a moment and compares the
// count and the end of the streak afterwards.
func TestStreaksCountWindowsInARow(t *testing.T) {
	t.Parallel()
	type step struct{ at, want string }
	cases := []struct {
		name, interval string
		custom         int
		steps          []step
	}{
		{
			"daily over a leap day",
			"daily",
			0,
			[]step{
				{
					"2028-02-28T23:59:59.9Z",
					"1 2028-03-01T00:00:00.000Z",
				},
				{"2028-02-29T00:00:00Z", "2 2028-03-02T00:00:00.000Z"},
				{"2028-03-01T23:59:59Z", "3 2028-03-03T00:00:00.000Z"},
				{"2028-03-03T00:00:00Z", "1 2028-03-05T00:00:00.000Z"},
				{"2028-03-04T12:00:00Z", "2 2028-03-06T00:00:00.000Z"},
			},
		},
		{
			"daily without a leap day",
			"daily",
			0,
			[]step{
				{"2027-02-28T12:00:00Z", "1 2027-03-02T00:00:00.000Z"},
				{"2027-03-01T00:00:00Z", "2 2027-03-03T00:00:00.000Z"},
			},
		},
		{
			"daily over the new year",
			"daily",
			0,
			[]step{
				{"2026-12-31T23:00:00Z", "1 2027-01-02T00:00:00.000Z"},
				{"2027-01-01T23:59:59Z", "2 2027-01-03T00:00:00.000Z"},
			},
		},
		{
			"hourly",
			"hourly",
			0,
			[]step{
				{"2026-02-01T22:59:59Z", "1 2026-02-02T00:00:00.000Z"},
				{"2026-02-01T23:00:00Z", "2 2026-02-02T01:00:00.000Z"},
				{"2026-02-02T00:30:00Z", "3 2026-02-02T02:00:00.000Z"},
				{"2026-02-02T02:00:00Z", "1 2026-02-02T04:00:00.000Z"},
			},
		},
		{
			"weekly from Sunday",
			"weekly",
			0,
			[]step{ // 2026-02-01 is a Sunday
				{
					"2026-01-31T23:59:59Z",
					"1 2026-02-08T00:00:00.000Z",
				},
				{"2026-02-01T00:00:00Z", "2 2026-02-15T00:00:00.000Z"},
				{"2026-02-14T23:59:59Z", "3 2026-02-22T00:00:00.000Z"},
				{"2026-02-22T00:00:00Z", "1 2026-03-08T00:00:00.000Z"},
			},
		},
		{
			"monthly over ends of months",
			"monthly",
			0,
			[]step{
				{
					"2026-01-31T23:59:59Z",
					"1 2026-03-01T00:00:00.000Z",
				},
				{"2026-02-28T23:59:59Z", "2 2026-04-01T00:00:00.000Z"},
				{"2026-03-31T00:00:00Z", "3 2026-05-01T00:00:00.000Z"},
				{"2026-05-01T00:00:00Z", "1 2026-07-01T00:00:00.000Z"},
			},
		},
		{
			"rolling",
			"custom",
			3600,
			[]step{
				{"2026-02-01T10:00:00Z", "1 2026-02-01T12:00:00.001Z"},
				{"2026-02-01T11:30:00Z", "2 2026-02-01T13:30:00.001Z"},
				{"2026-02-01T13:30:00.002Z", "1 2026-02-01T15:30:00.003Z"},
			},
		},
		{"once", "once", 0, []step{{"2026-02-01T10:00:00Z", "1 <nil>"}}},
		{
			"unlimited",
			"unlimited",
			0,
			[]step{
				{"2026-02-01T10:00:00Z", "1 <nil>"},
				{"2026-02-01T10:00:01Z", "2 <nil>"},
				{"2027-02-01T10:00:00Z", "3 <nil>"},
			},
		},
	}
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, c := range cases {
			more := object{"interval": c.interval}
			if c.custom > 0 {
				more["metadata"] = object{"customIntervalSeconds": c.custom}
			}
			rule := s.CreateStreakRule(more)
			for _, st := range c.steps {
				s.Clock.Set(moment(st.at))
				s.Complete(rule, object{"walletAddress": "w"}).OK()
				if got := s.Streak(rule, "w"); got != st.want && (c.custom == 0 || got[:len(got)-6] != st.want[:len(st.want)-6]) {
					t.Errorf("%s, at %s: %s, want %s", c.name, st.at, got, st.want)
				}
			}
		}
	})
}

func TestMilestonesPayOnTopAsASecondEntry(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateStreakRule(nil, 2, 5, 3, "7.5", 4, 0, 5, nil)
		// after the highest milestone counting goes on without pay
		for i, want := range []string{"10", "25", "42.5", "52.5", "62.5", "72.5"} {
			done := s.Complete(rule, object{"walletAddress": "w"}).OK()["data"].(object)
			s.Complete(rule, object{"walletAddress": "w"}).Refused(400, apptest.PaidAlready)
			if got := s.Balance("w"); got != want {
				t.Errorf("after day %d: %s, want %s", i+1, got, want)
			}
			entries := s.Get("/api/loyalty/transaction_entries?sortDir=asc&loyaltyTransactionId=" + done["loyaltyTransactionId"].(string)).
				Data()
			rewards := done["rewards"].([]any)
			if i == 1 || i == 2 {
				milestone := entries[1]["metadata"].(object)["streakMilestone"]
				_, first := entries[0]["metadata"]
				if len(entries) != 2 || milestone != apptest.JSONNumber(fmt.Sprint(i+1)) || first || len(rewards) != 2 ||
					rewards[1].(object)["amount"] != entries[1]["amount"] {
					t.Errorf("day %d: entries %v, rewards %v", i+1, entries, rewards)
				}
			} else if len(entries) != 1 || len(rewards) != 1 {
				t.Errorf("day %d: entries %v, rewards %v", i+1, entries, rewards)
			}
			s.Clock.Advance(24 * time.Hour)
		}
		s.Clock.Advance(48 * time.Hour)
		for _, want := range []string{"82.5", "97.5"} { // a new streak reaches its milestones again
			s.Complete(rule, object{"walletAddress": "w"}).OK()
			if got := s.Balance("w"); got != want {
				t.Errorf("after the gap: %s, want %s", got, want)
			}
			s.Clock.Advance(24 * time.Hour)
		}
		list := s.Streaks(rule)
		if len(list) != 1 || list[0]["walletAddress"] != "w" || list[0]["loyaltyRuleId"] != rule ||
			fmt.Sprint(list[0]["milestone"]) !=
				"[map[streakAmount:5 streakMilestone:2] map[streakAmount:7.5 streakMilestone:3] map[streakAmount:0 streakMilestone:4] map[streakAmount:0 streakMilestone:5]]" {
			t.Errorf("listed %v", list)
		}
		s.Sound()
	})
}

func TestMultipliersRaiseWhatMilestonesPay(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateStreakRule(nil, 1, 0.5)
		s.Post("/api/loyalty/multipliers", object{"walletAddress": "w", "multiplier": 3}).OK()
		s.Complete(rule, object{"walletAddress": "w"}).OK()
		if s.Balance("w") != "31.5" {
			t.Errorf("paid %s", s.Balance("w"))
		}
	})
}

func TestCheckInsOfNothingPayMilestonesOnly(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		other := s.Rule("external_rule", nil)
		for _, amount := range []any{0, nil} {
			for _, c := range []object{s2(nil), s2(object{"enableStreaks": true}), s2(object{"enableStreaks": true, "streakArray": []object{}}),
				s2(object{"enableStreaks": true, "streakArray": []object{{"streakMilestone": 1, "streakAmount": 0}, {"streakMilestone": 2}}}),
				s2(object{"streakArray": []object{{"streakMilestone": 1, "streakAmount": 5}}}),
				s2(object{"enableStreaks": true, "streakArray": []object{{"streakMilestone": 1, "streakAmount": 5}}, "autoCheckInRuleIds": "any"}),
				s2(object{"enableStreaks": true, "streakArray": []object{{"streakMilestone": 1, "streakAmount": 5}}, "autoCheckInRuleIds": []string{other}})} {
				rule := s.Rule("check_in", apptest.Over(c, object{"amount": amount}))
				s.Complete(rule, object{"walletAddress": "w"}).Refused(400, apptest.CheckInZero)
				s.Remove("/api/loyalty/rules/" + rule)
			}
			rule, wallet := s.CreateStreakRule(object{"amount": amount}, 2, 5), fmt.Sprint("w", amount)
			done := s.Complete(rule, object{"walletAddress": wallet}).OK()["data"].(object)
			if entries := s.Get("/api/loyalty/transaction_entries?loyaltyTransactionId=" + done["loyaltyTransactionId"].(string)).
				Data(); len(entries) != 1 ||
				entries[0]["amount"] != apptest.JSONNumber("0") {
				t.Errorf("before the milestone: %v", entries)
			}
			s.Clock.Advance(24 * time.Hour)
			done = s.Complete(rule, object{"walletAddress": wallet}).OK()["data"].(object)
			entries := s.Get("/api/loyalty/transaction_entries?loyaltyTransactionId=" + done["loyaltyTransactionId"].(string)).
				Data()
			if len(entries) != 1 || entries[0]["amount"] != apptest.JSONNumber("5") ||
				entries[0]["metadata"].(object)["streakMilestone"] != apptest.JSONNumber("2") ||
				s.Balance(wallet) != "5" {
				t.Errorf("at the milestone: %v", entries)
			}
		}
		s.Post("/api/loyalty/rules", object{"name": "n", "type": "check_in", "metadata": object{"streakArray": []object{{"streakMilestone": 1, "streakAmount": -1}}}}).
			Refused(400, "metadata.streakArray.0.streakAmount must be at least 0")
	})
}

// s2 is the body of a rule with the metadata.
func s2(metadata object) object { return object{"metadata": metadata} }

func TestACheckInOfManyAtOnceCountsOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateStreakRule(nil, 1, 1, 2, 2, 3, 3)
		for _, w := range []string{"w", "v"} {
			s.User(w, object{"userGroupExternalIdentifier": "family"})
		}
		for want := range 3 {
			var paid atomic.Int64
			var wg sync.WaitGroup
			for i := range 8 {
				wg.Go(func() {
					if s.Complete(rule, object{"walletAddress": []string{"w", "v"}[i%2]}).Status == 200 {
						paid.Add(1)
					}
				})
			}
			wg.Wait()
			if got := s.Streak(
				rule,
				"v",
			); paid.Load() != 1 || !strings.HasPrefix(got, fmt.Sprint(want+1, " ")) ||
				len(s.Streaks(rule)) != 1 {
				t.Errorf("round %d: %d paid, %s", want+1, paid.Load(), got)
			}
			s.Clock.Advance(24 * time.Hour)
		}
		w, v := s.Balance("w"), s.Balance("v")
		sum := laurel.Amount(0)
		for _, text := range []string{w, v} {
			if a, err := laurel.ParseAmount(text); err == nil {
				sum += a
			}
		}
		if sum.String() != "36" {
			t.Errorf("paid %s and %s", w, v)
		}
		s.Sound()
	})
}

func TestAResetOpensTheWindowAndKeepsTheCount(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateStreakRule(object{"metadata": object{"resetProgressOnClaim": true}}, 1, 100)
		for range 3 {
			s.Complete(rule, object{"walletAddress": "w"}).OK()
		}
		if got := s.Streak(rule, "w"); got != "1 2026-01-16T00:00:00.000Z" || s.Balance("w") != "130" {
			t.Errorf("three check-ins of a day: %s, balance %s", got, s.Balance("w"))
		}
		s.Complete(rule, object{"walletAddress": "w", "verifyOnly": true}).OK()
		s.Clock.Advance(24 * time.Hour)
		s.Complete(rule, object{"walletAddress": "w", "verifyOnly": true}).OK()
		if got := s.Streak(rule, "w"); got != "1 2026-01-16T00:00:00.000Z" {
			t.Errorf("asking only: %s", got)
		}
	})
}

func TestAClockThatStepsBackBreaksNoStreak(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateStreakRule(object{"interval": "unlimited"})
		daily := s.CreateStreakRule(nil)
		s.Complete(rule, object{"walletAddress": "w"}).OK()
		s.Complete(daily, object{"walletAddress": "w"}).OK()
		s.Clock.Set(apptest.Noon.Add(-48 * time.Hour))
		s.Complete(rule, object{"walletAddress": "w"}).OK()
		s.Complete(daily, object{"walletAddress": "w"}).Refused(400, apptest.PaidAlready)
		s.Clock.Set(apptest.Noon.Add(24 * time.Hour))
		s.Complete(daily, object{"walletAddress": "w"}).OK()
		if got := s.Streak(daily, "w"); got != "2 2026-01-17T00:00:00.000Z" {
			t.Errorf("daily: %s", got)
		}
		if got := s.Streak(rule, "w"); got != "2 <nil>" {
			t.Errorf("unlimited: %s", got)
		}
	})
}

// TestAGroupKeepsTheLongerStreak: joining makes the longer of the streaks that can go on the group's, whatever day was
// checked in last.
func TestAGroupKeepsTheLongerStreak(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateStreakRule(nil, 5, 100)
		in := func(wallet string) { t.Helper(); s.Complete(rule, object{"walletAddress": wallet}).OK() }
		in("old")
		s.Clock.Advance(24 * time.Hour)
		in("old")
		s.Clock.Advance(24 * time.Hour)
		in("old") // 3 in a row, which will end
		s.Clock.Advance(5 * 24 * time.Hour)
		in("long")
		s.Clock.Advance(24 * time.Hour)
		in("long")
		in("short")
		s.Clock.Advance(24 * time.Hour)
		in("long")  // 3
		in("short") // 2
		s.Clock.Advance(24 * time.Hour)
		in("short") // 3 with today, long 3 up to yesterday
		for _, w := range []string{"old", "long", "short"} {
			s.User(w, object{"userGroupExternalIdentifier": "family"})
		}
		for _, w := range []string{"old", "long", "short"} {
			if got := s.Streak(rule, w); !strings.HasPrefix(got, "3 ") {
				t.Errorf("%s: %s", w, got)
			}
		}
		if list := s.Streaks(rule); len(list) != 1 {
			t.Errorf("streaks %v", list)
		}
		s.Complete(rule, object{"walletAddress": "long"}).Refused(400, apptest.PaidAlready) // the group has checked in today
		s.Clock.Advance(24 * time.Hour)
		in("old")
		s.Clock.Advance(24 * time.Hour)
		in("long")
		if got := s.Streak(rule, "short"); !strings.HasPrefix(got, "5 ") || s.Balance("long") != "140" {
			t.Errorf("after two more days: %s, balance %s", got, s.Balance("long"))
		}
		s.User("old", object{"userGroupExternalIdentifier": nil})
		s.User("long", object{"userGroupExternalIdentifier": nil})
		if got := s.Streak(rule, "old"); got != "" {
			t.Errorf("who leaves others behind took a streak along: %s", got)
		}
		s.User("short", object{"userGroupExternalIdentifier": "others"})
		if got := s.Streak(rule, "short"); !strings.HasPrefix(got, "5 ") {
			t.Errorf("the last one of the group came to the next with %q", got)
		}
		s.User("short", object{"userGroupExternalIdentifier": nil})
		if got := s.Streak(rule, "short"); !strings.HasPrefix(got, "5 ") || len(s.Streaks(rule)) != 1 {
			t.Errorf("alone again: %q", got)
		}
	})
}

func TestStreaksAreListedByRuleUserAndGroup(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		one, two := s.CreateStreakRule(nil), s.CreateStreakRule(nil)
		group := s.Post("/api/users/metadatas", object{"walletAddress": "w", "userGroupExternalIdentifier": "family"}).OK()
		s.User("v", object{"userGroupExternalIdentifier": "family"})
		for _, wallet := range []string{"w", "x", "y", "z"} {
			s.Complete(one, object{"walletAddress": wallet}).OK()
		}
		s.Complete(two, object{"walletAddress": "x"}).OK()
		x := s.Get("/api/users?walletAddress=x").Data()[0]["id"].(string)
		for query, want := range map[string]int{"": 4, "limit=2": 2, "userId=" + x: 1, "walletAddress=x": 1, "userId=" + apptest.UnknownID: 0, "walletAddress=v": 1,
			"userGroupId=" + group["userGroupId"].(string): 1, "userGroupExternalIdentifier=family": 1, "userGroupId=" + apptest.UnknownID: 0} {
			if got := s.Streaks(one, query); len(got) != want {
				t.Errorf("%s: %d, want %d: %v", query, len(got), want, got)
			}
		}
		if got := s.Streaks(one+","+two, "walletAddress=x"); len(got) != 2 {
			t.Errorf("of two rules: %v", got)
		}
		var counts []any
		for after := ""; ; {
			page := s.Streaks(one, "limit=1&startingAfter="+after)
			if len(page) == 0 {
				break
			}
			counts = append(counts, page[0]["walletAddress"])
			after = page[0]["id"].(string)
		}
		if fmt.Sprint(counts) != "[z y x w]" {
			t.Errorf("paged %v", counts)
		}
		s.Get("/api/loyalty/account_streaks").Refused(400, "loyaltyRuleId is required")
		s.Get("/api/loyalty/account_streaks?loyaltyRuleId="+one+"&startingAfter="+apptest.UnknownID).
			Refused(400, "startingAfter not found")
		if a := s.Call(s.ClientAPIKey, "GET", "/api/loyalty/account_streaks?loyaltyRuleId="+two, nil); a.Status != 200 {
			t.Errorf("a publishable key: %d %s", a.Status, a.Body)
		}
		if a := s.Get("/api/loyalty/account_streaks?loyaltyRuleId=" + apptest.UnknownID); a.Body != "[]" {
			t.Errorf("none: %s", a.Body)
		}
	})
}
