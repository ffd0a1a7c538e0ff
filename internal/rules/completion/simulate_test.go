package completion_test

import (
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestASimulationWritesNothingAndTellsEveryCheck(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule(
			"external_rule",
			object{"trackProgress": true, "progressType": "counter", "interval": "daily", "startTime": "2026-01-20T00:00:00Z",
				"metadata": object{"range": []object{{"startRange": 10, "endRange": 20, "amount": 7}}}},
		)
		simulation := s.Simulate(rule, object{"walletAddress": "w", "rangeValue": 4}).OK()
		if got := fmt.Sprint(apptest.FailedChecks(simulation)); got != "[time progress reward]" {
			t.Errorf("failing %s", got)
		}
		if simulation["message"] != "Loyalty rule A external_rule has not started yet" || simulation["wouldComplete"] != false {
			t.Errorf("%v", simulation)
		}
		if got := fmt.Sprint(
			simulation["missing"],
		); got != "map[opensAt:2026-01-20T00:00:00.000Z progress:map[have:0 need:20] value:map[have:4 need:10]]" {
			t.Errorf("missing %s", got)
		}
		for i, name := range []string{"overrides", "idempotencyKey", "currency", "setup", "time", "blocked", "audience", "required", "window", "progress", "account", "verification", "reward"} {
			if c := simulation["checks"].([]any)[i].(object); c["name"] != name || (c["pass"] == true) != (c["message"] == nil) {
				t.Errorf("check %d is %v", i, c)
			}
		}
		if list := s.Get("/api/users").Data(); len(list) != 0 {
			t.Errorf("a simulation made users: %v", list)
		}
		s.Progress(rule, "w", object{"progress": 20}).OK()
		simulation = s.Simulate(rule, object{"walletAddress": "w", "rangeValue": 12, "at": "2026-01-20T00:00:00Z"}).OK()
		want := fmt.Sprintf("[map[amount:7 loyaltyCurrencyId:%s rewardType:points]]", s.LoyaltyCurrencyID)
		if simulation["wouldComplete"] != true || fmt.Sprint(simulation["rewards"]) != want {
			t.Errorf("%v", simulation)
		}
		if list := s.Get("/api/loyalty/transaction_entries").Data(); len(list) != 0 || s.Balance("w") != "" {
			t.Errorf("a simulation paid: %v", list)
		}
	})
}

func TestASimulationTellsWhenWhatIsPaidOpensAgain(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		daily := s.Rule("check_in", object{"interval": "daily"})
		rolling := s.Rule("check_in", object{"interval": "custom", "metadata": object{"customIntervalSeconds": 3600}})
		once := s.Rule("check_in", object{"interval": "once"})
		capped := s.Rule(
			"external_rule",
			object{"interval": "unlimited", "maxAmountInterval": "daily", "maxAmountPerInterval": 10},
		)
		for _, rule := range []string{daily, rolling, once, capped} {
			s.Simulate(rule, object{"walletAddress": "w"}).Predicts(s.Complete(rule, object{"walletAddress": "w"}))
		}
		for rule, want := range map[string]string{daily: "map[opensAt:2026-01-15T00:00:00.000Z]", once: "<nil>", capped: "map[capLeft:0]"} {
			simulation := s.Simulate(rule, object{"walletAddress": "w"})
			if got := fmt.Sprint(simulation.OK()["missing"]); got != want {
				t.Errorf("missing %s, want %s", got, want)
			}
			simulation.Predicts(s.Complete(rule, object{"walletAddress": "w"}))
		}
		opens, err := time.Parse(
			time.RFC3339,
			s.Simulate(rolling, object{"walletAddress": "w"}).OK()["missing"].(object)["opensAt"].(string),
		)
		if err != nil || opens.Before(apptest.Noon.Add(time.Hour)) || opens.After(apptest.Noon.Add(time.Hour+time.Second)) {
			t.Errorf("opens at %v (%v)", opens, err)
		}
		for at, would := range map[string]bool{"2026-01-15T00:00:00Z": true, "2026-01-14T23:59:59Z": false} {
			if simulation := s.Simulate(daily, object{"walletAddress": "w", "at": at}).OK(); simulation["wouldComplete"] != would {
				t.Errorf("at %s: %v", at, simulation)
			}
		}
	})
}

func TestASimulationKnowsUsedKeys(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", nil)
		call := object{"walletAddress": "w", "idempotencyKey": "k", "amount": 3}
		s.Simulate(rule, call).Predicts(s.Complete(rule, call))
		s.Simulate(rule, call).Predicts(s.Complete(rule, call)) // answered again
		call["amount"] = 4
		s.Simulate(rule, call).Predicts(s.Complete(rule, call))
		call["idempotencyKey"] = "another"
		s.Simulate(rule, call).Predicts(s.Complete(rule, call))
		if s.Balance("w") != "7" {
			t.Errorf("w has %s", s.Balance("w"))
		}
	})
}
