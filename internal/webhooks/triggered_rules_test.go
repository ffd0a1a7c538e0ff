package webhooks_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// feeding makes a function with this body, and a rule that it decides on for the events of a subscription.
func feeding(s *apptest.Server, sub object, body string, properties object) string {
	s.T.Helper()
	id := s.Post("/api/stratus/functions", object{
		"name": "feeds", "code": "module.exports.handler = async (input, output) => { " + body + "; return output.buildOutput(); };",
	}).OK()["id"]
	rule := object{"functionId": id, "subscriptionId": sub["id"], "interval": "unlimited"}
	return s.Rule("stratus_function", apptest.Over(rule, properties))
}

// paidBy returns what a rule has paid, newest first.
func paidBy(s *apptest.Server, rule string) string {
	s.T.Helper()
	var out []string
	for _, e := range s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data() {
		out = append(out, fmt.Sprint(e["amount"]))
	}
	return strings.Join(out, " ")
}

const twice = `output.setResult([{walletAddress: "cust_9", amount: input.event.data.amount * 2,
	data: JSON.stringify({of: input.event.id, for: input.user.id, kind: input.trigger})}])`

func TestEventsFeedARule(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, _ *apptest.Receiver) {
		sub := s.Subscribe("", nil, "LoyaltyTransactionEntry") // nobody is called: the rule is all that it is for
		path := subscriptions + "/" + sub["id"].(string)
		rule := feeding(s, sub, twice, nil)
		s.Transact(apptest.Points("cust_1", 5)).OK()
		s.DeliverEvents()
		first := event(s, sub)
		run := first["functionRun"].(object)
		if state(first) != "delivered 1" || run["status"] != "succeeded" || run["loyaltyRuleId"] != rule || first["callback"] != nil {
			t.Errorf("%v", first)
		}
		entries := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data()
		want := fmt.Sprintf("map[for:<nil> kind:rule of:%s]", first["id"])
		if len(entries) != 1 || fmt.Sprint(entries[0]["amount"]) != "10" || fmt.Sprint(entries[0]["metadata"]) != want {
			t.Fatalf("%v, want %s", entries, want)
		}
		s.DeliverEvents() // its own payment is an event too
		if own := event(s, sub); own["id"] == first["id"] || own["functionRun"] != nil || paidBy(s, rule) != "10" {
			t.Errorf("%v paid %s", own, paidBy(s, rule))
		}
		s.Post(path+"/events/"+first["id"].(string)+"/redeliver", nil).OK()
		s.DeliverEvents()
		if again := s.Get(path + "/events/" + first["id"].(string)).OK(); state(again) != "delivered 2" || paidBy(s, rule) != "10" {
			t.Errorf("sent again: %v paid %s", again, paidBy(s, rule))
		}
		s.Post(path+"/test", object{}).OK()
		s.DeliverEvents()
		if made := event(s, sub); made["functionRun"] != nil || paidBy(s, rule) != "10" {
			t.Errorf("a made-up event: %v paid %s", made, paidBy(s, rule))
		}
		s.Transact(apptest.Points("cust_1", 3)).OK()
		s.DeliverEvents()
		if got := paidBy(s, rule); got != "6 10" {
			t.Errorf("paid %s", got)
		}
		s.Post("/api/loyalty/rules/"+rule, object{"subscriptionId": nil}).OK()
		s.Transact(apptest.Points("cust_1", 4)).OK()
		s.DeliverEvents()
		if got := event(s, sub); got["status"] != "skipped" || paidBy(s, rule) != "6 10" {
			t.Errorf("%v paid %s", got, paidBy(s, rule))
		}
	})
}

func TestWhatAFedRulePaysIsBoundedByItsWindows(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		sub := s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry")
		keyed := `output.setResult([{walletAddress: "cust_9", amount: 1, idempotencyKey: "k" + input.event.data.amount % 2}])`
		hour := object{"interval": "custom", "metadata": object{"customIntervalSeconds": 3600}}
		rules := map[string]struct {
			rule string
			want string // after events of 2, 4 and 5, and 6 two days later
		}{
			"once":          {feeding(s, sub, twice, object{"interval": "once"}), "4"},
			"daily":         {feeding(s, sub, twice, object{"interval": "daily"}), "12 4"},
			"custom":        {feeding(s, sub, twice, hour), "12 4"},
			"unlimited":     {feeding(s, sub, twice, nil), "12 10 8 4"},
			"by key":        {feeding(s, sub, keyed, object{"interval": "once"}), "1 1"},
			"custom by key": {feeding(s, sub, keyed, hour), "1 1"},
			"opened again": {
				feeding(s, sub, twice, object{"interval": "once", "metadata": object{"resetProgressOnClaim": true}}), "12 10 8 4",
			},
			"not yet":  {feeding(s, sub, twice, object{"startTime": s.Clock.Now().Add(time.Hour * 24 * 9)}), ""},
			"on times": {feeding(s, sub, twice, object{"frequency": "daily", "startTime": s.Clock.Now().Add(time.Hour * 24 * 9)}), ""},
			"nobody":   {feeding(s, sub, `output.setResult([])`, nil), ""},
			"badly":    {feeding(s, sub, `output.setResult([{walletAddress: " "}])`, nil), ""},
		}
		pay := func(amount int) {
			s.Transact(apptest.Points("cust_1", amount)).OK()
			s.DeliverEvents()
		}
		pay(2)
		first := event(s, sub)
		pay(4)
		pay(5)
		s.AdvanceAndExpire(48 * time.Hour)
		pay(6)
		path := subscriptions + "/" + sub["id"].(string)
		s.Post(path+"/events/"+first["id"].(string)+"/redeliver", nil).OK()
		s.DeliverEvents()
		for name, of := range rules {
			if got := paidBy(s, of.rule); got != of.want {
				t.Errorf("%s: paid %q, want %q", name, got, of.want)
			}
		}
		for _, run := range s.Get(path + "/events/" + first["id"].(string)).OK()["functionRuns"].([]any) {
			status := "succeeded"
			if run.(object)["loyaltyRuleId"] == rules["badly"].rule {
				status = "pending"
			}
			if run.(object)["status"] != status {
				t.Errorf("%v", run)
			}
		}
	})
}

func TestAFedRuleIsTriedAgainWhereItsFunctionFails(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		sub := s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry")
		broken := feeding(s, sub, `if (input.event) throw new Error("no"); output.setResult([])`, nil)
		never := feeding(s, sub, `output.fail("never")`, nil)
		s.Transact(apptest.Points("cust_1", 5)).OK()
		s.DeliverEvents()
		for _, pause := range []time.Duration{6 * time.Second, 6 * time.Minute, 40 * time.Minute, 3 * time.Hour} {
			s.AdvanceAndExpire(pause)
			s.DeliverEvents()
		}
		got := event(s, sub)
		runs := got["functionRuns"].([]any)
		if got["status"] != "failed" || len(runs) != 2 || runs[0].(object)["status"] != "failed" || len(r.TakeCalls()) != 1 {
			t.Errorf("%v", got)
		}
		for rule, want := range map[string]int{broken: 4, never: 1} {
			function := s.Get("/api/loyalty/rules?loyaltyRuleId=" + rule).Data()[0]["functionId"].(string)
			if runs := s.Get("/api/stratus/functions/" + function + "/runs").Data(); len(runs) != want {
				t.Errorf("%d runs, want %d", len(runs), want)
			}
		}
	})
}
