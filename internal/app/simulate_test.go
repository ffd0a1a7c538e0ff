package app_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// foretells demands that a simulation told what a completion then came to.
func (a answer) foretells(got answer) {
	a.t.Helper()
	if got.status == http.StatusOK {
		done := got.ok()["data"].(object)
		told := a.ok()
		if told["wouldComplete"] != true || told["message"] != nil || told["missing"] != nil {
			a.t.Errorf("completed, and before: %s", a.body)
		}
		if fmt.Sprint(told["rewards"]) != fmt.Sprint(done["rewards"]) {
			a.t.Errorf("rewards %v, and before: %v", done["rewards"], told["rewards"])
		}
		return
	}
	if a.status != http.StatusOK { // of what is not there, or has no form, nothing can be told
		if a.status != got.status || a.json()["message"] != got.json()["message"] {
			a.t.Errorf("got %d %s, and before: %d %s", got.status, got.body, a.status, a.body)
		}
		return
	}
	told := a.ok()
	if told["wouldComplete"] != false || told["message"] != got.json()["message"] || len(told["rewards"].([]any)) != 0 {
		a.t.Errorf("refused %s, and before: %s", got.body, a.body)
	}
	if failed := failing(told); len(failed) == 0 || told["checks"].([]any)[0] == nil {
		a.t.Errorf("refused %s, and before all checks passed: %s", got.body, a.body)
	}
}

// failing lists the checks that do not pass.
func failing(simulation object) []string {
	var names []string
	for _, item := range simulation["checks"].([]any) {
		if c := item.(object); c["pass"] != true {
			names = append(names, fmt.Sprint(c["name"]))
		}
	}
	return names
}

func (s *server) simulate(rule string, body object) answer {
	s.t.Helper()
	return s.post("/api/loyalty/rules/"+rule+"/simulate", body)
}

func TestASimulationWritesNothingAndTellsEveryCheck(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule(
			"external_rule",
			object{"trackProgress": true, "progressType": "counter", "interval": "daily", "startTime": "2026-01-20T00:00:00Z",
				"metadata": object{"range": []object{{"startRange": 10, "endRange": 20, "amount": 7}}}},
		)
		told := s.simulate(rule, object{"walletAddress": "w", "rangeValue": 4}).ok()
		if got := fmt.Sprint(failing(told)); got != "[time progress reward]" {
			t.Errorf("failing %s", got)
		}
		if told["message"] != "Loyalty rule A external_rule has not started yet" || told["wouldComplete"] != false {
			t.Errorf("%v", told)
		}
		if got := fmt.Sprint(
			told["missing"],
		); got != "map[opensAt:2026-01-20T00:00:00.000Z progress:map[have:0 need:20] value:map[have:4 need:10]]" {
			t.Errorf("missing %s", got)
		}
		for i, name := range []string{"overrides", "idempotencyKey", "currency", "setup", "time", "blocked", "audience", "required", "window", "progress", "account", "verification", "reward"} {
			if c := told["checks"].([]any)[i].(object); c["name"] != name || (c["pass"] == true) != (c["message"] == nil) {
				t.Errorf("check %d is %v", i, c)
			}
		}
		if list := s.get("/api/users").data(); len(list) != 0 {
			t.Errorf("a simulation made users: %v", list)
		}
		s.progress(rule, "w", object{"progress": 20}).ok()
		told = s.simulate(rule, object{"walletAddress": "w", "rangeValue": 12, "at": "2026-01-20T00:00:00Z"}).ok()
		want := fmt.Sprintf("[map[amount:7 loyaltyCurrencyId:%s rewardType:points]]", s.LoyaltyCurrencyID)
		if told["wouldComplete"] != true || fmt.Sprint(told["rewards"]) != want {
			t.Errorf("%v", told)
		}
		if list := s.get("/api/loyalty/transaction_entries").data(); len(list) != 0 || s.balance("w") != "" {
			t.Errorf("a simulation paid: %v", list)
		}
	})
}

func TestASimulationTellsWhenWhatIsPaidOpensAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		daily := s.rule("check_in", object{"interval": "daily"})
		rolling := s.rule("check_in", object{"interval": "custom", "metadata": object{"customIntervalSeconds": 3600}})
		once := s.rule("check_in", object{"interval": "once"})
		capped := s.rule(
			"external_rule",
			object{"interval": "unlimited", "maxAmountInterval": "daily", "maxAmountPerInterval": 10},
		)
		for _, rule := range []string{daily, rolling, once, capped} {
			s.simulate(rule, object{"walletAddress": "w"}).foretells(s.complete(rule, object{"walletAddress": "w"}))
		}
		for rule, want := range map[string]string{daily: "map[opensAt:2026-01-15T00:00:00.000Z]", once: "<nil>", capped: "map[capLeft:0]"} {
			told := s.simulate(rule, object{"walletAddress": "w"})
			if got := fmt.Sprint(told.ok()["missing"]); got != want {
				t.Errorf("missing %s, want %s", got, want)
			}
			told.foretells(s.complete(rule, object{"walletAddress": "w"}))
		}
		opens, err := time.Parse(
			time.RFC3339,
			s.simulate(rolling, object{"walletAddress": "w"}).ok()["missing"].(object)["opensAt"].(string),
		)
		if err != nil || opens.Before(noon.Add(time.Hour)) || opens.After(noon.Add(time.Hour+time.Second)) {
			t.Errorf("opens at %v (%v)", opens, err)
		}
		for at, would := range map[string]bool{"2026-01-15T00:00:00Z": true, "2026-01-14T23:59:59Z": false} {
			if told := s.simulate(daily, object{"walletAddress": "w", "at": at}).ok(); told["wouldComplete"] != would {
				t.Errorf("at %s: %v", at, told)
			}
		}
	})
}

func TestASimulationKnowsUsedKeys(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.rule("external_rule", nil)
		call := object{"walletAddress": "w", "idempotencyKey": "k", "amount": 3}
		s.simulate(rule, call).foretells(s.complete(rule, call))
		s.simulate(rule, call).foretells(s.complete(rule, call)) // answered again
		call["amount"] = 4
		s.simulate(rule, call).foretells(s.complete(rule, call))
		call["idempotencyKey"] = "another"
		s.simulate(rule, call).foretells(s.complete(rule, call))
		if s.balance("w") != "7" {
			t.Errorf("w has %s", s.balance("w"))
		}
	})
}
