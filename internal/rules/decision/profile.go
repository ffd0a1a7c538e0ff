package decision

import (
	"maps"
	"slices"

	"laurel"
	"laurel/internal/rules/schema"
)

// Profile is what rules ask of the member: its own profile, and the accounts, addresses and wallets of its group, which
// count for each member of it (contract 5.16).
type Profile struct {
	Fields        []string      // of completeProfileConditions that are filled
	Connected     bool          // an account of the platform that the rule asks for
	Label         string        // of that platform, as the operator calls it
	Followers     laurel.Amount // of the microblog account that has most
	Marked        bool          // a microblog account bears the platform's own mark
	EmailSet      bool
	EmailVerified bool
	PhoneVerified bool
	// a shop can know the member: by a verified address, or by the id that the caller's own systems have for it
	Customer bool
	Wallets  []string // types of the proven wallets; "" of one that is unknown
	// each account by which the rule could be earned has earned it in this window, whoever held it then
	AccountPaid bool
}

// account: an account of the type's platform, of a microblog with enough followers.
func account(f Facts) error {
	if !f.Profile.Connected {
		return laurel.Errorf(laurel.Refused, MsgNotConnected, f.Profile.Label)
	}
	if least := f.Meta.MinimumFollowers; f.Rule.Type == schema.TypeConnectedMicroblog && least != nil &&
		f.Profile.Followers < *least {
		return Refuse(MsgNotCompleted)
	}
	return nil
}

// marked: where the rule asks for it, a microblog account that bears the platform's own mark. That an account is
// missing comes first.
func marked(f Facts) error {
	switch {
	case !f.Meta.HasVerifiedMicroblog || f.claims():
		return nil
	case !f.Profile.Connected:
		return laurel.Errorf(laurel.Refused, MsgNotConnected, f.Profile.Label)
	case !f.Profile.Marked:
		return Refuse(MsgNotCompleted)
	}
	return nil
}

// verifiedFactor raises the amount of members with a marked microblog account (contract 5.4, item 3).
func (f Facts) verifiedFactor() []laurel.Amount {
	if factor := f.Meta.VerifiedMultiplier; f.Meta.EnableVerifiedMultiplier && f.Profile.Marked && factor != nil {
		return []laurel.Amount{max(*factor, 0)}
	}
	return nil
}

func email(f Facts) error {
	switch {
	case f.Profile.EmailVerified:
		return nil
	case f.Profile.EmailSet:
		return Refuse(MsgEmailUnverified)
	}
	return Refuse(MsgEmail)
}

func phone(f Facts) error {
	if !f.Profile.PhoneVerified {
		return Refuse(MsgPhone)
	}
	return nil
}

// wanted are the fields that the rule wants filled, in order.
func wanted(f Facts) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(f.Meta.CompleteProfile)) {
		if yes := f.Meta.CompleteProfile[name]; yes != nil && *yes {
			names = append(names, name)
		}
	}
	return names
}

func asksFields(f Facts) bool { return len(wanted(f)) > 0 }

// profile: every chosen field is filled. A field that nobody knows never is.
func profile(f Facts) error {
	for _, name := range wanted(f) {
		if !slices.Contains(f.Profile.Fields, name) {
			return Refuse(MsgNotCompleted)
		}
	}
	return nil
}

// wallet: a proven wallet of the rule's type.
func wallet(f Facts) error {
	for _, kind := range f.Profile.Wallets {
		if f.Meta.WalletType == "" || kind == f.Meta.WalletType {
			return nil
		}
	}
	return Refuse(MsgNotCompleted)
}
