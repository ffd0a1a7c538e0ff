package schema_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	_ "laurel.example/laurel/internal/rules/ruletypes" // declares the types
	"laurel.example/laurel/internal/rules/schema"
)

// made reads a body and makes the rule's properties, as a creation does.
func made(body string) (schema.Properties, laurel.Faults) {
	var in schema.Input
	var f laurel.Faults
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		f.AddText("", err.Error())
		return schema.Properties{}, f
	}
	p := in.Create(&f)
	return p, f
}

func TestWhatDecisionsReadOfMetadataIsWhatWasChecked(t *testing.T) {
	t.Parallel()
	p, f := made(
		`{"name":"N","type":"external_rule","interval":"custom","metadata":{"customIntervalSeconds":6e1,"isRestrictedToNewUsers":true,
		"IsRestrictedToNewUsers":"no","RANGE":5,"resetProgressOnClaim":null,"verificationTextMinimumLength":3.0,"timeDelayToVerifySeconds":"1.5",
		"range":[{"startRange":-8999999999999,"endRange":-1,"amount":"2.5"},{"startRange":8999999999999,"endRange":8999999999999}]}}`,
	)
	if len(f) != 0 {
		t.Fatal(f)
	}
	m := p.Meta()
	if m.CustomIntervalSeconds == nil || *m.CustomIntervalSeconds != 60 || !m.IsRestrictedToNewUsers || m.ResetProgressOnClaim || m.MinimumLength() != 3 ||
		m.ClickDelay() != 1500*time.Millisecond ||
		len(m.Range) != 2 ||
		*m.Range[0].Amount != 2_500_000 {
		t.Errorf("read %+v", m)
	}
	p, f = made(`{"name":"N","type":"liquidity_amm_v2","metadata":{"liquidity":{"CustomFunction":"foo(","Pools":[{"id":"0xab"}],
		"pools":[{"id":"0xcd"}]}}}`)
	if l := p.Meta().Liquidity; len(f) != 0 || l.CustomFunction != "" || !slices.Equal(l.Addresses(), []string{"0xcd"}) {
		t.Errorf("read %+v, %v", l, f)
	}
	for _, body := range []string{`"streakArray":[{"streakMilestone":"x"}]`, `"streakArray":[{"streakMilestone":1,"streakAmount":true}]`,
		`"range":[{"startRange":8999999999999,"endRange":8999999999999},{"startRange":-8999999999999,"endRange":8999999999999}]`} {
		if _, f := made(`{"name":"N","type":"check_in","metadata":{` + body + `}}`); len(f) != 1 {
			t.Errorf("%s: %v", body, f)
		}
	}
}

func TestTheTierIsTheLastThatBegins(t *testing.T) {
	t.Parallel()
	one := laurel.One
	tiers := []schema.Tier{
		{Start: 20 * one, End: 29 * one},
		{Start: 10 * one, End: 19 * one},
		{Start: 40 * one, End: 40 * one},
	}
	for value, want := range map[laurel.Amount]laurel.Amount{
		10*one - 1: -1, 10 * one: 10, 19 * one: 10, 19*one + 1: 10, 20 * one: 20, 29 * one: 20, 35 * one: 20, 40 * one: 40, 1000 * one: 40, -one: -1,
	} {
		tier, ok := schema.TierOf(tiers, value)
		if ok != (want >= 0) || ok && tier.Start != want*one {
			t.Errorf("%s is in %v, %v; want %d", value, tier.Start, ok, want)
		}
	}
	if _, ok := schema.TierOf(nil, 0); ok {
		t.Error("no tiers hold something")
	}
}

func TestTargetsFollowTheProgressType(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]laurel.Amount{
		`{}`: 100, `{"progressType":"percentage","metadata":{"range":[{"startRange":1,"endRange":5}]}}`: 100, `{"progressType":"counter"}`: 100,
		`{"progressType":"counter","metadata":{"range":[{"startRange":1,"endRange":5},{"startRange":20,"endRange":250},{"startRange":6,"endRange":9}]}}`: 250,
	} {
		p := schema.Properties{Metadata: []byte("{}")}
		if err := json.Unmarshal([]byte(body), &p); err != nil {
			t.Fatal(err)
		}
		if got := p.Target(); got != want*laurel.One {
			t.Errorf("%s: target %s, want %d", body, got, want)
		}
	}
}

// TestTallyCountsLikeAListOfPayments compares the counters with the payments themselves, at a clock that also steps
// back: a payment then counts at the latest moment that was seen.
func TestTallyCountsLikeAListOfPayments(t *testing.T) {
	t.Parallel()
	type payment struct {
		at     time.Time
		amount laurel.Amount
	}
	rapid.Check(t, func(t *rapid.T) {
		now := time.Unix(rapid.Int64Range(1_700_000_000, 1_900_000_000).Draw(t, "start"), 0).UTC()
		latest := now
		tallies, lists := make([]schema.Tally, 2), make([][]payment, 2)
		total := func(list []payment, interval string) (sum laurel.Amount) {
			for _, p := range list {
				if interval == "lifetime" || schema.WindowKey(interval, p.at) == schema.WindowKey(interval, latest) {
					sum += p.amount
				}
			}
			return sum
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.Int64Range(-2*3600, 12*24*3600).Draw(t, "pause")) * time.Second)
			if now.After(latest) {
				latest = now
			}
			who, amount := rapid.IntRange(0, 1).Draw(t, "who"), laurel.Amount(rapid.Int64Range(0, 1_000_000).Draw(t, "amount"))
			tallies[who] = tallies[who].RollTo(latest).Add(amount, now)
			lists[who] = append(lists[who], payment{latest, amount})
			for _, interval := range []string{"daily", "weekly", "monthly", "lifetime"} {
				a, b := total(lists[0], interval), total(lists[1], interval)
				if got := tallies[0].RollTo(latest).Paid(interval, now); got != a {
					t.Fatalf("%s: %s, want %s", interval, got, a)
				}
				both := tallies[0].Merge(tallies[1])
				if got := both.Paid(interval, latest); got != a+b {
					t.Fatalf("%s of both: %s, want %s", interval, got, a+b)
				}
				if got := both.Subtract(tallies[1]).Paid(interval, latest); got != a {
					t.Fatalf("%s without the leaver: %s, want %s", interval, got, a)
				}
			}
		}
	})
}

func TestWindowKeysAreOfTheUTCCalendar(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("east", 14*3600)
	for _, c := range []struct {
		interval string
		at       time.Time
		want     string
	}{
		{"hourly", time.Date(2026, 1, 14, 23, 59, 59, 999, time.UTC), "2026-01-14T23"}, {"daily", time.Date(2026, 1, 15, 13, 59, 0, 0, east), "2026-01-14"},
		{"daily", time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC), "2028-02-29"}, {"weekly", time.Date(2026, 1, 17, 23, 59, 59, 0, time.UTC), "2026-01-11"},
		{"weekly", time.Date(2026, 1, 18, 0, 0, 0, 0, time.UTC), "2026-01-18"}, {"weekly", time.Date(2028, 3, 1, 0, 0, 0, 0, time.UTC), "2028-02-27"},
		{"weekly", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), "2025-12-28"}, {"monthly", time.Date(2026, 2, 1, 13, 0, 0, 0, east), "2026-01"},
		{"once", time.Date(2126, 1, 1, 0, 0, 0, 0, time.UTC), "once"}, {"custom", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), ""},
		{"unlimited", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), ""},
	} {
		if got := schema.WindowKey(c.interval, c.at); got != c.want {
			t.Errorf("%s at %s: %q, want %q", c.interval, c.at, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) { // windows follow each other and never come again
		interval := rapid.SampledFrom([]string{"hourly", "daily", "weekly", "monthly"}).Draw(t, "interval")
		at := time.Unix(rapid.Int64Range(0, 4_102_444_800).Draw(t, "at"), 0)
		later := at.Add(time.Duration(rapid.Int64Range(0, 40*24*3600).Draw(t, "later")) * time.Second)
		a, b := schema.WindowKey(interval, at), schema.WindowKey(interval, later)
		if a > b || a == b && later.Sub(at) >= 31*24*time.Hour {
			t.Fatalf("%s: %s at %s, %s at %s", interval, a, at, b, later)
		}
	})
}

// FuzzRuleBody holds of every body that makes a rule: it is stored as it is answered, changing nothing changes nothing,
// and decisions can read it.
func FuzzRuleBody(f *testing.F) {
	for _, seed := range []string{
		`{"name":"N","type":"check_in"}`, `{"name":"N","type":"external_rule","amount":"1.5","interval":"custom","metadata":{"customIntervalSeconds":6e1}}`,
		`{"name":"N","type":"external_rule","metadata":{"range":[{"startRange":1,"endRange":2,"amount":"3"},{"startRange":3,"endRange":9}],"minQty":1}}`,
		`{"name":"N","type":"quiz","metadata":{"streakArray":[{"streakMilestone":3,"streakAmount":1}],"swap":{"from":{"mode":"any","tokens":[]}}}}`,
		`{"name":"N","type":"token_hold","frequency":"daily","startTime":"2026-01-01","endTime":"2026-02-01T00:00:00+02:00","collections":[{"address":"0xAB","network":"polygon"}]}`,
		`{"name":"N","type":"stratus_function","maxAmountInterval":"weekly","maxAmountPerInterval":5,"tokenReward":{"relayerId":"0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"}}`,
		`{"name":null,"type":7}`, `{"metadata":null}`, `{`, `{"name":"N","type":"check_in","metadata":{"reactionStats":{"likeCount":1},"liquidity":{"pools":[1]}}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		p, faults := made(body)
		if len(faults) > 0 {
			return
		}
		record, err := json.Marshal(p)
		if err != nil {
			t.Fatalf("%s cannot be stored: %v", body, err)
		}
		var read schema.Properties
		if err := json.Unmarshal(record, &read); err != nil {
			t.Fatalf("%s cannot be read again: %v", record, err)
		}
		again, err := json.Marshal(read)
		if err != nil || !bytes.Equal(again, record) {
			t.Fatalf("%s is read as %s, %v", record, again, err)
		}
		var none laurel.Faults
		schema.Input{Metadata: laurel.Some(read.Metadata)}.Update(&read, &none)
		if after, err := json.Marshal(read); err != nil || len(none) > 0 || !bytes.Equal(after, record) {
			t.Fatalf("sending the metadata again makes %s of %s: %v, %v", after, record, none, err)
		}
		m := p.Meta()
		if p.Interval == schema.IntervalCustom && m.CustomIntervalSeconds == nil {
			t.Fatalf("%s has no seconds", record)
		}
		for i, tier := range m.Range {
			if tier.Start > tier.End {
				t.Fatalf("%s: tier %d is backward", record, i)
			}
			if got, ok := schema.TierOf(m.Range, tier.End); !ok || got.Start != tier.Start {
				t.Fatalf("%s: the end of tier %d is in another", record, i)
			}
		}
		if p.Target() <= 0 && len(m.Range) == 0 || m.ClickDelay() < 0 || m.MinimumLength() < 0 || m.GeneratedCodes() < 0 {
			t.Fatalf("%s: target %s, delay %s", record, p.Target(), m.ClickDelay())
		}
	})
}
