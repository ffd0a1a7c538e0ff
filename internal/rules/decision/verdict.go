package decision

import (
	"laurel"
	"laurel/internal/rules/schema"
)

// Verdict is what a provider says of a member: a partner of the operator's, or a function (contract 6).
type Verdict struct {
	HasProvider bool           `json:"Able"` // there is somebody to ask
	Fulfilled   bool           // asked, and the member has earned the rule
	Value       *laurel.Amount // what was measured of the member; nil: nothing was
	BadgeID     *laurel.ID     `json:",omitempty"`      // the badge that a function has named
	IsUnusable  bool           `json:"Bad,omitempty"`   // a function failed, or said what cannot be gone by
	HasKey      bool           `json:"Keyed,omitempty"` // a function has set a key in the place of the window
	IsPending   bool           `json:"Slow,omitempty"`  // a function still decides
}

// AsksProvider reports whether a provider is asked about the member: there is one, it can know the member, and what it
// says decides anything. What a run has verified is not verified again when the member claims it; only what the reward
// is measured by is asked for then.
func AsksProvider(f Facts) bool {
	return f.Rule.Type.Kind().Provider != schema.NoProvider && checkSetUp(f) == nil && !f.AwaitsFunction() &&
		(!f.isClaim() || f.dependsOnValue()) && (f.Kind.CheckVerifiable == nil || f.Kind.CheckVerifiable(f) == nil)
}

// AwaitsFunction reports whether a job waits for what a function says of the member, and is not what asks.
func (f Facts) AwaitsFunction() bool {
	return f.Rule.Type == schema.TypeFunction && f.TriggeredBy == ByCall && f.HasPendingJob && !f.DecidedByJob
}

// DependsOnProvider reports whether the decision hangs on what a provider says: nothing else refuses before. The window
// of a rule that gives multipliers is no such refusal, since a better tier takes the place of what was given.
func DependsOnProvider(f Facts) bool {
	if !AsksProvider(f) {
		return false
	}
	for _, s := range checkOrder[:len(checkOrder)-1] {
		better := s.name == "window" && f.GrantsMultiplier() && len(f.Meta.Range) > 0
		if !better && s.check(f) != nil {
			return false
		}
	}
	return true
}

// PerValue reports whether the rule pays its amount for each unit of what was measured.
func (f Facts) PerValue() bool { return f.Meta.PaysPerValue(f.Rule.Type) }

// dependsOnValue reports whether what the rule pays depends on a value that a provider measures.
func (f Facts) dependsOnValue() bool { return f.Meta.IsMeasured(f.Rule.Type) }

// valueFactor raises the amount of rules that pay for each unit of what was measured (contract 5.4, item 2).
func (f Facts) valueFactor() []laurel.Amount {
	if f.PerValue() && f.Verdict.Value != nil {
		return []laurel.Amount{*f.Verdict.Value}
	}
	return nil
}
