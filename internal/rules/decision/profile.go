package decision

import "laurel"

// Profile is what rules ask of the member: its own profile, and the accounts, addresses and wallets of its group, which
// count for each member of it (contract 5.16).
type Profile struct {
	Fields          []string      // of completeProfileConditions that are filled
	HasAccount      bool          `json:"Connected"` // an account of the platform that the rule asks for
	PlatformLabel   string        `json:"Label"`     // of that platform, as the operator calls it
	Followers       laurel.Amount // of the microblog account that has most
	HasVerifiedMark bool          `json:"Marked"` // a microblog account bears the platform's own mark
	EmailSet        bool
	EmailVerified   bool
	PhoneVerified   bool
	// a shop can know the member: by a verified address, or by the id that the caller's own systems have for it
	IsCustomer bool     `json:"Customer"`
	Wallets    []string // types of the proven wallets; "" of one that is unknown
	// each account by which the rule could be earned has earned it in this window, whoever held it then
	AccountPaid bool
}

// checkVerifiedMark: where the rule asks for it, a microblog account that bears the platform's own mark. That an
// account is missing comes first.
func checkVerifiedMark(f Facts) error {
	switch {
	case !f.Meta.HasVerifiedMicroblog || f.isClaim():
		return nil
	case !f.Profile.HasAccount:
		return laurel.Errorf(laurel.Refused, MsgNotConnected, f.Profile.PlatformLabel)
	case !f.Profile.HasVerifiedMark:
		return Refuse(MsgNotCompleted)
	}
	return nil
}

// verifiedFactor raises the amount of members with a marked microblog account (contract 5.4, item 3).
func (f Facts) verifiedFactor() []laurel.Amount {
	if factor := f.Meta.VerifiedMultiplier; f.Meta.EnableVerifiedMultiplier && f.Profile.HasVerifiedMark && factor != nil {
		return []laurel.Amount{max(*factor, 0)}
	}
	return nil
}
