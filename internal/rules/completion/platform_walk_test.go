package completion_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/rules/schema"
)

// held is the operator's file for accounts that two members may have.
var held = object{"maxAccountsPerPlatformId": 2}

// TestAPlatformThatIsSilentForAWhileCostsNobodyAReward fails a platform in every way in which it may give no answer,
// and then lets it answer.
func TestAPlatformThatIsSilentForAWhileCostsNobodyAReward(t *testing.T) {
	t.Parallel()
	eachPlatformType(t, func(p *platformTest) {
		if !schema.Type(p.ruleType).Kind().OnCall {
			return
		}
		rule := p.create(nil)
		wallet, account := p.newMember()
		p.earn(account)
		p.Complete(rule, p.body(wallet, account)).OK()
		pauses := []time.Duration{15 * time.Second, 45 * time.Second, 2 * time.Minute, 7 * time.Minute}
		for i, status := range []int{500, 401, 429} {
			p.platform.Fail(status)
			p.RunCompletionJobs()
			p.expect(processingStatus(p.Server, rule, wallet), "pending: Completion request added to queue", wallet, "")
			p.Clock.Advance(pauses[i])
		}
		p.platform.Fail(0)
		p.RunCompletionJobs()
		p.expect(processingStatus(p.Server, rule, wallet), "completed: Completed", wallet, "10")
		p.RunCompletionJobs()
		p.expect("", "", wallet, "10")
		p.Clock.Advance(time.Minute)
	})
}

// TestAnAccountThatMovesMeanwhileEarnsForWhoHasIt moves an account between the call and the job that asks about it.
func TestAnAccountThatMovesMeanwhileEarnsForWhoHasIt(t *testing.T) {
	t.Parallel()
	eachPlatformType(t, func(p *platformTest) {
		if !schema.Type(p.ruleType).Kind().OnCall {
			return
		}
		rule := p.create(nil)
		wallet, account := p.newMember()
		heir := "heir-" + wallet
		p.earn(account)
		p.Complete(rule, p.body(wallet, account)).OK()
		p.connect(wallet, "")
		p.connect(heir, account)
		p.RunCompletionJobs()
		want := "failed: " + p.label + " not connected"
		if p.byURL { // the post stands for an account, and that is of another member now
			want = "failed: Post was made by another account"
		}
		p.expect(processingStatus(p.Server, rule, wallet), want, wallet, "")
		p.expect(p.outcome(rule, heir, account), "completed: Completed", heir, "10")
	})
}

// TestAPostStandsForAnAccountThatWasDisconnectedMeanwhile covers the types that TestAnAccountThatIsDisconnected… leaves
// out: a content url may stand for an account, unless another member has it.
func TestAPostStandsForAnAccountThatWasDisconnectedMeanwhile(t *testing.T) {
	t.Parallel()
	eachPlatformType(t, func(p *platformTest) {
		if !p.byURL || p.ruleType == "post_impressions" {
			return
		}
		rule := p.create(nil)
		wallet, account := p.newMember()
		p.earn(account)
		p.Complete(rule, p.body(wallet, account)).OK()
		p.connect(wallet, "")
		p.RunCompletionJobs()
		p.expect(processingStatus(p.Server, rule, wallet), "completed: Completed", wallet, "10")
	})
}

// TestAnAccountOfTwoMembersEarnsOnce lets two members have one account and claim its reward at the same moment.
func TestAnAccountOfTwoMembersEarnsOnce(t *testing.T) {
	t.Parallel()
	eachPlatformTypeWith(t, held, contentTypes(), func(p *platformTest) {
		if !schema.Type(p.ruleType).Kind().OnCall {
			return
		}
		rule := p.create(nil)
		first, account := p.newMember()
		second := "second-" + first
		p.connect(second, account)
		p.earn(account)
		for _, wallet := range []string{first, second} {
			p.Complete(rule, p.body(wallet, account)).OK()
		}
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() { p.RunCompletionJobs() })
		}
		both.Wait()
		p.RunCompletionJobs()
		balances, statuses := "", ""
		for _, wallet := range []string{first, second} {
			balances += p.Balance(wallet) + " "
			statuses += processingStatus(p.Server, rule, wallet) + "; "
		}
		refusal := "failed: The same " + p.label + " account was already used by another user"
		if strings.TrimSpace(balances) != "10" || !strings.Contains(statuses, "completed: Completed; ") ||
			!strings.Contains(statuses, refusal) {
			p.t.Errorf("%s: %q, %s", p.ruleType, balances, statuses)
		}
	})
}

// TestRunsOfEveryPlatformType runs the rules of each type that is scheduled, also those of posts: for members who have
// earned it, who have not, whose account is gone, and who share an account, while the platform is silent and later.
func TestRunsOfEveryPlatformType(t *testing.T) {
	t.Parallel()
	eachPlatformTypeWith(t, held, nil, func(p *platformTest) {
		if !schema.Type(p.ruleType).Kind().Scheduled {
			return
		}
		earned, account := p.newMember()
		refused, unmet := p.newMember()
		unlinked, gone := p.newMember()
		shared, ofBoth := p.newMember()
		mate := "mate-" + shared
		p.connect(mate, ofBoth)
		for _, account := range []string{account, gone, ofBoth} {
			p.earn(account)
		}
		p.know(unmet, p.unmet)
		p.connect(unlinked, "")
		rule := p.create(object{"frequency": "daily"})
		p.platform.Fail(401) // a 5xx would open the breaker of the host, which stands for all platforms here
		p.RunSchedule()
		if run := p.Runs(rule)[0]; run["status"] == "complete" {
			p.t.Errorf("%s, while the platform is silent: %s", p.ruleType, apptest.RunCounts(run))
		}
		for _, wallet := range []string{earned, refused, unlinked, shared, mate} {
			p.expect("", "", wallet, "")
		}
		p.platform.Fail(0)
		for range 3 {
			p.Clock.Advance(6 * time.Minute)
			p.RunSchedule()
		}
		if run := p.Runs(rule)[0]; run["status"] != "complete" || apptest.Number(run["rewarded"]) != 2 {
			p.t.Errorf("%s: %s", p.ruleType, apptest.RunCounts(run))
		}
		p.expect("", "", earned, "10")
		p.expect("", "", refused, "")
		p.expect("", "", unlinked, "")
		if got := strings.TrimSpace(p.Balance(shared) + " " + p.Balance(mate)); got != "10" {
			p.t.Errorf("%s: who share an account have %q", p.ruleType, got)
		}
		for _, wallet := range []string{earned, refused, shared, mate} {
			p.connect(wallet, "")
		}
	})
}

// TestEveryPlatformTypePaysWhatIsKeptOutside pays points of an external ledger: to who has earned them, to who asks
// again after the ledger has refused, to who was accepted by a call without a response, and once for an account that two
// members have.
func TestEveryPlatformTypePaysWhatIsKeptOutside(t *testing.T) {
	t.Parallel()
	eachPlatformTypeWith(t, held, contentTypes(), func(p *platformTest) {
		if !schema.Type(p.ruleType).Kind().OnCall {
			return
		}
		bank := apptest.NewBank(p.t)
		say := func(before, after int) {
			bank.Mu.Lock()
			defer bank.Mu.Unlock()
			bank.Before, bank.After = func(int) int { return before }, func(int) int { return after }
		}
		currency := p.Post(apptest.CurrenciesPath, bank.CurrencyBody()).OK()["id"].(string)
		rule := p.create(object{"loyaltyCurrencyId": currency})
		is := func(when, got, want, wallet, balance string) {
			p.t.Helper()
			if got != want {
				p.t.Errorf("%s, %s: %s, not %s", p.ruleType, when, got, want)
			}
			bank.CheckBalance(p.t, wallet, balance)
		}
		paid, account := p.newMember()
		p.earn(account)
		is("earned", p.outcome(rule, paid, account), "completed: Completed", paid, "10")

		refused, account := p.newMember()
		p.earn(account)
		say(400, 0)
		is("refused", p.outcome(rule, refused, account), "failed: Refused by the system that keeps the balances", refused, "0")
		say(0, 0)
		is("asked again", p.outcome(rule, refused, account), "completed: Completed", refused, "10")

		unheard, account := p.newMember()
		mate := "mate-" + unheard
		p.connect(mate, account)
		p.earn(account)
		say(0, -1)
		is("unheard", p.outcome(rule, unheard, account), "pending: Completion request added to queue", unheard, "10")
		say(0, 0)
		p.Clock.Advance(10 * time.Minute)
		for range 2 {
			p.payOutside()
			p.RunCompletionJobs()
			p.Clock.Advance(10 * time.Minute)
		}
		is("heard", processingStatus(p.Server, rule, unheard), "completed: Completed", unheard, "10")

		refusal := "failed: The same " + p.label + " account was already used by another user"
		if a := p.Complete(rule, p.body(mate, account)); a.Status == 200 {
			p.RunCompletionJobs()
			is("of another member", processingStatus(p.Server, rule, mate), refusal, mate, "0")
		} else {
			is("of another member", "failed: "+a.JSON()["message"].(string), refusal, mate, "0")
		}
		if bank.Applied != 3 {
			p.t.Errorf("%s: the ledger has written %d times", p.ruleType, bank.Applied)
		}
		p.Clock.Advance(time.Minute)
	})
}

// payOutside carries on with the posts to external ledgers that are due.
func (p *platformTest) payOutside() {
	p.t.Helper()
	if err := p.App.PostResolver.RunDue(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
}
