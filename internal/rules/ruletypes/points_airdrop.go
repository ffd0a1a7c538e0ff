package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// pointsAirdrop pays members the amounts of the rule's list, by calls or in runs (contract 5.13).
var pointsAirdrop = Kind{
	Kind: schema.Kind{
		Type: schema.TypeAirdrop, Family: schema.FamilyServer, Title: "Airdrop",
		Summary: "Members on your list claim their amounts, or Laurel pays the amounts on a schedule.",
		OnCall:  true, Scheduled: true, PaysByList: true,
	},
	Decision: &decision.Kind{IsSetUp: decision.HasList},
}
