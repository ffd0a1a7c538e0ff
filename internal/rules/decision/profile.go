package decision

import "laurel.example/laurel"

// Profile holds the facts about the member's own profile, and about the accounts, addresses and wallets of its group,
// which count for each of its members (contract 5.16).
type Profile struct {
	Fields          []string      // the filled ones of completeProfileConditions
	HasAccount      bool          `json:"Connected"` // has an account of the rule's platform
	PlatformLabel   string        `json:"Label"`     // the operator's name of that platform
	Followers       laurel.Amount // of the microblog account with the most followers
	HasVerifiedMark bool          `json:"Marked"` // a microblog account has the platform's mark of verified accounts
	EmailSet        bool
	EmailVerified   bool
	PhoneVerified   bool
	// IsCustomer says that a shop can know the member: by a verified address, or by its id in the caller's own systems.
	IsCustomer bool     `json:"Customer"`
	Wallets    []string // types of the proven wallets; "" if unknown
	// AccountPaid says that every connected account that could earn the rule has earned it in this window.
	AccountPaid bool
	// SharedAccountLabel is the display name of the platform whose account earned the rule in this window for somebody
	// else; "": no account did.
	SharedAccountLabel string `json:",omitempty"`
}

// checkVerifiedMark refuses if the rule requires a microblog account with the platform's mark of verified accounts and
// the member has none. A claim passes, because the run that found the member eligible has checked it.
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

// verifiedFactor returns the factor for members whose microblog account has the platform's mark of verified accounts
// (contract 5.4, item 3); none for others, and if the rule sets no factor.
func (f Facts) verifiedFactor() []laurel.Amount {
	if factor := f.Meta.VerifiedMultiplier; f.Meta.EnableVerifiedMultiplier && f.Profile.HasVerifiedMark && factor != nil {
		return []laurel.Amount{max(*factor, 0)}
	}
	return nil
}
