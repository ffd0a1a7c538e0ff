package ruletypes

import (
	"laurel/internal/identity"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// shopSpend: the operator's shop says that the member bought something, and for how much.
var shopSpend = Kind{
	Kind: schema.Kind{
		Type: schema.TypeShopSpend, Family: schema.Commerce, Title: "Purchase",
		Summary: "Members buy in your shop; the reward may follow what they spend.",
		OnCall:  true, Scheduled: true, Provider: schema.PartnerProvider, PerValue: true,
	},
	Decision: &decision.Kind{IsSetUp: hasProvider, CheckVerifiable: checkCustomer, Check: checkSpent},
	// a shop is asked about all names at once, so they are one account
	Profile:            &Profile{Names: customerNames, GroupIsOneAccount: true},
	RunsOverAllMembers: true,
}

func customerNames(m *identity.Connections) []string { return m.CustomerNames() }

// checkCustomer: a shop knows its customers.
func checkCustomer(f decision.Facts) error {
	if !f.Profile.IsCustomer {
		return decision.Refuse(decision.MsgEmail)
	}
	return nil
}

// checkSpent: something was bought; where it is paid by its value, something of value.
func checkSpent(f decision.Facts) error {
	if err := checkCustomer(f); err != nil {
		return err
	}
	if v := f.Verdict.Value; f.PaysPerValue() && (v == nil || *v == 0) {
		return decision.Refuse(decision.MsgNotCompleted)
	}
	return checkFulfilled(f)
}
