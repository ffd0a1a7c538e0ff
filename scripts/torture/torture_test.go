package main

import (
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
)

func TestAPlantedDoublePaymentTurnsTheRunRed(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	o, err := parseOptions(
		[]string{
			"--engine",
			"sqlite",
			"--step",
			"kill",
			"--rounds",
			"2",
			"--seed",
			"1",
			"--tags",
			"doublepay",
			"--dir",
			t.TempDir(),
		},
		&out,
	)
	if err != nil {
		t.Fatal(err)
	}
	well := o.run(t.Context())
	if output := out.String(); well || !strings.Contains(output, "RED  seed 1 sqlite kill -9 ") ||
		!strings.Contains(output, "window: rule ") ||
		!strings.Contains(output, "SEED=1") {
		t.Fatalf("well: %v\n%s", well, output)
	}
}

// story is a small model with books that agree with it: a payment with a cap, one of a day, one of a code, and a
// transaction.
func story() (*model, books) {
	begun := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	ruled := func(name, kind string, v version) *rule {
		r := &rule{name: name, id: "rule-" + name, kind: kind}
		r.states = []state[version]{{value: v, acked: begun.Add(-time.Hour)}}
		return r
	}
	daily, capped := ruled(
		"daily",
		"external_rule",
		version{amount: 5, interval: "daily"},
	), ruled(
		"capped",
		"external_rule",
		version{amount: 7, dailyCap: 10, interval: "unlimited"},
	)
	coded, rolling := ruled(
		"coded",
		"code_entry",
		version{amount: 6, interval: "unlimited"},
	), ruled(
		"rolling",
		"external_rule",
		version{amount: 2, interval: "custom"},
	)
	rolling.rollingWindow = time.Minute
	m := &model{rules: []*rule{daily, capped, coded, rolling}}
	b := books{
		balances:  map[string]laurel.Amount{"w": 0},
		usedCodes: map[string]bool{"CODE": true},
		rules:     map[string]ruleRow{},
	}
	for _, r := range m.rules {
		row := ruleRow{ID: r.id, Interval: r.latest().interval, Amount: points(r.latest().amount)}
		if n := r.latest().dailyCap; n > 0 {
			most := points(n)
			row.MaxAmountPerInterval = &most
		}
		b.rules[r.id] = row
	}
	for i, r := range m.rules {
		o := &operation{
			id:          "op-" + r.name,
			rule:        r,
			wallet:      "w",
			outcome:     done,
			transaction: "t-" + r.name,
			amount:      points(r.latest().amount),
		}
		if r == coded {
			o.promoCode = "CODE"
		}
		m.operations = append(m.operations, o)
		b.add(o, begun.Add(time.Duration(i)*time.Second), o.amount)
	}
	moved := &operation{
		id:          "op-moved",
		businessKey: "k",
		moves:       []move{{"w", points(3)}, {"v", points(1)}},
		outcome:     done,
		transaction: "t-moved",
	}
	m.operations = append(m.operations, moved)
	b.add(moved, begun, points(3))
	b.add(moved, begun, points(1))
	b.entries[len(b.entries)-1].LoyaltyAccount.User.WalletAddress = "v"
	b.balances["w"], b.balances["v"] = b.balances["w"]-points(1), points(1)
	return m, b
}

// add writes an entry of an operation into the books.
func (b *books) add(o *operation, at time.Time, amount laurel.Amount) {
	end := points(1)
	e := entry{
		ID:                      "e-" + o.id,
		Direction:               "credit",
		LoyaltyTransactionID:    o.transaction,
		Amount:                  amount,
		CreatedAt:               at,
		LoyaltyAccountEndAmount: &end,
	}
	e.Metadata.Op = o.id
	e.LoyaltyAccount.User = &struct{ WalletAddress string }{"w"}
	if o.rule != nil {
		e.LoyaltyTransaction.LoyaltyRule = &struct{ ID string }{o.rule.id}
	}
	b.entries = append(b.entries, e)
	b.balances["w"] += amount
	b.issued -= amount
}

func TestEachFaultOfTheBooksIsNamed(t *testing.T) {
	t.Parallel()
	if m, b := story(); len(m.check(b)) > 0 {
		t.Fatalf("sound books: %v", m.check(b))
	}
	// again pays a rule once more by an operation of its own.
	again := func(m *model, b *books, of int, after time.Duration, amount laurel.Amount) *operation {
		o := *m.operations[of]
		o.id, o.transaction, o.amount = o.id+"-2", o.transaction+"-2", amount
		m.operations = append(m.operations, &o)
		b.add(&o, b.entries[of].CreatedAt.Add(after), amount)
		return &o
	}
	for _, c := range []struct {
		want  string
		fault func(m *model, b *books)
	}{
		{"lost: op-daily", func(m *model, b *books) { m.operations[0].id, b.entries[0].Metadata.Op = "op-daily", "op-x" }},
		{"stranger: nobody asked", func(m *model, b *books) { b.entries[0].Metadata.Op = "op-x" }},
		{"stranger: a rule that nobody made", func(m *model, b *books) { m.rules = m.rules[1:] }},
		{"refused: op-daily", func(m *model, b *books) { m.operations[0].outcome = refused }},
		{"refused: op-daily", func(m *model, b *books) { m.operations[0].outcome = unsent }},
		{"twice: op-daily: completion of rule daily by w stands 2 times", func(m *model, b *books) { b.add(m.operations[0], b.entries[0].CreatedAt, points(5)) }},
		{"twice: op-capped", func(m *model, b *books) {
			m.operations[1].outcome = unknown
			b.add(m.operations[1], b.entries[1].CreatedAt, points(3))
		}},
		{"twice: op-moved", func(m *model, b *books) { b.entries[4].LoyaltyTransactionID = "t-other" }},
		{"twice: op-daily", func(m *model, b *books) { m.operations[0].transaction = "t-other" }},
		{"partly: op-moved", func(m *model, b *books) { b.entries = b.entries[:5] }},
		{"amount: op-moved", func(m *model, b *books) { b.entries[5].Direction = "debit" }},
		{"amount: op-daily", func(m *model, b *books) { m.operations[0].amount = points(4) }},
		{"amount: rule daily never paid 4", func(m *model, b *books) { b.entries[0].Amount, m.operations[0].amount = points(4), points(4) }},
		{"window: rule daily paid w twice in the day 2026-03-04", func(m *model, b *books) { again(m, b, 0, time.Hour, points(5)) }},
		{"", func(m *model, b *books) { again(m, b, 0, 24*time.Hour, points(5)) }},
		{"", func(m *model, b *books) { again(m, b, 0, time.Hour, points(5)).businessKey = "key" }},
		{"window: op-lame", func(m *model, b *books) {
			m.operations = append(m.operations, &operation{id: "op-lame", rule: m.rules[0], wallet: "u", outcome: refused, refusal: msgRewarded})
		}},
		{"rolling: rule rolling paid w again after 59s", func(m *model, b *books) { again(m, b, 3, 59*time.Second, points(2)) }},
		{"", func(m *model, b *books) { again(m, b, 3, 60*time.Second, points(2)) }},
		{"cap: rule capped paid w 11 in the day 2026-03-04, its cap was 10", func(m *model, b *books) { again(m, b, 1, time.Hour, points(4)) }},
		{"", func(m *model, b *books) { again(m, b, 1, time.Hour, points(3)) }},
		{"code: CODE was paid for 2 times", func(m *model, b *books) { again(m, b, 2, 0, points(6)) }},
		{"code: CODE was paid for and is not used", func(m *model, b *books) { delete(b.usedCodes, "CODE") }},
		{"code: OTHER is used", func(m *model, b *books) { b.usedCodes["OTHER"] = true }},
		{"balance: w has 22", func(m *model, b *books) { b.balances["w"] -= points(1) }},
		{"balance: u has 1 without an entry", func(m *model, b *books) { b.balances["u"] = points(1) }},
		{"balance: the main account", func(m *model, b *books) { b.issued++ }},
		{"balance: w is overdrawn", func(m *model, b *books) { *b.entries[0].LoyaltyAccountEndAmount = -1 }},
		{"edit: rule daily pays 6", func(m *model, b *books) { b.rules["rule-daily"] = ruleRow{Amount: points(6), Interval: "daily"} }},
		{"lost: rule daily", func(m *model, b *books) { delete(b.rules, "rule-daily") }},
	} {
		m, b := story()
		c.fault(m, &b)
		if found := m.check(b); c.want == "" && len(found) > 0 ||
			c.want != "" && !strings.Contains("\n"+strings.Join(found, "\n"), "\n"+c.want) {
			t.Errorf("want %q, found %q", c.want, found)
		}
	}
}

func TestAnEditOfUnknownFateMayHaveHappened(t *testing.T) {
	t.Parallel()
	m, b := story()
	r, then := m.rules[0], b.entries[0].CreatedAt
	for _, c := range []struct {
		sent, acked time.Duration
		good        bool
	}{{time.Second, 2 * time.Second, true}, {time.Second, 0, true}, {time.Minute, 0, false}, {-2 * time.Second, -time.Second, true}} {
		next := state[version]{value: version{amount: 9, interval: "daily"}, sent: then.Add(c.sent)}
		if c.acked != 0 {
			next.acked = then.Add(c.acked)
		}
		r.states = []state[version]{{value: version{amount: 5, interval: "daily"}}, next}
		paid := false
		for _, v := range r.statesAt(then) {
			paid = paid || v.amount == 9
		}
		if paid != c.good {
			t.Errorf("sent after %s, acknowledged after %s: %v", c.sent, c.acked, paid)
		}
	}
	if former := r.statesAt(then); len(former) != 1 {
		t.Errorf("an edit acknowledged before leaves %v", former)
	}
}
