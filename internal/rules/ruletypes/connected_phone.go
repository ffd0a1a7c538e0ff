package ruletypes

import (
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// connectedPhone pays members who have a verified phone number, or whose group has one.
var connectedPhone = Kind{
	Kind: schema.Kind{
		Type: schema.TypeConnectedPhone, Family: schema.FamilyProfile, Title: "Phone connected",
		Summary: "Members connect and verify a phone number.", OnCall: true,
	},
	Decision: &decision.Kind{Check: checkPhone, ChecksState: true},
	Profile:  &Profile{Names: phoneNames},
}

// phoneNames returns the name of the member's verified number.
func phoneNames(m *identity.Connections) []string {
	if number, verified := m.Phone(); number != "" && verified {
		return []string{"phoneNumber " + number}
	}
	return nil
}

// checkPhone refuses unless a number is verified.
func checkPhone(f decision.Facts) error {
	if !f.Profile.PhoneVerified {
		return decision.Refuse(decision.MsgPhone)
	}
	return nil
}
