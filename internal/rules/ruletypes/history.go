package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// historyKinds are the types about what members' wallets did on blockchains since the run before, and where they have
// put tokens.
var historyKinds = []Kind{
	historyKind(schema.Kind{
		Type: schema.TypeMinted, Title: "Minted", Summary: "Members create (mint) tokens with their wallet.",
	}),
	historyKind(schema.Kind{
		Type: schema.TypeBought, Title: "Bought", Summary: "Members buy tokens with their wallet.",
	}),
	historyKind(schema.Kind{
		Type: schema.TypeSold, Title: "Sold", Summary: "Members sell tokens from their wallet.",
	}),
	historyKind(schema.Kind{
		Type: schema.TypeBoughtWithRoyalties, Title: "Bought with royalties",
		Summary: "Members buy tokens and pay you royalties.",
	}),
	historyKind(schema.Kind{
		Type: schema.TypeSoldWithRoyalties, Title: "Sold with royalties",
		Summary: "Members resell tokens and pay you royalties.",
	}),
	historyKind(schema.Kind{
		Type: schema.TypeLodging, Title: "Lodging",
		Summary: "Members deposit tokens from their wallet into a smart contract.",
	}),
}

// historyKind returns a type whose runs read the past of blockchains. Runs pay the amount once, or for each token, and
// for sales for each unit of their value.
func historyKind(k schema.Kind) Kind {
	k.Family, k.Scheduled, k.Provider, k.PerUnit = schema.FamilyOnchain, true, schema.HistoryProvider, true
	k.PerValue = k.Type.IsSale()
	return Kind{
		Kind: k, Decision: &decision.Kind{IsSetUp: isReadByRun, Check: checkHistory}, RunsOverAllMembers: true,
	}
}

// checkHistory refuses unless the member did what the rule asks for, and as much as its lowest tier.
func checkHistory(f decision.Facts) error {
	if !f.Verdict.HasProvider { // a claim that depends on what the provider counts
		return decision.Refuse(decision.MsgNotSetUp)
	}
	return checkHolding(f, decision.MsgNotCompleted)
}
