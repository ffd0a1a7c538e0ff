package schedule_test

import (
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// makeMembers makes members for whom the partner says yes, whenever it answers.
func makeMembers(p *apptest.Partner, s *apptest.Server, db apptest.Database, members int) {
	insertMembers(db, s, members)
	allHold(p, members)
}

// ends runs what is due until the first run of a rule ends, also while the partner is left alone, and returns its
// counts.
func ends(s *apptest.Server, rule string) string {
	s.T.Helper()
	for range 300 {
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(rule)[0]); !strings.HasPrefix(got, "processing ") {
			return got
		}
		s.Clock.Advance(5 * time.Minute)
		time.Sleep(100 * time.Millisecond)
	}
	return apptest.RunCounts(s.Runs(rule)[0])
}

// slowly returns as a partner does that is well, and takes its time: one that was left alone is asked one question
// until then.
func slowly(string) (int, string) {
	time.Sleep(100 * time.Millisecond)
	return 0, ""
}

func TestARunLeavesNobodyOutAfterAnOutage(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		makeMembers(p, s, db, 24)
		for _, down := range []int{500, 429} {
			rule := s.Rule("attendance_token_claim", object{"frequency": "once"})
			p.RespondAlways(down, "")
			for range 7 {
				s.RunSchedule()
				s.Clock.Advance(20 * time.Minute)
			}
			if got := apptest.RunCounts(s.Runs(rule)[0]); !strings.HasPrefix(got, "processing 0/0/0/0 ") {
				t.Fatalf("while it answers %d: %s", down, got)
			}
			saysOf(p, slowly)
			if got := ends(s, rule); got != "complete 24/24/0/0 " {
				t.Errorf("after it has answered %d: %s", down, got)
			}
		}
		s.Sound()
	})
}

func TestMembersThatAPartnerFailsForTakeNoOthersWithThem(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		makeMembers(p, s, db, 24)
		saysOf(p, func(wallet string) (int, string) {
			if wallet == "crowd-0" || wallet == "crowd-1" || wallet == "crowd-2" {
				return 500, ""
			}
			return slowly(wallet)
		})
		rule := s.Rule("attendance_token_claim", object{"frequency": "once"})
		if got := ends(s, rule); got != "complete 24/21/0/3 " {
			t.Error(got)
		}
		s.Sound()
	})
}

func TestAMemberAloneOnItsPageStopsNoRuns(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		makeMembers(p, s, db, 25)
		silentOf(p, "crowd-24")
		rule := s.Rule("attendance_token_claim", object{"frequency": "daily"})
		if got := ends(s, rule); got != "complete 25/24/0/1 " {
			t.Fatal(got)
		}
		s.Clock.Advance(apptest.Day)
		ends(s, rule)
		if got := s.Balance("crowd-0"); got != "20" {
			t.Errorf("the next day crowd-0 has %q", got)
		}
		s.Sound()
	})
}

func TestWhatAMemberDidBeforeARunWentOnWithoutItIsPaidByTheNext(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		for _, wallet := range []string{"left", "other", "third"} {
			customerIn(db, s, wallet)
		}
		rule := s.Rule(
			"shop_spend",
			object{"amount": 1, "frequency": "daily", "interval": "unlimited", "metadata": object{"rewardPerValue": true}},
		)
		s.RunSchedule() // nobody has spent anything
		buys(p, s, "left@b.example", 10)
		buys(p, s, "other@b.example", 20)
		s.Clock.Advance(apptest.Day)
		silentOf(p, "left")
		for range 8 {
			s.RunSchedule()
			s.Clock.Advance(10 * time.Minute)
		}
		if got := apptest.RunCounts(s.Runs(rule)[1]); got != "complete 3/1/1/1 " {
			t.Fatalf("without an answer about one: %s", got)
		}
		honest(p)
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(rule)[2]); got != "complete 3/1/2/0 " {
			t.Errorf("the run after: %s", got)
		}
		if left, other := s.Balance("left"), s.Balance("other"); left != "10" || other != "20" {
			t.Errorf("left has %s, other %s", left, other)
		}
		s.Sound()
	})
}
