package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
)

// village is a small model of people with books that agree with it. h1 and h2 are one house, l lives alone and is
// blocked after half a minute, k1 and k2 are never blocked, g1 and g2 are guests, and g1 is in the inn.
type village struct {
	*model
	books
	begun time.Time
}

func newVillage() *village {
	v := &village{
		begun: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
		model: &model{persons: map[string]*person{}, endedClicks: map[[2]string]string{}},
	}
	v.books = books{
		balances:    map[string]laurel.Amount{},
		usedCodes:   map[string]bool{},
		rules:       map[string]ruleRow{},
		memberships: map[string]membership{},
		progress:    map[string]laurel.Amount{"id-h1": points(1)},
		ranks:       map[string]string{},
	}
	for _, r := range []struct {
		name, kind string
		version
	}{
		{"entry", "external_rule", version{amount: 2, interval: "once"}}, {"toll", "external_rule", version{amount: 3, interval: "once", required: true}},
		{"daily", "external_rule", version{amount: 5, interval: "daily"}}, {"rolling", "external_rule", version{amount: 4, interval: "custom"}},
		{"banner", "link_click", version{amount: 3, interval: "once"}}, {"gauge", "external_rule", version{amount: 1, interval: "unlimited"}},
	} {
		made := &rule{name: r.name, id: "rule-" + r.name, kind: r.kind, alwaysRequired: r.name == "entry"}
		made.states = v.since(r.version)
		if r.name == "rolling" {
			made.rollingWindow = time.Minute
		}
		v.model.rules = append(v.model.rules, made)
		v.books.rules[made.id] = ruleRow{ID: made.id, Interval: r.interval, Amount: points(r.amount), IsRequired: r.required}
	}
	for _, h := range []*house{{name: "house", wallets: []string{"h1", "h2"}}, {wallets: []string{"l"}}, {name: "calm", wallets: []string{"k1", "k2"}}} {
		h.blocked.states = []state[bool]{{acked: v.begun.Add(-time.Hour)}}
		for _, wallet := range h.wallets {
			v.join(wallet, h.name).house = h
		}
	}
	v.join("g1", "inn")
	v.join("g2", "")
	mark := &v.persons["l"].house.blocked
	mark.states = append(mark.states, state[bool]{value: true, sent: v.at(30), acked: v.at(31)})
	v.memberships["l"] = membership{blocked: true}
	v.pay("entry", "h1", 0)
	v.pay("toll", "h2", 1)
	v.pay("daily", "h1", 10).checksRequired = true
	v.pay("daily", "g1", 20)
	v.pay("banner", "k1", 21)
	v.ask("banner", "k2", 21, done, "").transaction = ""
	v.clicks = []clickRow{
		{ID: "job", LoyaltyRuleID: "rule-banner", UserID: "id-k2", Status: "failed", Message: msgRewarded},
	}
	v.ask("gauge", "h1", 22, done, "").isProgress = true
	v.ask("gauge", "h2", 22, unknown, "").isProgress = true
	v.ask("daily", "l", 40, refused, msgBlocked)
	v.ask("daily", "h1", -5, refused, msgRequired).checksRequired = true
	return v
}

// since is a state that has long held.
func (v *village) since(is version) []state[version] {
	return []state[version]{{value: is, acked: v.begun.Add(-time.Hour)}}
}

func (v *village) at(seconds int) time.Time {
	return v.begun.Add(time.Duration(seconds) * time.Second)
}

func (v *village) join(wallet, group string) *person {
	p := &person{wallet: wallet, id: "id-" + wallet}
	p.group.states = []state[string]{{value: group, acked: v.begun.Add(-time.Hour)}}
	v.persons[wallet], v.memberships[wallet] = p, membership{group: group}
	return p
}

// move lets a person ask for another group, and learn of it a second later.
func (v *village) move(wallet, group string, at int) *state[string] {
	h := &v.persons[wallet].group
	h.states = append(h.states, state[string]{value: group, sent: v.at(at), acked: v.at(at + 1)})
	v.memberships[wallet] = membership{group: group}
	return &h.states[len(h.states)-1]
}

func (v *village) rule(name string) *rule {
	return v.model.rules[slices.IndexFunc(v.model.rules, func(r *rule) bool { return r.name == name })]
}

// ask notes what was answered a second after it was asked for.
func (v *village) ask(rule, wallet string, at int, result outcome, refusal string) *operation {
	r := v.rule(rule)
	o := &operation{
		id:       "op-" + rule + "-" + wallet,
		rule:     r,
		wallet:   wallet,
		outcome:  result,
		refusal:  refusal,
		sent:     v.at(at),
		answered: v.at(at + 1),
	}
	if len(v.operations) > 8 {
		o.id += "-late"
	}
	v.operations = append(v.operations, o)
	return o
}

func (v *village) pay(rule, wallet string, at int) *operation {
	o := v.ask(rule, wallet, at, done, "")
	o.transaction, o.amount = "t-"+o.id, points(o.rule.latest().amount)
	b, before := books{balances: map[string]laurel.Amount{}}, v.balances[wallet]
	b.add(o, v.at(at).Add(500*time.Millisecond), o.amount)
	b.entries[0].LoyaltyAccount.User.WalletAddress = wallet
	v.entries, v.balances[wallet], v.issued = append(v.entries, b.entries[0]), before+o.amount, v.issued-o.amount
	return o
}

// forget takes the payment of a rule back, and that it was asked for.
func (v *village) forget(rule string) {
	id := v.rule(rule).id
	v.entries = slices.DeleteFunc(v.entries, func(e entry) bool {
		if e.rule() == id {
			v.balances[e.wallet()], v.issued = v.balances[e.wallet()]-e.Amount, v.issued+e.Amount
		}
		return e.rule() == id
	})
	v.operations = slices.DeleteFunc(v.operations, func(o *operation) bool { return o.rule.id == id })
}

func TestEachFaultWithPeopleIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want  string
		fault func(v *village)
	}{
		{"", func(*village) {}},
		{"window: rule daily paid house twice in the day 2026-03-04", func(v *village) { v.pay("daily", "h2", 60) }},
		{"", func(v *village) { v.pay("daily", "h2", 60).businessKey = "key" }},
		{"window: rule daily paid a group in the day 2026-03-04 to g1 and to g2", func(v *village) { v.move("g2", "inn", 30); v.pay("daily", "g2", 60) }},
		{"window: rule daily paid a group", func(v *village) { v.move("g1", "", 40); v.move("g2", "inn", 30); v.pay("daily", "g2", 60) }},
		{"", func(v *village) { v.move("g2", "inn", 30).acked = time.Time{}; v.pay("daily", "g2", 60) }},
		{"", func(v *village) { v.move("g2", "inn", 62); v.pay("daily", "g2", 60) }},
		{"", func(v *village) { v.move("g2", "other", 30); v.pay("daily", "g2", 60) }},
		{"rolling: rule rolling paid a group to g1 and, after 59s, to g2", func(v *village) { v.move("g2", "inn", 1); v.pay("rolling", "g1", 50); v.pay("rolling", "g2", 109) }},
		{"", func(v *village) { v.move("g2", "inn", 1); v.pay("rolling", "g1", 50); v.pay("rolling", "g2", 110) }},
		{"group: g1 is in \"other\"", func(v *village) { v.memberships["g1"] = membership{group: "other"} }},
		{"group: g2 is in \"\"", func(v *village) { v.move("g2", "inn", 30); v.memberships["g2"] = membership{} }},
		{"lost: g1 is not there", func(v *village) { delete(v.memberships, "g1") }},
		{"blocked: op-entry-l-late: completion of rule entry by l was paid", func(v *village) { v.pay("entry", "l", 60) }},
		{"", func(v *village) { v.pay("entry", "l", 26) }},
		{"blocked: op-daily-l: completion of rule daily by l was refused", func(v *village) { v.persons["l"].house.blocked.states[1].sent = v.at(60) }},
		{"blocked: op-daily-g2-late", func(v *village) { v.ask("daily", "g2", 40, refused, msgBlocked) }},
		{"blocked: the mark of l is false", func(v *village) { v.memberships["l"] = membership{} }},
		{"blocked: the mark of g1 is true", func(v *village) { v.memberships["g1"] = membership{group: "inn", blocked: true} }},
		{"blocked: h2 bears another mark than its mate h1", func(v *village) { v.memberships["h2"] = membership{group: "house", blocked: true} }},
		{"required: op-daily-h1: completion of rule daily by h1 was paid before rule entry", func(v *village) { v.forget("entry") }},
		{"required: op-daily-h1: completion of rule daily by h1 was paid before rule toll", func(v *village) { v.forget("toll") }},
		{"", func(v *village) {
			v.forget("toll")
			off := state[version]{value: version{amount: 3, interval: "once"}, sent: v.at(14)} // perhaps
			v.rule("toll").states = append(v.rule("toll").states, off)
		}},
		{"required: op-daily-h1-late: completion of rule daily by h1 was refused", func(v *village) { v.ask("daily", "h1", 30, refused, msgRequired).checksRequired = true }},
		{"required: op-daily-h1-late", func(v *village) { v.ask("daily", "h1", -30, refused, msgRequired) }},
		{"click: op-daily-h1-late", func(v *village) { v.ask("daily", "h1", 30, refused, msgClicked) }},
		{"click: that of user id-k2 on rule banner ended: a fault", func(v *village) { v.clicks[0].Message = "a fault" }},
		{"lost: of 1 acknowledged clicks of user id-k2 on rule banner 0", func(v *village) { v.clicks = nil }},
		{"", func(v *village) { v.clicks[0].Status = "pending" }},
		{"", func(v *village) { v.check(v.books); v.clicks = nil }}, // the service forgets what ended
		{"twice: of 1 clicks of user id-k1 on rule banner 2", func(v *village) {
			v.clicks = append(v.clicks, clickRow{LoyaltyRuleID: "rule-banner", UserID: "id-k1", Status: "pending"})
		}},
		{"progress: that of h1 is 3 after 1 acknowledged and 1 unknown", func(v *village) { v.progress["id-h1"] = points(3) }},
		{"", func(v *village) { v.progress = map[string]laurel.Amount{"id-h2": points(2)} }},
		{"progress: that of h1 is 0", func(v *village) { v.progress = nil }},
		{"", func(v *village) { v.ranks = map[string]string{"h1": "1", "g1": "2", "k1": "3", "k2": "null"} }},
		{"rank: h1 has 2, by the balances it is 1", func(v *village) { v.ranks["h1"] = "2" }},
		{"rank: k1 has 3, by the balances it is 2", func(v *village) { v.ranks["k1"], v.memberships["g1"] = "3", membership{blocked: true} }},
		{"rank: h1 has 1, by the balances it is null", func(v *village) { v.ranks["h1"], v.memberships["h1"] = "1", membership{blocked: true} }},
	} {
		v := newVillage()
		c.fault(v)
		if found := v.check(v.books); c.want == "" && len(found) > 0 ||
			c.want != "" && !strings.Contains("\n"+strings.Join(found, "\n"), "\n"+c.want) {
			t.Errorf("want %q, found %q", c.want, found)
		}
	}
}
