package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// connectWallet pays members who have proven a wallet, of the rule's type if it names one.
var connectWallet = Kind{
	Kind: schema.Kind{
		Type: schema.TypeConnectWallet, Family: schema.FamilyProfile, Title: "Wallet connected",
		Summary: "Members connect a wallet and prove that they own it.", OnCall: true,
	},
	Decision: &decision.Kind{Check: checkWallet, ChecksState: true},
	Profile:  &Profile{},
}

// checkWallet refuses the completion unless the member has proven a wallet of the rule's type, or any wallet if the
// rule names no type.
func checkWallet(f decision.Facts) error {
	for _, kind := range f.Profile.Wallets {
		if f.Meta.WalletType == "" || kind == f.Meta.WalletType {
			return nil
		}
	}
	return decision.Refuse(decision.MsgNotCompleted)
}
