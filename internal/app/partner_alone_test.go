package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// all lists what became of all runs of a rule.
func (s *server) all(rule string) string {
	s.t.Helper()
	var list []string
	for _, r := range s.runs(rule) {
		list = append(list, strings.TrimSpace(counts(r)))
	}
	return strings.Join(list, ", ")
}

func TestTheOnlyMemberStopsNoLaterRunsForEver(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		db.crowd(s, 1)
		p.all(1)
		p.always(200, "what?")
		const waits, left = "processing 0/0/0/0 Provider did not give a valid answer", "complete 1/0/0/1"
		rule := s.rule("attendance_token_claim", object{"frequency": "daily"})
		for hour := range 25 { // the first silence counts from an hour on
			s.run()
			want := waits
			if hour == 24 {
				want += ", pending 0/0/0/0"
			}
			if got := s.all(rule); got != want {
				t.Fatalf("after %d hours: %s", hour, got)
			}
			s.clock.advance(time.Hour)
		}
		s.run()
		if got := s.all(rule); got != left+", "+waits {
			t.Fatalf("after more than a day: %s", got)
		}
		s.clock.advance(2 * day)
		for range 12 { // the silence lasts: the runs that wait need no day each
			s.run()
			s.clock.advance(5 * time.Minute)
		}
		if got := s.all(rule); got != strings.Repeat(left+", ", 3)+waits {
			t.Fatalf("two days later: %s", got)
		}
		p.asked()
		p.honest()
		s.run()
		if got, asked := s.all(rule), p.asked(); got != strings.Repeat(left+", ", 3)+"complete 1/1/0/0" || len(asked) == 0 ||
			asked[0].Since != nil {
			t.Errorf("when it answers: %s, asked %+v", got, asked)
		}
		p.always(200, "what?")
		s.clock.advance(2 * day)
		for range 12 { // a silence after an answer is a new one
			s.run()
			s.clock.advance(5 * time.Minute)
		}
		if got := s.all(rule); !strings.HasSuffix(got, "complete 1/1/0/0, "+waits+", pending 0/0/0/0") {
			t.Errorf("when it is silent anew: %s", got)
		}
		s.sound()
	})
}

func TestTheOnlyMemberIsWaitedForWhereNoRunComesAfter(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		db.crowd(s, 1)
		p.all(2)
		p.always(200, "what?")
		rule := s.rule("attendance_token_claim", object{"frequency": "once"})
		for range 10 {
			s.run()
			if got := s.became(rule); got != "processing 0/0/0/0 Provider did not give a valid answer" {
				t.Fatal(got)
			}
			s.clock.advance(12 * time.Hour)
		}
		db.people(s, 1, 2) // there is another now, about whom there is an answer
		p.set(func(p *partner) {
			p.say = func(q partnerQuestion) (int, string) {
				if q.User.WalletAddresses[0] == "crowd-0" {
					return 200, "what?"
				}
				return 0, ""
			}
		})
		for n := range 4 {
			if got := s.became(rule); !strings.HasPrefix(got, "processing 0/0/0/0 ") {
				t.Fatalf("after %d silences of a member among others: %s", n, got)
			}
			s.run()
			s.clock.advance(5 * time.Minute)
		}
		if got := fmt.Sprint(s.became(rule), s.balance("crowd-1")); got != "complete 2/1/0/1 10" {
			t.Error(got)
		}
		s.sound()
	})
}

func TestOneOfTwoMembersStopsNoRuns(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		for i, silent := range []string{"crowd-0", "crowd-1"} {
			p.crowdOf(s, db, 2*(1-i))
			p.silentOf(silent)
			p.all(2)
			rule := s.rule("attendance_token_claim", object{"frequency": "once"})
			if got := s.ends(rule); got != "complete 2/1/0/1 " {
				t.Errorf("without an answer about %s: %s", silent, got)
			}
		}
		if first, second := s.balance("crowd-0"), s.balance("crowd-1"); first != "10" || second != "10" {
			t.Errorf("paid %s and %s", first, second)
		}
		s.sound()
	})
}
