package app_test

import (
	"fmt"
	"strings"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// This is a second, small statement of how completions end (contract 5.1 to 5.16): plain functions on plain maps, which
// know nothing of the program but the contract. Amounts are millionths.

const millionth = 1_000_000

// mtier is a tier of a range.
type mtier struct{ from, to, amount int64 }

// mchain is what must be done before a rule: another rule completed so often, and an amount held.
type mchain struct {
	any    bool
	rule   string
	repeat int
	holds  int64 // 0: nothing
}

// mrule is a rule as the model knows it. Its name is its identity there.
type mrule struct {
	name, id, kind, interval, currency string
	amount                             int64
	start, end                         time.Time
	shown, newOnly, required, deleted  bool
	currencyGone, unset                bool
	tracked, counter, reset, plain     bool // plain: multipliers are skipped
	tiers                              []mtier
	capPer                             string
	cap                                int64
	seconds                            int
	shared                             string // the code
	several                            bool   // redemptions by one user
	codes                              []string
	least                              int // characters
	question                           *apptest.CreatedQuestion
	again                              bool // the question may be answered again
	fields                             []string
	wallet, platform                   string
	chain                              *mchain
	milestones                         map[int]int64 // by check-ins in a row
	triggeredBy                        string        // the rule whose completion checks in
	list, perValue                     bool
	weight                             int
	client                             int // percent of the calls that come with a publishable key
}

// mmember is a user with what was made known of it.
type mmember struct {
	wallet, id                            string
	token                                 []string
	known, blocked, locked                bool
	joinedAt, spoke                       time.Time // spoke: when the token was issued
	factors                               []mfactor
	fields                                map[string]bool
	connected                             map[string]bool
	emailSet, emailVerified, phone, proof bool
	mates                                 []*mmember // of its group, in order of joining, itself too; nil: it has none
	email                                 string
	holder, listed                        bool
	allotted                              int64 // what the list gives it; 0: what the rule pays
}

// mfactor is a multiplier of a member.
type mfactor struct {
	value    int64
	currency string // "": all
}

// mcall is a call of a completion.
type mcall struct {
	rule                                  *mrule // nil: no such rule
	member                                *mmember
	badID, badBody, unknownUser, stranger bool
	client, tokenless, foreign            bool
	skip, only, checksIn                  bool
	amount, value                         *int64
	key, code, choice                     string // choice: a, b, c or other
	progress, increment                   *int64 // written before the call
	byID                                  bool
	body                                  object
}

// moutcome is what the model says a call comes to.
type moutcome struct {
	status   int
	message  string
	rewarded bool
	replayed bool
	pending  bool
	amount   int64
	extra    int64 // of a milestone
	currency string
	keeps    bool // the choice becomes the member's answer
}

func (o moutcome) paid() bool { return o.status == 200 && !o.replayed && !o.pending }

// mpaid is what was paid for a key.
type mpaid struct {
	signature, currency string
	amount              int64
}

// model is what a website remembers. Keys are joined of rule, member and more.
type model struct {
	rules     map[string]*mrule
	windows   map[string]bool
	last      map[string]time.Time
	times     map[string]int
	tally     map[string]int64
	keys      map[string]mpaid
	answers   map[string]string
	redeemed  map[string]string
	clicks    map[string]time.Time
	progress  map[string]int64
	balances  map[string]int64
	streaks   map[string]mstreak
	bought    map[*mmember][]mbuy
	earned    map[*mmember][]mearning
	referrals []mreferral
	needed    []*mrule
	completed int
	triggered int
}

func newModel() *model {
	return &model{
		rules:    map[string]*mrule{},
		windows:  map[string]bool{},
		last:     map[string]time.Time{},
		times:    map[string]int{},
		tally:    map[string]int64{},
		keys:     map[string]mpaid{},
		answers:  map[string]string{},
		redeemed: map[string]string{},
		clicks:   map[string]time.Time{},
		progress: map[string]int64{},
		balances: map[string]int64{},
		streaks:  map[string]mstreak{},
		bought:   map[*mmember][]mbuy{},
		earned:   map[*mmember][]mearning{},
	}
}

func joined(parts ...string) string { return strings.Join(parts, "|") }

func pair(r *mrule, m *mmember) string { return joined(r.name, m.subject()) }

// period is the name of the calendar window that the time lies in; "" where there is none.
func period(interval string, at time.Time) string {
	switch interval {
	case "hourly":
		return at.Format("2006-01-02T15")
	case "daily":
		return at.Format("2006-01-02")
	case "weekly":
		return at.AddDate(0, 0, -int(at.Weekday())).Format("2006-01-02")
	case "monthly":
		return at.Format("2006-01")
	case "once", "lifetime":
		return "ever"
	}
	return ""
}

func refusal(message string) moutcome { return moutcome{status: 400, message: message} }

// decide returns what the call comes to at the time.
func (m *model) decide(c mcall, now time.Time) moutcome {
	if o, ends := m.formal(c); ends {
		return o
	}
	if o, ends := m.overridden(c); ends {
		return o
	}
	r := c.rule
	if r == nil || r.deleted {
		return moutcome{status: 404, message: "Loyalty rule not found"}
	}
	for _, check := range []func(mcall, time.Time) string{m.ready, m.audience, m.unlocked} {
		if message := check(c, now); message != "" {
			return refusal(message)
		}
	}
	if m.paidBefore(c, now) {
		return moutcome{status: 400, message: "You have already been rewarded", rewarded: true}
	}
	if r.tracked && m.progress[pair(r, c.member)] < r.target() {
		return refusal("Quest not completed")
	}
	message, keeps := m.verify(c, now)
	if message != "" {
		return moutcome{status: 400, message: message, keeps: keeps}
	}
	o := m.reward(c, now)
	o.keeps = keeps
	return o
}

// formal: steps 1 and 2, and who may speak for a user.
func (m *model) formal(c mcall) (moutcome, bool) {
	switch {
	case c.badID:
		return refusal("loyaltyRuleId must be a uuid"), true
	case c.client && c.tokenless:
		return moutcome{status: 403, message: "Member token is required"}, true
	case c.badBody:
		return refusal("Invalid request"), true
	case c.unknownUser:
		return refusal("userId or walletAddress is required"), true
	case c.client && c.foreign:
		return moutcome{status: 403, message: "Member token does not belong to this user"}, true
	case c.stranger:
		return moutcome{status: 404, message: "User not found"}, true
	}
	return moutcome{}, false
}

// overridden: step 3.
func (m *model) overridden(c mcall) (moutcome, bool) {
	external := c.rule != nil && c.rule.kind == "external_rule"
	used, known := m.keys[c.key]
	switch {
	case c.rule != nil && c.amount != nil && !external:
		return refusal("Only external rules can have amount override"), true
	case c.rule != nil && c.key != "" && !external:
		return refusal("Only external rules can have idempotency key override"), true
	case c.key != "" && known && used.signature == c.signature():
		return moutcome{
			status:   200,
			message:  "Completion request added to queue",
			replayed: true,
			amount:   used.amount,
			currency: used.currency,
		}, true
	case c.key != "" && known:
		return refusal("Idempotency key already used"), true
	case c.client && c.skip:
		return refusal("Api key is required to skip chain or required check"), true
	case c.client && external:
		return moutcome{status: 403, message: "API key is not allowed to perform this operation"}, true
	}
	return moutcome{}, false
}

// signature tells calls with the same key apart.
func (c mcall) signature() string {
	text := func(n *int64) string {
		if n == nil {
			return "-"
		}
		return fmt.Sprint(*n)
	}
	return joined(c.rule.name, c.member.wallet, text(c.amount), text(c.value), fmt.Sprint(c.skip))
}

// ready: steps 4 to 6.
func (m *model) ready(c mcall, now time.Time) string {
	r := c.rule
	switch {
	case r.currencyGone:
		return "Loyalty currency not found"
	case r.unset:
		return "Rule is not setup"
	case r.kind == "referred_user": // nobody's call
		return apptest.Undone
	case !r.start.IsZero() && now.Before(r.start) && c.client && !r.shown:
		return "Loyalty rule has not started yet"
	case !r.start.IsZero() && now.Before(r.start):
		return "Loyalty rule " + r.name + " has not started yet"
	case !r.end.IsZero() && !now.Before(r.end):
		return "Loyalty rule has expired"
	}
	return ""
}

// audience: steps 7 and 8.
func (m *model) audience(c mcall, _ time.Time) string {
	switch {
	case c.member.any(func(u *mmember) bool { return u.blocked }):
		return "Access restricted. Your account is blocked."
	case c.rule.newOnly && c.member.known && c.member.joinedAt.Before(c.rule.start):
		return "this quest is only available for new users"
	case c.rule.list && !c.member.listed:
		return apptest.NotListed
	}
	return ""
}

// unlocked: step 9.
func (m *model) unlocked(c mcall, now time.Time) string {
	if c.skip {
		return ""
	}
	for _, n := range m.needed {
		open := now.After(n.start) && (n.end.IsZero() || now.Before(n.end))
		if !c.rule.required && open && m.times[pair(n, c.member)] == 0 {
			return apptest.Locked
		}
	}
	if k := c.rule.chain; k != nil {
		did := m.times[joined(k.rule, c.member.subject())] >= k.repeat
		has := m.held(c.member, "points") >= k.holds
		if k.any && !did && !has || !k.any && (!did || !has) {
			return apptest.Locked
		}
	}
	return ""
}
