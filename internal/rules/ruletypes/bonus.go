package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// bonus is a reward that a secret key gives by hand.
var bonus = Kind{
	Kind: schema.Kind{
		Type: schema.TypeBonus, Family: schema.FamilyServer, Title: "Bonus",
		Summary: "You reward members manually or from your server.", OnCall: true,
	},
	Decision: &decision.Kind{Check: checkSecretKey},
}

// checkSecretKey refuses calls with a client key.
func checkSecretKey(f decision.Facts) error {
	if f.WithClientKey {
		return decision.Refuse(decision.MsgNotCompleted)
	}
	return nil
}
