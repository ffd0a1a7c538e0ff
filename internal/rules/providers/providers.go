// Package providers owns the verification of members by providers before a rule pays: by the operator's partners, by
// functions and by platforms. It knows how a verification request is sent and which responses are valid. It does not
// own when a provider is asked (completion), nor what a verification is worth (decision).
package providers

import (
	"context"
	"encoding/json"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/functions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// VerificationRequest asks whether a member has earned a rule (contract 6).
type VerificationRequest struct {
	RuleID laurel.ID
	Rule   *schema.Properties
	// The member, then the other members of its group in order of joining: what one has counts for all (contract 5.16).
	Members []Member
	Since   time.Time // only what the member did from here on counts; zero: everything
	Until   time.Time // only what the member did before counts
	Request Request
	// How long to wait for a function, and its run that was started for the same request; zero: none.
	WaitMode WaitMode
	RunID    laurel.ID
	Event    *Event // the event that triggers the rule: Members is empty, and the result names the member; nil: none
	DryRun   bool   // nothing will be paid; functions can see this
	// CountsFrom is from when on the rule counts what members do on blockchains, whatever Since says.
	CountsFrom time.Time
	// RunAt is the time of the run that asks: blockchains are read at the last block of this moment; zero: as they are
	// now.
	RunAt time.Time
}

// WaitMode says how long to wait for a function.
type WaitMode int

// The wait modes.
const (
	WaitBriefly          WaitMode = iota // within a call: a run that takes longer is ended
	ContinueInBackground                 // within a call: a run that takes longer continues, and the result is IsRunning
	WaitFully                            // outside a call: a run may take its full time
)

// Event is an event of a subscription that triggers a rule.
type Event struct {
	ID, SubscriptionID laurel.ID
	Body               json.RawMessage // the v2 body (contract 7.3)
	Attempt            int             // counts from 1
}

// Member holds the ids by which providers may know a member.
type Member struct {
	UserID     laurel.ID         // zero for a wallet without a user
	Wallet     string            // "" without one
	WalletType string            // "" while unknown
	Email      string            // a verified address in its normalized form; "" without one
	ExternalID string            // externalIdentifier; "" without one
	Profile    *identity.Profile // the member's profile on this website; nil: none
}

// Request holds what the caller sent along. It is empty in runs.
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

	// The next fields are set by functions alone (contract 7.6, rule result), and so is Requested.

	IsInvalid bool           `json:"Bad"` // the handler failed, or its result breaks the contract
	Amount    *laurel.Amount // replaces the rule's amount; nil: the rule's holds
	BadgeID   *laurel.ID     // replaces the rule's badge; nil: the rule's holds
	Key       string         // replaces the key of the window; "": the window's holds
	Data      string         // a JSON object for the metadata of the entry; "": none
	Wallet    string         // the wallet to pay, if it is none of the request's members; "": the member
	IsRunning bool           `json:"Slow"` // the function still runs
	RunID     laurel.ID      // of the function
	IsFinal   bool           `json:"Final"` // of an invalid result: another run would not change it
	// The next fields are set by platforms alone.

	Refusal      string   `json:",omitempty"` // what was not found, as a refusal of contract 5.1; "": the default of the type
	AccountNames []string `json:",omitempty"` // the names of the account that was verified, as identity names accounts
	PostID       string   `json:",omitempty"` // the post that earns the rule; "": none does
	// Units, if set, are what the rule's amount is paid for each of, in place of the Value. Blockchains set it, Data and
	// Refusal.
	Units *laurel.Amount `json:",omitempty"`

	// Requested holds the transactions that the function asks the payout driver for; nil: none.
	Requested *functions.RequestedTransactions
}

// Transaction is a transaction that a function asks the payout driver for (contract 7.6).
type Transaction = functions.Call

// StagePayouts stages the transactions that a function asks the payout driver for, together with the payment.
func (v Verification) StagePayouts(b *store.Batch, scope laurel.Scope) {
	if v.Requested != nil {
		functions.StageTransactions(b, scope, *v.Requested)
	}
}

// Provider verifies members.
type Provider interface {
	// IsAvailable reports whether members can be verified for the rule at all.
	IsAvailable(ctx context.Context, scope laurel.Scope, rule *schema.Properties) (bool, error)
	// Verify sends a request. It returns Unanswered if there is no valid response; the request may be repeated.
	Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error)
}

// RunPreparer is a Provider that must be ready for a run of a rule before the run begins.
type RunPreparer interface {
	// PrepareRun returns NotReady as long as the run must wait; Refused if the run can pay nobody; Unanswered.
	PrepareRun(ctx context.Context, scope laurel.Scope, rule *schema.Properties, at time.Time) error
}

// Prefetcher is a Provider that learns about many members at once for less than about each.
type Prefetcher interface {
	// Prefetch reads what Verify will need for requests that differ in their members alone. Errors: Unanswered.
	Prefetch(ctx context.Context, scope laurel.Scope, requests []VerificationRequest) error
}

// NotReady is the error of a provider that must wait before it can verify the members of a run. It is the reason.
type NotReady string

// Error returns the reason.
func (n NotReady) Error() string { return string(n) }

// Registry holds the providers by their kind. Rules whose kind has no provider are not available.
type Registry map[schema.Provider]Provider

// chooser is a Provider that leaves each rule to one of several.
type chooser interface {
	providerOf(rule *schema.Properties) Provider
}

// providerOf returns the provider that verifies members for a rule; nil if there is none.
func (p Registry) providerOf(rule *schema.Properties) Provider {
	provider := p[rule.Type.Kind().Provider]
	if c, ok := provider.(chooser); ok {
		return c.providerOf(rule)
	}
	return provider
}

// IsAvailable reports whether members can be verified for the rule.
func (p Registry) IsAvailable(ctx context.Context, scope laurel.Scope, rule *schema.Properties) (bool, error) {
	provider := p.providerOf(rule)
	if provider == nil {
		return false, nil
	}
	return provider.IsAvailable(ctx, scope, rule)
}

// PrepareRun prepares the provider of the rule's type for a run of the rule at a moment, if it needs that.
func (p Registry) PrepareRun(
	ctx context.Context, scope laurel.Scope, rule *schema.Properties, at time.Time,
) error {
	if provider, ok := p.providerOf(rule).(RunPreparer); ok {
		return provider.PrepareRun(ctx, scope, rule, at)
	}
	return nil
}

// Prefetches reports whether the provider of the rule's type learns about many members at once.
func (p Registry) Prefetches(rule *schema.Properties) bool {
	_, ok := p.providerOf(rule).(Prefetcher)
	return ok
}

// Prefetch lets the provider of the rule's type, which must be one that prefetches, read what Verify will need.
func (p Registry) Prefetch(
	ctx context.Context, scope laurel.Scope, rule *schema.Properties, requests []VerificationRequest,
) error {
	provider, ok := p.providerOf(rule).(Prefetcher)
	if !ok || len(requests) == 0 {
		return nil
	}
	return provider.Prefetch(ctx, scope, requests)
}

// Verify sends a request to the provider of the rule's type, which must be available.
func (p Registry) Verify(ctx context.Context, scope laurel.Scope, q VerificationRequest) (Verification, error) {
	return p.providerOf(q.Rule).Verify(ctx, scope, q)
}
