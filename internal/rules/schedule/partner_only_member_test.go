package schedule_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// allRuns lists what became of all runs of a rule.
func allRuns(s *apptest.Server, rule string) string {
	s.T.Helper()
	var list []string
	for _, r := range s.Runs(rule) {
		list = append(list, strings.TrimSpace(apptest.RunCounts(r)))
	}
	return strings.Join(list, ", ")
}

func TestTheOnlyMemberStopsNoLaterRunsForEver(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		insertMembers(db, s, 1)
		allHold(p, 1)
		p.RespondAlways(200, "what?")
		const waits, left = "processing 0/0/0/0 Provider did not give a valid answer", "complete 1/0/0/1"
		rule := s.Rule("attendance_token_claim", object{"frequency": "daily"})
		for hour := range 25 { // the first silence counts from an hour on
			s.RunSchedule()
			want := waits
			if hour == 24 {
				want += ", pending 0/0/0/0"
			}
			if got := allRuns(s, rule); got != want {
				t.Fatalf("after %d hours: %s", hour, got)
			}
			s.Clock.Advance(time.Hour)
		}
		s.RunSchedule()
		if got := allRuns(s, rule); got != left+", "+waits {
			t.Fatalf("after more than a day: %s", got)
		}
		s.Clock.Advance(2 * apptest.Day)
		for range 12 { // the silence lasts: the runs that wait need no day each
			s.RunSchedule()
			s.Clock.Advance(5 * time.Minute)
		}
		if got := allRuns(s, rule); got != strings.Repeat(left+", ", 3)+waits {
			t.Fatalf("two days later: %s", got)
		}
		p.TakeQuestions()
		honest(p)
		s.RunSchedule()
		if got, asked := allRuns(s, rule), p.TakeQuestions(); got != strings.Repeat(left+", ", 3)+"complete 1/1/0/0" || len(asked) == 0 ||
			asked[0].Since != nil {
			t.Errorf("when it answers: %s, asked %+v", got, asked)
		}
		p.RespondAlways(200, "what?")
		s.Clock.Advance(2 * apptest.Day)
		for range 12 { // a silence after an answer is a new one
			s.RunSchedule()
			s.Clock.Advance(5 * time.Minute)
		}
		if got := allRuns(s, rule); !strings.HasSuffix(got, "complete 1/1/0/0, "+waits+", pending 0/0/0/0") {
			t.Errorf("when it is silent anew: %s", got)
		}
		s.Sound()
	})
}

func TestTheOnlyMemberIsWaitedForWhereNoRunComesAfter(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		insertMembers(db, s, 1)
		allHold(p, 2)
		p.RespondAlways(200, "what?")
		rule := s.Rule("attendance_token_claim", object{"frequency": "once"})
		for range 10 {
			s.RunSchedule()
			if got := became(s, rule); got != "processing 0/0/0/0 Provider did not give a valid answer" {
				t.Fatal(got)
			}
			s.Clock.Advance(12 * time.Hour)
		}
		people(db, s, 1, 2) // there is another now, about whom there is an answer
		p.Set(func(p *apptest.Partner) {
			p.Say = func(q apptest.PartnerQuestion) (int, string) {
				if q.User.WalletAddresses[0] == "crowd-0" {
					return 200, "what?"
				}
				return 0, ""
			}
		})
		for n := range 4 {
			if got := became(s, rule); !strings.HasPrefix(got, "processing 0/0/0/0 ") {
				t.Fatalf("after %d silences of a member among others: %s", n, got)
			}
			s.RunSchedule()
			s.Clock.Advance(5 * time.Minute)
		}
		if got := fmt.Sprint(became(s, rule), s.Balance("crowd-1")); got != "complete 2/1/0/1 10" {
			t.Error(got)
		}
		s.Sound()
	})
}

func TestOneOfTwoMembersStopsNoRuns(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		for i, silent := range []string{"crowd-0", "crowd-1"} {
			makeMembers(p, s, db, 2*(1-i))
			silentOf(p, silent)
			allHold(p, 2)
			rule := s.Rule("attendance_token_claim", object{"frequency": "once"})
			if got := ends(s, rule); got != "complete 2/1/0/1 " {
				t.Errorf("without an answer about %s: %s", silent, got)
			}
		}
		if first, second := s.Balance("crowd-0"), s.Balance("crowd-1"); first != "10" || second != "10" {
			t.Errorf("paid %s and %s", first, second)
		}
		s.Sound()
	})
}
