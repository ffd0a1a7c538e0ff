package decision

import (
	"strings"

	"laurel/internal/rulebook"
)

// verification is what a call of a type is verified by (contract 6).
type verification struct {
	equipped func(Facts) bool  // whether the rule has what the type needs; nil: it needs nothing
	check    func(Facts) error // step 12; nil: nothing is verified
	state    bool              // check looks at what the member is or has, which may end; anything else was done once
}

// types are those that a call can complete.
var types = withAccounts(map[rulebook.Type]verification{
	rulebook.TypeExternal:  {},
	rulebook.TypeCheckIn:   {check: checkIn},
	rulebook.TypeCodeEntry: {equipped: hasCode, check: code},
	rulebook.TypeTextInput: {check: text},
	rulebook.TypeLinkClick: {equipped: func(f Facts) bool { return f.Meta.Link != "" }, check: click},
	rulebook.TypeBonus:     {check: bonus},
	rulebook.TypeAirdrop:   {equipped: hasList},
	rulebook.TypeUpload:    {equipped: hasList},
	rulebook.TypeQuiz:      {check: choice},
	rulebook.TypePoll:      {check: choice},

	rulebook.TypeProfileCompleted: {equipped: asksFields, check: profile, state: true},
	rulebook.TypeConnectWallet:    {check: wallet, state: true},
	rulebook.TypeConnectedEmail:   {check: email, state: true},
	rulebook.TypeConnectedPhone:   {check: phone, state: true},

	rulebook.TypeReferredUser: {check: referred},

	rulebook.TypePartnerAccount:  {equipped: answerable, check: fulfilled},
	rulebook.TypeShopSpend:       {equipped: answerable, check: spent},
	rulebook.TypeAttendanceToken: {equipped: answerable, check: fulfilled},
	rulebook.TypeGovernanceVote:  {equipped: answerable, check: fulfilled},
	rulebook.TypeListing:         {equipped: answerable, check: fulfilled},
	rulebook.TypeSwap:            {equipped: answerable, check: fulfilled},
	rulebook.TypeFunction:        {equipped: answerable, check: fulfilled},
})

// withAccounts adds the types that ask for a connected account.
func withAccounts(all map[rulebook.Type]verification) map[rulebook.Type]verification {
	for t := range rulebook.Platforms {
		all[t] = verification{check: account, state: true}
	}
	return all
}

func answered(t rulebook.Type) bool {
	_, ok := types[t]
	return ok
}

func hasCode(f Facts) bool { return f.HasCodes || f.Meta.Shared() && f.Meta.PromoCode != "" }

func code(f Facts) error {
	if good := f.CodeFree || f.Meta.Shared() && f.Text == strings.TrimSpace(f.Meta.PromoCode); !good || f.Text == "" {
		return Refuse(MsgCode)
	}
	return nil
}

func text(f Facts) error {
	if f.characters() < f.Meta.MinimumLength() {
		return Refuse(MsgVerification)
	}
	return nil
}

func click(f Facts) error {
	if f.ClickWaits && !f.ClickAged {
		return Refuse(MsgClickWaiting)
	}
	return nil
}

// bonus is given by secret keys only.
func bonus(f Facts) error {
	if f.Client {
		return Refuse(MsgNotCompleted)
	}
	return nil
}
