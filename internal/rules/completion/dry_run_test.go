package completion_test

import (
	"context"
	"strings"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/tenancy"
)

// notEffects are the tables that a dry run may write, and why.
var notEffects = []string{
	"function_runs",  // what functions logged: who tries a rule wants to read it
	"admin_sessions", // the dashboard remembers the member of the last try
}

// asksForAll is a function whose rule pays points, gives the badge or the multiplier, and sends a transaction.
func asksForAll(s *apptest.Server, badge string) string {
	s.T.Helper()
	return s.Post("/api/stratus/functions", object{
		"name": "all", "code": `module.exports.handler = async (input, output) => {
			console.log(String(input.dryRun));
			output.addTransaction({to: "0xdry", value: 1, chainId: 137});
			output.setResult([{walletAddress: input.user.walletAddress, amount: 3, loyaltyBadgeId: "` + badge + `",
				loyaltyMultiplierAmount: 2}]);
			return output.buildOutput();
		};`,
	}).OK()["id"].(string)
}

// dryWay is a way to try a rule.
type dryWay struct {
	name string
	try  func(rule string, body object)
}

// dryWays are all ways to ask what a completion would come to.
func dryWays(t *testing.T, s *apptest.Server, wallet string) []dryWay {
	t.Helper()
	token, b := s.MemberTokenHeaders(s.UserOf(wallet)), s.SignInAdmin(tenancy.RoleAdmin)
	complete := func(key string, headers ...string) func(string, object) {
		return func(rule string, body object) {
			got := s.Call(key, "POST", "/api/loyalty/rules/"+rule+"/complete", apptest.Over(body, object{"verifyOnly": true}), headers...)
			if got.Status >= 500 {
				t.Errorf("%s: %d %s", rule, got.Status, got.Body)
			}
		}
	}
	simulate := func(more object) func(string, object) {
		return func(rule string, body object) { s.Simulate(rule, apptest.Over(body, more)) }
	}
	return []dryWay{
		{"verifyOnly with the website's key", complete(s.WebsiteAPIKey)},
		{"verifyOnly with the organization's key", complete(s.OrganizationAPIKey)},
		{"verifyOnly by the member", complete(s.ClientAPIKey, token...)},
		{"verifyOnly of a stranger", func(rule string, body object) {
			complete(s.WebsiteAPIKey)(rule, apptest.Over(body, object{"walletAddress": "stranger"}))
		}},
		{"simulate", simulate(nil)},
		{"simulate of a stranger", simulate(object{"walletAddress": "stranger"})},
		{"simulate a draft", simulate(object{"draft": object{"amount": 4}})},
		{"simulate another time", simulate(object{"at": "2026-02-01T00:00:00Z"})},
		{"the dashboard's try", func(rule string, body object) {
			code, _ := body["verificationCode"].(string)
			b.Post(b.Site("/rules/"+rule+"/try"), "tryMember", wallet, "tryCode", code)
			b.Post(b.Site("/rules/"+rule+"/try"), "tryNew", "on", "tryMember", "")
		}},
		{"statuses", func(rule string, _ object) {
			s.Get("/api/loyalty/rules/status?walletAddress=" + wallet + "&loyaltyRuleId=" + rule).OK()
			s.Get("/api/loyalty/rule_statuses?loyaltyRuleId=" + rule).OK()
		}},
		{"replay", func(rule string, _ object) { s.Replay(rule, object{"amount": 4}) }},
	}
}

// tried is a rule of the walk.
type tried struct {
	id    string
	body  object
	earns bool // a simulation says that it would be completed
}

// triedRules makes a rule of every type and reward that can be made, and gives the member what the types ask for.
func triedRules(t *testing.T, s *apptest.Server, db apptest.Database, wallet string) (list []tried) {
	t.Helper()
	badge := s.CreateBadge(s.PointsReward(5), object{"rewardType": "multiplier", "multiplier": 2})
	function, cases, made := asksForAll(s, badge), map[string]typeCase{}, map[schema.Type]bool{}
	for _, c := range typeCases() {
		cases[c.kind] = c
	}
	for _, k := range ruletypes.All {
		c := cases[string(k.Type)]
		for reward, properties := range map[string]object{
			"points":     {"amount": 10},
			"badge":      {"rewardType": "badge", "loyaltyBadgeId": badge},
			"multiplier": {"rewardType": "multiplier", "amount": 2},
			"token": {
				"rewardType": "token", "network": "polygon", "tokenReward": object{"relayerId": apptest.UnknownID, "isNative": true},
			},
		} {
			got := s.Post("/api/loyalty/rules", apptest.Over(object{
				"name": string(k.Type) + " " + reward, "type": k.Type, "interval": "daily", "amount": 10,
			}, properties, object{"metadata": apptest.Over(object{}, c.metadata)}, functionOf(k, function)))
			if got.Status != 200 {
				continue
			}
			made[k.Type] = true
			rule := got.OK()["id"].(string)
			if k.Type == schema.TypeQuiz || k.Type == schema.TypePoll {
				s.CreateQuestion(rule, object{"allowMultipleAttempts": true})
			}
			if c.prepare != nil {
				c.prepare(s, db, rule, wallet)
			}
			body := apptest.Over(object{"walletAddress": wallet}, c.body)
			list = append(list, tried{rule, body, c.kind != "" || k.Type == schema.TypeFunction})
		}
		if !made[k.Type] {
			t.Errorf("no rule of type %s could be made", k.Type)
		}
	}
	return list
}

func functionOf(k ruletypes.Kind, function string) object {
	if k.Type == schema.TypeFunction {
		return object{"functionId": function}
	}
	return nil
}

// TestADryRunOfEveryTypeCarriesNothingOut walks over all types and all ways to try a rule, and compares the whole
// database before and after.
func TestADryRunOfEveryTypeCarriesNothingOut(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		relayer := apptest.NewRelayer(t)
		s := apptest.OpenAtNoon(t, address, app.Config{
			NoRateLimits: true, Dev: true, Payouts: relayer.ConfigFile(t), Partners: apptest.NewPartner(t).ConfigFile(t),
		})
		db := apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t}
		s.User("alice", nil)
		rules := triedRules(t, s, db, "alice")
		ways := dryWays(t, s, "alice")
		work(s)
		before := apptest.Rows(t, address)
		for _, r := range rules {
			if simulation := s.Simulate(r.id, r.body); r.earns && simulation.OK()["wouldComplete"] != true {
				t.Errorf("a rule that is not tried to its end: %s", simulation.Body)
			}
		}
		for _, way := range ways {
			for _, r := range rules {
				way.try(r.id, r.body)
			}
			work(s)
			after := apptest.Rows(t, address)
			if changed := apptest.RowDifferences(before, after, notEffects...); len(changed) > 0 {
				t.Errorf("%s has changed %d rows, such as %v", way.name, len(changed), changed[:min(len(changed), 5)])
			}
			before = after
		}
		if n := relayer.CountAll(); n != 0 {
			t.Errorf("the driver got %d calls", n)
		}
		for _, run := range before["function_runs"] {
			if !strings.Contains(run, `["true"]`) {
				t.Errorf("a function did not get dryRun: %s", run)
			}
		}
	})
}

// work lets all do that works in the background, and would carry out what a completion has led to.
func work(s *apptest.Server) {
	s.T.Helper()
	s.RunCompletionJobs()
	s.RunPayouts()
	if err := s.App.Functions.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}
