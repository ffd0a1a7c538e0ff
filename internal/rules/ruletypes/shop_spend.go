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
	Decision: &decision.Kind{Equipped: answerable, Known: isCustomer, Check: spent},
	// a shop is asked about all names at once, so they are one account
	Profile:   &Profile{Names: customerNames, Together: true},
	Everybody: true,
}

func customerNames(m *identity.Connections) []string { return m.CustomerNames() }

// isCustomer: a shop knows its customers.
func isCustomer(f decision.Facts) error {
	if !f.Profile.Customer {
		return decision.Refuse(decision.MsgEmail)
	}
	return nil
}

// spent: something was bought; where it is paid by its value, something of value.
func spent(f decision.Facts) error {
	if err := isCustomer(f); err != nil {
		return err
	}
	if v := f.Verdict.Value; f.PerValue() && (v == nil || *v == 0) {
		return decision.Refuse(decision.MsgNotCompleted)
	}
	return fulfilled(f)
}
