package decision

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
)

// Verdict is the result of a provider: a partner of the operator, or a function (contract 6).
type Verdict struct {
	HasProvider bool           `json:"Able"` // the rule has a provider to ask
	Fulfilled   bool           // the provider says that the member has earned the rule
	Value       *laurel.Amount // what the provider measured; nil: nothing
	// Units is what the amount is paid for each of; nil: the Value.
	Units      *laurel.Amount `json:",omitempty"`
	BadgeID    *laurel.ID     `json:",omitempty"`      // the badge that a function named
	IsUnusable bool           `json:"Bad,omitempty"`   // a function failed, or its result is invalid
	HasKey     bool           `json:"Keyed,omitempty"` // a function set a key that replaces the window
	IsPending  bool           `json:"Slow,omitempty"`  // a function is still deciding, or a job will ask the platform
	// Refusal says what the platform has not found, as a refusal; "": nothing particular.
	Refusal string `json:",omitempty"`
	// AccountNames are the names of the account that the platform has verified; none: no account matters.
	AccountNames []string `json:"-"`
	// PostID identifies the post that earns the rule; "": none does.
	PostID string `json:"-"`
}

// AsksProvider reports whether a provider is asked about the member: the rule is set up, the provider can know the
// member, and its result matters. A claim asks only for a value that the reward depends on, since the run has verified
// the member.
func AsksProvider(f Facts) bool {
	return f.Rule.Type.Kind().Provider != schema.NoProvider && checkSetUp(f) == nil && !f.AwaitsFunction() &&
		(!f.isClaim() || f.dependsOnValue()) && (f.Kind.CheckVerifiable == nil || f.Kind.CheckVerifiable(f) == nil)
}

// AwaitsFunction reports whether a pending job already waits for the function's result on the member.
func (f Facts) AwaitsFunction() bool {
	return f.Rule.Type == schema.TypeFunction && f.TriggeredBy == TriggerCall && f.HasPendingJob && !f.DecidedByJob
}

// DependsOnProvider reports whether the decision depends on the provider because nothing before it refuses. The window
// of a rule that grants multipliers by tiers does not count, since the provider may measure a better tier.
func DependsOnProvider(f Facts) bool {
	if !AsksProvider(f) {
		return false
	}
	for _, s := range checkOrder[:len(checkOrder)-1] {
		mayImprove := s.name == "window" && f.GrantsMultiplier() && len(f.Meta.Range) > 0
		if !mayImprove && s.check(f) != nil {
			return false
		}
	}
	return true
}

// PaysPerValue reports whether the rule pays its amount per unit of the measured value.
func (f Facts) PaysPerValue() bool { return f.Meta.PaysPerValue(f.Rule.Type) }

// dependsOnValue reports whether the reward depends on a value that a provider measures.
func (f Facts) dependsOnValue() bool { return f.Meta.IsMeasured(f.Rule.Type) }

// valueFactor returns the measured value as a factor, for rules that pay per unit (contract 5.4, item 2); none for
// other rules, and if nothing was measured.
func (f Facts) valueFactor() []laurel.Amount {
	switch {
	case !f.PaysPerValue():
		return nil
	case f.Verdict.Units != nil:
		return []laurel.Amount{*f.Verdict.Units}
	case f.Verdict.Value != nil:
		return []laurel.Amount{*f.Verdict.Value}
	}
	return nil
}
