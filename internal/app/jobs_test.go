package app_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
	"laurel/internal/store"
)

// database is the server's own database, for what no caller can do.
type database struct {
	*store.DB
	t testing.TB
}

// eachDatabase runs the test on a server and hands it the server's database too.
func eachDatabase(t *testing.T, f func(t *testing.T, s *server, db database)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := openAtNoon(t, address, app.Config{NoRateLimits: true})
		f(t, s, database{storetest.Open(t, address, s.clock.Now), t})
	})
}

func (db database) exec(query string, args ...any) {
	db.t.Helper()
	err := db.InTx(context.Background(), func(tx *store.Tx) error {
		_, err := tx.Exec(context.Background(), query, args...)
		return err
	})
	if err != nil {
		db.t.Fatal(err)
	}
}

func (db database) count(from string) (n int) {
	db.t.Helper()
	if err := db.Get(context.Background(), &n, "SELECT COUNT(*) FROM "+from); err != nil {
		db.t.Fatal(err)
	}
	return n
}

// working runs the workers of rules until the condition holds, or for twenty seconds.
func (s *server) working(until func() bool) {
	s.t.Helper()
	defer beside(s.app.Rules.Run, s.app.Completions.Run)()
	s.waits(until)
}

func TestAJobEndsWhereNoFurtherAttemptWouldHelp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.link(object{"amount": "8000000000000"}, nil)
		for _, wallet := range []string{"a", "b"} {
			s.complete(rule, object{"walletAddress": wallet}).ok()
		}
		s.clock.advance(time.Minute)
		if n := s.jobs(); n != 2 {
			t.Errorf("%d jobs", n)
		}
		outcomes := s.outcome(rule, "a") + "; " + s.outcome(rule, "b")
		const paid, refused = "completed: Completed", "failed: amount would take the sum of the currency to 9000000000000 units or more"
		if outcomes != paid+"; "+refused && outcomes != refused+"; "+paid {
			t.Error(outcomes)
		}
		s.clock.advance(time.Hour)
		if n := s.jobs(); n != 0 {
			t.Errorf("%d jobs are tried again", n)
		}
	})
}

func TestAJobThatMeetsAFaultIsTriedFiveTimesAndHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		bad, good := s.link(nil, nil), s.link(nil, nil)
		s.complete(bad, object{"walletAddress": "w"}).ok()
		for i := range 20 {
			s.complete(good, object{"walletAddress": fmt.Sprint("w", i)}).ok()
		}
		db.exec("UPDATE loyalty_rules SET record = '!' || record, version = version + 1 WHERE id = ?", bad)
		s.clock.advance(time.Minute)
		if n := s.jobs(); n != 21 {
			t.Errorf("%d jobs", n)
		}
		for i := range 20 {
			if got := s.balance(fmt.Sprint("w", i)); got != "10" {
				t.Errorf("w%d has %q", i, got)
			}
		}
		for attempt, pause := range []time.Duration{15 * time.Second, 45 * time.Second, 2 * time.Minute, 7 * time.Minute} {
			if got := s.outcome(bad, "w"); got != "pending: Link click being verified, come back later to check the status" {
				t.Errorf("after attempt %d: %s", attempt+1, got)
			}
			s.clock.advance(pause - time.Second)
			if n := s.jobs(); n != 0 {
				t.Errorf("attempt %d is made before its pause of %v is over", attempt+2, pause)
			}
			s.clock.advance(time.Second)
			if n := s.jobs(); n != 1 {
				t.Errorf("%d jobs at attempt %d", n, attempt+2)
			}
		}
		if got := s.outcome(bad, "w"); got != "failed: The reward could not be given, please try again" {
			t.Error(got)
		}
		s.clock.advance(time.Hour)
		if n := s.jobs(); n != 0 {
			t.Errorf("%d jobs after the last attempt", n)
		}
		db.exec("UPDATE loyalty_rules SET record = SUBSTR(record, 2), version = version + 1 WHERE id = ?", bad)
		s.complete(bad, object{"walletAddress": "w"}).ok()
		s.clock.advance(time.Minute)
		if n := s.jobs(); n != 1 || s.balance("w") != "10" {
			t.Errorf("%d jobs, balance %q", n, s.balance("w"))
		}
	})
}

func TestAJobWhoseNodesDiedIsNotTakenForEver(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		rule := s.link(nil, nil)
		s.complete(rule, object{"walletAddress": "w"}).ok()
		db.exec("UPDATE rule_jobs SET attempts = 5")
		s.clock.advance(time.Minute)
		s.jobs()
		if got := s.outcome(
			rule,
			"w",
		); got != "failed: The reward could not be given, please try again" ||
			s.balance("w") != "" {
			t.Errorf("%s, balance %q", got, s.balance("w"))
		}
	})
}

// batches returns how many commits the committer has made.
func (s *server) batches() int {
	s.t.Helper()
	for line := range strings.Lines(s.call("", "GET", "/metrics", nil).body) {
		if count, found := strings.CutPrefix(line, "laurel_store_batch_works_count "); found {
			n, err := strconv.Atoi(strings.TrimSpace(count))
			if err != nil {
				s.t.Fatal(err)
			}
			return n
		}
	}
	s.t.Fatal("the metrics do not tell of batches")
	return 0
}

func TestJobsThatAreDueTogetherShareCommits(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.link(nil, nil)
		for i := range 64 {
			s.complete(rule, object{"walletAddress": fmt.Sprint("w", i)}).ok()
		}
		s.clock.advance(time.Minute)
		before := s.batches()
		if n := s.jobs(); n != 64 {
			t.Errorf("%d jobs", n)
		}
		if commits := s.batches() - before; commits >= 64 { // how many meet is a matter of time
			t.Errorf("%d commits for 64 jobs", commits)
		}
		s.sound()
	})
}

func TestTheEntryOfAClickTellsWhereItWasMade(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.link(nil, nil)
		s.complete(rule, object{"walletAddress": "w", "contentUrl": "https://a.example/post?x=1"}).ok()
		s.complete(rule, object{"walletAddress": "plain"}).ok()
		s.clock.advance(time.Minute)
		s.jobs()
		for wallet, want := range map[string]any{"w": "https://a.example/post?x=1", "plain": nil} {
			metadata, _ := s.get("/api/loyalty/transaction_entries?walletAddress=" + wallet).data()[0]["metadata"].(object)
			if metadata["contentUrl"] != want {
				t.Errorf("%s: %v", wallet, metadata)
			}
		}
	})
}

func TestJobsAreRemovedAnHourAfterTheirEnd(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		waiting := s.link(nil, object{"timeDelayToVerifySeconds": 604_800})
		paid, failed := s.link(nil, nil), s.link(nil, nil)
		s.complete(waiting, object{"walletAddress": "w"}).ok()
		click := func(wallet string) {
			s.complete(paid, object{"walletAddress": wallet}).ok()
			s.complete(failed, object{"walletAddress": wallet}).ok()
		}
		for i := range 300 { // more than one transaction removes
			click(fmt.Sprint("early", i))
		}
		over := func() int { return db.count("rule_jobs WHERE status <> 'pending'") }
		finish := func() {
			s.update(failed, object{"metadata": object{}})
			s.clock.advance(time.Minute)
			for s.jobs() > 0 {
			}
			s.update(failed, object{"metadata": object{"link": "https://a.example"}})
		}
		finish()
		s.clock.advance(30 * time.Minute)
		click("late")
		finish()
		if n := over(); n != 602 {
			t.Fatalf("%d jobs are over", n)
		}
		s.clock.advance(40 * time.Minute)
		s.working(func() bool { return over() == 2 })
		if n := db.count("rule_jobs WHERE status = 'pending'"); n != 1 {
			t.Errorf("%d jobs wait", n)
		}
		s.complete(waiting, object{"walletAddress": "w"}).refused(400, "Link already clicked, your reward is being processed")
	})
}
