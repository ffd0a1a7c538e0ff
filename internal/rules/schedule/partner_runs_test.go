package schedule_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// tally counts how often each wallet was asked about.
func tally(questions []apptest.PartnerQuestion) map[string]int {
	out := map[string]int{}
	for _, q := range questions {
		out[q.User.WalletAddresses[0]]++
	}
	return out
}

func TestARunAsksAPartnerAboutEachMemberAndPaysOnce(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		const members = 60 // several pages
		insertMembers(db, s, members)
		p.Set(func(p *apptest.Partner) {
			for i := range members {
				p.Holders[fmt.Sprint("crowd-", i)] = i%2 == 0
			}
		})
		rule := s.Rule(
			"attendance_token_claim",
			object{"frequency": "daily", "collections": []object{{"address": "0xabc", "network": "polygon"}}},
		)
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(rule)[0]); got != "complete 60/30/30/0 " {
			t.Errorf("the first run: %s", got)
		}
		asked := p.TakeQuestions()
		if len(asked) != members || len(tally(asked)) != members || asked[0].Since != nil ||
			!asked[0].Until.Equal(timeOf(s.Runs(rule)[0], "scheduledAt")) ||
			len(asked[0].Rule.Collections) != 1 {
			t.Errorf("%d questions: %+v", len(asked), asked[0])
		}
		s.RunSchedule()
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		runs := s.Runs(rule)
		if len(runs) != 2 || apptest.RunCounts(runs[1]) != "complete 60/30/30/0 " || s.Balance("crowd-0") != "20" ||
			s.Balance("crowd-1") != "" {
			t.Errorf("%v: %s, %s", runs, s.Balance("crowd-0"), s.Balance("crowd-1"))
		}
		if again := p.TakeQuestions(); len(again) != members || !again[0].Since.Equal(asked[0].Until) {
			t.Errorf("the second run asked %d times, since %v", len(again), again[0].Since)
		}
		s.Complete(rule, object{"walletAddress": "crowd-0"}).Refused(400, apptest.Undone) // by itself, and by nobody's call
		s.Sound()
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
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		const members = 60
		makeMembers(p, s, db, members)
		falters(p, 30) // in the middle of the second page
		rule := s.Rule("attendance_token_claim", object{"frequency": "once"})
		for range 3 {
			s.RunSchedule()
			if got := apptest.RunCounts(s.Runs(rule)[0]); got != "processing 24/24/0/0 Provider did not give a valid answer" {
				t.Fatalf("while it does not answer: %s", got)
			}
			s.Clock.Advance(20 * time.Minute)
		}
		honest(p)
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(rule)[0]); got != "complete 60/60/0/0 " {
			t.Errorf("afterwards: %s", got)
		}
		for i := range members {
			if got := s.Balance(fmt.Sprint("crowd-", i)); got != "10" {
				t.Errorf("crowd-%d has %q", i, got)
			}
		}
		s.Sound()
	})
}

func TestARunGoesOnWithoutAMemberThatNobodyAnswersFor(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		const members = 30 // two pages
		makeMembers(p, s, db, members)
		silentOf(p, "crowd-3")
		rule := s.Rule("attendance_token_claim", object{"frequency": "once"})
		for range 4 {
			s.RunSchedule()
			if got := apptest.RunCounts(
				s.Runs(rule)[0],
			); !strings.HasPrefix(got, "processing ") ||
				!strings.HasSuffix(got, " Provider did not give a valid answer") {
				t.Fatalf("while it is asked again: %s", got)
			}
			s.Clock.Advance(20 * time.Minute)
		}
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(rule)[0]); got != "complete 30/29/0/1 " {
			t.Errorf("afterwards: %s", got)
		}
		for i := range members {
			if got, want := s.Balance(fmt.Sprint("crowd-", i)), map[bool]string{true: "", false: "10"}[i == 3]; got != want {
				t.Errorf("crowd-%d has %q", i, got)
			}
		}
		if n := tally(p.TakeQuestions())["crowd-3"]; n != 5 {
			t.Errorf("asked %d times about the member", n)
		}
		p.RespondAlways(200, "what?") // who answers about nobody is down, however long
		down := s.Rule("attendance_token_claim", object{"frequency": "once"})
		for range 8 {
			s.RunSchedule()
			if got := apptest.RunCounts(s.Runs(down)[0]); got != "processing 0/0/0/0 Provider did not give a valid answer" {
				t.Fatalf("while it is down: %s", got)
			}
			s.Clock.Advance(20 * time.Minute)
		}
		s.Sound()
	})
}

func TestRunsPayWhatWasSpentSinceTheLast(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		for _, wallet := range []string{"a", "b", "c"} {
			customerIn(db, s, wallet)
		}
		s.User("stranger", nil)
		buys(p, s, "a@b.example", 100) // before the first run: it covers all that was
		s.Clock.Advance(time.Minute)
		per := object{"rewardPerValue": true}
		rule := s.Rule("shop_spend", object{"amount": "0.1", "frequency": "daily", "metadata": per})
		s.RunSchedule()
		buys(p, s, "b@b.example", 50)
		buys(p, s, "a@b.example", 30)
		s.GrantMultiplier("b", 2, nil)
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		if a, b, c := s.Balance("a"), s.Balance("b"), s.Balance("c"); a != "13" || b != "10" || c != "" {
			t.Errorf("a %s, b %s, c %s", a, b, c)
		}
		var got []string
		for _, r := range s.Runs(rule) {
			got = append(got, apptest.RunCounts(r))
		}
		if fmt.Sprint(got) != "[complete 4/1/3/0  complete 4/2/2/0  complete 4/0/4/0 ]" {
			t.Errorf("runs %q", got)
		}
		// Where members claim what a run found, the shop is asked once more, for what the claim is worth.
		claimed := s.Rule("shop_spend", object{"amount": 1, "frequency": "daily", "claimType": "manual", "metadata": per})
		s.RunSchedule()
		s.Complete(claimed, object{"walletAddress": "c"}).Refused(400, apptest.Undone)
		p.TakeQuestions()
		s.Complete(claimed, object{"walletAddress": "a"}).OK()
		if got, n := s.Balance("a"), len(p.TakeQuestions()); got != "143" || n != 1 {
			t.Errorf("claimed: %s, asked %d times", got, n)
		}
		s.Complete(claimed, object{"walletAddress": "a"}).Refused(400, apptest.Undone)
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		s.Complete(claimed, object{"walletAddress": "a"}).Refused(400, apptest.Undone) // nothing since
		buys(p, s, "a@b.example", 9)
		s.Clock.Advance(apptest.Day)
		s.RunSchedule()
		s.Complete(claimed, object{"walletAddress": "a"}).OK()
		if got := s.Balance("a"); !strings.HasPrefix(got, "15") { // 9 by the claim, 0.9 by the runs
			t.Errorf("claimed again: %s", got)
		}
		s.Sound()
	})
}

func TestMatesOnAPageAreAskedAboutOnceOrTwice(t *testing.T) {
	t.Parallel()
	eachWithPartner(t, func(t *testing.T, s *apptest.Server, p *apptest.Partner, db apptest.Database) {
		for _, wallet := range []string{"one", "two"} {
			s.User(wallet, object{"userGroupExternalIdentifier": "mates"})
		}
		insertMembers(db, s, 20)
		p.RespondAlways(200, `{"fulfilled":true}`)
		rule := s.Rule("governance_vote", object{"interval": "daily", "frequency": "daily"})
		s.RunSchedule()
		if got := apptest.RunCounts(s.Runs(rule)[0]); got != "complete 22/21/1/0 " {
			t.Errorf("the run: %s", got)
		}
		// What one mate is paid is a new fact about the other, and about nobody else.
		if n := len(p.TakeQuestions()); n > 23 {
			t.Errorf("%d questions about 22 members", n)
		}
	})
}
