package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel"
	"laurel/internal/store"
)

// run plans and carries out runs until nothing is due.
func (s *server) run() {
	s.t.Helper()
	for {
		busy, err := s.app.Cadence.Once(context.Background())
		if err != nil {
			s.t.Fatal(err)
		}
		if !busy {
			return
		}
	}
}

// runs returns the runs of a rule, the earliest first.
func (s *server) runs(rule string) []object {
	s.t.Helper()
	list := s.get("/api/loyalty/rules/" + rule + "/runs").data()
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// times returns when a rule was run, in a layout.
func (s *server) times(rule, layout string) []string {
	s.t.Helper()
	var out []string
	for _, r := range s.runs(rule) {
		at, err := time.Parse(time.RFC3339, r["scheduledAt"].(string))
		if err != nil {
			s.t.Fatal(err)
		}
		out = append(out, at.Format(layout))
	}
	return out
}

// counts returns what became of a run: status, evaluated, rewarded, refused, failed.
func counts(r object) string {
	n := func(name string) string { return r[name].(json.Number).String() }
	return fmt.Sprintf(
		"%s %s/%s/%s/%s %s",
		r["status"],
		n("evaluated"),
		n("rewarded"),
		n("refused"),
		n("failed"),
		r["message"],
	)
}

// earn completes a rule that pays an amount to a wallet.
func (s *server) earn(wallet string, amount any) {
	s.t.Helper()
	s.complete(s.rule("external_rule", object{"amount": amount, "loyaltyCurrencyId": s.LoyaltyCurrencyID}), object{"walletAddress": wallet}).
		ok()
}

func TestSharesOfWhatRefereesEarnArePaidByRuns(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		gold := s.post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		rule := s.rule(
			"referred_user",
			object{
				"amount":            100,
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"frequency":         "daily",
				"startTime":         noon.Format(time.RFC3339),
				"metadata":          object{"firstReferralReward": 10, "secondReferralReward": "2.5", "referrerReward": 7},
			},
		)
		s.post("/api/loyalty/multipliers", object{"walletAddress": "a", "multiplier": 3}).ok()
		s.run()
		s.clock.advance(time.Hour)
		s.earn("b", 1000) // before b was brought: counts for nobody
		s.clock.advance(time.Hour)
		b, c := s.userOf("b"), s.userOf("c")
		s.refer(s.code(rule, "a"), b).ok() // welcome 100 to b, lump sum 7 to a
		s.refer(s.code(rule, "b"), c).ok() // welcome 100 to c, lump sum 7 to b
		s.clock.advance(time.Hour)
		s.earn("c", 40)
		s.earn("c", "0.000001")
		s.give("c", 5000) // of the caller's own, not earned by a rule
		s.complete(s.rule("external_rule", object{"amount": 900, "loyaltyCurrencyId": gold}), object{"walletAddress": "c"}).
			ok()
		if a, b := s.balance("a"), s.balance("b"); a != "7" || b != "1107" {
			t.Fatalf("before the run a has %s and b %s", a, b)
		}
		s.clock.set(noon.Add(24*time.Hour + settling))
		s.run()
		// b got 10 % of c's 140.000001, a 2.5 % of it and 10 % of what b earned itself: welcome 100 and lump sum 7, not its
		// share.
		if a, b := s.balance("a"), s.balance("b"); a != "21.2" || b != "1121" {
			t.Errorf("after the run a has %s and b %s", a, b)
		}
		runs := s.runs(rule)
		if len(runs) != 2 || counts(runs[0]) != "complete 0/0/0/0 " || counts(runs[1]) != "complete 2/2/0/0 " {
			t.Errorf("runs %v", runs)
		}
		for _, item := range s.get("/api/referral/users?loyaltyRuleId=" + rule).data() {
			got := fmt.Sprintf("%v %v %v", item["amount"], item["tier1Amount"], item["tier2Amount"])
			if want := map[any]string{b: "21.2 10.7 3.5", c: "21 14 0"}[item["user"].(object)["id"]]; got != want {
				t.Errorf("of %v: %s, want %s", item["user"], got, want)
			}
		}
		told := map[string]int{}
		for _, e := range s.get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).data() {
			m := e["metadata"].(object)
			who := map[any]string{b: "b", c: "c"}[m["refereeUserId"]]
			told[fmt.Sprintf("%v %s %v", m["referral"], who, e["amount"])]++
		}
		for _, want := range []string{"welcome b 100", "welcome c 100", "lump_sum b 7", "lump_sum c 7", "tier1 b 10.7", "tier1 c 14", "tier2 c 3.5"} {
			if told[want] != 1 {
				t.Errorf("%q %d times among %v", want, told[want], told)
			}
		}
		if len(told) != 7 {
			t.Errorf("entries %v", told)
		}
		s.clock.set(noon.Add(48*time.Hour + settling))
		s.run()
		// Nobody earned anything since but shares, and those do not count.
		if got := counts(s.runs(rule)[2]); got != "complete 2/0/2/0 " || s.balance("a") != "21.2" {
			t.Errorf("a second run: %s, a has %s", got, s.balance("a"))
		}
		s.earn("c", 1) // 0.1 to b, 0.025 to a
		s.post("/api/users/metadatas", object{"walletAddress": "b", "isBlocked": true}).ok()
		s.clock.set(noon.Add(72*time.Hour + settling))
		s.run()
		if a, b := s.balance("a"), s.balance("b"); a != "21.225" || b != "1121" {
			t.Errorf("with b blocked a has %s and b %s", a, b)
		}
	})
}

func TestARunOfSharesWaitsUntilNothingMoreCanBeDatedIntoIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("referred_user", object{"frequency": "hourly", "metadata": object{"firstReferralReward": 50}})
		s.refer(s.code(rule, "a"), s.userOf("b")).ok()
		s.earn("b", 8)
		s.run()
		s.clock.advance(time.Hour + time.Second)
		s.run()
		runs := s.runs(rule)
		if len(runs) < 2 || runs[1]["status"] != "processing" || s.balance("a") != "" {
			t.Errorf("a second after its time: %v, a has %q", runs, s.balance("a"))
		}
		s.clock.advance(settling)
		s.run()
		// half of the welcome of 10 and of 8
		if runs := s.runs(rule); runs[1]["status"] != "complete" || s.balance("a") != "9" {
			t.Errorf("a minute after its time: %v, a has %q", runs, s.balance("a"))
		}
	})
}

func TestRunsAreMadeAtTheirTimes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		at := func(text string) time.Time {
			at, err := time.Parse(time.DateTime, text)
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		made := func(properties object, from, until string) string {
			t.Helper()
			s.clock.set(at(from))
			for _, name := range []string{"startTime", "endTime"} {
				if text, ok := properties[name].(string); ok {
					properties[name] = at(text).Format(time.RFC3339)
				}
			}
			rule := s.rule("listing", properties)
			s.clock.set(at(until))
			s.run()
			times := fmt.Sprint(s.times(rule, "01-02T15"))
			// or it would run on for the years of the other cases
			s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).ok()
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
	each(t, func(t *testing.T, s *server) {
		for _, kind := range []string{"token_hold", "minted_on", "dapps_by_gas_spent", "governance_vote", "microblog_follow", "stratus_function"} {
			rule := s.rule(kind, object{"frequency": "daily"})
			s.run()
			if runs := s.runs(rule); len(runs) != 1 || counts(runs[0]) != "failed 0/0/0/0 Rule is not setup" || runs[0]["startedAt"] == nil ||
				runs[0]["finishedAt"] == nil {
				t.Errorf("%s: %v", kind, runs)
			}
		}
		s.clock.advance(24 * time.Hour)
		deleted := s.rule("referred_user", object{"frequency": "hourly"})
		s.clock.advance(time.Hour)
		if _, err := s.app.Cadence.PlanDue(context.Background()); err != nil {
			t.Fatal(err)
		}
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+deleted, nil).ok()
		s.clock.advance(time.Hour)
		s.run()
		runs := s.runs(deleted)
		if len(runs) == 0 || len(runs) > 2 {
			t.Fatalf("a deleted rule has the runs %v", runs)
		}
		for _, r := range runs {
			if counts(r) != "failed 0/0/0/0 Loyalty rule not found" {
				t.Errorf("of a deleted rule: %v", r)
			}
		}
		orphan := s.post("/api/loyalty/currencies", object{"name": "Gone", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		poor := s.rule("referred_user", object{"frequency": "once", "loyaltyCurrencyId": orphan})
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/currencies/"+orphan, nil).ok()
		quiet := s.rule(
			"referred_user",
			object{
				"frequency":         "daily",
				"startTime":         s.clock.Now().Add(-time.Hour).Format(time.RFC3339),
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
			},
		)
		if _, err := s.app.Cadence.PlanDue(context.Background()); err != nil {
			t.Fatal(err)
		}
		s.post("/api/loyalty/rules/"+quiet, object{"frequency": "none"}).ok()
		s.run()
		if got := counts(s.runs(poor)[0]); got != "failed 0/0/0/0 Loyalty currency not found" {
			t.Errorf("of a deleted currency: %s", got)
		}
		if got := counts(s.runs(quiet)[0]); got != "cancelled 0/0/0/0 The rule has no runs any more" {
			t.Errorf("of a rule that runs no more: %s", got)
		}
		s.get("/api/loyalty/rules/"+nobody+"/runs").refused(404, "Loyalty rule not found")
		s.get("/api/loyalty/rules/x/runs").refused(400, "loyaltyRuleId must be a uuid")
	})
}

func TestARuleThatIsChangedRunsAtItsNewTimes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		edit := func(rule string, properties object) {
			t.Helper()
			s.post("/api/loyalty/rules/"+rule, properties).ok()
		}
		rule := s.rule("listing", object{"frequency": "daily", "startTime": noon.Add(time.Hour).Format(time.RFC3339)})
		s.clock.set(noon.Add(50 * time.Hour)) // two and a half days without a server
		edit(rule, object{"name": "Another name"})
		s.run()
		if got := fmt.Sprint(s.times(rule, "02T15")); got != "[14T13 15T13 16T13]" {
			t.Errorf("a change of the name: %s", got)
		}
		edit(rule, object{"frequency": "weekly"})
		s.clock.set(noon.Add(9 * 24 * time.Hour))
		s.run()
		if got := fmt.Sprint(s.times(rule, "02T15")); got != "[14T13 15T13 16T13 21T13]" {
			t.Errorf("weekly: %s", got)
		}
		edit(rule, object{"endTime": noon.Add(10 * 24 * time.Hour).Format(time.RFC3339)})
		s.clock.set(noon.Add(30 * 24 * time.Hour))
		s.run()
		if got := len(s.runs(rule)); got != 4 {
			t.Errorf("an earlier end: %d runs", got)
		}
		edit(rule, object{"endTime": nil})
		s.run()
		if got := fmt.Sprint(s.times(rule, "02T15")); got != "[14T13 15T13 16T13 21T13 11T13]" {
			t.Errorf("without the end again: %s", got)
		}
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).ok()
		s.clock.advance(30 * 24 * time.Hour)
		s.run()
		edit(rule, object{"deletedAt": nil})
		s.run()
		if got := len(s.runs(rule)); got != 6 { // its latest time, none of those when it was deleted
			t.Errorf("deleted and back: %d runs, %v", got, s.times(rule, "01-02T15"))
		}
	})
}

func TestRunsAreListedTheLatestFirst(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("listing", object{"frequency": "hourly"})
		s.clock.advance(4*time.Hour + time.Minute)
		s.run()
		path, after, seen := "/api/loyalty/rules/"+rule+"/runs?limit=2", "", []string{}
		for {
			page := s.get(path + after)
			for _, r := range page.data() {
				seen = append(seen, r["scheduledAt"].(string)[11:13])
				after = "&startingAfter=" + r["id"].(string)
			}
			if page.ok()["hasNextPage"] != true {
				break
			}
		}
		if fmt.Sprint(seen) != "[16 15 14 13 12]" {
			t.Errorf("listed %v", seen)
		}
		if n := len(s.get("/api/loyalty/rules/" + rule + "/runs?status=complete,pending").data()); n != 0 {
			t.Errorf("%d runs that are complete", n)
		}
		if n := len(s.get("/api/loyalty/rules/" + rule + "/runs?status=failed").data()); n != 5 {
			t.Errorf("%d runs that failed", n)
		}
		s.get(path+"&startingAfter="+nobody).refused(400, "startingAfter not found")
		s.get("/api/loyalty/rules/"+rule+"/runs?status=over").
			refused(400, "status must be one of: pending, processing, complete, failed, cancelled")
	})
}

func TestTwoNodesCarryOutEveryRunOnce(t *testing.T) {
	t.Parallel()
	both := nodes(t)
	s := both[0]
	var rules []string
	for range 6 {
		rule := s.rule(
			"referred_user",
			object{"amount": 0, "frequency": "hourly", "metadata": object{"firstReferralReward": 100}},
		)
		s.refer(s.code(rule, "a"), s.userOf("b")).ok()
		rules = append(rules, rule)
	}
	s.clock.advance(time.Minute)
	s.earn("b", 5)
	s.clock.advance(3*time.Hour + settling)
	var wg sync.WaitGroup
	for range 4 {
		for _, node := range both {
			wg.Go(func() {
				for range 20 {
					if _, err := node.app.Cadence.Once(context.Background()); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	s.run()
	for _, rule := range rules {
		for i, r := range s.runs(rule) {
			want := "complete 1/0/1/0 "
			if i == 1 { // the first run is the start itself
				want = "complete 1/1/0/0 "
			}
			if i > 0 && counts(r) != want {
				t.Errorf("run %d: %s, want %s", i, counts(r), want)
			}
		}
	}
	if got := s.balance("a"); got != "30" {
		t.Errorf("six rules paid %s for 5 points", got)
	}
}

// crowd makes members with a microblog account, without the detour over as many requests.
func (db database) crowd(s *server, n int) {
	db.t.Helper()
	for from := 0; from < n; from += 40 {
		db.people(s, from, min(from+40, n))
	}
}

func (db database) people(s *server, from, to int) {
	db.t.Helper()
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
		db.t.Fatal(err)
	}
}

func TestARunPaysWhoFulfilsTheRuleOncePerRun(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, _ database) {
		connected := func(wallet string, fields object) {
			s.post("/api/users/metadatas", over(object{"walletAddress": wallet, "microblogUserId": "m-" + wallet}, fields)).ok()
		}
		connected("a", nil)
		connected("b", object{"isBlocked": true})
		s.userOf("c") // has no account
		connected("d", object{"userGroupExternalIdentifier": "home"})
		s.post("/api/users/metadatas", object{"walletAddress": "e", "userGroupExternalIdentifier": "home"}).ok()
		s.post("/api/loyalty/multipliers", object{"walletAddress": "a", "multiplier": 2}).ok()
		rule := s.rule("microblog_like", object{"frequency": "daily", "interval": "once"})
		for day, want := range []string{"complete 5/2/3/0 ", "complete 5/2/3/0 ", "complete 6/3/3/0 "} {
			if day == 2 {
				connected("f", nil)
			}
			s.clock.set(noon.Add(time.Duration(day)*24*time.Hour + time.Minute))
			s.run()
			s.run()
			if got := counts(s.runs(rule)[day]); got != want {
				t.Errorf("day %d: %s, want %s", day, got, want)
			}
		}
		paid := []string{s.balance("a"), s.balance("b"), s.balance("c"), s.balance("d") + s.balance("e"), s.balance("f")}
		got := strings.Join(paid, " ")
		if got != "60   30 10" { // of a group whoever comes first in the order of ids is paid, here the older one
			t.Errorf("balances %q", got)
		}
		if n := len(s.get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).data()); n != 7 {
			t.Errorf("%d entries", n)
		}
		status := s.get("/api/loyalty/rule_statuses?walletAddress=a&loyaltyRuleId=" + rule).data()
		if len(status) != 1 || status[0]["progress"] != json.Number("100") {
			t.Errorf("the status of who was paid is %v", status)
		}
		// a rule with runs is not completed by calls
		s.complete(rule, object{"walletAddress": "c"}).refused(400, "Quest not completed")
		byCall := s.rule("microblog_like", object{"frequency": "none"})
		s.complete(byCall, object{"walletAddress": "c"}).refused(400, "Microblog not connected")
		s.complete(byCall, object{"walletAddress": "f"}).ok()
	})
}

func TestARunIsJudgedAsOfItsTime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.post("/api/users/metadatas", object{"walletAddress": "a", "microblogUserId": "m"}).ok()
		end := noon.Add(25 * time.Hour)
		rule := s.rule(
			"microblog_like",
			object{
				"frequency": "daily",
				"startTime": noon.Add(time.Hour / 2).Format(time.RFC3339),
				"endTime":   end.Format(time.RFC3339),
			},
		)
		s.clock.set(end.Add(100 * time.Hour)) // no server from before its start until after its end
		s.run()
		if runs := s.runs(rule); len(runs) != 2 || counts(runs[0]) != "complete 1/1/0/0 " || counts(runs[1]) != "complete 1/1/0/0 " ||
			s.balance("a") != "20" {
			t.Errorf("runs %v, balance %s", runs, s.balance("a"))
		}
	})
}

func TestARunGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		const crowd = 2600 // several transactions on either engine
		db.crowd(s, crowd)
		rule := s.rule("microblog_like", object{"frequency": "once"})
		progress := func() (object, int) {
			r := s.runs(rule)[0]
			n, err := strconv.Atoi(r["evaluated"].(json.Number).String())
			if err != nil {
				t.Fatal(err)
			}
			return r, n
		}
		if _, err := s.app.Cadence.PlanDue(context.Background()); err != nil {
			t.Fatal(err)
		}
		stopped, last := 0, -1
		for {
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				_, _ = s.app.Cadence.Once(ctx)
			}()
			for done := false; !done; {
				select {
				case <-ended:
					done = true
				default:
					_, n := progress()
					done = n > last
				}
			}
			cancel()
			<-ended
			r, n := progress()
			if paid := db.count("rule_claims"); paid != n {
				t.Fatalf("%d windows of %d members that were looked at", paid, n)
			}
			if last = n; r["finishedAt"] != nil {
				break
			}
			stopped++
			if stopped == 1 { // as if the node had died: its lease keeps others away for a while
				db.exec("UPDATE rule_runs SET owner = ?, due_at = ?", laurel.ID{1}, store.Micros(s.clock.Now().Add(30*time.Second)))
				if busy, err := s.app.Cadence.Once(context.Background()); busy || err != nil {
					t.Fatalf("taken from a node that may be working on it: %v %v", busy, err)
				}
				s.clock.advance(31 * time.Second)
			}
		}
		if stopped == 0 {
			t.Fatal("the run was never stopped on its way")
		}
		if r, _ := progress(); counts(r) != fmt.Sprintf("complete %d/%d/0/0 ", crowd, crowd) {
			t.Errorf("at the end %s", counts(r))
		}
		if n := db.count("loyalty_accounts WHERE user_id IS NOT NULL AND amount = 10000000"); n != crowd {
			t.Errorf("%d of %d members were paid once", n, crowd)
		}
	})
}

func TestMembersClaimWhatARunFoundThemEligibleFor(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.post("/api/users/metadatas", object{"walletAddress": "a", "microblogUserId": "m"}).ok()
		s.userOf("b")
		rule := s.rule(
			"microblog_like",
			object{
				"frequency": "daily",
				"claimType": "manual",
				"interval":  "once",
				"startTime": noon.Add(time.Hour).Format(time.RFC3339),
			},
		)
		claim := func(wallet string) answer { return s.complete(rule, object{"walletAddress": wallet}) }
		claim("a").refused(400, "Loyalty rule A microblog_like has not started yet")
		for day := range 3 {
			s.clock.set(noon.Add(time.Hour + time.Duration(day)*24*time.Hour + time.Minute))
			if day < 2 {
				claim("a").refused(400, "Quest not completed")
			}
			s.run()
			if got := counts(s.runs(rule)[day]); got != "complete 2/1/1/0 " {
				t.Errorf("day %d: %s", day, got)
			}
			if list := s.get("/api/loyalty/rule_statuses?loyaltyRuleId=" + rule).
				data(); len(list) != 1 ||
				list[0]["progress"] != json.Number("100") {
				t.Errorf("day %d: statuses %v", day, list)
			}
			if day == 1 {
				continue // what is not claimed is not paid, and does not add up
			}
			claim("b").refused(400, "Quest not completed")
			outcomes(t, callsAtOnce(8, func(int) answer { return claim("a") }), 1, "Quest not completed")
		}
		if got := s.balance("a") + "/" + s.balance("b"); got != "20/" {
			t.Errorf("balances %s", got)
		}
	})
}

func TestARequiredRuleComesBeforeRuns(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for _, wallet := range []string{"a", "b"} {
			s.post("/api/users/metadatas", object{"walletAddress": wallet, "microblogUserId": "m-" + wallet}).ok()
		}
		first := s.rule("external_rule", object{"isRequired": true, "amount": 1})
		s.complete(first, object{"walletAddress": "a"}).ok()
		rule := s.rule("microblog_like", object{"frequency": "daily"})
		s.run()
		if got := counts(s.runs(rule)[0]); got != "complete 2/1/1/0 " || s.balance("a") != "11" || s.balance("b") != "" {
			t.Errorf("%s, a has %s, b %s", got, s.balance("a"), s.balance("b"))
		}
	})
}

func TestARunPaysTheWalletsOfAList(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		list := s.upload("list.csv", "walletAddress,amount\na,5\nb,\nc,0.5\nblocked,9\nmate-1,1\nmate-2,2\n")
		s.post("/api/users/metadatas", object{"walletAddress": "blocked", "isBlocked": true}).ok()
		for _, wallet := range []string{"mate-1", "mate-2"} {
			s.post("/api/users/metadatas", object{"walletAddress": wallet, "userGroupExternalIdentifier": "home"}).ok()
		}
		for _, kind := range []string{"points_airdrop", "manual_upload"} {
			rule := s.rule(kind, object{onList: list, "frequency": "daily", "amount": 7})
			s.clock.advance(time.Minute)
			s.run()
			if got := s.runs(rule); len(got) != 1 || counts(got[0]) != "processing 0/0/0/0 The rule's list is not read yet" {
				t.Errorf("%s: before the list was read: %v", kind, got)
			}
			s.readLists()
			s.clock.advance(time.Minute)
			s.run()
			s.clock.advance(24 * time.Hour)
			s.run()
			for i, r := range s.runs(rule) { // of a group the first wallet is paid
				if counts(r) != "complete 6/4/2/0 " || i > 1 {
					t.Errorf("%s, run %d: %s", kind, i, counts(r))
				}
			}
			s.complete(rule, object{"walletAddress": "a"}).refused(400, "Quest not completed")
			s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).ok()
		}
		got := spelt(
			s.balance("a"),
			s.balance("b"),
			s.balance("c"),
			s.balance("blocked"),
			s.balance("mate-1"),
			s.balance("mate-2"),
		)
		if got != "20 28 2  4" {
			t.Errorf("two rules with two runs each paid %q", got)
		}
		byHand := s.rule("manual_upload", object{onList: list, "frequency": "once", "claimType": "manual"})
		s.readLists()
		s.run()
		if got := counts(s.runs(byHand)[0]); got != "complete 6/5/1/0 " {
			t.Errorf("where members claim: %s", got)
		}
		s.complete(byHand, object{"walletAddress": "c"}).ok()
		s.complete(byHand, object{"walletAddress": "c"}).refused(400, "Quest not completed")
		if got := s.balance("c"); got != "2.5" {
			t.Errorf("after the claim c has %s", got)
		}
	})
}
