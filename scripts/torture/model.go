package main

import (
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"laurel.example/laurel"
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

// operation is one operation that a client requested. Its id is in every entry that it makes.
type operation struct {
	id             string
	request        request
	businessKey    string // business idempotency key
	rule           *rule  // of a completion
	wallet         string // of a completion or a step
	mate           string // the other member of the wallet's group, of a completion in joinMateWhilePaid
	promoCode      string // of a completion with a code
	isProgress     bool   // it writes progress, and is no completion
	checksRequired bool   // the service checks whether required rules are completed
	moves          []move // of a transaction

	sent, answered time.Time // the first request, and the last response
	outcome        outcome
	transaction    string        // as the response said; "" for a replay without it
	amount         laurel.Amount // that the response to a completion said
	refusal        string
}

// isRepeatable reports whether the same operation may be sent again: it has a key, so it happens once.
func (o *operation) isRepeatable() bool { return o.businessKey != "" || o.request.idempotencyKey != "" }

// String returns the operation as findings show it: its id, and what it does.
func (o *operation) String() string {
	if o.isProgress {
		return fmt.Sprintf("%s: progress of %s", o.id, o.wallet)
	}
	if o.rule != nil {
		return fmt.Sprintf("%s: completion of rule %s by %s", o.id, o.rule.name, o.wallet)
	}
	return fmt.Sprintf("%s: transaction %v", o.id, o.moves)
}

// version is one state of the properties of a rule.
type version struct {
	amount   int
	dailyCap int // maxAmountPerInterval of a day; 0: none
	interval string
	required bool // others require it
}

// rule is one rule with every state that it may have had.
type rule struct {
	name, id       string
	kind           string
	rollingWindow  time.Duration // of interval custom
	codes          []string
	alwaysRequired bool // others always require it, because of its rule group
	history[version]
}

// model holds all operations that were sent to the service, with their outcomes.
type model struct {
	mu               sync.Mutex
	operations       []*operation
	rules            []*rule
	findings         []string // answers that are findings by themselves
	acknowledgements int
	unknownResponses int // answers that leave the outcome unknown

	persons     map[string]*person   // by wallet
	endedClicks map[[2]string]string // clicks that ended unpaid, by link and user, and why: the service forgets
}

// addOperation adds an operation before it is sent.
func (m *model) addOperation(o *operation) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.operations = append(m.operations, o)
}

// addFinding records that a response was wrong by itself.
func (m *model) addFinding(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.findings = append(m.findings, fmt.Sprintf(format, args...))
}

// acknowledged returns how many operations were acknowledged.
func (m *model) acknowledged() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.acknowledgements
}

// unknownOutcomes returns how many responses left the outcome unknown.
func (m *model) unknownOutcomes() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.unknownResponses
}

// result is the result of sending an operation once.
type result struct {
	sent        time.Time
	outcome     outcome
	transaction string
	amount      laurel.Amount
	refusal     string
	progress    *laurel.Amount
}

// parseResponse returns the result that a response stands for; err is the error of send. A response of an unexpected
// form is recorded as a finding, and its outcome is unknown. what names the operation in that finding.
func (m *model) parseResponse(what string, resp response, err error) result {
	switch {
	case err != nil && neverSent(err):
		return result{outcome: unsent}
	case err != nil, resp.status == 503, resp.status == 429:
		return result{outcome: unknown}
	}
	var body struct {
		ID, Message string
		Progress    *laurel.Amount
		Data        struct {
			LoyaltyTransactionID string
			Rewards              []struct{ Amount laurel.Amount }
		}
	}
	if fault := json.Unmarshal(resp.body, &body); fault != nil || resp.status != 200 && resp.status != 400 {
		m.addFinding("answer: %s was answered %d %s", what, resp.status, resp.body)
		return result{outcome: unknown}
	}
	if resp.status == 400 {
		return result{outcome: refused, refusal: body.Message}
	}
	t := result{outcome: done, transaction: body.ID, progress: body.Progress}
	if body.Data.LoyaltyTransactionID != "" {
		t.transaction = body.Data.LoyaltyTransactionID
		for _, r := range body.Data.Rewards {
			t.amount += r.Amount
		}
	}
	return t
}

// recordResult merges the result of one more response into an operation. The outcome changes only to one that says
// more: what is acknowledged stays acknowledged. A refusal that no operation may meet is a finding, and so is a second
// transaction.
func (m *model) recordResult(o *operation, latest result) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if latest.outcome == refused && !expectedRefusals[latest.refusal] {
		m.findings = append(m.findings, fmt.Sprintf("answer: %s was refused: %s", o, latest.refusal))
	}
	if o.outcome == done && latest.outcome == done && o.transaction != "" && latest.transaction != "" &&
		o.transaction != latest.transaction {
		m.findings = append(
			m.findings,
			fmt.Sprintf("twice: %s was answered as transaction %s and as %s", o, o.transaction, latest.transaction),
		)
	}
	if latest.outcome == unknown {
		m.unknownResponses++
	}
	if o.sent.IsZero() || latest.sent.Before(o.sent) {
		o.sent = latest.sent
	}
	o.answered = time.Now()
	if latest.outcome < o.outcome { // a greater outcome says more
		return
	}
	if latest.outcome == done && o.outcome != done {
		m.acknowledgements++
	}
	o.outcome, o.refusal = latest.outcome, latest.refusal
	if latest.transaction != "" {
		o.transaction, o.amount = latest.transaction, latest.amount
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

// expectedRefusals are the refusals that the operations of this program may meet.
var expectedRefusals = map[string]bool{
	msgRewarded:  true,
	msgNotYet:    true,
	msgCode:      true,
	msgOverdraft: true,
	msgBlocked:   true,
	msgRequired:  true,
	msgClicked:   true,
}
