package decision

import "time"

// Kind is what a rule type adds to the decision, as pure functions of the facts. A nil function adds nothing.
type Kind struct {
	IsSetUp         func(Facts) bool  // reports whether the rule has what the type needs
	CheckVerifiable func(Facts) error // refuses if a provider cannot know the member
	Check           func(Facts) error // step 12: refuses if the member has not done what the type requires
	ChecksState     bool              // Check looks at something that may end, such as a connected account

	DeferFor    func(Facts) (after time.Duration, waits bool) // says whether the decision is deferred, and for how long
	AddToReward func(Facts, *Reward) error                    // adds to the reward, such as credits of milestones
	AddMissing  func(Facts, *Missing)                         // adds what dry runs show as missing
}
