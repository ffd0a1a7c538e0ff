package schedule_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// allHold has a number of wallets of a crowd hold what the partner is asked about.
func allHold(p *apptest.Partner, members int) {
	p.Set(func(p *apptest.Partner) {
		for i := range members {
			p.Holders[fmt.Sprint("crowd-", i)] = true
		}
	})
}

// became returns the counts of the first run of a rule; "" while there is none.
func became(s *apptest.Server, rule string) string {
	s.T.Helper()
	if runs := s.Runs(rule); len(runs) > 0 {
		return apptest.RunCounts(runs[0])
	}
	return ""
}

func TestARunThatWaitsForAPartnerKeepsNoOtherWebsiteWaiting(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		p := apptest.NewPartner(t)
		config := apptest.WriteConfig(
			t,
			fmt.Sprintf(
				`{"partners":[{"type":"attendance_token_claim","url":%q,"header":{"name":"Authorization","value":%q},"timeoutSeconds":4}]}`,
				p.URL,
				apptest.PartnerSecret,
			),
		)
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Partners: config})
		db := apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t}
		const members = 120 // a minute of answers
		allHold(p, members)
		reached, released := map[string]bool{}, make(chan struct{})
		p.Set(func(p *apptest.Partner) {
			p.Say = func(q apptest.PartnerQuestion) (int, string) {
				p.Set(func(*apptest.Partner) { reached[q.WebsiteID] = true })
				select {
				case <-released:
				case <-time.After(3 * time.Second): // slow, and yet in time
				}
				return 0, ""
			}
		})
		slow := make([]apptest.Server, 2)
		rules := make([]string, len(slow))
		for i := range slow {
			slow[i] = *s
			slow[i].Program = s.NewProgram(fmt.Sprint("Slow ", i))
			insertMembers(db, &slow[i], members)
			rules[i] = slow[i].Rule("attendance_token_claim", object{"frequency": "once"})
		}
		stop := apptest.RunWorkers(s.App.Schedule.Run)
		defer stop()
		s.WaitUntil(func() (both bool) {
			p.Set(func(*apptest.Partner) { both = len(reached) == len(slow) })
			return both
		})
		insertMembers(db, s, 3)
		ordinary := s.Rule("microblog_like", object{"frequency": "once"})
		s.WaitUntil(func() bool {
			time.Sleep(250 * time.Millisecond) // each reading moves the clock on, and no turn is to end by that
			return became(s, ordinary) == "complete 3/3/0/0 "
		})
		for i := range slow {
			if got := became(&slow[i], rules[i]); !strings.HasPrefix(got, "processing ") {
				t.Errorf("while the partner still answers slowly: %s", got)
			}
		}
		close(released)
		for i := range slow {
			s.WaitUntil(func() bool { return became(&slow[i], rules[i]) == "complete 120/120/0/0 " })
			if got := slow[i].Balance("crowd-119"); got != "10" {
				t.Errorf("crowd-119 has %q", got)
			}
		}
		s.Sound()
	})
}

func TestRunsThatAskAPartnerTakeTurns(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		const members = 120 // five pages
		insertMembers(db, s, members)
		allHold(p, members)
		p.Set(func(p *apptest.Partner) {
			p.Say = func(apptest.PartnerQuestion) (int, string) {
				s.Clock.Advance(time.Second)
				return 0, ""
			}
		})
		rules := []string{
			s.Rule("attendance_token_claim", object{"frequency": "once"}),
			s.Rule("attendance_token_claim", object{"frequency": "once"}),
		}
		for became(s, rules[1]) == "" || strings.HasPrefix(became(s, rules[1]), "processing 0/") {
			if _, err := s.App.Schedule.RunOnce(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if got := became(s, rules[0]); !strings.HasPrefix(got, "processing ") {
			t.Errorf("when the second begins the first has come to %s", got)
		}
		s.RunSchedule()
		for _, rule := range rules {
			if got := became(s, rule); got != "complete 120/120/0/0 " {
				t.Errorf("at the end: %s", got)
			}
		}
		if n := len(p.TakeQuestions()); n != 2*members {
			t.Errorf("%d questions", n)
		}
		s.Sound()
	})
}

func TestMembersThatAreAskedAboutOneByOneTakeTurnsToo(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		const members = 10
		insertMembers(db, s, members)
		allHold(p, members)
		rule := s.Rule("attendance_token_claim", object{"frequency": "once"})
		p.RespondAlways(200, "what?")
		s.RunSchedule()
		p.Set(func(p *apptest.Partner) {
			p.Say = func(apptest.PartnerQuestion) (int, string) {
				s.Clock.Advance(3 * time.Second)
				return 0, ""
			}
		})
		s.Clock.Advance(time.Minute)
		if _, err := s.App.Schedule.RunOnce(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := became(s, rule); got != "processing 1/1/0/0 " { // after a witness
			t.Errorf("after a turn: %s", got)
		}
		s.RunSchedule()
		if got := became(s, rule); got != "complete 10/10/0/0 " {
			t.Errorf("at the end: %s", got)
		}
		s.Sound()
	})
}
