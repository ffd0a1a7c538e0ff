package schedule_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/store"
)

// times returns when a rule was run, in a layout.
func times(s *apptest.Server, rule, layout string) []string {
	s.T.Helper()
	var out []string
	for _, r := range s.Runs(rule) {
		at, err := time.Parse(time.RFC3339, r["scheduledAt"].(string))
		if err != nil {
			s.T.Fatal(err)
		}
		out = append(out, at.Format(layout))
	}
	return out
}

func TestSharesOfWhatRefereesEarnArePaidByRuns(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		gold := s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		rule := s.Rule(
			"referred_user",
			object{
				"amount":            100,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"frequency":         "daily",
				"startTime":         apptest.Noon.Format(time.RFC3339),
				"metadata":          object{"firstReferralReward": 10, "secondReferralReward": "2.5", "referrerReward": 7},
			},
		)
		s.Post("/api/loyalty/multipliers", object{"walletAddress": "a", "multiplier": 3}).OK()
		s.RunSchedule()
		s.Clock.Advance(time.Hour)
		s.EarnPoints("b", 1000) // before b was brought: counts for nobody
		s.Clock.Advance(time.Hour)
		b, c := s.UserOf("b"), s.UserOf("c")
		s.Refer(s.ReferralCode(rule, "a"), b).OK() // welcome 100 to b, lump sum 7 to a
		s.Refer(s.ReferralCode(rule, "b"), c).OK() // welcome 100 to c, lump sum 7 to b
		s.Clock.Advance(time.Hour)
		s.EarnPoints("c", 40)
		s.EarnPoints("c", "0.000001")
		s.Credit("c", 5000) // of the caller's own, not earned by a rule
		s.Complete(s.Rule("external_rule", object{"amount": 900, "loyaltyCurrencyId": gold}), object{"walletAddress": "c"}).
			OK()
		if a, b := s.Balance("a"), s.Balance("b"); a != "7" || b != "1107" {
			t.Fatalf("before the run a has %s and b %s", a, b)
		}
		s.Clock.Set(apptest.Noon.Add(24*time.Hour + apptest.Settling))
		s.RunSchedule()
		// b got 10 % of c's 140.000001, a 2.5 % of it and 10 % of b's own earnings: welcome 100 and lump sum 7, not its
		// share.
		if a, b := s.Balance("a"), s.Balance("b"); a != "21.2" || b != "1121" {
			t.Errorf("after the run a has %s and b %s", a, b)
		}
		runs := s.Runs(rule)
		if len(runs) != 2 || apptest.RunCounts(
			runs[0],
		) != "complete 0/0/0/0 " || apptest.RunCounts(runs[1]) != "complete 2/2/0/0 " {
			t.Errorf("runs %v", runs)
		}
		for _, item := range s.Get("/api/referral/users?loyaltyRuleId=" + rule).Data() {
			got := fmt.Sprintf("%v %v %v", item["amount"], item["tier1Amount"], item["tier2Amount"])
			if want := map[any]string{b: "21.2 10.7 3.5", c: "21 14 0"}[item["user"].(object)["id"]]; got != want {
				t.Errorf("of %v: %s, want %s", item["user"], got, want)
			}
		}
		counts := map[string]int{}
		for _, e := range s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data() {
			m := e["metadata"].(object)
			who := map[any]string{b: "b", c: "c"}[m["refereeUserId"]]
			counts[fmt.Sprintf("%v %s %v", m["referral"], who, e["amount"])]++
		}
		for _, want := range []string{"welcome b 100", "welcome c 100", "lump_sum b 7", "lump_sum c 7", "tier1 b 10.7", "tier1 c 14", "tier2 c 3.5"} {
			if counts[want] != 1 {
				t.Errorf("%q %d times among %v", want, counts[want], counts)
			}
		}
		if len(counts) != 7 {
			t.Errorf("entries %v", counts)
		}
		s.Clock.Set(apptest.Noon.Add(48*time.Hour + apptest.Settling))
		s.RunSchedule()
		// Nobody earned anything since but shares, and those do not count.
		if got := apptest.RunCounts(s.Runs(rule)[2]); got != "complete 2/0/2/0 " || s.Balance("a") != "21.2" {
			t.Errorf("a second run: %s, a has %s", got, s.Balance("a"))
		}
		s.EarnPoints("c", 1) // 0.1 to b, 0.025 to a
		s.Post("/api/users/metadatas", object{"walletAddress": "b", "isBlocked": true}).OK()
		s.Clock.Set(apptest.Noon.Add(72*time.Hour + apptest.Settling))
		s.RunSchedule()
		if a, b := s.Balance("a"), s.Balance("b"); a != "21.225" || b != "1121" {
			t.Errorf("with b blocked a has %s and b %s", a, b)
		}
	})
}

func TestARunOfSharesWaitsUntilNothingMoreCanBeDatedIntoIt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("referred_user", object{"frequency": "hourly", "metadata": object{"firstReferralReward": 50}})
		s.Refer(s.ReferralCode(rule, "a"), s.UserOf("b")).OK()
		s.EarnPoints("b", 8)
		s.RunSchedule()
		s.Clock.Advance(time.Hour + time.Second)
		s.RunSchedule()
		runs := s.Runs(rule)
		if len(runs) < 2 || runs[1]["status"] != "processing" || s.Balance("a") != "" {
			t.Errorf("a second after its time: %v, a has %q", runs, s.Balance("a"))
		}
		s.Clock.Advance(apptest.Settling)
		s.RunSchedule()
		// half of the welcome of 10 and of 8
		if runs := s.Runs(rule); runs[1]["status"] != "complete" || s.Balance("a") != "9" {
			t.Errorf("a minute after its time: %v, a has %q", runs, s.Balance("a"))
		}
	})
}

func TestRunsAreMadeAtTheirTimes(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		at := func(text string) time.Time {
			at, err := time.Parse(time.DateTime, text)
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		made := func(properties object, from, until string) string {
			t.Helper()
			s.Clock.Set(at(from))
			for _, name := range []string{"startTime", "endTime"} {
				if text, ok := properties[name].(string); ok {
					properties[name] = at(text).Format(time.RFC3339)
				}
			}
			rule := s.Rule("listing", properties)
			s.Clock.Set(at(until))
			s.RunSchedule()
			times := fmt.Sprint(times(s, rule, "01-02T15"))
			// or it would run on for the years of the other cases
			s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).OK()
			return times
		}
		for _, c := range []struct {
			name        string
			properties  object
			from, until string
			want        string
		}{
			{"once at the start", object{"frequency": "once", "startTime": "2026-01-15 12:00:00"}, "2026-01-14 12:00:00", "2026-03-14 12:00:00", "[01-15T12]"},
			{"once before the start", object{"frequency": "once", "startTime": "2026-01-15 12:00:00"}, "2026-01-14 12:00:00", "2026-01-15 11:59:59", "[]"},
			{"once, the start lies in the past", object{"frequency": "once", "startTime": "2026-01-10 12:00:00"}, "2026-01-14 12:00:00", "2026-01-14 12:00:01", "[01-10T12]"},
			{"days, several while no server ran", object{"frequency": "daily", "startTime": "2026-01-15 06:00:00"}, "2026-01-14 12:00:00", "2026-01-18 05:00:00", "[01-15T06 01-16T06 01-17T06]"},
			{"days until the end, which is no run", object{"frequency": "daily", "startTime": "2026-01-15 06:00:00", "endTime": "2026-01-17 06:00:00"}, "2026-01-14 12:00:00", "2026-02-01 00:00:00", "[01-15T06 01-16T06]"},
			{"days, the start lies in the past", object{"frequency": "daily", "startTime": "2026-01-01 06:00:00"}, "2026-01-14 12:00:00", "2026-01-15 07:00:00", "[01-14T06 01-15T06]"},
			{"without a start at once", object{"frequency": "hourly"}, "2026-01-14 12:00:00", "2026-01-14 14:30:00", "[01-14T12 01-14T13 01-14T14]"},
			{"weeks from a Wednesday", object{"frequency": "weekly", "startTime": "2026-01-14 12:00:00"}, "2026-01-14 11:00:00", "2026-02-01 00:00:00", "[01-14T12 01-21T12 01-28T12]"},
			{"months from the 31st", object{"frequency": "monthly", "startTime": "2026-01-31 12:00:00"}, "2026-01-14 12:00:00", "2026-05-02 00:00:00", "[01-31T12 02-28T12 03-31T12 04-30T12]"},
			{"months from the 31st over a leap day", object{"frequency": "monthly", "startTime": "2028-01-31 12:00:00"}, "2028-01-14 12:00:00", "2028-03-02 00:00:00", "[01-31T12 02-29T12]"},
			{"never by itself", object{"frequency": "none"}, "2026-01-14 12:00:00", "2026-02-01 00:00:00", "[]"},
			{"never by itself, at once on a call", object{"frequency": "immediately"}, "2026-01-14 12:00:00", "2026-02-01 00:00:00", "[]"},
		} {
			if got := made(c.properties, c.from, c.until); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		}
	})
}

func TestARunThatNobodyCanCarryOutSaysSo(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, kind := range []string{"token_hold", "minted_on", "dapps_by_gas_spent", "governance_vote", "microblog_follow", "stratus_function"} {
			rule := s.Rule(kind, object{"frequency": "daily"})
			s.RunSchedule()
			if runs := s.Runs(rule); len(runs) != 1 || apptest.RunCounts(runs[0]) != "failed 0/0/0/0 Rule is not setup" || runs[0]["startedAt"] == nil ||
				runs[0]["finishedAt"] == nil {
				t.Errorf("%s: %v", kind, runs)
			}
		}
		s.Clock.Advance(24 * time.Hour)
		deleted := s.Rule("referred_user", object{"frequency": "hourly"})
		s.Clock.Advance(time.Hour)
		if _, err := s.App.Schedule.PlanDue(context.Background()); err != nil {
			t.Fatal(err)
		}
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+deleted, nil).OK()
		s.Clock.Advance(time.Hour)
		s.RunSchedule()
		runs := s.Runs(deleted)
		if len(runs) == 0 || len(runs) > 2 {
			t.Fatalf("a deleted rule has the runs %v", runs)
		}
		for _, r := range runs {
			if apptest.RunCounts(r) != "failed 0/0/0/0 Loyalty rule not found" {
				t.Errorf("of a deleted rule: %v", r)
			}
		}
		orphan := s.Post("/api/loyalty/currencies", object{"name": "Gone", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		poor := s.Rule("referred_user", object{"frequency": "once", "loyaltyCurrencyId": orphan})
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/currencies/"+orphan, nil).OK()
		quiet := s.Rule(
			"referred_user",
			object{
				"frequency":         "daily",
				"startTime":         s.Clock.Now().Add(-time.Hour).Format(time.RFC3339),
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
			},
		)
		if _, err := s.App.Schedule.PlanDue(context.Background()); err != nil {
			t.Fatal(err)
		}
		s.Post("/api/loyalty/rules/"+quiet, object{"frequency": "none"}).OK()
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(poor)[0]); got != "failed 0/0/0/0 Loyalty currency not found" {
			t.Errorf("of a deleted currency: %s", got)
		}
		if got := apptest.RunCounts(s.Runs(quiet)[0]); got != "cancelled 0/0/0/0 The rule has no runs any more" {
			t.Errorf("of a rule that runs no more: %s", got)
		}
		s.Get("/api/loyalty/rules/"+apptest.SecondUnknownID+"/runs").Refused(404, "Loyalty rule not found")
		s.Get("/api/loyalty/rules/x/runs").Refused(400, "loyaltyRuleId must be a uuid")
	})
}

func TestARuleThatIsChangedRunsAtItsNewTimes(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		edit := func(rule string, properties object) {
			t.Helper()
			s.Post("/api/loyalty/rules/"+rule, properties).OK()
		}
		rule := s.Rule("listing", object{"frequency": "daily", "startTime": apptest.Noon.Add(time.Hour).Format(time.RFC3339)})
		s.Clock.Set(apptest.Noon.Add(50 * time.Hour)) // two and a half days without a server
		edit(rule, object{"name": "Another name"})
		s.RunSchedule()
		if got := fmt.Sprint(times(s, rule, "02T15")); got != "[14T13 15T13 16T13]" {
			t.Errorf("a change of the name: %s", got)
		}
		edit(rule, object{"frequency": "weekly"})
		s.Clock.Set(apptest.Noon.Add(9 * 24 * time.Hour))
		s.RunSchedule()
		if got := fmt.Sprint(times(s, rule, "02T15")); got != "[14T13 15T13 16T13 21T13]" {
			t.Errorf("weekly: %s", got)
		}
		edit(rule, object{"endTime": apptest.Noon.Add(10 * 24 * time.Hour).Format(time.RFC3339)})
		s.Clock.Set(apptest.Noon.Add(30 * 24 * time.Hour))
		s.RunSchedule()
		if got := len(s.Runs(rule)); got != 4 {
			t.Errorf("an earlier end: %d runs", got)
		}
		edit(rule, object{"endTime": nil})
		s.RunSchedule()
		if got := fmt.Sprint(times(s, rule, "02T15")); got != "[14T13 15T13 16T13 21T13 11T13]" {
			t.Errorf("without the end again: %s", got)
		}
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).OK()
		s.Clock.Advance(30 * 24 * time.Hour)
		s.RunSchedule()
		edit(rule, object{"deletedAt": nil})
		s.RunSchedule()
		if got := len(s.Runs(rule)); got != 6 { // its latest time, none of those when it was deleted
			t.Errorf("deleted and back: %d runs, %v", got, times(s, rule, "01-02T15"))
		}
	})
}

func TestRunsAreListedTheLatestFirst(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("listing", object{"frequency": "hourly"})
		s.Clock.Advance(4*time.Hour + time.Minute)
		s.RunSchedule()
		path, after, listed := "/api/loyalty/rules/"+rule+"/runs?limit=2", "", []string{}
		for {
			page := s.Get(path + after)
			for _, r := range page.Data() {
				listed = append(listed, r["scheduledAt"].(string)[11:13])
				after = "&startingAfter=" + r["id"].(string)
			}
			if page.OK()["hasNextPage"] != true {
				break
			}
		}
		if fmt.Sprint(listed) != "[16 15 14 13 12]" {
			t.Errorf("listed %v", listed)
		}
		if n := len(s.Get("/api/loyalty/rules/" + rule + "/runs?status=complete,pending").Data()); n != 0 {
			t.Errorf("%d runs that are complete", n)
		}
		if n := len(s.Get("/api/loyalty/rules/" + rule + "/runs?status=failed").Data()); n != 5 {
			t.Errorf("%d runs that failed", n)
		}
		s.Get(path+"&startingAfter="+apptest.SecondUnknownID).Refused(400, "startingAfter not found")
		s.Get("/api/loyalty/rules/"+rule+"/runs?status=over").
			Refused(400, "status must be one of: pending, processing, complete, failed, cancelled")
	})
}

func TestTwoNodesCarryOutEveryRunOnce(t *testing.T) {
	t.Parallel()
	both := apptest.Nodes(t)
	s := both[0]
	var rules []string
	for range 6 {
		rule := s.Rule(
			"referred_user",
			object{"amount": 0, "frequency": "hourly", "metadata": object{"firstReferralReward": 100}},
		)
		s.Refer(s.ReferralCode(rule, "a"), s.UserOf("b")).OK()
		rules = append(rules, rule)
	}
	s.Clock.Advance(time.Minute)
	s.EarnPoints("b", 5)
	s.Clock.Advance(3*time.Hour + apptest.Settling)
	var wg sync.WaitGroup
	for range 4 {
		for _, node := range both {
			wg.Go(func() {
				for range 20 {
					if _, err := node.App.Schedule.RunOnce(context.Background()); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	s.RunSchedule()
	for _, rule := range rules {
		for i, r := range s.Runs(rule) {
			want := "complete 1/0/1/0 "
			if i == 1 { // the first run is the start itself
				want = "complete 1/1/0/0 "
			}
			if i > 0 && apptest.RunCounts(r) != want {
				t.Errorf("run %d: %s, want %s", i, apptest.RunCounts(r), want)
			}
		}
	}
	if got := s.Balance("a"); got != "30" {
		t.Errorf("six rules paid %s for 5 points", got)
	}
}

// insertMembers makes members with a microblog account, without the detour over as many requests.
func insertMembers(db apptest.Database, s *apptest.Server, n int) {
	db.T.Helper()
	for from := 0; from < n; from += 40 {
		people(db, s, from, min(from+40, n))
	}
}

func people(db apptest.Database, s *apptest.Server, from, to int) {
	db.T.Helper()
	err := db.InTx(context.Background(), func(tx *store.Tx) error {
		for i := from; i < to; i++ {
			id, now := tx.NewID(), store.Micros(tx.Now())
			for _, step := range []struct {
				query string
				args  []any
			}{
				{`INSERT INTO users (id, organization_id, wallet_address, is_platform_super_admin, temporary_loyalty_user, is_service, created_at, updated_at)
					VALUES (?, ?, ?, FALSE, FALSE, FALSE, ?, ?)`, []any{id, s.OrganizationID, fmt.Sprintf("crowd-%d", i), now, now}},
				{`INSERT INTO members (website_id, user_id, organization_id, first_seen_at, is_blocked, is_block_exempt, tokens_valid_from) VALUES (?, ?, ?, ?, FALSE, FALSE, 0)`,
					[]any{s.WebsiteID, id, s.OrganizationID, now}},
				{`INSERT INTO user_metadata (id, organization_id, website_id, user_id, record, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
					[]any{tx.NewID(), s.OrganizationID, s.WebsiteID, id, fmt.Sprintf(`{"microblogUserId":"crowd-%d"}`, i), now, now}},
			} {
				if _, err := tx.Exec(context.Background(), step.query, step.args...); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		db.T.Fatal(err)
	}
}

func TestARunPaysWhoFulfilsTheRuleOncePerRun(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, _ apptest.Database) {
		connected := func(wallet string, fields object) {
			s.Post(
				"/api/users/metadatas",
				apptest.Over(object{"walletAddress": wallet, "microblogUserId": "m-" + wallet}, fields),
			).OK()
		}
		connected("a", nil)
		connected("b", object{"isBlocked": true})
		s.UserOf("c") // has no account
		connected("d", object{"userGroupExternalIdentifier": "home"})
		s.Post("/api/users/metadatas", object{"walletAddress": "e", "userGroupExternalIdentifier": "home"}).OK()
		s.Post("/api/loyalty/multipliers", object{"walletAddress": "a", "multiplier": 2}).OK()
		rule := s.Rule("microblog_like", object{"frequency": "daily", "interval": "once"})
		for day, want := range []string{"complete 5/2/3/0 ", "complete 5/2/3/0 ", "complete 6/3/3/0 "} {
			if day == 2 {
				connected("f", nil)
			}
			s.Clock.Set(apptest.Noon.Add(time.Duration(day)*24*time.Hour + time.Minute))
			s.RunSchedule()
			s.RunSchedule()
			if got := apptest.RunCounts(s.Runs(rule)[day]); got != want {
				t.Errorf("day %d: %s, want %s", day, got, want)
			}
		}
		paid := []string{s.Balance("a"), s.Balance("b"), s.Balance("c"), s.Balance("d") + s.Balance("e"), s.Balance("f")}
		got := strings.Join(paid, " ")
		if got != "60   30 10" { // of a group the first member in the order of ids is paid, here the older one
			t.Errorf("balances %q", got)
		}
		if n := len(s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data()); n != 7 {
			t.Errorf("%d entries", n)
		}
		status := s.Get("/api/loyalty/rule_statuses?walletAddress=a&loyaltyRuleId=" + rule).Data()
		if len(status) != 1 || status[0]["progress"] != json.Number("100") {
			t.Errorf("the status of who was paid is %v", status)
		}
		// a rule with runs is not completed by calls
		s.Complete(rule, object{"walletAddress": "c"}).Refused(400, "Quest not completed")
		byCall := s.Rule("microblog_like", object{"frequency": "none"})
		s.Complete(byCall, object{"walletAddress": "c"}).Refused(400, "Microblog not connected")
		s.Complete(byCall, object{"walletAddress": "f"}).OK()
	})
}

func TestARunIsJudgedAsOfItsTime(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Post("/api/users/metadatas", object{"walletAddress": "a", "microblogUserId": "m"}).OK()
		end := apptest.Noon.Add(25 * time.Hour)
		rule := s.Rule(
			"microblog_like",
			object{
				"frequency": "daily",
				"startTime": apptest.Noon.Add(time.Hour / 2).Format(time.RFC3339),
				"endTime":   end.Format(time.RFC3339),
			},
		)
		s.Clock.Set(end.Add(100 * time.Hour)) // no server from before its start until after its end
		s.RunSchedule()
		if runs := s.Runs(rule); len(runs) != 2 || apptest.RunCounts(runs[0]) != "complete 1/1/0/0 " || apptest.RunCounts(runs[1]) != "complete 1/1/0/0 " ||
			s.Balance("a") != "20" {
			t.Errorf("runs %v, balance %s", runs, s.Balance("a"))
		}
	})
}

//racetests:plain
func TestARunGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		const memberCount = 2600 // several transactions on either engine
		insertMembers(db, s, memberCount)
		rule := s.Rule("microblog_like", object{"frequency": "once"})
		progress := func() (object, int) {
			r := s.Runs(rule)[0]
			n, err := strconv.Atoi(r["evaluated"].(json.Number).String())
			if err != nil {
				t.Fatal(err)
			}
			return r, n
		}
		if _, err := s.App.Schedule.PlanDue(context.Background()); err != nil {
			t.Fatal(err)
		}
		stopped, last := 0, -1
		for {
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, _ = s.App.Schedule.RunOnce(ctx)
			}()
			for done := false; !done; {
				select {
				case <-ended:
					done = true
				case <-time.After(2 * time.Millisecond): // the run needs the processor more than who looks at it
					_, n := progress()
					done = n > last
				}
			}
			cancel()
			<-ended
			r, n := progress()
			if paid := db.Count("rule_claims"); paid != n {
				t.Fatalf("%d windows of %d members that were looked at", paid, n)
			}
			if last = n; r["finishedAt"] != nil {
				break
			}
			stopped++
			if stopped == 1 { // as if the node had died: its lease keeps others away for a while
				db.Exec("UPDATE rule_runs SET owner = ?, due_at = ?", laurel.ID{1}, store.Micros(s.Clock.Now().Add(30*time.Second)))
				if busy, err := s.App.Schedule.RunOnce(context.Background()); busy || err != nil {
					t.Fatalf("taken from a node that may be working on it: %v %v", busy, err)
				}
				s.Clock.Advance(31 * time.Second)
			}
		}
		if stopped == 0 {
			t.Fatal("the run was never stopped on its way")
		}
		if r, _ := progress(); apptest.RunCounts(r) != fmt.Sprintf("complete %d/%d/0/0 ", memberCount, memberCount) {
			t.Errorf("at the end %s", apptest.RunCounts(r))
		}
		if n := db.Count("loyalty_accounts WHERE user_id IS NOT NULL AND amount = 10000000"); n != memberCount {
			t.Errorf("%d of %d members were paid once", n, memberCount)
		}
	})
}

func TestMembersClaimWhatARunFoundThemEligibleFor(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Post("/api/users/metadatas", object{"walletAddress": "a", "microblogUserId": "m"}).OK()
		s.UserOf("b")
		rule := s.Rule(
			"microblog_like",
			object{
				"frequency": "daily",
				"claimType": "manual",
				"interval":  "once",
				"startTime": apptest.Noon.Add(time.Hour).Format(time.RFC3339),
			},
		)
		claim := func(wallet string) apptest.Response { return s.Complete(rule, object{"walletAddress": wallet}) }
		claim("a").Refused(400, "Loyalty rule A microblog_like has not started yet")
		for day := range 3 {
			s.Clock.Set(apptest.Noon.Add(time.Hour + time.Duration(day)*24*time.Hour + time.Minute))
			if day < 2 {
				claim("a").Refused(400, "Quest not completed")
			}
			s.RunSchedule()
			if got := apptest.RunCounts(s.Runs(rule)[day]); got != "complete 2/1/1/0 " {
				t.Errorf("day %d: %s", day, got)
			}
			if list := s.Get("/api/loyalty/rule_statuses?loyaltyRuleId=" + rule).
				Data(); len(list) != 1 ||
				list[0]["progress"] != json.Number("100") {
				t.Errorf("day %d: statuses %v", day, list)
			}
			if day == 1 {
				continue // what is not claimed is not paid, and does not add up
			}
			claim("b").Refused(400, "Quest not completed")
			apptest.CheckOutcomes(t, apptest.CallConcurrently(8, func(int) apptest.Response { return claim("a") }), 1, "Quest not completed")
		}
		if got := s.Balance("a") + "/" + s.Balance("b"); got != "20/" {
			t.Errorf("balances %s", got)
		}
	})
}

func TestARequiredRuleComesBeforeRuns(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, wallet := range []string{"a", "b"} {
			s.Post("/api/users/metadatas", object{"walletAddress": wallet, "microblogUserId": "m-" + wallet}).OK()
		}
		first := s.Rule("external_rule", object{"isRequired": true, "amount": 1})
		s.Complete(first, object{"walletAddress": "a"}).OK()
		rule := s.Rule("microblog_like", object{"frequency": "daily"})
		s.RunSchedule()
		if got := apptest.RunCounts(
			s.Runs(rule)[0],
		); got != "complete 2/1/1/0 " || s.Balance("a") != "11" || s.Balance("b") != "" {
			t.Errorf("%s, a has %s, b %s", got, s.Balance("a"), s.Balance("b"))
		}
	})
}

func TestARunPaysTheWalletsOfAList(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		list := s.Upload("list.csv", "walletAddress,amount\na,5\nb,\nc,0.5\nblocked,9\nmate-1,1\nmate-2,2\n")
		s.Post("/api/users/metadatas", object{"walletAddress": "blocked", "isBlocked": true}).OK()
		for _, wallet := range []string{"mate-1", "mate-2"} {
			s.Post("/api/users/metadatas", object{"walletAddress": wallet, "userGroupExternalIdentifier": "home"}).OK()
		}
		for _, kind := range []string{"points_airdrop", "manual_upload"} {
			rule := s.Rule(kind, object{apptest.OnList: list, "frequency": "daily", "amount": 7})
			s.Clock.Advance(time.Minute)
			s.RunSchedule()
			if got := s.Runs(rule); len(got) != 1 || apptest.RunCounts(
				got[0],
			) != "processing 0/0/0/0 The rule's list is not read yet" {
				t.Errorf("%s: before the list was read: %v", kind, got)
			}
			s.ReadLists()
			s.Clock.Advance(time.Minute)
			s.RunSchedule()
			s.Clock.Advance(24 * time.Hour)
			s.RunSchedule()
			for i, r := range s.Runs(rule) { // of a group the first wallet is paid
				if apptest.RunCounts(r) != "complete 6/4/2/0 " || i > 1 {
					t.Errorf("%s, run %d: %s", kind, i, apptest.RunCounts(r))
				}
			}
			s.Complete(rule, object{"walletAddress": "a"}).Refused(400, "Quest not completed")
			s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).OK()
		}
		got := apptest.Spaced(
			s.Balance("a"),
			s.Balance("b"),
			s.Balance("c"),
			s.Balance("blocked"),
			s.Balance("mate-1"),
			s.Balance("mate-2"),
		)
		if got != "20 28 2  4" {
			t.Errorf("two rules with two runs each paid %q", got)
		}
		byHand := s.Rule("manual_upload", object{apptest.OnList: list, "frequency": "once", "claimType": "manual"})
		s.ReadLists()
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(byHand)[0]); got != "complete 6/5/1/0 " {
			t.Errorf("where members claim: %s", got)
		}
		s.Complete(byHand, object{"walletAddress": "c"}).OK()
		s.Complete(byHand, object{"walletAddress": "c"}).Refused(400, "Quest not completed")
		if got := s.Balance("c"); got != "2.5" {
			t.Errorf("after the claim c has %s", got)
		}
	})
}
