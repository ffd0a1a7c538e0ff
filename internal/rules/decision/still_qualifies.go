package decision

// StillQualifies reports whether the rule's requirements on the member still hold (contract 5.5, rewardLifetime
// dynamic): its list, its chains, tracked progress, and what its type requires of profile, accounts and wallets. It
// leaves out what a member did once, such as entering a code, and who may begin: start and end, blocks, new users,
// required rules.
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

// requiresProgress reports whether progress is a lasting requirement, which the reward does not use up.
func (f Facts) requiresProgress() bool {
	return f.Rule.TrackProgress && !f.Rule.IsClaimedByCall() && !f.Meta.ResetProgressOnClaim
}
