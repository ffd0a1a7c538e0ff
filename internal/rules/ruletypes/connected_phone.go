package ruletypes

import (
	"laurel/internal/identity"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// connectedPhone: the member, or another of its group, has a verified phone number.
var connectedPhone = Kind{
	Kind: schema.Kind{
		Type: schema.TypeConnectedPhone, Family: schema.Profile, Title: "Phone connected",
		Summary: "Members connect and verify a phone number.", OnCall: true,
	},
	Decision: &decision.Kind{Check: checkPhone, ChecksState: true},
	Profile:  &Profile{Names: phoneNames},
}

func phoneNames(m *identity.Connections) []string {
	if number, verified := m.Phone(); number != "" && verified {
		return []string{"phoneNumber " + number}
	}
	return nil
}

func checkPhone(f decision.Facts) error {
	if !f.Profile.PhoneVerified {
		return decision.Refuse(decision.MsgPhone)
	}
	return nil
}
