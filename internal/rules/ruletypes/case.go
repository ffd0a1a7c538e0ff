package ruletypes

import (
	"time"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/completionjobs"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/store"
)

// Deps is what steps read with.
type Deps struct {
	DB         *store.DB
	People     *identity.Service
	Engagement *engagement.Service
	Loaders    *Loaders
}

// Case is one completion as its steps see it: who, what, when. It is read before the decision and stays as it is then.
type Case struct {
	Scope            laurel.Scope
	In               Input
	Rule             catalog.Rule
	HasRequiredRules bool // the website has rules or groups that come before others
	Kind             *Kind
	Person           identity.Person
	Trigger          Trigger
	PreparedFacts    decision.Facts // what steps have read ahead
	// VerifiedUpTo is up to when a provider was asked about the member; zero: nobody was.
	VerifiedUpTo time.Time
	// EligibleAt is up to when the run looked that had found what is claimed, where that went to an external ledger.
	EligibleAt        *int64
	RunID             laurel.ID          // of the function that still decides; zero: none does
	PostedTransaction ledger.Transaction // what was posted, for steps that stage what comes with it
}

// Trigger is what is known of whatever asks for a completion. It owns the moment that is judged and the window that is
// claimed.
type Trigger struct {
	Name           string // in the log
	Kind           decision.TriggerKind
	Moment         time.Time           // the completion is judged as of then; zero: as of when it is
	Window         string              // the key of the window that is claimed, where Fixed
	HasFixedWindow bool                // neither the calendar nor what the rule remembers tells the window
	PreviousRunAt  time.Time           // of a run: up to when the one before looked; zero where there was none
	Job            *completionjobs.Job // the click that has aged; nil: none has
}

// DecisionTime returns the moment that the decision is about: the trigger's, or up to which a provider was asked, or
// now.
func (c *Case) DecisionTime(now time.Time) time.Time {
	if at := c.Trigger.Moment; !at.IsZero() {
		return at
	}
	if !c.VerifiedUpTo.IsZero() {
		return c.VerifiedUpTo
	}
	return now
}

// IsCallOrCheckIn reports whether a call, or what checks a member in, asks for the completion, and not a run or an
// event.
func (c *Case) IsCallOrCheckIn() bool {
	return c.Trigger.Kind == decision.ByCall || c.Trigger.Kind == decision.ByAutoCheckIn
}

// IsClaim reports whether the member calls for what a run has found it eligible for (contract 5.3).
func (c *Case) IsClaim() bool { return c.IsCallOrCheckIn() && c.Rule.IsClaimedByCall() }

// ClaimedEligibility returns up to when the run looked that found what is claimed; nil: nothing is claimed.
func (c *Case) ClaimedEligibility(sub *progress.State) *int64 {
	switch {
	case !c.IsClaim():
		return nil
	case c.EligibleAt != nil:
		return c.EligibleAt
	}
	return sub.EligibleAt
}

// PaidUpTo is the moment in microseconds up to which is paid for what was done: that of the decision, and where nothing
// measures the reward that of the run which found what is claimed. When it is claimed says nothing then.
func (c *Case) PaidUpTo(b *store.Batch) int64 {
	found := c.ClaimedEligibility(progress.States.Row(b, c.StateKey()))
	if found != nil && c.Kind.AsksProvider() && !c.Rule.Meta().IsMeasured(c.Rule.Type) {
		return *found
	}
	return store.Micros(c.DecisionTime(b.Now()))
}

// StateKey names what the rule remembers of the member, or of its group.
func (c *Case) StateKey() progress.StateKey {
	return progress.StateKey{Rule: c.Rule.ID, Subject: c.Person.Subject()}
}

// OwnStateKey names what the rule remembers of the member alone.
func (c *Case) OwnStateKey() progress.StateKey {
	return progress.StateKey{Rule: c.Rule.ID, Subject: c.Person.UserID}
}
