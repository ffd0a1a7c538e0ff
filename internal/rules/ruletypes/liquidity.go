package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// liquidityKinds are the types whose runs pay for what members' wallets have put into pools, those of their group and
// cold wallets included.
var liquidityKinds = []Kind{
	liquidityKind(schema.Kind{
		Type: schema.TypeLiquidityV2, Title: "Liquidity, version 2",
		Summary: "Members add tokens to a trading pool (version 2) to provide liquidity.",
	}),
	liquidityKind(schema.Kind{
		Type: schema.TypeLiquidityV3, Title: "Liquidity, version 3",
		Summary: "Members add tokens to a trading pool (version 3) to provide liquidity.",
	}),
}

func liquidityKind(k schema.Kind) Kind {
	k.Family, k.Scheduled, k.Provider = schema.FamilyOnchain, true, schema.PoolProvider
	return Kind{
		Kind: k, Decision: &decision.Kind{IsSetUp: isReadByRun, Check: checkLiquidity}, RunsOverAllMembers: true,
	}
}

// checkLiquidity refuses unless the member has put something into the pools that earns anything.
func checkLiquidity(f decision.Facts) error {
	if !f.Verdict.HasProvider { // a claim, whose amount depends on what the provider finds
		return decision.Refuse(decision.MsgNotSetUp)
	}
	return checkHolding(f, decision.MsgNotAchieved)
}
