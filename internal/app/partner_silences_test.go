package app_test

import (
	"strings"
	"testing"
	"time"
)

// crowdOf makes members about all of whom the partner says yes, where it says what it knows.
func (p *partner) crowdOf(s *server, db database, members int) {
	db.crowd(s, members)
	p.all(members)
}

// ends runs what is due until the first run of a rule ends, also while the partner is left alone, and returns its
// counts.
func (s *server) ends(rule string) string {
	s.t.Helper()
	for range 300 {
		s.run()
		if got := counts(s.runs(rule)[0]); !strings.HasPrefix(got, "processing ") {
			return got
		}
		s.clock.advance(5 * time.Minute)
		time.Sleep(100 * time.Millisecond)
	}
	return counts(s.runs(rule)[0])
}

// slowly returns as a partner does that is well, and takes its time: one that was left alone is asked one question
// until then.
func slowly(string) (int, string) {
	time.Sleep(100 * time.Millisecond)
	return 0, ""
}

func TestARunLeavesNobodyOutAfterAnOutage(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		p.crowdOf(s, db, 24)
		for _, down := range []int{500, 429} {
			rule := s.rule("attendance_token_claim", object{"frequency": "once"})
			p.always(down, "")
			for range 7 {
				s.run()
				s.clock.advance(20 * time.Minute)
			}
			if got := counts(s.runs(rule)[0]); !strings.HasPrefix(got, "processing 0/0/0/0 ") {
				t.Fatalf("while it answers %d: %s", down, got)
			}
			p.saysOf(slowly)
			if got := s.ends(rule); got != "complete 24/24/0/0 " {
				t.Errorf("after it has answered %d: %s", down, got)
			}
		}
		s.sound()
	})
}

func TestMembersThatAPartnerFailsForTakeNoOthersWithThem(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		p.crowdOf(s, db, 24)
		p.saysOf(func(wallet string) (int, string) {
			if wallet == "crowd-0" || wallet == "crowd-1" || wallet == "crowd-2" {
				return 500, ""
			}
			return slowly(wallet)
		})
		rule := s.rule("attendance_token_claim", object{"frequency": "once"})
		if got := s.ends(rule); got != "complete 24/21/0/3 " {
			t.Error(got)
		}
		s.sound()
	})
}

func TestAMemberAloneOnItsPageStopsNoRuns(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		p.crowdOf(s, db, 25)
		p.silentOf("crowd-24")
		rule := s.rule("attendance_token_claim", object{"frequency": "daily"})
		if got := s.ends(rule); got != "complete 25/24/0/1 " {
			t.Fatal(got)
		}
		s.clock.advance(day)
		s.ends(rule)
		if got := s.balance("crowd-0"); got != "20" {
			t.Errorf("the next day crowd-0 has %q", got)
		}
		s.sound()
	})
}

func TestWhatAMemberDidBeforeARunWentOnWithoutItIsPaidByTheNext(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		for _, wallet := range []string{"left", "other", "third"} {
			db.customer(s, wallet)
		}
		rule := s.rule(
			"shop_spend",
			object{"amount": 1, "frequency": "daily", "interval": "unlimited", "metadata": object{"rewardPerValue": true}},
		)
		s.run() // nobody has spent anything
		p.buys(s, "left@b.example", 10)
		p.buys(s, "other@b.example", 20)
		s.clock.advance(day)
		p.silentOf("left")
		for range 8 {
			s.run()
			s.clock.advance(10 * time.Minute)
		}
		if got := counts(s.runs(rule)[1]); got != "complete 3/1/1/1 " {
			t.Fatalf("without an answer about one: %s", got)
		}
		p.honest()
		s.clock.advance(day)
		s.run()
		if got := counts(s.runs(rule)[2]); got != "complete 3/1/2/0 " {
			t.Errorf("the run after: %s", got)
		}
		if left, other := s.balance("left"), s.balance("other"); left != "10" || other != "20" {
			t.Errorf("left has %s, other %s", left, other)
		}
		s.sound()
	})
}
