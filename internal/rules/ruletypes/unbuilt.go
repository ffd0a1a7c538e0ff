package ruletypes

import "laurel/internal/rules/schema"

// unbuiltKinds are the types that nothing completes yet, because their blockchains are not connected.
// Rules of these types can be created, and refuse calls with "Rule is not setup". A type that is built moves to its own
// file.
var unbuiltKinds = []Kind{
	{Kind: schema.Kind{
		Type: "minted_on", Family: schema.FamilyOnchain, Title: "Minted",
		Summary: "Members create (mint) tokens with their wallet.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "bought_on", Family: schema.FamilyOnchain, Title: "Bought",
		Summary: "Members buy tokens with their wallet.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "sold_on", Family: schema.FamilyOnchain, Title: "Sold",
		Summary: "Members sell tokens from their wallet.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "bought_with_royalties", Family: schema.FamilyOnchain, Title: "Bought with royalties",
		Summary: "Members buy tokens and pay you royalties.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "sold_with_royalties", Family: schema.FamilyOnchain, Title: "Sold with royalties",
		Summary: "Members resell tokens and pay you royalties.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "lodging", Family: schema.FamilyOnchain, Title: "Lodging",
		Summary: "Members deposit tokens from their wallet into a smart contract.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "liquidity_amm_v2", Family: schema.FamilyOnchain, Title: "Liquidity, version 2",
		Summary: "Members add tokens to a trading pool (version 2) to provide liquidity.", Scheduled: true,
	}},
	{Kind: schema.Kind{
		Type: "liquidity_amm_v3", Family: schema.FamilyOnchain, Title: "Liquidity, version 3",
		Summary: "Members add tokens to a trading pool (version 3) to provide liquidity.", Scheduled: true,
	}},
}
