// Package providers owns the questions that the service puts to others about a member before a rule pays: to the
// operator's partners, and to functions. It knows how a question is put and what counts as an answer. When somebody is
// asked, and what an answer is worth, is the business of completions and decision.
package providers

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/functions"
	"laurel/internal/identity"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// Question asks whether a member has earned a rule (contract 6).
type Question struct {
	RuleID laurel.ID
	Rule   *schema.Properties
	// the member, then the others of its group in order of joining: what they have counts for each of them (contract 5.16)
	Members []Member
	Since   time.Time // what was done earlier does not count; zero: everything does
	Until   time.Time // what was done then or later does not count
	Request Request
	// for how long a function is waited for, and its run that has begun to decide; zero: none has
	Patience Patience
	RunID    laurel.ID
	Event    *Event // of a rule that it feeds: nobody is asked about, and the answer names the member; nil: none
	DryRun   bool   // nothing is paid: a function is told so
}

// Patience is for how long a function is waited for.
type Patience int

// How long that is.
const (
	Briefly Patience = iota // within a call: what takes longer is ended
	GoesOn                  // within a call: what takes longer goes on, and the answer is Slow
	Fully                   // nobody waits: a function has its whole time
)

// Event is one that a subscription hands to a rule.
type Event struct {
	ID, SubscriptionID laurel.ID
	Body               json.RawMessage // the v2 body (contract 7.3)
	Attempt            int             // from 1
}

// Member is how somebody may be known outside.
type Member struct {
	UserID     laurel.ID         // zero of a wallet that is nobody's yet
	Wallet     string            // "" without one
	WalletType string            // "" while unknown
	Email      string            // verified, in the form in which addresses are compared; "" without one
	ExternalID string            // externalIdentifier; "" without one
	Profile    *identity.Profile // as this website knows it; nil: it does not
}

// Request is what came with the call; empty in runs.
type Request struct {
	ContentURL string
	Code       string
	RangeValue *laurel.Amount
}

// Verdict is an answer.
type Verdict struct {
	Fulfilled bool
	Value     *laurel.Amount // what was measured, 0 or more; nil: nothing was
	// of functions alone (contract 7.6, rule result)
	Bad     bool           // the handler failed, or set what cannot be gone by
	Amount  *laurel.Amount // takes the place of the rule's; nil: the rule's holds
	BadgeID *laurel.ID     // takes the place of the rule's badge; nil: the rule's holds
	Key     string         // takes the place of the window; "": none
	Data    string         // a JSON object that goes to the entry's metadata; "": nothing
	Wallet  string         // who has earned the rule, where that is none of those who were asked about; "": the member
	Slow    bool           // the function still decides
	RunID   laurel.ID      // of the function
	Final   bool           // of a Bad one: another run would change nothing
	// Requested is what the function asks the payout driver for, and the payment owes; nil: nothing.
	Requested *functions.Requested
}

// Transaction is one that a function asks the payout driver for (contract 7.6).
type Transaction = functions.Call

// Owe stages what a function asks the payout driver for, with the payment that goes by the verdict.
func (v Verdict) Owe(b *store.Batch, scope laurel.Scope) {
	if v.Requested != nil {
		functions.Owe(b, scope, *v.Requested)
	}
}

// Port puts questions to somebody.
type Port interface {
	// Equipped reports whether questions of the rule can be put at all.
	Equipped(ctx context.Context, scope laurel.Scope, rule *schema.Properties) (bool, error)
	// Ask puts a question. Errors: Unanswered where there is no answer to go by; the question may be put again.
	Ask(ctx context.Context, scope laurel.Scope, q Question) (Verdict, error)
}

// Ports are all who may be asked, by driver. Rules of a driver without a port are not set up.
type Ports map[schema.Provider]Port

// Equipped reports whether anybody can be asked about the rule.
func (p Ports) Equipped(ctx context.Context, scope laurel.Scope, rule *schema.Properties) (bool, error) {
	port := p[rule.Type.Kind().Provider]
	if port == nil {
		return false, nil
	}
	return port.Equipped(ctx, scope, rule)
}

// Ask puts a question to whom the rule's type names.
func (p Ports) Ask(ctx context.Context, scope laurel.Scope, q Question) (Verdict, error) {
	return p[q.Rule.Type.Kind().Provider].Ask(ctx, scope, q)
}
