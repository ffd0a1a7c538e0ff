package ruletypes

import (
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// connectWallet: the member has proven a wallet, of the rule's type where it names one.
var connectWallet = Kind{
	Kind: schema.Kind{
		Type: schema.TypeConnectWallet, Family: schema.Profile, Title: "Wallet connected",
		Summary: "Members prove that a wallet is theirs.", OnCall: true,
	},
	Decision: &decision.Kind{Check: checkWallet, ChecksState: true},
	Profile:  &Profile{},
}

func checkWallet(f decision.Facts) error {
	for _, kind := range f.Profile.Wallets {
		if f.Meta.WalletType == "" || kind == f.Meta.WalletType {
			return nil
		}
	}
	return decision.Refuse(decision.MsgNotCompleted)
}
