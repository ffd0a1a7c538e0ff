package completions

import (
	"context"
	"encoding/json"
	"time"

	"laurel"
	"laurel/internal/events"
	"laurel/internal/identity"
	"laurel/internal/memory"
	"laurel/internal/rules"
	"laurel/internal/store"
)

// Status is a user's progress on a rule (contract 3.16).
type Status struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	RuleID         laurel.ID
	UserID         laurel.ID
	Progress       laurel.Amount
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// StatusInput writes progress: Progress sets it, Increment adds to it; with both it is set, then added to (contract 4.2).
type StatusInput struct {
	RuleID    laurel.ID
	User      identity.Ref
	Progress  *laurel.Amount
	Increment *laurel.Amount
}

func (in StatusInput) validate() error {
	var f laurel.Faults
	if in.RuleID.IsZero() {
		f.Add("loyaltyRuleId", "is required")
	}
	in.User.Validate(&f)
	if in.Progress == nil && in.Increment == nil {
		f.AddText("progress", "progress or incProgress is required")
	}
	if in.Progress != nil && *in.Progress < 0 {
		f.Add("progress", "must be at least 0")
	}
	if in.Increment != nil && *in.Increment < 0 {
		f.Add("incProgress", "must be at least 0")
	}
	return f.Err()
}

// WriteStatus writes progress, clamped to 0 and the rule's target (contract 5.7). It never rewards by itself; increments are atomic. Errors:
// Invalid, NotFound "Loyalty rule" or "User".
func (s *Service) WriteStatus(ctx context.Context, scope laurel.Scope, in StatusInput) (Status, error) {
	if err := in.validate(); err != nil {
		return Status{}, err
	}
	w := &statusWork{in: in}
	err := s.committer.Submit(ctx, func() (store.Work, error) {
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
	return w.made, err
}

// statusWork is a progress write on its way through the committer.
type statusWork struct {
	scope  laurel.Scope
	in     StatusInput
	rule   rules.Rule
	person identity.Person
	made   Status
}

func (w *statusWork) String() string {
	return "progress of rule " + w.rule.ID.String() + " of website " + w.scope.WebsiteID.String() + " by user " + w.person.UserID.String()
}

func (w *statusWork) key() memory.Key {
	return memory.Key{Rule: w.rule.ID, Subject: w.person.Subject()}
}

func (w *statusWork) Locks() []store.Lock {
	return append(w.person.Locks(), rules.Versions.Lock(w.rule.ID), memory.Subjects.Lock(w.key()))
}

func (w *statusWork) Judge(b *store.Batch) error {
	if rules.Versions.Row(b, w.rule.ID).Version != w.rule.Version {
		return store.ErrStale
	}
	former := laurel.Amount(0)
	if p := memory.Subjects.Row(b, w.key()).Progress; p != nil {
		former = *p
	}
	target := w.rule.Target()
	progress := clamp(former, w.in.Progress, w.in.Increment, target)
	if err := w.person.Admit(b, w.scope); err != nil {
		return err
	}
	now := store.Micros(b.Now())
	sub := memory.Subjects.Changed(b, w.key())
	if sub.ID.IsZero() {
		sub.ID, sub.OrganizationID, sub.WebsiteID, sub.CreatedAt = b.NewID(), w.scope.OrganizationID, w.scope.WebsiteID, now
	}
	sub.Progress, sub.UserID, sub.UpdatedAt = &progress, w.person.UserID, now
	if former < target && progress == target {
		data, err := json.Marshal(map[string]any{"loyaltyRuleId": w.rule.ID, "userId": w.person.UserID, "progress": progress})
		if err != nil {
			return err
		}
		events.Changes.Add(b, events.Change{OrganizationID: w.scope.OrganizationID, WebsiteID: w.scope.WebsiteID, EntityID: sub.ID,
			Table: events.RuleStatus, Action: events.Completed, Data: data})
	}
	w.made = Status{ID: sub.ID, OrganizationID: sub.OrganizationID, WebsiteID: sub.WebsiteID, RuleID: sub.RuleID, UserID: w.person.UserID,
		Progress: progress, CreatedAt: store.Time(sub.CreatedAt), UpdatedAt: store.Time(sub.UpdatedAt)}
	return nil
}

// clamp answers the new progress. The increment cannot overflow: both parts are cut to the target first.
func clamp(former laurel.Amount, set, increment *laurel.Amount, target laurel.Amount) laurel.Amount {
	if set != nil {
		former = *set
	}
	former = min(max(former, 0), target)
	if increment != nil {
		former += min(*increment, target-former)
	}
	return former
}
