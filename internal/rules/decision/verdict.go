package decision

import (
	"laurel"
	"laurel/internal/rules/schema"
)

// Verdict is what a provider says of a member: a partner of the operator's, or a function (contract 6).
type Verdict struct {
	Able      bool           // there is somebody to ask
	Fulfilled bool           // asked, and the member has earned the rule
	Value     *laurel.Amount // what was measured of the member; nil: nothing was
	BadgeID   *laurel.ID     `json:",omitempty"` // the badge that a function has named
	Bad       bool           `json:",omitempty"` // a function failed, or said what cannot be gone by
	Keyed     bool           `json:",omitempty"` // a function has set a key in the place of the window
	Slow      bool           `json:",omitempty"` // a function still decides
}

// Asks reports whether a provider is asked about the member: there is one, it can know the member, and what it
// says decides anything. What a run has verified is not verified again when the member claims it; only what the reward
// is measured by is asked for then.
func Asks(f Facts) bool {
	return f.Rule.Type.Kind().Provider != schema.NoProvider && setUp(f) == nil && !f.Undecided() &&
		(!f.claims() || f.measured()) && (f.Kind.Known == nil || f.Kind.Known(f) == nil)
}

// Undecided reports whether a job waits for what a function says of the member, and is not what asks.
func (f Facts) Undecided() bool {
	return f.Rule.Type == schema.TypeFunction && f.By == ByCall && f.JobWaits && !f.JobAged
}

// Awaits reports whether the decision hangs on what a provider says: nothing else refuses before. The window of a
// rule that gives multipliers is no such refusal, since a better tier takes the place of what was given.
func Awaits(f Facts) bool {
	if !Asks(f) {
		return false
	}
	for _, s := range steps[:len(steps)-1] {
		better := s.name == "window" && f.Gives() && len(f.Meta.Range) > 0
		if !better && s.check(f) != nil {
			return false
		}
	}
	return true
}

// PerValue reports whether the rule pays its amount for each unit of what was measured.
func (f Facts) PerValue() bool { return f.Meta.PaysPerValue(f.Rule.Type) }

// measured reports whether what the rule pays depends on a value that a provider measures.
func (f Facts) measured() bool { return f.Meta.IsMeasured(f.Rule.Type) }

// valueFactor raises the amount of rules that pay for each unit of what was measured (contract 5.4, item 2).
func (f Facts) valueFactor() []laurel.Amount {
	if f.PerValue() && f.Verdict.Value != nil {
		return []laurel.Amount{*f.Verdict.Value}
	}
	return nil
}
