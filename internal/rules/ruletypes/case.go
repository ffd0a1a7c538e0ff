package ruletypes

import (
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// Deps holds what steps read with.
type Deps struct {
	DB         *store.DB
	People     *identity.Service
	Engagement *engagement.Service
	Loaders    *Loaders
}

// Case is one completion as its steps see it: the call, and the rule and the person that were found for it. The steps
// add to it while the completion is prepared. It does not change under locks.
type Case struct {
	Scope            laurel.Scope
	In               Input
	Rule             catalog.Rule
	HasRequiredRules bool // some rules of the website are required before others
	Kind             *Kind
	Person           identity.Person
	Trigger          Trigger
	PreparedFacts    decision.Facts // the facts that steps have read without locks
	// VerifiedUpTo is the end of the time that a provider was asked about; zero: none was asked.
	VerifiedUpTo time.Time
	// UsedAccounts are the rule states of the connected accounts that may not earn the rule any more, the first of each,
	// as far as they were read without locks.
	UsedAccounts []progress.StateKey
	// PaysReferrer says that the payment includes a bonus for the referrer. The step of referrals sets it.
	PaysReferrer bool
	RunID        laurel.ID // the run of a function that is still deciding; zero: none
	Accepted     *Accepted // what an external ledger has accepted; nil: the completion is decided now
}

// Trigger describes what triggers a completion. It sets the moment and the window of the decision.
type Trigger struct {
	Name           string // for the log
	Kind           decision.TriggerKind
	Moment         time.Time           // the completion is decided as of this moment; zero: now
	Window         string              // the key of the window to pay, if HasFixedWindow
	HasFixedWindow bool                // Window counts instead of the calendar
	PreviousRunAt  time.Time           // when the run before was; zero: no run, or the first one
	Job            *completionjobs.Job // the job that is decided; nil: none
	CountsRefusals bool                // refusals are counted, because a caller or an event asked
	Event          *ContractEvent      // the event of a contract; nil: none
}

// Accepted says what an external ledger was asked to accept of a payment, and has accepted, whatever has changed since.
type Accepted struct {
	EligibleAt   *int64      // when the run found the member eligible whose reward is claimed; nil: no claim
	Claimants    []laurel.ID // the members of the group when the reward was claimed
	PaysReferrer bool
}

// DecisionTime returns the moment as of which the completion is decided: the trigger's, else the one up to which a
// provider was asked, else now.
func (c *Case) DecisionTime(now time.Time) time.Time {
	if at := c.Trigger.Moment; !at.IsZero() {
		return at
	}
	if !c.VerifiedUpTo.IsZero() {
		return c.VerifiedUpTo
	}
	return now
}

// IsCallOrCheckIn reports whether a call or an automatic check-in triggers the completion, and not a run or an event.
func (c *Case) IsCallOrCheckIn() bool {
	return c.Trigger.Kind == decision.TriggerCall || c.Trigger.Kind == decision.TriggerAutoCheckIn
}

// IsClaim reports whether the member claims what a run found it eligible for (contract 5.3).
func (c *Case) IsClaim() bool { return c.IsCallOrCheckIn() && c.Rule.IsClaimedByCall() }

// ClaimEligibleAt returns when a run of the rule found the member eligible for the reward that the member claims now,
// in Unix microseconds. It is nil if this completion is no claim, or no run found the member eligible. For a claim that
// an external ledger has accepted it is the time that was stored with the post; for others that of the rule state.
func (c *Case) ClaimEligibleAt(state *progress.State) *int64 {
	switch {
	case !c.IsClaim():
		return nil
	case c.Accepted != nil && c.Accepted.EligibleAt != nil:
		return c.Accepted.EligibleAt
	}
	return state.EligibleAt
}

// PaidUpTo returns the moment, in microseconds, up to which the payment covers what the member did: that of the
// decision. If a claim rests on a provider that was only asked by the run which found the member eligible, and has
// measured nothing, it is that of the run: the provider does not know what the member did since. So it is if a claim
// pays what runs have read of the past of blockchains.
func (c *Case) PaidUpTo(b *store.Batch) int64 {
	found := c.ClaimEligibleAt(progress.States.Row(b, c.StateKey()))
	isOfRun := c.Kind.Provider == schema.HistoryProvider || !c.Rule.Meta().IsMeasured(c.Rule.Type)
	if found != nil && c.Kind.AsksProvider() && isOfRun {
		return *found
	}
	return store.Micros(c.DecisionTime(b.Now()))
}

// StateKey returns the key of the rule state of the member, or of its group.
func (c *Case) StateKey() progress.StateKey {
	return progress.StateKey{Rule: c.Rule.ID, Subject: c.Person.Subject()}
}

// OwnStateKey returns the key of the rule state of the member alone.
func (c *Case) OwnStateKey() progress.StateKey {
	return progress.StateKey{Rule: c.Rule.ID, Subject: c.Person.UserID}
}
