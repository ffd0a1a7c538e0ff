package decision

import "cmp"

// acceptsTrigger reports whether this kind of trigger may complete the rule. A rule with runs is paid by them, or, if
// members must claim its reward, by their calls after a run found them eligible (contract 5.3).
func acceptsTrigger(f Facts) bool {
	kind := f.Rule.Type.Kind()
	switch f.TriggeredBy {
	case TriggerEvent:
		return kind.TriggeredByEvents
	case TriggerRun:
		return kind.Scheduled
	case TriggerAutoCheckIn:
		return kind.CheckedInByOthers
	}
	return kind.OnCall && !f.Rule.HasRuns() || f.isClaim()
}

// isClaim reports whether the call claims what a run found the member eligible for. The run has verified the member,
// and the progress shows it.
func (f Facts) isClaim() bool { return f.TriggeredBy == TriggerCall && f.Rule.IsClaimedByCall() }

// CheckRunnable returns nil if a run of the rule can pay anybody, else the refusal that every member would get (steps 4
// to 6).
func CheckRunnable(f Facts) error {
	return cmp.Or(checkCurrency(f), checkSetUp(f), checkTime(f))
}
