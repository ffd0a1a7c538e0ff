package decision

import "time"

// Kind is what a rule type adds to the decision: pure functions of the facts. A nil function adds nothing.
type Kind struct {
	IsSetUp         func(Facts) bool  // whether the rule has what the type needs; otherwise it is not set up
	CheckVerifiable func(Facts) error // what must hold before a provider can be asked about the member
	Check           func(Facts) error // step 12: whether the member has done, or is, what the type asks
	ChecksState     bool              // Check looks at something that may end, such as a connected account

	DeferFor    func(Facts) (after time.Duration, waits bool) // the reward is decided again later
	AddToReward func(Facts, *Reward) error                    // what the reward holds beside its amount
	AddMissing  func(Facts, *Missing)                         // what a dry run tells beside what all types lack
}
