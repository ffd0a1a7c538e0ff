package completion_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// working runs the workers of rules until the condition holds, or for twenty seconds.
func working(s *apptest.Server, until func() bool) {
	s.T.Helper()
	defer apptest.RunWorkers(s.App.Rules.Run, s.App.Completions.Run)()
	s.WaitUntil(until)
}

func TestAJobEndsWhereNoFurtherAttemptWouldHelp(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := link(s, object{"amount": "8000000000000"}, nil)
		for _, wallet := range []string{"a", "b"} {
			s.Complete(rule, object{"walletAddress": wallet}).OK()
		}
		s.Clock.Advance(time.Minute)
		if n := s.RunCompletionJobs(); n != 2 {
			t.Errorf("%d jobs", n)
		}
		outcomes := processingStatus(s, rule, "a") + "; " + processingStatus(s, rule, "b")
		const paid, refused = "completed: Completed", "failed: amount would take the sum of the currency to 9000000000000 units or more"
		if outcomes != paid+"; "+refused && outcomes != refused+"; "+paid {
			t.Error(outcomes)
		}
		s.Clock.Advance(time.Hour)
		if n := s.RunCompletionJobs(); n != 0 {
			t.Errorf("%d jobs are tried again", n)
		}
	})
}

func TestAJobThatMeetsAFaultIsTriedFiveTimesAndHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		bad, good := link(s, nil, nil), link(s, nil, nil)
		s.Complete(bad, object{"walletAddress": "w"}).OK()
		for i := range 20 {
			s.Complete(good, object{"walletAddress": fmt.Sprint("w", i)}).OK()
		}
		db.Exec("UPDATE loyalty_rules SET record = '!' || record, version = version + 1 WHERE id = ?", bad)
		s.Clock.Advance(time.Minute)
		if n := s.RunCompletionJobs(); n != 21 {
			t.Errorf("%d jobs", n)
		}
		for i := range 20 {
			if got := s.Balance(fmt.Sprint("w", i)); got != "10" {
				t.Errorf("w%d has %q", i, got)
			}
		}
		for attempt, pause := range []time.Duration{15 * time.Second, 45 * time.Second, 2 * time.Minute, 7 * time.Minute} {
			if got := processingStatus(s, bad, "w"); got != "pending: Link click being verified, come back later to check the status" {
				t.Errorf("after attempt %d: %s", attempt+1, got)
			}
			s.Clock.Advance(pause - time.Second)
			if n := s.RunCompletionJobs(); n != 0 {
				t.Errorf("attempt %d is made before its pause of %v is over", attempt+2, pause)
			}
			s.Clock.Advance(time.Second)
			if n := s.RunCompletionJobs(); n != 1 {
				t.Errorf("%d jobs at attempt %d", n, attempt+2)
			}
		}
		if got := processingStatus(s, bad, "w"); got != "failed: The reward could not be given, please try again" {
			t.Error(got)
		}
		s.Clock.Advance(time.Hour)
		if n := s.RunCompletionJobs(); n != 0 {
			t.Errorf("%d jobs after the last attempt", n)
		}
		db.Exec("UPDATE loyalty_rules SET record = SUBSTR(record, 2), version = version + 1 WHERE id = ?", bad)
		s.Complete(bad, object{"walletAddress": "w"}).OK()
		s.Clock.Advance(time.Minute)
		if n := s.RunCompletionJobs(); n != 1 || s.Balance("w") != "10" {
			t.Errorf("%d jobs, balance %q", n, s.Balance("w"))
		}
	})
}

func TestAJobWhoseNodesDiedIsNotTakenForEver(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		rule := link(s, nil, nil)
		s.Complete(rule, object{"walletAddress": "w"}).OK()
		db.Exec("UPDATE rule_jobs SET attempts = 5")
		s.Clock.Advance(time.Minute)
		s.RunCompletionJobs()
		if got := processingStatus(
			s,
			rule,
			"w",
		); got != "failed: The reward could not be given, please try again" ||
			s.Balance("w") != "" {
			t.Errorf("%s, balance %q", got, s.Balance("w"))
		}
	})
}

// batches returns how many commits the committer has made.
func batches(s *apptest.Server) int {
	s.T.Helper()
	for line := range strings.Lines(s.Call("", "GET", "/metrics", nil).Body) {
		if count, found := strings.CutPrefix(line, "laurel_store_batch_works_count "); found {
			n, err := strconv.Atoi(strings.TrimSpace(count))
			if err != nil {
				s.T.Fatal(err)
			}
			return n
		}
	}
	s.T.Fatal("the metrics do not tell of batches")
	return 0
}

func TestJobsThatAreDueTogetherShareCommits(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := link(s, nil, nil)
		for i := range 64 {
			s.Complete(rule, object{"walletAddress": fmt.Sprint("w", i)}).OK()
		}
		s.Clock.Advance(time.Minute)
		before := batches(s)
		if n := s.RunCompletionJobs(); n != 64 {
			t.Errorf("%d jobs", n)
		}
		if commits := batches(s) - before; commits >= 64 { // how many meet is a matter of time
			t.Errorf("%d commits for 64 jobs", commits)
		}
		s.Sound()
	})
}

func TestTheEntryOfAClickTellsWhereItWasMade(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := link(s, nil, nil)
		s.Complete(rule, object{"walletAddress": "w", "contentUrl": "https://a.example/post?x=1"}).OK()
		s.Complete(rule, object{"walletAddress": "plain"}).OK()
		s.Clock.Advance(time.Minute)
		s.RunCompletionJobs()
		for wallet, want := range map[string]any{"w": "https://a.example/post?x=1", "plain": nil} {
			metadata, _ := s.Get("/api/loyalty/transaction_entries?walletAddress=" + wallet).Data()[0]["metadata"].(object)
			if metadata["contentUrl"] != want {
				t.Errorf("%s: %v", wallet, metadata)
			}
		}
	})
}

//racetests:plain
func TestJobsAreRemovedAnHourAfterTheirEnd(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		waiting := link(s, nil, object{"timeDelayToVerifySeconds": 604_800})
		paid, failed := link(s, nil, nil), link(s, nil, nil)
		s.Complete(waiting, object{"walletAddress": "w"}).OK()
		click := func(wallet string) {
			s.Complete(paid, object{"walletAddress": wallet}).OK()
			s.Complete(failed, object{"walletAddress": wallet}).OK()
		}
		for i := range 300 { // more than one transaction removes
			click(fmt.Sprint("early", i))
		}
		over := func() int { return db.Count("rule_jobs WHERE status <> 'pending'") }
		finish := func() {
			s.Update(failed, object{"metadata": object{}})
			s.Clock.Advance(time.Minute)
			for s.RunCompletionJobs() > 0 {
			}
			s.Update(failed, object{"metadata": object{"link": "https://a.example"}})
		}
		finish()
		s.Clock.Advance(30 * time.Minute)
		click("late")
		finish()
		if n := over(); n != 602 {
			t.Fatalf("%d jobs are over", n)
		}
		s.Clock.Advance(40 * time.Minute)
		working(s, func() bool { return over() == 2 })
		if n := db.Count("rule_jobs WHERE status = 'pending'"); n != 1 {
			t.Errorf("%d jobs wait", n)
		}
		s.Complete(waiting, object{"walletAddress": "w"}).Refused(400, "Link already clicked, your reward is being processed")
	})
}
