package decision

// StillQualifies reports whether what the rule asks of the member's state holds still (contract 5.5, rewardLifetime
// dynamic): its list, its chains, tracked progress, and what its type asks of profile, accounts and wallets. What a
// member did once, such as entering a code, is done for good; who may begin at all (start and end, blocks, new users,
// required rules) is no requirement of what was given.
func StillQualifies(f Facts) bool {
	if checkListed(f) != nil || checkVerifiedMark(f) != nil || f.requiresProgress() && f.Progress < f.Rule.Target() {
		return false
	}
	for _, c := range f.Chains {
		if !c.IsOpen() {
			return false
		}
	}
	return f.Kind == nil || !f.Kind.ChecksState || f.Kind.Check(f) == nil
}

// requiresProgress reports whether progress tells of the requirement, and is not used up by the reward.
func (f Facts) requiresProgress() bool {
	return f.Rule.TrackProgress && !f.Rule.IsClaimedByCall() && !f.Meta.ResetProgressOnClaim
}
