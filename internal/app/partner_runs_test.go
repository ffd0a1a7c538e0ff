package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// tally counts how often each wallet was asked about.
func tally(questions []partnerQuestion) map[string]int {
	out := map[string]int{}
	for _, q := range questions {
		out[q.User.WalletAddresses[0]]++
	}
	return out
}

func TestARunAsksAPartnerAboutEachMemberAndPaysOnce(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		const members = 60 // several pages
		db.crowd(s, members)
		p.set(func(p *partner) {
			for i := range members {
				p.holders[fmt.Sprint("crowd-", i)] = i%2 == 0
			}
		})
		rule := s.rule(
			"attendance_token_claim",
			object{"frequency": "daily", "collections": []object{{"address": "0xabc", "network": "polygon"}}},
		)
		s.run()
		if got := counts(s.runs(rule)[0]); got != "complete 60/30/30/0 " {
			t.Errorf("the first run: %s", got)
		}
		asked := p.asked()
		if len(asked) != members || len(tally(asked)) != members || asked[0].Since != nil ||
			!asked[0].Until.Equal(timeOf(s.runs(rule)[0], "scheduledAt")) ||
			len(asked[0].Rule.Collections) != 1 {
			t.Errorf("%d questions: %+v", len(asked), asked[0])
		}
		s.run()
		s.clock.advance(day)
		s.run()
		runs := s.runs(rule)
		if len(runs) != 2 || counts(runs[1]) != "complete 60/30/30/0 " || s.balance("crowd-0") != "20" ||
			s.balance("crowd-1") != "" {
			t.Errorf("%v: %s, %s", runs, s.balance("crowd-0"), s.balance("crowd-1"))
		}
		if again := p.asked(); len(again) != members || !again[0].Since.Equal(asked[0].Until) {
			t.Errorf("the second run asked %d times, since %v", len(again), again[0].Since)
		}
		s.complete(rule, object{"walletAddress": "crowd-0"}).refused(400, undone) // by itself, and by nobody's call
		s.sound()
	})
}

func timeOf(record object, name string) time.Time {
	out, err := time.Parse(time.RFC3339, record[name].(string))
	if err != nil {
		panic(err)
	}
	return out
}

func TestAnOutageStopsARunAndSkipsNobody(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		const members = 60
		p.crowdOf(s, db, members)
		p.falters(30) // in the middle of the second page
		rule := s.rule("attendance_token_claim", object{"frequency": "once"})
		for range 3 {
			s.run()
			if got := counts(s.runs(rule)[0]); got != "processing 24/24/0/0 Provider did not give a valid answer" {
				t.Fatalf("while it does not answer: %s", got)
			}
			s.clock.advance(20 * time.Minute)
		}
		p.honest()
		s.run()
		if got := counts(s.runs(rule)[0]); got != "complete 60/60/0/0 " {
			t.Errorf("afterwards: %s", got)
		}
		for i := range members {
			if got := s.balance(fmt.Sprint("crowd-", i)); got != "10" {
				t.Errorf("crowd-%d has %q", i, got)
			}
		}
		s.sound()
	})
}

func TestARunGoesOnWithoutAMemberThatNobodyAnswersFor(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		const members = 30 // two pages
		p.crowdOf(s, db, members)
		p.silentOf("crowd-3")
		rule := s.rule("attendance_token_claim", object{"frequency": "once"})
		for range 4 {
			s.run()
			if got := counts(
				s.runs(rule)[0],
			); !strings.HasPrefix(got, "processing ") ||
				!strings.HasSuffix(got, " Provider did not give a valid answer") {
				t.Fatalf("while it is asked again: %s", got)
			}
			s.clock.advance(20 * time.Minute)
		}
		s.run()
		if got := counts(s.runs(rule)[0]); got != "complete 30/29/0/1 " {
			t.Errorf("afterwards: %s", got)
		}
		for i := range members {
			if got, want := s.balance(fmt.Sprint("crowd-", i)), map[bool]string{true: "", false: "10"}[i == 3]; got != want {
				t.Errorf("crowd-%d has %q", i, got)
			}
		}
		if n := tally(p.asked())["crowd-3"]; n != 5 {
			t.Errorf("asked %d times about the member", n)
		}
		p.always(200, "what?") // who answers about nobody is down, however long
		down := s.rule("attendance_token_claim", object{"frequency": "once"})
		for range 8 {
			s.run()
			if got := counts(s.runs(down)[0]); got != "processing 0/0/0/0 Provider did not give a valid answer" {
				t.Fatalf("while it is down: %s", got)
			}
			s.clock.advance(20 * time.Minute)
		}
		s.sound()
	})
}

func TestRunsPayWhatWasSpentSinceTheLast(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		for _, wallet := range []string{"a", "b", "c"} {
			db.customer(s, wallet)
		}
		s.user("stranger", nil)
		p.buys(s, "a@b.example", 100) // before the first run: it covers all that was
		s.clock.advance(time.Minute)
		per := object{"rewardPerValue": true}
		rule := s.rule("shop_spend", object{"amount": "0.1", "frequency": "daily", "metadata": per})
		s.run()
		p.buys(s, "b@b.example", 50)
		p.buys(s, "a@b.example", 30)
		s.multiply("b", 2, nil)
		s.clock.advance(day)
		s.run()
		s.clock.advance(day)
		s.run()
		if a, b, c := s.balance("a"), s.balance("b"), s.balance("c"); a != "13" || b != "10" || c != "" {
			t.Errorf("a %s, b %s, c %s", a, b, c)
		}
		var got []string
		for _, r := range s.runs(rule) {
			got = append(got, counts(r))
		}
		if fmt.Sprint(got) != "[complete 4/1/3/0  complete 4/2/2/0  complete 4/0/4/0 ]" {
			t.Errorf("runs %q", got)
		}
		// Where members claim what a run found, the shop is asked once more, for what the claim is worth.
		claimed := s.rule("shop_spend", object{"amount": 1, "frequency": "daily", "claimType": "manual", "metadata": per})
		s.run()
		s.complete(claimed, object{"walletAddress": "c"}).refused(400, undone)
		p.asked()
		s.complete(claimed, object{"walletAddress": "a"}).ok()
		if got, n := s.balance("a"), len(p.asked()); got != "143" || n != 1 {
			t.Errorf("claimed: %s, asked %d times", got, n)
		}
		s.complete(claimed, object{"walletAddress": "a"}).refused(400, undone)
		s.clock.advance(day)
		s.run()
		s.complete(claimed, object{"walletAddress": "a"}).refused(400, undone) // nothing since
		p.buys(s, "a@b.example", 9)
		s.clock.advance(day)
		s.run()
		s.complete(claimed, object{"walletAddress": "a"}).ok()
		if got := s.balance("a"); !strings.HasPrefix(got, "15") { // 9 by the claim, 0.9 by the runs
			t.Errorf("claimed again: %s", got)
		}
		s.sound()
	})
}

func TestMatesOnAPageAreAskedAboutOnceOrTwice(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *server, p *partner, db database) {
		for _, wallet := range []string{"one", "two"} {
			s.user(wallet, object{"userGroupExternalIdentifier": "mates"})
		}
		db.crowd(s, 20)
		p.always(200, `{"fulfilled":true}`)
		rule := s.rule("governance_vote", object{"interval": "daily", "frequency": "daily"})
		s.run()
		if got := counts(s.runs(rule)[0]); got != "complete 22/21/1/0 " {
			t.Errorf("the run: %s", got)
		}
		// What one mate is paid is a new fact about the other, and about nobody else.
		if n := len(p.asked()); n > 23 {
			t.Errorf("%d questions about 22 members", n)
		}
	})
}
