package ruletypes

import (
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// connectedEmail pays members who have a verified e-mail address, or whose group has one.
var connectedEmail = Kind{
	Kind: schema.Kind{
		Type: schema.TypeConnectedEmail, Family: schema.FamilyProfile, Title: "E-mail connected",
		Summary: "Members connect and verify an e-mail address.", OnCall: true,
	},
	Decision: &decision.Kind{Check: checkEmail, ChecksState: true},
	Profile:  &Profile{Names: emailNames},
}

// emailNames returns the name of the member's verified address.
func emailNames(m *identity.Connections) []string {
	if address, verified := m.Email(); address != "" && verified {
		return []string{"emailAddress " + address}
	}
	return nil
}

// checkEmail refuses the completion unless an address of the member is verified.
func checkEmail(f decision.Facts) error {
	switch {
	case f.Profile.EmailVerified:
		return nil
	case f.Profile.EmailSet:
		return decision.Refuse(decision.MsgEmailUnverified)
	}
	return decision.Refuse(decision.MsgEmail)
}
