package decision

import "cmp"

// acceptsTrigger reports whether the rule may be completed by what asks for it. A rule with runs is paid by these, or,
// where its members are to claim, by their calls after a run found them eligible (contract 5.3).
func acceptsTrigger(f Facts) bool {
	kind := f.Rule.Type.Kind()
	switch f.TriggeredBy {
	case ByEvent:
		return kind.TriggeredByEvents
	case ByRun:
		return kind.Scheduled
	case ByAutoCheckIn:
		return kind.CheckedInByOthers
	}
	return kind.OnCall && !f.Rule.HasRuns() || f.isClaim()
}

// isClaim reports whether the call claims what a run has found the member eligible for: the run has verified it, and
// progress tells.
func (f Facts) isClaim() bool { return f.TriggeredBy == ByCall && f.Rule.IsClaimedByCall() }

// CheckRunnable returns nil where a run of the rule may pay anybody, else the refusal that everybody would get (steps 4
// to 6).
func CheckRunnable(f Facts) error {
	return cmp.Or(checkCurrency(f), checkSetUp(f), checkTime(f))
}
