package completion_test

import (
	"fmt"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// byValue returns the metadata of a rule that pays per unit of the value that a call gives.
func byValue(properties ...object) object {
	return object{"metadata": apptest.Over(object{"rewardPerValue": true}, properties...)}
}

// refusesValue checks that a call is refused for its rangeValue alone.
func refusesValue(t *testing.T, a apptest.Response, message string) {
	t.Helper()
	faults, _ := a.JSON()["errors"].([]any)
	if a.Status != 400 || len(faults) != 1 || faults[0].(object)["path"] != "rangeValue" || faults[0].(object)["message"] != message {
		t.Errorf("%d %s, want %q", a.Status, a.Body, message)
	}
}

func TestRewardsByValueAreCutBeforeAnythingRaisesThem(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.GrantMultiplier(apptest.Bob, 2, nil)
		for i, c := range []struct {
			metadata object
			value    any
			wallet   string
			want     string
		}{
			{object{}, "10.35", apptest.Alice, "15.525"},
			{object{"roundTo": 2}, 10.35, apptest.Alice, "15.52"},
			{object{"roundTo": 2, "rounding": "down"}, 10.35, apptest.Alice, "15.52"},
			{object{"roundTo": 2, "rounding": "half_up"}, 10.35, apptest.Alice, "15.53"},
			{object{"roundTo": 0, "rounding": "up"}, 10.01, apptest.Alice, "16"},
			{object{"roundTo": 0}, 10.35, apptest.Bob, "30"},
			{object{"roundTo": nil, "rounding": nil}, 0, apptest.Alice, "0"},
		} {
			rule := s.Free(apptest.Over(object{"amount": 1.5}, byValue(c.metadata)))
			body := object{"walletAddress": c.wallet, "rangeValue": c.value}
			tried := s.Post("/api/loyalty/rules/"+rule+"/simulate", body).OK()
			if reward := tried["rewards"].([]any)[0].(object); fmt.Sprint(reward["amount"]) != c.want {
				t.Errorf("case %d: a dry run pays %v, want %s", i, reward, c.want)
			}
			if got := s.CompletePaid(rule, c.wallet, body); got != c.want {
				t.Errorf("case %d: paid %s, want %s", i, got, c.want)
			}
		}
		capped := s.Free(apptest.Over(object{"maxAmountInterval": "daily", "maxAmountPerInterval": 12.5}, byValue(object{"roundTo": 0})))
		for _, want := range []string{"10", "2.5"} {
			if got := s.CompletePaid(capped, apptest.Alice, object{"rangeValue": "1.05"}); got != want {
				t.Errorf("under the cap: %s, want %s", got, want)
			}
		}
		s.Sound()
	})
}

func TestARewardByValueNeedsItsValue(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(apptest.Over(object{"amount": 1000}, byValue()))
		call := func(properties object) apptest.Response {
			return s.Complete(rule, apptest.Over(object{"walletAddress": apptest.Alice}, properties))
		}
		for _, properties := range []object{{}, {"rangeValue": nil}, {"verifyOnly": true}, {"amount": 5}, {"idempotencyKey": "a"}} {
			refusesValue(t, call(properties), "rangeValue is required")
		}
		refusesValue(t, call(object{"rangeValue": -0.5}), "rangeValue must be at least 0")
		refusesValue(t, call(object{"rangeValue": "9000000000"}),
			"rangeValue must be less than 9000000000000 divided by the amount")
		call(object{"rangeValue": "0.0000001"}).Refused(400, "Invalid request")
		if got := s.Count("/api/loyalty/accounts?walletAddress=" + apptest.Alice); got != 0 {
			t.Error("a refused call paid")
		}
		// A repeated key gets the first response, and is refused with another value.
		call(object{"rangeValue": 2, "idempotencyKey": "a"}).OK()
		if again := call(object{"rangeValue": 2, "idempotencyKey": "a"}); again.Header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("again: %d %s", again.Status, again.Body)
		}
		call(object{"rangeValue": 3, "idempotencyKey": "a"}).Refused(400, "Idempotency key already used")
		call(object{"rangeValue": 2, "amount": "0.25", "idempotencyKey": "b"}).OK() // the base of the call
		if got := s.Balance(apptest.Alice); got != "2000.5" {
			t.Errorf("the balance is %s", got)
		}
		for property, value := range map[string]any{"roundTo": 7, "rounding": "even", "rewardPerValue": "yes"} {
			a := s.Post("/api/loyalty/rules/"+rule, byValue(object{property: value}))
			if a.Status != 400 || a.JSON()["errors"].([]any)[0].(object)["path"] != "metadata."+property {
				t.Errorf("%s: %d %s", property, a.Status, a.Body)
			}
		}
	})
}

// A changed rule is replayed by the values of the calls. Completions with an amount of the caller's count as kept only
// where they pay the same.
func TestAReplayKnowsTheValuesOfCalls(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(apptest.Over(object{"amount": 2}, byValue()))
		for wallet, body := range map[string]object{
			apptest.Alice: {"rangeValue": 1.25},
			apptest.Bob:   {"rangeValue": 1.5, "amount": 3},
		} {
			s.CompletePaid(rule, wallet, body)
		}
		check := func(what string, changes object, sums [5]string, kept int) {
			t.Helper()
			r := s.Replay(rule, changes)
			ofBob := 0
			for _, m := range r.Members {
				if m.UserID.String() == s.UserOf(apptest.Bob) {
					ofBob = m.Overridden
				}
			}
			if apptest.ReplaySums(r.Total) != sums || r.Overridden != kept || ofBob != kept {
				t.Errorf("%s: %v, %d kept, %d of them Bob's; want %v and %d", what, apptest.ReplaySums(r.Total), r.Overridden, ofBob, sums, kept)
			}
		}
		check("unchanged", nil, [5]string{"2", "0", "7", "7", "0"}, 1)
		check("doubled", object{"amount": 4}, [5]string{"2", "0", "7", "9.5", "2.5"}, 1)
		check("cut", byValue(object{"roundTo": 0}), [5]string{"2", "0", "7", "6", "-1"}, 0)
		check("without values", object{"metadata": object{}}, [5]string{"2", "0", "7", "5", "-2"}, 0)
		plain := s.Free(nil)
		s.CompletePaid(plain, apptest.Alice, nil)
		if r := s.Replay(plain, byValue()); apptest.ReplaySums(r.Total) != [5]string{"1", "1", "10", "0", "-10"} {
			t.Errorf("calls without a value: %v", apptest.ReplaySums(r.Total))
		}
	})
}
