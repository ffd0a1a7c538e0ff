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

// VerificationRequest asks whether a member has earned a rule (contract 6).
type VerificationRequest struct {
	RuleID laurel.ID
	Rule   *schema.Properties
	// the member, then the others of its group in order of joining: what they have counts for each of them (contract 5.16)
	Members []Member
	Since   time.Time // what was done earlier does not count; zero: everything does
	Until   time.Time // what was done then or later does not count
	Request Request
	// for how long a function is waited for, and its run that has begun to decide; zero: none has
	WaitMode WaitMode
	RunID    laurel.ID
	Event    *Event // of a rule that it feeds: nobody is asked about, and the answer names the member; nil: none
	DryRun   bool   // nothing is paid: a function is told so
}

// WaitMode is for how long a function is waited for.
type WaitMode int

// How long that is.
const (
	WaitBriefly          WaitMode = iota // within a call: what takes longer is ended
	ContinueInBackground                 // within a call: what takes longer goes on, and the answer is Slow
	WaitFully                            // nobody waits: a function has its whole time
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

// Verification is the result of a VerificationRequest. Posts to external ledgers store it as JSON, so three fields keep
// the names under which they were first stored.
type Verification struct {
	Fulfilled bool           // the member has earned the rule
	Value     *laurel.Amount // what the provider measured, 0 or more; nil: nothing

	// The other fields are set by functions alone (contract 7.6, rule result).

	IsInvalid bool           `json:"Bad"` // the handler failed, or its result breaks the contract
	Amount    *laurel.Amount // replaces the rule's amount; nil: the rule's holds
	BadgeID   *laurel.ID     // replaces the rule's badge; nil: the rule's holds
	Key       string         // replaces the key of the window; "": the window's holds
	Data      string         // a JSON object for the metadata of the entry; "": none
	Wallet    string         // the wallet to pay, if it is none of the request's members; "": the member
	IsRunning bool           `json:"Slow"` // the function still runs
	RunID     laurel.ID      // of the function
	IsFinal   bool           `json:"Final"` // of an invalid result: another run would not change it
	// Requested holds the transactions that the function asks the payout driver for; nil: none.
	Requested *functions.RequestedTransactions
}

// Transaction is one that a function asks the payout driver for (contract 7.6).
type Transaction = functions.Call

// StagePayouts stages what a function asks the payout driver for, with the payment that goes by the verdict.
func (v Verification) StagePayouts(b *store.Batch, scope laurel.Scope) {
	if v.Requested != nil {
		functions.StageTransactions(b, scope, *v.Requested)
	}
}

// Provider puts questions to somebody.
type Provider interface {
	// IsAvailable reports whether questions of the rule can be put at all.
	IsAvailable(ctx context.Context, scope laurel.Scope, rule *schema.Properties) (bool, error)
	// Verify puts a question. Errors: Unanswered where there is no answer to go by; the question may be put again.
	Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error)
}

// Registry are all who may be asked, by driver. Rules of a driver without a port are not set up.
type Registry map[schema.Provider]Provider

// IsAvailable reports whether anybody can be asked about the rule.
func (p Registry) IsAvailable(ctx context.Context, scope laurel.Scope, rule *schema.Properties) (bool, error) {
	port := p[rule.Type.Kind().Provider]
	if port == nil {
		return false, nil
	}
	return port.IsAvailable(ctx, scope, rule)
}

// Verify puts a question to whom the rule's type names.
func (p Registry) Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error) {
	return p[q.Rule.Type.Kind().Provider].Verify(ctx, scope, q)
}
