package main

import (
	"fmt"
	"slices"
	"time"

	"laurel"
)

// check holds the books against the model and returns what is wrong, each finding under its name: lost, twice, refused,
// partly, window, rolling, cap, amount, code, balance, edit, stranger, blocked, required, group, click, progress, rank.
func (m *model) check(b books) []string {
	c := &checker{
		model: m,
		books: b,
		byOp:  map[string][]entry{},
		known: map[string]*op{},
		rules: map[string]*rule{},
		paid:  map[payee][]entry{},
	}
	for _, e := range b.entries {
		c.byOp[e.op()] = append(c.byOp[e.op()], e)
	}
	for _, o := range m.ops {
		c.known[o.id] = o
		c.checkEffect(o)
	}
	for _, r := range m.rules {
		c.rules[r.id] = r
		if r.first || r.name == "toll" {
			c.requiredRules = append(c.requiredRules, r)
		}
		c.checkRuleState(r)
	}
	c.checkUnknownEntries()
	c.checkPayments()
	c.checkCodes()
	c.checkBalances()
	c.checkRefusals()
	c.checkPeople()
	c.checkHouses()
	c.checkGuests()
	c.checkClicks()
	c.checkProgress()
	c.checkRanks()
	return c.found
}

type checker struct {
	*model
	books
	byOp          map[string][]entry
	known         map[string]*op
	rules         map[string]*rule
	requiredRules []*rule           // those that may come before others
	paid          map[payee][]entry // by rules, in their order
	found         []string
}

// payee is the person or house that a rule pays as one: a house by its name, others by their wallet.
type payee struct{ rule, name string }

func (m *model) payee(rule, wallet string) payee {
	if p := m.persons[wallet]; p != nil && p.house != nil && p.house.name != "" {
		wallet = p.house.name
	}
	return payee{rule, wallet}
}

func (c *checker) addFinding(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

// checkEffect demands the entries of one operation: all of them exactly once when it was acknowledged, none when it was
// refused, and once or not at all where that is unknown.
func (c *checker) checkEffect(o *op) {
	found := c.byOp[o.id]
	want := max(len(o.moves), 1)
	switch {
	case len(found) == 0 && (o.step || o.rule != nil && o.rule.kind == "link_click"): // found elsewhere
	case len(found) == 0 && o.outcome == done:
		c.addFinding("lost: %s was acknowledged as transaction %s and is not there", o, o.transaction)
	case len(found) == 0:
	case o.outcome < unknown:
		c.addFinding("refused: %s was refused (%q) and is there all the same", o, o.refusal)
	case len(found) > want:
		c.addFinding("twice: %s stands %d times", o, len(found)/want)
	case len(found) < want:
		c.addFinding("partly: %s has %d of %d entries", o, len(found), want)
	default:
		c.checkContent(o, found)
	}
}

func (c *checker) checkContent(o *op, found []entry) {
	left := map[move]int{}
	for _, m := range o.moves {
		left[m]++
	}
	for _, e := range found {
		if e.LoyaltyTransactionID != found[0].LoyaltyTransactionID {
			c.addFinding("twice: %s stands in two transactions", o)
		}
		if o.transaction != "" && e.LoyaltyTransactionID != o.transaction {
			c.addFinding("twice: %s was answered as transaction %s and stands in %s", o, o.transaction, e.LoyaltyTransactionID)
		}
		if o.rule != nil {
			if e.wallet() != o.wallet || e.rule() != o.rule.id || o.transaction != "" && e.signed() != o.amount {
				c.addFinding("amount: %s was answered %s and stands as %s of %s", o, o.amount, e.signed(), e.wallet())
			}
			continue
		}
		m := move{e.wallet(), e.signed()}
		left[m]--
		if left[m] < 0 {
			c.addFinding("amount: %s has an entry of %s for %s", o, e.signed(), e.wallet())
		}
	}
}

func (c *checker) checkUnknownEntries() {
	for id, found := range c.byOp {
		if c.known[id] == nil {
			c.addFinding("stranger: nobody asked for the entry %s of %q", found[0].ID, id)
		}
	}
}

// checkPayments walks the entries of each rule and payee in their order.
func (c *checker) checkPayments() {
	for _, e := range c.entries {
		if e.rule() != "" {
			p := c.payee(e.rule(), e.wallet())
			c.paid[p] = append(c.paid[p], e)
		}
	}
	for p, entries := range c.paid {
		r := c.rules[p.rule]
		if r == nil {
			c.addFinding("stranger: a rule that nobody made paid %s", p.name)
			continue
		}
		c.checkAmounts(r, entries)
		c.checkWindows(r, p.name, entries)
		c.checkRollingWindow(r, p.name, entries)
		c.checkCap(r, p.name, entries)
	}
}

// checkAmounts demands that a payment is what the rule said at that time; a cap may reduce it.
func (c *checker) checkAmounts(r *rule, entries []entry) {
	for _, e := range entries {
		good := false
		for _, v := range r.statesAt(e.CreatedAt) {
			good = good || e.Amount == points(v.amount) || v.capped > 0 && e.Amount < points(v.amount)
		}
		if !good {
			c.addFinding("amount: rule %s never paid %s at %s", r.name, e.Amount, e.CreatedAt)
		}
	}
}

func points(n int) laurel.Amount { return laurel.Amount(n) * 1_000_000 }

// checkWindows demands that a wallet is paid once in each window of the UTC calendar. Payments at moments when
// the interval may have been either of two are left out.
func (c *checker) checkWindows(r *rule, name string, entries []entry) {
	seen := map[string]bool{}
	for _, e := range entries {
		window := c.windowKey(r, e)
		if window == "" {
			continue
		}
		if seen[window] {
			c.addFinding("window: rule %s paid %s twice in %s, lastly as %s", r.name, name, window, c.known[e.op()])
		}
		seen[window] = true
	}
}

// windowKey names the window that an entry used up; empty where there is none or it is not sure.
func (c *checker) windowKey(r *rule, e entry) string {
	o, versions := c.known[e.op()], r.statesAt(e.CreatedAt)
	if o == nil || o.key != "" || len(versions) == 0 ||
		slices.ContainsFunc(versions, func(v version) bool { return v.interval != versions[0].interval }) {
		return ""
	}
	return windowOf(versions[0].interval, e.CreatedAt)
}

// windowOf names a window of the calendar, or is empty where there are none.
func windowOf(interval string, t time.Time) string {
	t = t.UTC()
	switch interval {
	case "once":
		return "all time"
	case "daily":
		return "the day " + t.Format(time.DateOnly)
	case "weekly":
		return "the week " + t.AddDate(0, 0, -int(t.Weekday())).Format(time.DateOnly)
	case "monthly":
		return "the month " + t.Format("2006-01")
	}
	return ""
}

// checkRollingWindow demands that a wallet is paid only when the window of the former payment is over.
func (c *checker) checkRollingWindow(r *rule, name string, entries []entry) {
	if r.rolling == 0 {
		return
	}
	for i, e := range entries {
		if o := c.known[e.op()]; i == 0 || o == nil || o.key != "" {
			continue
		}
		if gap := e.CreatedAt.Sub(entries[i-1].CreatedAt); gap < r.rolling-time.Millisecond {
			c.addFinding("rolling: rule %s paid %s again after %s", r.name, name, gap)
		}
	}
}

// checkCap demands that the payments to a wallet in a day never exceed the largest cap that was in force.
func (c *checker) checkCap(r *rule, name string, entries []entry) {
	sums := map[string]laurel.Amount{}
	for _, e := range entries {
		day := windowOf("daily", e.CreatedAt)
		sums[day] += e.Amount
		most := 0
		for _, v := range r.statesAt(e.CreatedAt) {
			if v.capped == 0 {
				return
			}
			most = max(most, v.capped)
		}
		if sums[day] > points(most) {
			c.addFinding("cap: rule %s paid %s %s in %s, its cap was %d", r.name, name, sums[day], day, most)
		}
	}
}

// checkCodes demands that each code was paid for at most once, and is used if and only if it was.
func (c *checker) checkCodes() {
	paidFor := map[string]int{}
	for id := range c.byOp {
		if o := c.known[id]; o != nil && o.code != "" {
			paidFor[o.code]++
		}
	}
	for code, n := range paidFor {
		if n > 1 {
			c.addFinding("code: %s was paid for %d times", code, n)
		}
		if !c.used[code] {
			c.addFinding("code: %s was paid for and is not used", code)
		}
	}
	for code := range c.used {
		if paidFor[code] == 0 {
			c.addFinding("code: %s is used and was not paid for", code)
		}
	}
}

// checkBalances demands that balances are the sums of their entries and not negative, and that the main account paid
// them.
func (c *checker) checkBalances() {
	sums := map[string]laurel.Amount{}
	var all laurel.Amount
	for _, e := range c.entries {
		sums[e.wallet()] += e.signed()
		all += e.signed()
		if e.LoyaltyAccountEndAmount == nil || *e.LoyaltyAccountEndAmount < 0 {
			c.addFinding("balance: %s is overdrawn by entry %s", e.wallet(), e.ID)
		}
	}
	for wallet, sum := range sums {
		if c.balances[wallet] != sum {
			c.addFinding("balance: %s has %s, its entries make %s", wallet, c.balances[wallet], sum)
		}
	}
	for wallet, amount := range c.balances {
		if _, ok := sums[wallet]; !ok && amount != 0 {
			c.addFinding("balance: %s has %s without an entry", wallet, amount)
		}
	}
	if c.issued != -all {
		c.addFinding("balance: the main account is %s, the users have %s", c.issued, all)
	}
}

// checkRuleState demands that a rule is as the last acknowledged edit left it, or one of unknown outcome after it.
func (c *checker) checkRuleState(r *rule) {
	now, ok := c.books.rules[r.id]
	if !ok {
		c.addFinding("lost: rule %s is not there", r.name)
		return
	}
	for _, v := range r.statesAt(time.Now()) {
		if now.Amount == points(v.amount) && now.Interval == v.interval && now.IsRequired == v.required &&
			(v.capped == 0 || now.MaxAmountPerInterval != nil && *now.MaxAmountPerInterval == points(v.capped)) {
			return
		}
	}
	c.addFinding("edit: rule %s pays %s %s, which no edit that may have come last says", r.name, now.Amount, now.Interval)
}
