package main

import (
	"fmt"
	"slices"
	"time"

	"laurel.example/laurel"
)

// check compares the books, which are the records of the service, with the model, which is what the clients know, and
// returns what is wrong. Each finding begins with its kind: lost, twice, refused, partly, window, rolling, cap, amount,
// code, balance, edit, stranger, blocked, required, group, click, progress, rank.
func (m *model) check(b books) []string {
	c := &checker{
		model:              m,
		books:              b,
		entriesByOperation: map[string][]entry{},
		operationsByID:     map[string]*operation{},
		rulesByID:          map[string]*rule{},
		paidEntries:        map[payee][]entry{},
	}
	for _, e := range b.entries {
		c.entriesByOperation[e.op()] = append(c.entriesByOperation[e.op()], e)
	}
	for _, o := range m.operations {
		c.operationsByID[o.id] = o
		c.checkEffect(o)
	}
	for _, r := range m.rules {
		c.rulesByID[r.id] = r
		if r.alwaysRequired || r.name == tollRuleName {
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
	return c.findings
}

// checker is one comparison of the books with the model.
type checker struct {
	*model
	books
	entriesByOperation map[string][]entry
	operationsByID     map[string]*operation
	rulesByID          map[string]*rule
	requiredRules      []*rule           // those that others may require
	paidEntries        map[payee][]entry // by rules, in their order
	findings           []string
}

// payee is what a rule pays as one: a house, by its name, or a person, by the wallet.
type payee struct{ rule, name string }

// payeeOf returns the payee of a rule that a wallet belongs to: its house or, for a single wallet, the wallet itself.
func (m *model) payeeOf(rule, wallet string) payee {
	if p := m.persons[wallet]; p != nil && p.house != nil && p.house.name != "" {
		wallet = p.house.name
	}
	return payee{rule, wallet}
}

// addFinding records that something is wrong.
func (c *checker) addFinding(format string, args ...any) {
	c.findings = append(c.findings, fmt.Sprintf(format, args...))
}

// checkEffect checks that the entries of an operation are there as often as its outcome says: once if it was
// acknowledged, never if it was refused or reached no server, and at most once if the outcome is unknown.
func (c *checker) checkEffect(o *operation) {
	found := c.entriesByOperation[o.id]
	want := max(len(o.moves), 1) // entries; a completion has no moves and makes one
	switch {
	case len(found) == 0 && (o.isProgress || o.rule != nil && o.rule.kind == "link_click"):
	// checkProgress and checkClicks check these
	case len(found) == 0 && o.outcome == done:
		c.addFinding("lost: %s was acknowledged as transaction %s and is not there", o, o.transaction)
	case len(found) == 0: // refused, unsent or unknown: it need not be there
	case o.outcome < unknown: // refused or unsent
		c.addFinding("refused: %s was refused (%q) and is there all the same", o, o.refusal)
	case len(found) > want:
		c.addFinding("twice: %s stands %d times", o, len(found)/want)
	case len(found) < want:
		c.addFinding("partly: %s has %d of %d entries", o, len(found), want)
	default:
		c.checkContent(o, found)
	}
}

// checkContent checks that the entries of an operation, which are there once, are of one transaction, and have the
// wallets and amounts that were requested or acknowledged.
func (c *checker) checkContent(o *operation, found []entry) {
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

// checkUnknownEntries checks that each entry is of an operation that was requested.
func (c *checker) checkUnknownEntries() {
	for id, found := range c.entriesByOperation {
		if c.operationsByID[id] == nil {
			c.addFinding("stranger: nobody asked for the entry %s of %q", found[0].ID, id)
		}
	}
}

// checkPayments checks what each rule has paid to each payee, entry by entry in their order.
func (c *checker) checkPayments() {
	for _, e := range c.entries {
		if e.rule() != "" {
			p := c.payeeOf(e.rule(), e.wallet())
			c.paidEntries[p] = append(c.paidEntries[p], e)
		}
	}
	for p, entries := range c.paidEntries {
		r := c.rulesByID[p.rule]
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

// checkAmounts checks that each payment has an amount that the rule may have had at that time; a cap may reduce it.
func (c *checker) checkAmounts(r *rule, entries []entry) {
	for _, e := range entries {
		isPossible := false
		for _, v := range r.statesAt(e.CreatedAt) {
			isPossible = isPossible || e.Amount == points(v.amount) || v.dailyCap > 0 && e.Amount < points(v.amount)
		}
		if !isPossible {
			c.addFinding("amount: rule %s never paid %s at %s", r.name, e.Amount, e.CreatedAt)
		}
	}
}

func points(n int) laurel.Amount { return laurel.Amount(n) * 1_000_000 }

// checkWindows checks that a rule pays a payee at most once in each window of the UTC calendar, such as a day. Payments
// are left out if an edit makes it uncertain which interval the rule had then.
func (c *checker) checkWindows(r *rule, name string, entries []entry) {
	seen := map[string]bool{}
	for _, e := range entries {
		window := c.windowKey(r, e)
		if window == "" {
			continue
		}
		if seen[window] {
			c.addFinding("window: rule %s paid %s twice in %s, lastly as %s", r.name, name, window, c.operationsByID[e.op()])
		}
		seen[window] = true
	}
}

// windowKey names the window of the rule that an entry used up. It returns "" if there is none or it is not certain,
// and if the completion had a business key, with which windows do not matter.
func (c *checker) windowKey(r *rule, e entry) string {
	o, versions := c.operationsByID[e.op()], r.statesAt(e.CreatedAt)
	if o == nil || o.businessKey != "" || len(versions) == 0 ||
		slices.ContainsFunc(versions, func(v version) bool { return v.interval != versions[0].interval }) {
		return ""
	}
	return windowOf(versions[0].interval, e.CreatedAt)
}

// windowOf names the window of the UTC calendar that a time is in, such as "the day 2026-01-15"; "" for intervals
// without such windows.
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

// checkRollingWindow checks that a payee is paid only when the window that began with the payment before is over.
func (c *checker) checkRollingWindow(r *rule, name string, entries []entry) {
	if r.rollingWindow == 0 {
		return
	}
	for i, e := range entries {
		if o := c.operationsByID[e.op()]; i == 0 || o == nil || o.businessKey != "" {
			continue
		}
		// a millisecond of tolerance, since entries show whole milliseconds
		if gap := e.CreatedAt.Sub(entries[i-1].CreatedAt); gap < r.rollingWindow-time.Millisecond {
			c.addFinding("rolling: rule %s paid %s again after %s", r.name, name, gap)
		}
	}
}

// checkCap checks that the payments of a rule to a payee in a day never exceed the largest daily cap that may have been
// in force. It checks no further once the rule may have been without a cap.
func (c *checker) checkCap(r *rule, name string, entries []entry) {
	sums := map[string]laurel.Amount{}
	for _, e := range entries {
		day := windowOf("daily", e.CreatedAt)
		sums[day] += e.Amount
		most := 0
		for _, v := range r.statesAt(e.CreatedAt) {
			if v.dailyCap == 0 {
				return
			}
			most = max(most, v.dailyCap)
		}
		if sums[day] > points(most) {
			c.addFinding("cap: rule %s paid %s %s in %s, its cap was %d", r.name, name, sums[day], day, most)
		}
	}
}

// checkCodes checks that each promo code was paid for at most once, and that the codes that were paid for are those
// that the service says are redeemed.
func (c *checker) checkCodes() {
	paidFor := map[string]int{}
	for id := range c.entriesByOperation {
		if o := c.operationsByID[id]; o != nil && o.promoCode != "" {
			paidFor[o.promoCode]++
		}
	}
	for code, n := range paidFor {
		if n > 1 {
			c.addFinding("code: %s was paid for %d times", code, n)
		}
		if !c.usedCodes[code] {
			c.addFinding("code: %s was paid for and is not used", code)
		}
	}
	for code := range c.usedCodes {
		if paidFor[code] == 0 {
			c.addFinding("code: %s is used and was not paid for", code)
		}
	}
}

// checkBalances checks that balances are the sums of their entries and not negative, and that the main account paid all
// of them.
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

// checkRuleState checks that a rule has the properties of the last acknowledged edit, or of one after it whose outcome
// is unknown.
func (c *checker) checkRuleState(r *rule) {
	now, ok := c.books.rules[r.id]
	if !ok {
		c.addFinding("lost: rule %s is not there", r.name)
		return
	}
	for _, v := range r.statesAt(time.Now()) {
		if now.Amount == points(v.amount) && now.Interval == v.interval && now.IsRequired == v.required &&
			(v.dailyCap == 0 || now.MaxAmountPerInterval != nil && *now.MaxAmountPerInterval == points(v.dailyCap)) {
			return
		}
	}
	c.addFinding("edit: rule %s pays %s %s, which no edit that may have come last says", r.name, now.Amount, now.Interval)
}
