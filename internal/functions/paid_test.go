package functions_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/outbound"
)

// eachWithRelayer runs the test on a server whose payout driver carries out transactions of functions.
func eachWithRelayer(t *testing.T, f func(t *testing.T, s *apptest.Server, r *apptest.Relayer)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		r := apptest.NewRelayer(t)
		f(t, apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Payouts: r.ConfigFile(t)}), r)
	})
}

// sends is a rule whose function sends a transaction to an address named like the rule's name, and sets a result.
func sends(s *apptest.Server, to, result string, properties object) string {
	s.T.Helper()
	id := deploy(s, `output.addTransaction({to: "`+to+`", value: 1, chainId: 137});
		const walletAddress = input.user.walletAddress;
		output.setResult(`+result+`)`, nil)
	return s.Rule("stratus_function", apptest.Over(object{"functionId": id, "interval": "daily"}, properties))
}

// completeConcurrently completes a rule many times at the same time, and lets every completion come to its end: on a
// busy machine a function may find no place, or take longer than a call waits for it. It returns how many calls were
// put into the queue, where those of one member become one completion.
func completeConcurrently(s *apptest.Server, rule string, many int, call func(i int) apptest.Response) (queued int) {
	s.T.Helper()
	for _, r := range apptest.CallConcurrently(many, func(i int) (r apptest.Response) {
		for r = call(i); strings.Contains(r.Body, outbound.ProviderBusy); r = call(i) {
			time.Sleep(100 * time.Millisecond)
		}
		return r
	}) {
		if strings.Contains(r.Body, `"pending"`) {
			queued++
		}
	}
	if queued == 0 {
		return 0
	}
	function := s.Get("/api/loyalty/rules?loyaltyRuleId=" + rule).Data()[0]["functionId"].(string)
	s.WaitUntil(func() bool { return len(runs(s, function, "&status=running")) == 0 })
	s.Clock.Advance(2 * time.Second)
	for s.RunCompletionJobs() > 0 {
	}
	return queued
}

// sent demands how many transactions were sent to an address, after all is handed over.
func sent(s *apptest.Server, r *apptest.Relayer, to string, want int) {
	s.T.Helper()
	due(s)
	if got := r.CountSent(to); got != want {
		s.T.Errorf("%d transactions to %s, not %d", got, to, want)
	}
}

const plainly = `[{walletAddress}]`

// TestSixCompletionsAtOnceSendOneTransactionPerReward: what a reward is once, its transaction is once.
func TestSixCompletionsAtOnceSendOneTransactionPerReward(t *testing.T) {
	t.Parallel()
	eachWithRelayer(t, func(t *testing.T, s *apptest.Server, r *apptest.Relayer) {
		badge := s.CreateBadge(s.PointsReward(5))
		s.In("mate-0", "house")
		s.In("mate-1", "house")
		for to, c := range map[string]struct {
			result     string
			properties object
			wallets    int // that call in turn
			rewards    int
		}{
			"daily":      {plainly, nil, 1, 1},
			"members":    {plainly, nil, 3, 3},
			"once":       {plainly, object{"interval": "once"}, 1, 1},
			"custom":     {plainly, object{"interval": "custom", "metadata": object{"customIntervalSeconds": 60}}, 1, 1},
			"unlimited":  {plainly, object{"interval": "unlimited"}, 1, 6},
			"key":        {`[{walletAddress, idempotencyKey: "k"}]`, object{"interval": "unlimited"}, 1, 1},
			"mate":       {plainly, nil, 2, 1},
			"capped":     {plainly, object{"interval": "unlimited", "maxAmountInterval": "daily", "maxAmountPerInterval": 20}, 1, 2},
			"badge":      {plainly, object{"interval": "unlimited", "rewardType": "badge", "loyaltyBadgeId": badge}, 1, 1},
			"multiplier": {plainly, object{"rewardType": "multiplier", "amount": 2}, 1, 1},
			"other":      {`[{walletAddress: "cust_77"}]`, object{"isDappRule": true}, 3, 1},
			"nothing":    {`[{walletAddress, amount: 0}]`, object{"interval": "unlimited"}, 1, 0},
			"unearned":   {`[]`, nil, 2, 0},
			"foreign":    {`[{walletAddress: "cust_78"}]`, nil, 2, 0},
			"bad":        {`{}`, nil, 2, 0},
		} {
			rule := sends(s, to, c.result, c.properties)
			call := func(i int) apptest.Response {
				return s.Complete(rule, object{"walletAddress": fmt.Sprint(to, "-", i%c.wallets)})
			}
			queued := completeConcurrently(s, rule, 6, call)
			for due(s); queued > 1 && r.CountSent(to) < c.rewards; queued-- {
				completeConcurrently(s, rule, 1, call)
				due(s)
			}
			sent(s, r, to, c.rewards)
			if c.rewards > 0 && to != "unlimited" {
				again := s.Complete(rule, object{"walletAddress": to + "-0"})
				if again.Status == 200 && !strings.Contains(again.Body, `"pending"`) && to != "badge" {
					t.Errorf("%s: paid again: %s", to, again.Body)
				}
				sent(s, r, to, c.rewards)
			}
		}
		failing := deploy(s, `output.addTransaction({to: "failing", chainId: 1}); output.setResult([{walletAddress: input.user.walletAddress}]); output.fail("no")`, nil)
		s.Complete(s.Rule("stratus_function", object{"functionId": failing}), object{"walletAddress": "a"}).Refused(400, "Invalid Verification, try again")
		sent(s, r, "failing", 0)
		s.Sound()
	})
}

func TestTwoNodesSendTheTransactionOfARewardOnce(t *testing.T) {
	t.Parallel()
	r := apptest.NewRelayer(t)
	nodes, _ := apptest.NodesWith(t, app.Config{NoRateLimits: true, Dev: true, Payouts: r.ConfigFile(t)})
	rule := sends(nodes[0], "0xboth", plainly, nil)
	completeConcurrently(nodes[0], rule, 12, func(i int) apptest.Response {
		return nodes[i%2].Complete(rule, object{"walletAddress": fmt.Sprint("m", i%3)})
	})
	apptest.CallConcurrently(2, func(i int) apptest.Response { due(nodes[i]); return apptest.Response{} })
	sent(nodes[0], r, "0xboth", 3)
}

// TestARunThatGoesOnAsAJobSendsWhenItPays: also where the server dies between the run's end, the payment and the
// driver's answer.
func TestARunThatGoesOnAsAJobSendsWhenItPays(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		r, release := apptest.NewRelayer(t), make(chan struct{})
		slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
		defer slow.Close()
		config := app.Config{NoRateLimits: true, Dev: true, Payouts: r.ConfigFile(t)}
		s := apptest.OpenAtNoon(t, address, config)
		id := deploy(s, `await fetch("`+slow.URL+`"); output.addTransaction({to: "0xslow", chainId: 137});
			output.setResult([{walletAddress: input.user.walletAddress}])`, nil)
		rule := s.Rule("stratus_function", object{"functionId": id, "interval": "daily"})
		answers := apptest.CallConcurrently(3, func(int) apptest.Response {
			return s.Complete(rule, object{"walletAddress": apptest.Alice})
		})
		for _, a := range answers {
			if a.OK()["data"].(object)["status"] != "pending" {
				t.Errorf("%s", a.Body)
			}
		}
		close(release)
		s.WaitUntil(func() bool { return len(runs(s, id, "&status=succeeded")) == 3 })
		sent(s, r, "0xslow", 0) // nothing is paid yet
		if err := s.App.Close(); err != nil {
			t.Fatal(err)
		}
		next := apptest.Open(t, address, app.Config{NoRateLimits: true, Dev: true, Payouts: r.ConfigFile(t), Now: s.Clock.Now})
		next.Program, next.Clock = s.Program, s.Clock
		next.Clock.Advance(2 * time.Second)
		for range 3 {
			next.RunCompletionJobs()
		}
		r.LoseNextResponses(2) // carried out, and nobody learns it
		for range 3 {
			_ = next.App.Functions.RunDue(context.Background())
			next.Clock.Advance(2 * time.Hour)
		}
		next.RunCompletionJobs()
		sent(next, r, "0xslow", 1)
		if got := next.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data(); len(got) != 1 {
			t.Errorf("paid %d times", len(got))
		}
	})
}

func TestAnEventThatFeedsARuleSendsOnceHoweverOftenItIsTold(t *testing.T) {
	t.Parallel()
	eachWithRelayer(t, func(t *testing.T, s *apptest.Server, r *apptest.Relayer) {
		sub := s.Subscribe("", nil, "LoyaltyTransactionEntry")
		events := "/api/stratus/subscriptions/" + sub["id"].(string) + "/events"
		sends(s, "fed", `[{walletAddress: "cust_9"}]`, object{"subscriptionId": sub["id"], "interval": "unlimited"})
		s.Transact(apptest.Points("cust_1", 5)).OK()
		s.DeliverEvents()
		sent(s, r, "fed", 1)
		list := s.Get(events).Data()
		for range 2 {
			s.Post(events+"/"+list[len(list)-1]["id"].(string)+"/redeliver", nil).OK()
			s.DeliverEvents()
		}
		sent(s, r, "fed", 1)
	})
}

func TestWhatAnExternalLedgerAcceptsSendsItsTransactionOnce(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		r, bank := apptest.NewRelayer(t), apptest.NewBank(t)
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Payouts: r.ConfigFile(t)})
		currency := s.Post("/api/loyalty/currencies", bank.CurrencyBody()).OK()["id"]
		rule := sends(s, "outside", plainly, object{"loyaltyCurrencyId": currency, "interval": "once"})
		s.Simulate(rule, object{"walletAddress": "a"}).OK()
		completeConcurrently(s, rule, 4, func(int) apptest.Response { return s.Complete(rule, object{"walletAddress": "a"}) })
		sent(s, r, "outside", 1)
		refused := sends(s, "refused", plainly, object{"loyaltyCurrencyId": currency, "interval": "once"})
		bank.Mu.Lock()
		bank.Before = func(int) int { return http.StatusUnprocessableEntity }
		bank.Mu.Unlock()
		s.Complete(refused, object{"walletAddress": "a"})
		sent(s, r, "refused", 0)
	})
}

// TestADryRunTellsWhatWouldBeSent: to those who may pay, and not to members.
func TestADryRunTellsWhatWouldBeSent(t *testing.T) {
	t.Parallel()
	eachWithRelayer(t, func(t *testing.T, s *apptest.Server, r *apptest.Relayer) {
		rule, alice := sends(s, "0xdry", `[{walletAddress, amount: input.dryRun ? 7 : 10}]`, nil), object{"walletAddress": "alice"}
		const want = `[{"chainId":137,"to":"0xdry","value":"1"}]`
		dry := s.Simulate(rule, alice).OK()
		if text(dry["transactions"]) != want || text(dry["rewards"].([]any)[0].(object)["amount"]) != "7" {
			t.Errorf("%v", dry)
		}
		asks := object{"walletAddress": "alice", "verifyOnly": true}
		if got := s.Complete(rule, asks).OK()["data"].(object); text(got["transactions"]) != want || len(got["rewards"].([]any)) != 0 {
			t.Errorf("%v", got)
		}
		member := s.Call(s.ClientAPIKey, "POST", "/api/loyalty/rules/"+rule+"/complete", asks, s.MemberTokenHeaders(s.User("alice", nil))...).OK()
		if _, isShown := member["data"].(object)["transactions"]; isShown {
			t.Errorf("a member reads what the driver is asked for: %v", member)
		}
		sent(s, r, "0xdry", 0)
		paid := s.Complete(rule, alice).OK()["data"].(object)
		if _, isShown := paid["transactions"]; isShown || text(paid["rewards"].([]any)[0].(object)["amount"]) != "10" {
			t.Errorf("%v", paid)
		}
		sent(s, r, "0xdry", 1)
		if again := s.Simulate(rule, alice).OK(); again["transactions"] != nil || again["wouldComplete"] != false {
			t.Errorf("%v", again)
		}
	})
}

// TestARunThatWasCutOffSendsNothing: another node has ended the run as failed while its function went on.
func TestARunThatWasCutOffSendsNothing(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		r, release := apptest.NewRelayer(t), make(chan struct{})
		slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
		defer slow.Close()
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true, Payouts: r.ConfigFile(t)})
		id := deploy(s, `await fetch("`+slow.URL+`"); output.addTransaction({to: "0xlate", chainId: 1}); output.setResult(1)`, nil)
		ended := make(chan object, 1)
		go func() { ended <- s.Post(path+"/"+id+"/invoke", nil).JSON() }()
		s.WaitUntil(func() bool { return len(runs(s, id, "&status=running")) == 1 })
		s.Clock.Advance(time.Hour)
		due(s)
		close(release)
		run := (<-ended)["data"].(object)
		if run["status"] != "failed" || run["error"] != "The server ended while the function ran" || run["output"] != nil {
			t.Errorf("%v", run)
		}
		sent(s, r, "0xlate", 0)
	})
}
