package progress

import (
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
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

// Status returns the row as callers see it. It must have progress.
func (s *State) Status() Status {
	return Status{
		ID:             s.ID,
		OrganizationID: s.OrganizationID,
		WebsiteID:      s.WebsiteID,
		RuleID:         s.RuleID,
		UserID:         s.UserID,
		Progress:       *s.Progress,
		CreatedAt:      store.Time(s.CreatedAt),
		UpdatedAt:      store.Time(s.UpdatedAt),
	}
}

// StatusInput writes progress: Progress sets it, Increment adds to it. With both it is set first (contract 4.2).
type StatusInput struct {
	RuleID    laurel.ID
	User      identity.Ref
	Progress  *laurel.Amount
	Increment *laurel.Amount
}

// Validate returns nil or an Invalid error with every fault.
func (in StatusInput) Validate() error {
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

// Bounds returns the limits of written progress (contract 3.16).
func (StatusInput) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{"progress": {"minimum": 0}, "incProgress": {"minimum": 0}}}
}

// ApplyTo returns the progress after the write, between 0 and the target. Both parts are cut to the target first, so
// the sum cannot overflow.
func (in StatusInput) ApplyTo(progress, target laurel.Amount) laurel.Amount {
	if in.Progress != nil {
		progress = *in.Progress
	}
	progress = min(max(progress, 0), target)
	if in.Increment != nil {
		progress += min(*in.Increment, target-progress)
	}
	return progress
}
