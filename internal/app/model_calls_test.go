package app_test

import (
	"fmt"

	"laurel.example/laurel/internal/dev/apptest"
)

// draw makes up a call: mostly a sensible one, sometimes with one thing wrong with it.
func (w *mworld) draw() mcall {
	chance := func(perMille int) bool { return w.dice.IntN(1000) < perMille }
	c := mcall{rule: w.pick(), byID: chance(500)}
	c.client = w.dice.IntN(100) < c.rule.client
	c.member = w.members[w.dice.IntN(60)]
	for c.rule.required && c.member.locked {
		c.member = w.members[w.dice.IntN(60)]
	}
	switch {
	case len(c.rule.milestones) > 0 && chance(900): // few, so that some come back window after window
		c.member = w.members[16+w.dice.IntN(4)]
	case c.rule.kind == "link_click": // few, so that some call while a click waits
		c.member = w.members[5+w.dice.IntN(4)]
	case chance(30):
		c.member = w.members[w.dice.IntN(len(w.members))] // or one that came later
		c.skip = c.member.id == ""
	}
	c.client = c.client && c.member.id != ""
	if !c.client && (chance(20) || c.rule.name == "newcomers" && chance(500)) {
		c.member = w.newcomer()
		c.skip = chance(800)
	}
	c.skip = c.skip || !c.client && chance(30)
	c.only = !c.client && chance(30)
	w.fill(&c, chance)
	w.spoil(&c, chance)
	c.send(w)
	return c
}

func (w *mworld) pick() *mrule {
	n := w.dice.IntN(w.total)
	for _, r := range w.list {
		if n -= r.weight; n < 0 {
			return r
		}
	}
	panic("weights")
}

// newcomer is a wallet that the service has not seen.
func (w *mworld) newcomer() *mmember {
	w.fresh++
	u := &mmember{wallet: fmt.Sprintf("new-%d", w.fresh)}
	w.members = append(w.members, u)
	return u
}

func amountOf(n int) *int64 {
	v := int64(n) * 10_001
	return &v
}

// fill gives the call what its rule asks for, not always rightly.
func (w *mworld) fill(c *mcall, chance func(int) bool) {
	r := c.rule
	whole := func(most int) *int64 { v := int64(w.dice.IntN(most)) * millionth; return &v }
	switch r.kind {
	case "external_rule":
		if chance(250) && !c.only {
			c.key = fmt.Sprintf("k%d", w.dice.IntN(1_000_000_000))
		}
		if chance(150) {
			c.amount = amountOf(w.dice.IntN(2000))
		}
		if len(r.tiers) > 0 && chance(800) {
			c.value = whole([]int{30, 120}[w.dice.IntN(2)])
		}
	case "text_input":
		c.code = []string{"enough", " enough said ", "shut", "    a    ", ""}[w.dice.IntN(5)]
		if chance(400) {
			c.code = "long enough"
		}
	case "code_entry":
		c.code = []string{"Sesame 1", " Sesame 1 ", "sesame 1", "", "nonsense"}[w.dice.IntN(5)]
		if len(r.codes) > 0 && chance(850) {
			c.code = r.codes[w.dice.IntN(len(r.codes))]
		}
	case "quiz", "poll":
		c.choice = []string{"a", "b", "b", "b", "c", "", "", "other"}[w.dice.IntN(8)]
	}
	if r.tracked && c.member.id != "" && chance(700) {
		if chance(500) {
			c.progress = whole(130)
		}
		if c.progress == nil || chance(300) {
			c.increment = whole(60)
		}
	}
}

// spoil makes one thing wrong with some calls.
func (w *mworld) spoil(c *mcall, chance func(int) bool) {
	if !chance(150) {
		return
	}
	external := c.rule.kind == "external_rule"
	switch n := w.dice.IntN(15); {
	case n == 0:
		c.badID = true
	case n == 1:
		c.badBody = true
	case n == 2:
		c.unknownUser = true
	case n == 3 && !c.client:
		c.stranger = true
	case n == 4 && !external:
		c.amount = amountOf(5)
	case n == 5 && !external:
		c.key = "any"
	case n == 6 && c.member.id != "":
		c.client, c.tokenless = true, true
	case n == 7 && c.member.id != "":
		c.client, c.foreign = true, true
	case n == 8 && c.member.id != "":
		c.client, c.skip, c.only = true, true, false
	case (n == 9 || n >= 12) && external && c.member.id != "":
		c.client, c.skip = true, false
	case n >= 9 && len(w.paid) > 0 && !c.only:
		w.again(c, chance)
	}
}

// again uses a key that was paid: with the same call, or with another.
func (w *mworld) again(c *mcall, chance func(int) bool) {
	first := w.paid[w.dice.IntN(len(w.paid))]
	if chance(450) {
		first.progress, first.increment = nil, nil
		*c = first
		return
	}
	*c = mcall{rule: w.rules["plain"], member: first.member, key: first.key, amount: amountOf(w.dice.IntN(2000))}
}

// send writes the body of the call.
func (c *mcall) send(w *mworld) {
	body := object{}
	switch {
	case c.unknownUser:
	case c.stranger:
		body["userId"] = apptest.UnknownID
	case c.byID && c.member.id != "" || c.client:
		body["userId"] = c.member.id
	default:
		body["walletAddress"] = c.member.wallet
	}
	put := func(yes bool, name string, value any) {
		if yes {
			body[name] = value
		}
	}
	put(c.key != "", "idempotencyKey", c.key)
	put(c.code != "", "verificationCode", c.code)
	put(c.skip, "skipChainOrRequiredCheck", true)
	put(c.only, "verifyOnly", true)
	if c.amount != nil {
		body["amount"] = decimals(*c.amount)
	}
	if c.value != nil {
		body["rangeValue"] = apptest.JSONNumber(decimals(*c.value))
	}
	switch {
	case c.choice == "other", c.choice != "" && c.rule.question == nil:
		body["loyaltyQuestionChoiceId"] = apptest.UnknownID
	case c.choice != "":
		body["loyaltyQuestionChoiceId"] = c.rule.question.Choices[c.choice]
	}
	put(c.badBody, "rangeValue", "much")
	c.body = body
}
