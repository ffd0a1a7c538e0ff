package main

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"laurel"
)

// outcome is what a client knows of one operation.
type outcome int

const (
	unsent  outcome = iota // it reached nobody
	refused                // a business refusal: it never happened
	unknown                // no whole answer, or 503: it happened once or not at all
	done                   // acknowledged: it happened exactly once
)

// move is one entry of a transaction: a negative amount is a debit.
type move struct {
	wallet string
	amount laurel.Amount
}

// op is one operation that a client asked for. Its id goes into every entry that it makes.
type op struct {
	id             string
	request        request
	key            string // business idempotency key
	rule           *rule  // of a completion
	wallet         string // of a completion or a step
	mate           string // of a completion by somebody with a mate that the model knows nothing else of
	code           string // of a completion with a code
	step           bool   // progress, not a completion
	checksRequired bool   // it asks whether required rules are completed
	moves          []move // of a transaction

	sent, answered time.Time // first and last
	outcome        outcome
	transaction    string        // as it was answered; empty where a replay no longer tells
	amount         laurel.Amount // as a completion was answered
	refusal        string
}

// repeatable reports whether the same operation may be sent again without fear.
func (o *op) repeatable() bool { return o.key != "" || o.request.header != "" }

func (o *op) String() string {
	if o.step {
		return fmt.Sprintf("%s: progress of %s", o.id, o.wallet)
	}
	if o.rule != nil {
		return fmt.Sprintf("%s: completion of rule %s by %s", o.id, o.rule.name, o.wallet)
	}
	return fmt.Sprintf("%s: transaction %v", o.id, o.moves)
}

// version is one state of a rule.
type version struct {
	amount   int
	capped   int // maxAmountPerInterval per day; 0: none
	interval string
	required bool // before others
}

// rule is one rule with every state that it may have had.
type rule struct {
	name, id string
	kind     string
	rolling  time.Duration // of interval custom
	codes    []string
	first    bool // always comes before others, by its rule group
	history[version]
}

// model holds all operations that were sent to the service, with their outcomes.
type model struct {
	mu    sync.Mutex
	ops   []*op
	rules []*rule
	wrong []string // answers that are findings by themselves
	acks  int
	fails int // answers that leave the outcome unknown

	persons map[string]*person   // by wallet
	ended   map[[2]string]string // clicks that ended unpaid, by link and user, and why: the service forgets
}

func (m *model) add(o *op) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ops = append(m.ops, o)
}

func (m *model) finding(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.wrong = append(m.wrong, fmt.Sprintf(format, args...))
}

func (m *model) acknowledged() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.acks
}

func (m *model) failures() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.fails
}

// reading is the result of an operation as a response says it.
type reading struct {
	asked       time.Time
	outcome     outcome
	transaction string
	amount      laurel.Amount
	refusal     string
	progress    *laurel.Amount
}

// read sorts an answer. A status that nobody expects is a finding.
func (m *model) read(what string, a answer, err error) reading {
	switch {
	case err != nil && neverSent(err):
		return reading{outcome: unsent}
	case err != nil, a.status == 503, a.status == 429:
		return reading{outcome: unknown}
	}
	var body struct {
		ID, Message string
		Progress    *laurel.Amount
		Data        struct {
			LoyaltyTransactionID string
			Rewards              []struct{ Amount laurel.Amount }
		}
	}
	if fault := json.Unmarshal(a.body, &body); fault != nil || a.status != 200 && a.status != 400 {
		m.finding("answer: %s was answered %d %s", what, a.status, a.body)
		return reading{outcome: unknown}
	}
	if a.status == 400 {
		return reading{outcome: refused, refusal: body.Message}
	}
	t := reading{outcome: done, transaction: body.ID, progress: body.Progress}
	if body.Data.LoyaltyTransactionID != "" {
		t.transaction = body.Data.LoyaltyTransactionID
		for _, r := range body.Data.Rewards {
			t.amount += r.Amount
		}
	}
	return t
}

// note merges the result of one more response into an operation: an acknowledged one stays acknowledged, with the same
// transaction.
func (m *model) note(o *op, t reading) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t.outcome == refused && !mayRefuse[t.refusal] {
		m.wrong = append(m.wrong, fmt.Sprintf("answer: %s was refused: %s", o, t.refusal))
	}
	if o.outcome == done && t.outcome == done && o.transaction != "" && t.transaction != "" &&
		o.transaction != t.transaction {
		m.wrong = append(
			m.wrong,
			fmt.Sprintf("twice: %s was answered as transaction %s and as %s", o, o.transaction, t.transaction),
		)
	}
	if t.outcome == unknown {
		m.fails++
	}
	if o.sent.IsZero() || t.asked.Before(o.sent) {
		o.sent = t.asked
	}
	o.answered = time.Now()
	if t.outcome < o.outcome {
		return
	}
	if t.outcome == done && o.outcome != done {
		m.acks++
	}
	o.outcome, o.refusal = t.outcome, t.refusal
	if t.transaction != "" {
		o.transaction, o.amount = t.transaction, t.amount
	}
}

const (
	msgRewarded  = "You have already been rewarded"
	msgNotYet    = "Quest not completed"
	msgCode      = "The code you entered could not be verified"
	msgOverdraft = "Insufficient balance"
	msgBlocked   = "Access restricted. Your account is blocked."
	msgRequired  = "Please complete other required rules to unlock this quest."
	msgClicked   = "Link already clicked, your reward is being processed"
)

// mayRefuse are the refusals that the operations of this program may meet.
var mayRefuse = map[string]bool{
	msgRewarded:  true,
	msgNotYet:    true,
	msgCode:      true,
	msgOverdraft: true,
	msgBlocked:   true,
	msgRequired:  true,
	msgClicked:   true,
}
