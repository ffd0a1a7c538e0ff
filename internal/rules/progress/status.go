package progress

import (
	"time"

	"laurel"
	"laurel/internal/identity"
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

// Status is the row as callers see it. It has progress.
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

// StatusInput writes progress: Progress sets it, Increment adds to it; with both it is set, then added to (contract
// 4.2).
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

// Bounds returns what a written progress accepts (contract 3.16).
func (StatusInput) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{"progress": {"minimum": 0}, "incProgress": {"minimum": 0}}}
}

// Applied returns the progress after it was written: between 0 and the target. The increment cannot overflow, since
// both parts are cut to the target first.
func (in StatusInput) Applied(former, target laurel.Amount) laurel.Amount {
	if in.Progress != nil {
		former = *in.Progress
	}
	former = min(max(former, 0), target)
	if in.Increment != nil {
		former += min(*in.Increment, target-former)
	}
	return former
}
