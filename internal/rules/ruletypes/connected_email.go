package ruletypes

import (
	"laurel/internal/identity"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// connectedEmail: the member, or another of its group, has a verified e-mail address.
var connectedEmail = Kind{
	Kind: schema.Kind{
		Type: schema.TypeConnectedEmail, Family: schema.Profile, Title: "E-mail connected",
		Summary: "Members connect and verify an e-mail address.", OnCall: true,
	},
	Decision: &decision.Kind{Check: checkEmail, ChecksState: true},
	Profile:  &Profile{Names: emailNames},
}

func emailNames(m *identity.Connections) []string {
	if address, verified := m.Email(); address != "" && verified {
		return []string{"emailAddress " + address}
	}
	return nil
}

func checkEmail(f decision.Facts) error {
	switch {
	case f.Profile.EmailVerified:
		return nil
	case f.Profile.EmailSet:
		return decision.Refuse(decision.MsgEmailUnverified)
	}
	return decision.Refuse(decision.MsgEmail)
}
