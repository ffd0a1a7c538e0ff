package decision_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/multiplier"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
)

var noon = time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)

// ruleOf makes a rule of a body, as a creation does.
func ruleOf(t interface{ Fatal(...any) }, body string) *schema.Properties {
	var in schema.Input
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		t.Fatal(body, err)
	}
	var f laurel.Faults
	r := in.Create(&f)
	if err := f.Err(); err != nil {
		t.Fatal(body, err)
	}
	return &r
}

func ptr(a laurel.Amount) *laurel.Amount { return &a }

// typed says what is fixed of the rule's type, as completions do.
func typed(f decision.Facts) decision.Facts {
	f.Kind = ruletypes.KindOf(f.Rule.Type).Decision
	return f
}

func TestDecide(t *testing.T) {
	t.Parallel()
	const external = `{"name":"N","type":"external_rule","amount":10`
	const byValue = `,"metadata":{"rewardPerValue":true}}`
	for _, c := range []struct {
		name, rule string
		facts      decision.Facts
		want       string // the amount, or the refusal
	}{
		{"plain", external + `}`, decision.Facts{CurrencyLive: true}, "10"},
		{"no amount is none", `{"name":"N","type":"external_rule"}`, decision.Facts{CurrencyLive: true}, "0"},
		{"override", external + `}`, decision.Facts{CurrencyLive: true, Amount: ptr(1)}, "0.000001"},
		{"override of nothing", external + `}`, decision.Facts{CurrencyLive: true, Amount: ptr(0)}, "0"},
		{"override over range", external + `,"metadata":{"range":[{"startRange":1,"endRange":2,"amount":3}]}}`, decision.Facts{CurrencyLive: true, Amount: ptr(5)}, "0.000005"},
		{"currency", external + `}`, decision.Facts{}, "Loyalty currency not found"},
		{"scheduled only", `{"name":"N","type":"snapshot_hold"}`, decision.Facts{CurrencyLive: true}, "Quest not completed"},
		{"event-fed only", `{"name":"N","type":"smart_contract_event"}`, decision.Facts{CurrencyLive: true}, "Quest not completed"},
		{"window", external + `}`, decision.Facts{CurrencyLive: true, WindowPaid: true}, "You have already been rewarded"},
		{"a key replaces the window", external + `}`, decision.Facts{CurrencyLive: true, WindowPaid: true, KeyGiven: true}, "10"},
		{"rolling window", external + `,"interval":"custom","metadata":{"customIntervalSeconds":60}}`,
			decision.Facts{CurrencyLive: true, LastPaidAt: noon.Add(-60*time.Second + time.Microsecond)}, "You have already been rewarded"},
		{"rolling window's end", external + `,"interval":"custom","metadata":{"customIntervalSeconds":60}}`, decision.Facts{CurrencyLive: true, LastPaidAt: noon.Add(-60 * time.Second)}, "10"},
		{"a key replaces the rolling window", external + `,"interval":"custom","metadata":{"customIntervalSeconds":60}}`,
			decision.Facts{CurrencyLive: true, LastPaidAt: noon, KeyGiven: true}, "10"},
		{"a further code opens a rolling window", `{"name":"N","type":"code_entry","amount":10,"interval":"custom","metadata":{"customIntervalSeconds":60,"allowMultipleRedemptions":true,"promoCode":"A"}}`,
			decision.Facts{CurrencyLive: true, LastPaidAt: noon, Text: "A"}, "10"},
		{"one code does not", `{"name":"N","type":"code_entry","amount":10,"interval":"custom","metadata":{"customIntervalSeconds":60,"promoCode":"A"}}`,
			decision.Facts{CurrencyLive: true, LastPaidAt: noon, Text: "A"}, "You have already been rewarded"},
		{"once forgets its last payment", external + `,"interval":"once"}`, decision.Facts{CurrencyLive: true, LastPaidAt: noon}, "10"},
		{"cap's rest", external + `,"maxAmountInterval":"daily","maxAmountPerInterval":12}`, decision.Facts{CurrencyLive: true, Tally: schema.Tally{At: noon, Day: 11_500_000}}, "0.5"},
		{"cap of yesterday", external + `,"maxAmountInterval":"daily","maxAmountPerInterval":12}`, decision.Facts{CurrencyLive: true, Tally: schema.Tally{At: noon.AddDate(0, 0, -1), Day: 12_000_000}}, "10"},
		{"cap reached", external + `,"maxAmountInterval":"daily","maxAmountPerInterval":12}`, decision.Facts{CurrencyLive: true, Tally: schema.Tally{At: noon, Day: 12_000_000}}, "You have already been rewarded"},
		{"a lowered cap", external + `,"maxAmountInterval":"daily","maxAmountPerInterval":2}`, decision.Facts{CurrencyLive: true, Tally: schema.Tally{At: noon, Day: 12_000_000}}, "You have already been rewarded"},
		{"no key opens a cap", external + `,"maxAmountInterval":"daily","maxAmountPerInterval":12}`,
			decision.Facts{CurrencyLive: true, KeyGiven: true, Tally: schema.Tally{At: noon, Day: 12_000_000}}, "You have already been rewarded"},
		{"progress", external + `,"trackProgress":true}`, decision.Facts{CurrencyLive: true, Progress: 99_999_999}, "Quest not completed"},
		{"progress done", external + `,"trackProgress":true}`, decision.Facts{CurrencyLive: true, Progress: 100 * laurel.One}, "10"},
		{"progress is the range's value", external + `,"metadata":{"range":[{"startRange":1,"endRange":2,"amount":3}]}}`, decision.Facts{CurrencyLive: true, Progress: laurel.One}, "3"},
		{"a value wins over progress", external + `,"metadata":{"range":[{"startRange":1,"endRange":2,"amount":3}]}}`,
			decision.Facts{CurrencyLive: true, Progress: laurel.One, RangeValue: ptr(0)}, "Quest not achieved, please try again."},
		{"by value", external + byValue, decision.Facts{CurrencyLive: true, RangeValue: ptr(10_350_000)}, "103.5"},
		{"by a value of nothing", external + byValue, decision.Facts{CurrencyLive: true, RangeValue: ptr(0)}, "0"},
		{"by no value", external + byValue, decision.Facts{CurrencyLive: true}, "rangeValue is required"},
		{"by a value below nothing", external + byValue, decision.Facts{CurrencyLive: true, RangeValue: ptr(-1)}, "rangeValue must be at least 0"},
		{"by too large a value", external + byValue, decision.Facts{CurrencyLive: true, RangeValue: ptr(laurel.MaxAmount - 1)},
			"rangeValue must be less than 9000000000000 divided by the amount"},
		{"override by value", external + byValue, decision.Facts{CurrencyLive: true, Amount: ptr(2 * laurel.One), RangeValue: ptr(10_350_000)}, "20.7"},
		{"tier by value", external + `,"metadata":{"rewardPerValue":true,"range":[{"startRange":1,"endRange":20,"amount":3}]}}`,
			decision.Facts{CurrencyLive: true, RangeValue: ptr(10_350_000)}, "31.05"},
		{"by value, cut down", external + `,"metadata":{"rewardPerValue":true,"roundTo":0}}`,
			decision.Facts{CurrencyLive: true, RangeValue: ptr(199_999)}, "1"},
		{"by value, to the nearest", external + `,"metadata":{"rewardPerValue":true,"roundTo":1.0,"rounding":"half_up"}}`,
			decision.Facts{CurrencyLive: true, RangeValue: ptr(15_000)}, "0.2"},
		{"by value, cut up", external + `,"metadata":{"rewardPerValue":true,"roundTo":0,"rounding":"up"}}`,
			decision.Facts{CurrencyLive: true, RangeValue: ptr(1)}, "1"},
		{"rounded before multipliers", external + `,"metadata":{"rewardPerValue":true,"roundTo":0}}`,
			decision.Facts{CurrencyLive: true, RangeValue: ptr(190_000), Multipliers: []multiplier.Live{{Value: 1_500_000}}}, "1.5"},
		{"rounded before the cap", external + `,"maxAmountInterval":"daily","maxAmountPerInterval":1.5,"metadata":{"rewardPerValue":true,"roundTo":0}}`,
			decision.Facts{CurrencyLive: true, RangeValue: ptr(290_000)}, "1.5"},
		{"a bonus has no value", `{"name":"N","type":"bonus","amount":10,"metadata":{"rewardPerValue":true}}`,
			decision.Facts{CurrencyLive: true}, "10"},
		{"a value that is not asked for", external + `,"metadata":{"rewardPerValue":false,"roundTo":0}}`,
			decision.Facts{CurrencyLive: true, RangeValue: ptr(3 * laurel.One)}, "10"},
		{"at the start", external + `,"startTime":"2026-01-14T12:00:00Z"}`, decision.Facts{CurrencyLive: true}, "10"},
		{"before the start", external + `,"startTime":"2026-01-14T12:00:00.001Z"}`, decision.Facts{CurrencyLive: true}, "Loyalty rule N has not started yet"},
		{"hidden start", external + `,"startTime":"2026-01-14T12:00:00.001Z"}`, decision.Facts{CurrencyLive: true, WithClientKey: true}, "Loyalty rule has not started yet"},
		{"shown start", external + `,"startTime":"2026-01-14T12:00:00.001Z","showBeforeStart":true}`, decision.Facts{CurrencyLive: true, WithClientKey: true}, "Loyalty rule N has not started yet"},
		{"at the end", external + `,"endTime":"2026-01-14T12:00:00Z"}`, decision.Facts{CurrencyLive: true}, "Loyalty rule has expired"},
		{"before the end", external + `,"endTime":"2026-01-14T12:00:00.001Z"}`, decision.Facts{CurrencyLive: true}, "10"},
		{"blocked", external + `}`, decision.Facts{CurrencyLive: true, Blocked: true}, "Access restricted. Your account is blocked."},
		{"seen at the start", external + `,"startTime":"2026-01-14T11:00:00Z","metadata":{"isRestrictedToNewUsers":true}}`,
			decision.Facts{CurrencyLive: true, MemberSince: noon.Add(-time.Hour)}, "10"},
		{"seen before", external + `,"startTime":"2026-01-14T11:00:00Z","metadata":{"isRestrictedToNewUsers":true}}`,
			decision.Facts{CurrencyLive: true, MemberSince: noon.Add(-time.Hour - 1)}, "this quest is only available for new users"},
		{"check-in of nothing", `{"name":"N","type":"check_in","amount":0}`, decision.Facts{CurrencyLive: true}, "Check-in amount rule cannot be completed when amount is 0"},
		{"check-in of null", `{"name":"N","type":"check_in"}`, decision.Facts{CurrencyLive: true}, "Check-in amount rule cannot be completed when amount is 0"},
	} {
		c.facts.Rule, c.facts.Now = ruleOf(t, c.rule), noon
		c.facts.Meta = c.facts.Rule.Meta()
		reward, err := decision.Decide(typed(c.facts))
		got := reward.Amount.String()
		if err != nil {
			got = err.Error()
		}
		var e *laurel.Error
		if got != c.want || errors.As(err, &e) && e.Rewarded != (got == "You have already been rewarded") {
			t.Errorf("%s: %s (%v), want %s", c.name, got, err, c.want)
		}
	}
}

// TestNoDecisionPaysMoreThanTheCapLeaves draws rules and facts: a payment fits, a refusal pays nothing, and asking
// again returns the same.
func TestNoDecisionPaysMoreThanTheCapLeaves(t *testing.T) {
	t.Parallel()
	bodies := []string{
		`{"name":"N","type":"external_rule","amount":10,"maxAmountInterval":"daily","maxAmountPerInterval":25}`,
		`{"name":"N","type":"external_rule","amount":10,"maxAmountInterval":"lifetime","maxAmountPerInterval":"0.5","interval":"unlimited"}`,
		`{"name":"N","type":"external_rule","maxAmountInterval":"weekly","maxAmountPerInterval":7,"interval":"custom",
			"metadata":{"range":[{"startRange":1,"endRange":50,"amount":9}],"customIntervalSeconds":90}}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SampledFrom(bodies).Draw(t, "rule")
		r := ruleOf(t, body)
		drawn := func(name string) laurel.Amount {
			return laurel.Amount(rapid.Int64Range(0, 60_000_000).Draw(t, name))
		}
		f := decision.Facts{
			Rule:         r,
			Meta:         r.Meta(),
			Now:          noon,
			CurrencyLive: true,
			Progress:     drawn("progress"),
			KeyGiven: rapid.Bool().
				Draw(t, "key"),
			WindowPaid: rapid.Bool().Draw(t, "window"),
			Blocked:    rapid.Bool().Draw(t, "blocked"),
			Tally: schema.Tally{
				At:    noon.AddDate(0, 0, -rapid.IntRange(-1, 9).Draw(t, "days ago")),
				Day:   drawn("day"),
				Week:  drawn("week"),
				Month: drawn("month"),
				Ever:  drawn("ever"),
			},
		}
		if rapid.Bool().Draw(t, "override") {
			f.Amount = ptr(drawn("amount"))
		}
		if rapid.Bool().Draw(t, "before") {
			f.LastPaidAt = noon.Add(-time.Duration(rapid.Int64Range(0, 200).Draw(t, "seconds")) * time.Second)
		}
		reward, err := decision.Decide(typed(f))
		again, errAgain := decision.Decide(typed(f))
		if reward.Amount != again.Amount || (err == nil) != (errAgain == nil) {
			t.Fatalf("two answers to one question: %v %v, %v %v", reward, err, again, errAgain)
		}
		left := *r.MaxAmountPerInterval - f.Tally.Paid(*r.MaxAmountInterval, noon)
		switch {
		case err != nil && !reflect.DeepEqual(reward, decision.Reward{}):
			t.Fatalf("a refusal pays %v", reward)
		case err == nil && (reward.Amount < 0 || reward.Amount > left || left <= 0 || f.Blocked || f.WindowPaid && !f.KeyGiven):
			t.Fatalf("paid %s of %s", reward.Amount, left)
		}
	})
}
