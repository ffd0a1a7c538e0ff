package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel/internal/app"
	"laurel/internal/dev/storetest"
)

// all has a number of wallets of a crowd hold what the partner is asked about.
func (p *partner) all(members int) {
	p.set(func(p *partner) {
		for i := range members {
			p.holders[fmt.Sprint("crowd-", i)] = true
		}
	})
}

// became returns the counts of the first run of a rule; "" while there is none.
func (s *server) became(rule string) string {
	s.t.Helper()
	if runs := s.runs(rule); len(runs) > 0 {
		return counts(runs[0])
	}
	return ""
}

func TestARunThatWaitsForAPartnerKeepsNoOtherWebsiteWaiting(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		p := newPartner(t)
		config := configured(
			t,
			fmt.Sprintf(
				`{"partners":[{"type":"attendance_token_claim","url":%q,"header":{"name":"Authorization","value":%q},"timeoutSeconds":4}]}`,
				p.URL,
				partnerSecret,
			),
		)
		s := openAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Partners: config})
		db := database{storetest.Open(t, address, s.clock.Now), t}
		const members = 120 // a minute of answers
		p.all(members)
		reached, released := map[string]bool{}, make(chan struct{})
		p.set(func(p *partner) {
			p.say = func(q partnerQuestion) (int, string) {
				p.set(func(*partner) { reached[q.WebsiteID] = true })
				select {
				case <-released:
				case <-time.After(3 * time.Second): // slow, and yet in time
				}
				return 0, ""
			}
		})
		slow := make([]server, 2)
		rules := make([]string, len(slow))
		for i := range slow {
			slow[i] = *s
			slow[i].Program = s.program(fmt.Sprint("Slow ", i))
			db.crowd(&slow[i], members)
			rules[i] = slow[i].rule("attendance_token_claim", object{"frequency": "once"})
		}
		stop := beside(s.app.Cadence.Run)
		defer stop()
		s.waits(func() (both bool) {
			p.set(func(*partner) { both = len(reached) == len(slow) })
			return both
		})
		db.crowd(s, 3)
		ordinary := s.rule("microblog_like", object{"frequency": "once"})
		s.waits(func() bool {
			time.Sleep(250 * time.Millisecond) // each reading moves the clock on, and no turn is to end by that
			return s.became(ordinary) == "complete 3/3/0/0 "
		})
		for i := range slow {
			if got := slow[i].became(rules[i]); !strings.HasPrefix(got, "processing ") {
				t.Errorf("while the partner still answers slowly: %s", got)
			}
		}
		close(released)
		for i := range slow {
			s.waits(func() bool { return slow[i].became(rules[i]) == "complete 120/120/0/0 " })
			if got := slow[i].balance("crowd-119"); got != "10" {
				t.Errorf("crowd-119 has %q", got)
			}
		}
		s.sound()
	})
}

func TestRunsThatAskAPartnerTakeTurns(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		const members = 120 // five pages
		db.crowd(s, members)
		p.all(members)
		p.set(func(p *partner) {
			p.say = func(partnerQuestion) (int, string) {
				s.clock.advance(time.Second)
				return 0, ""
			}
		})
		rules := []string{
			s.rule("attendance_token_claim", object{"frequency": "once"}),
			s.rule("attendance_token_claim", object{"frequency": "once"}),
		}
		for s.became(rules[1]) == "" || strings.HasPrefix(s.became(rules[1]), "processing 0/") {
			if _, err := s.app.Cadence.Once(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.became(rules[0]); !strings.HasPrefix(got, "processing ") {
			t.Errorf("when the second begins the first has come to %s", got)
		}
		s.run()
		for _, rule := range rules {
			if got := s.became(rule); got != "complete 120/120/0/0 " {
				t.Errorf("at the end: %s", got)
			}
		}
		if n := len(p.asked()); n != 2*members {
			t.Errorf("%d questions", n)
		}
		s.sound()
	})
}

func TestMembersThatAreAskedAboutOneByOneTakeTurnsToo(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		const members = 10
		db.crowd(s, members)
		p.all(members)
		rule := s.rule("attendance_token_claim", object{"frequency": "once"})
		p.always(200, "what?")
		s.run()
		p.set(func(p *partner) {
			p.say = func(partnerQuestion) (int, string) {
				s.clock.advance(3 * time.Second)
				return 0, ""
			}
		})
		s.clock.advance(time.Minute)
		if _, err := s.app.Cadence.Once(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got := s.became(rule); got != "processing 1/1/0/0 " { // after a witness
			t.Errorf("after a turn: %s", got)
		}
		s.run()
		if got := s.became(rule); got != "complete 10/10/0/0 " {
			t.Errorf("at the end: %s", got)
		}
		s.sound()
	})
}
