package completion

import (
	"cmp"
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/store"
)

// Status is a user's progress on a rule.
type Status = progress.Status

// StatusInput is a write of progress.
type StatusInput = progress.StatusInput

// WriteStatus writes progress, clamped to 0 and the rule's target (contract 5.7). It never pays by itself; increments
// are atomic. Errors: Invalid, NotFound "Loyalty rule" or "User".
func (s *Service) WriteStatus(ctx context.Context, scope laurel.Scope, in StatusInput) (Status, error) {
	if err := in.Validate(); err != nil {
		return Status{}, err
	}
	w := &statusWork{in: in}
	err := s.committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		rule, err := s.rules.Rule(ctx, scope, in.RuleID)
		if err != nil {
			return nil, err
		}
		if !rule.DeletedAt.IsZero() {
			return nil, laurel.Missing("Loyalty rule")
		}
		w.rule, w.scope = rule, scope.At(rule.WebsiteID)
		w.person, err = s.people.Person(ctx, w.scope, in.User)
		return w, err
	})
	return w.result, err
}

// statusWork is a write of progress on its way through the committer (a store.Work).
type statusWork struct {
	scope      laurel.Scope
	in         StatusInput
	rule       catalog.Rule
	person     identity.Person
	eligibleAt *int64 // when the run that writes it found the member eligible; nil: a caller writes it
	result     Status
}

func (w *statusWork) String() string {
	return "progress of rule " + w.rule.ID.String() + " of website " + w.scope.WebsiteID.String() + " by user " + w.person.UserID.String()
}

func (w *statusWork) key() progress.StateKey {
	return progress.StateKey{Rule: w.rule.ID, Subject: w.person.Subject()}
}

// Locks returns the locks of the person, the rule and the rule state.
func (w *statusWork) Locks() []store.Lock {
	return append(w.person.Locks(), catalog.Versions.Lock(w.rule.ID), progress.States.Lock(w.key()))
}

// Judge stages the progress. If it reaches the target, it also stages the change "LoyaltyRuleStatus completed". It
// returns store.ErrStale if the rule has changed since it was read.
func (w *statusWork) Judge(b *store.Batch) error {
	if catalog.Versions.Row(b, w.rule.ID).Version != w.rule.Version {
		return store.ErrStale
	}
	previous := laurel.Amount(0)
	if p := progress.States.Row(b, w.key()).Progress; p != nil {
		previous = *p
	}
	target := w.rule.Target()
	reached := w.in.ApplyTo(previous, target)
	if err := w.person.Admit(b, w.scope); err != nil {
		return err
	}
	now := store.Micros(b.Now())
	state := progress.States.Changed(b, w.key())
	state.Init(b, w.scope)
	state.Progress, state.UserID, state.UpdatedAt = &reached, w.person.UserID, now
	state.EligibleAt = cmp.Or(w.eligibleAt, &now)
	if previous < target && reached == target {
		data := encodeMetadata(map[string]any{"loyaltyRuleId": w.rule.ID, "userId": w.person.UserID, "progress": reached})
		feed.Changes.Add(
			b,
			feed.Change{OrganizationID: w.scope.OrganizationID, WebsiteID: w.scope.WebsiteID, EntityID: state.ID,
				Table: feed.TableRuleStatus, Action: feed.Completed, Data: data},
		)
	}
	w.result = state.Status()
	return nil
}
