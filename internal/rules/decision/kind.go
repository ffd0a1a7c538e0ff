package decision

import "time"

// Kind is what a rule type adds to the decision: pure functions of the facts. A nil function adds nothing.
type Kind struct {
	Equipped func(Facts) bool  // whether the rule has what the type needs; otherwise it is not set up
	Known    func(Facts) error // what must hold before a provider can be asked about the member
	Check    func(Facts) error // step 12: whether the member has done, or is, what the type asks
	State    bool              // Check looks at what the member is or has, which may end; anything else was done once

	Waits func(Facts) (after time.Duration, waits bool) // the reward is decided again later
	Adds  func(Facts, *Reward) error                    // what the reward holds beside its amount
	Lacks func(Facts, *Missing)                         // what a dry run tells beside what all types lack
}
