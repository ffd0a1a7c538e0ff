package ruletypes

import "laurel/internal/rules/schema"

// unbuiltKinds are the types that nothing completes yet, because their blockchains are not connected.
// Rules of these types can be created, and refuse calls with "Rule is not setup". A type that is built moves to its own
// file.
var unbuiltKinds = []Kind{
	{Kind: schema.Kind{
		Type: "liquidity_amm_v2", Family: schema.FamilyOnchain, Title: "Liquidity, version 2",
		Summary: "Members add tokens to a trading pool (version 2) to provide liquidity.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "liquidity_amm_v3", Family: schema.FamilyOnchain, Title: "Liquidity, version 3",
		Summary: "Members add tokens to a trading pool (version 3) to provide liquidity.", Scheduled: true,
	}},
}
