package ruletypes

import (
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// shopSpend pays members for purchases, which the operator's shop reports with their value.
var shopSpend = Kind{
	Kind: schema.Kind{
		Type: schema.TypeShopSpend, Family: schema.FamilyCommerce, Title: "Purchase",
		Summary: "Members buy from your shop. The reward can depend on the amount they spend.",
		OnCall:  true, Scheduled: true, Provider: schema.PartnerProvider, PerValue: true,
	},
	Decision: &decision.Kind{IsSetUp: hasProvider, CheckVerifiable: checkCustomer, Check: checkSpent},
	// The shop is asked about all names at once, so the group is one account.
	Profile:            &Profile{Names: customerNames, GroupIsOneAccount: true},
	RunsOverAllMembers: true,
}

// customerNames returns the names that the shop knows the member by.
func customerNames(m *identity.Connections) []string { return m.CustomerNames() }

// checkCustomer refuses unless the shop can know the member.
func checkCustomer(f decision.Facts) error {
	if !f.Profile.IsCustomer {
		return decision.Refuse(decision.MsgEmail)
	}
	return nil
}

// checkSpent refuses the completion unless the shop reports a purchase, and one with a value if the rule pays per
// value.
func checkSpent(f decision.Facts) error {
	if err := checkCustomer(f); err != nil {
		return err
	}
	if v := f.Verdict.Value; f.PaysPerValue() && (v == nil || *v == 0) {
		return decision.Refuse(decision.MsgNotCompleted)
	}
	return checkFulfilled(f)
}
