package decision

import (
	"strings"

	"laurel/internal/rules/schema"
)

// verification is what a call of a type is verified by (contract 6).
type verification struct {
	equipped func(Facts) bool  // whether the rule has what the type needs; nil: it needs nothing
	check    func(Facts) error // step 12; nil: nothing is verified
	state    bool              // check looks at what the member is or has, which may end; anything else was done once
}

// types are those that a call can complete.
var types = withAccounts(map[schema.Type]verification{
	schema.TypeExternal:  {},
	schema.TypeCheckIn:   {check: checkIn},
	schema.TypeCodeEntry: {equipped: hasCode, check: code},
	schema.TypeTextInput: {check: text},
	schema.TypeLinkClick: {equipped: func(f Facts) bool { return f.Meta.Link != "" }, check: click},
	schema.TypeBonus:     {check: bonus},
	schema.TypeAirdrop:   {equipped: hasList},
	schema.TypeUpload:    {equipped: hasList},
	schema.TypeQuiz:      {check: choice},
	schema.TypePoll:      {check: choice},

	schema.TypeProfileCompleted: {equipped: asksFields, check: profile, state: true},
	schema.TypeConnectWallet:    {check: wallet, state: true},
	schema.TypeConnectedEmail:   {check: email, state: true},
	schema.TypeConnectedPhone:   {check: phone, state: true},

	schema.TypeReferredUser: {check: referred},

	schema.TypePartnerAccount:  {equipped: answerable, check: fulfilled},
	schema.TypeShopSpend:       {equipped: answerable, check: spent},
	schema.TypeAttendanceToken: {equipped: answerable, check: fulfilled},
	schema.TypeGovernanceVote:  {equipped: answerable, check: fulfilled},
	schema.TypeListing:         {equipped: answerable, check: fulfilled},
	schema.TypeSwap:            {equipped: answerable, check: fulfilled},
	schema.TypeFunction:        {equipped: answerable, check: fulfilled},
})

// withAccounts adds the types that ask for a connected account.
func withAccounts(all map[schema.Type]verification) map[schema.Type]verification {
	for t := range schema.Platforms {
		all[t] = verification{check: account, state: true}
	}
	return all
}

func answered(t schema.Type) bool {
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
