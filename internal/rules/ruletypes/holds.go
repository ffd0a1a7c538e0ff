package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// holdKinds are the types about what members' wallets hold on blockchains, those of their group and cold wallets
// included.
var holdKinds = []Kind{
	{
		Kind: schema.Kind{
			Type: schema.TypeTokenHold, Family: schema.FamilyOnchain, Title: "Token held",
			Summary: "Members hold tokens from a collection.", OnCall: true, Scheduled: true,
			Provider: schema.ChainProvider, PerUnit: true,
		},
		Decision: &decision.Kind{
			IsSetUp: hasProvider, CheckVerifiable: checkHoldClaim, Check: checkTokenHold, ChecksState: true,
		},
		RunsOverAllMembers: true,
	},
	{
		Kind: schema.Kind{
			Type: schema.TypeTokenHoldERC20, Family: schema.FamilyOnchain, Title: "Fungible token held",
			Summary: "Members hold a minimum amount of a token.", OnCall: true, Scheduled: true,
			Provider: schema.ChainProvider, PerUnit: true,
		},
		Decision:           &decision.Kind{IsSetUp: hasProvider, Check: checkHeld, ChecksState: true},
		RunsOverAllMembers: true,
	},
	{
		Kind: schema.Kind{
			Type: schema.TypeSnapshotHold, Family: schema.FamilyOnchain, Title: "Held at snapshot",
			Summary:   "Members hold tokens from a collection at a time that you choose.",
			Scheduled: true, Provider: schema.ChainProvider, PerUnit: true,
		},
		Decision:           &decision.Kind{IsSetUp: isReadByRun, Check: checkHeld},
		RunsOverAllMembers: true,
	},
	{
		Kind: schema.Kind{
			Type: schema.TypeSnapshotFullSet, Family: schema.FamilyOnchain, Title: "Full set at snapshot",
			Summary:   "Members hold a token from each of several collections at a time that you choose.",
			Scheduled: true, Provider: schema.ChainProvider,
		},
		Decision:           &decision.Kind{IsSetUp: isReadByRun, Check: checkFullSet},
		RunsOverAllMembers: true,
	},
}

// isReadByRun reports whether a run can read what the rule asks for. Calls are refused anyway.
func isReadByRun(f decision.Facts) bool {
	return f.TriggeredBy == decision.TriggerCall || hasProvider(f)
}

// checkHoldClaim refuses calls that pay points for a hold, or that ask how tokens were bought: those are for runs
// (contract 5.1). A call that claims what a run has found is none of them.
func checkHoldClaim(f decision.Facts) error {
	switch {
	case f.TriggeredBy != decision.TriggerCall || f.Rule.IsClaimedByCall():
		return nil
	case !f.GrantsMultiplier():
		return decision.Refuse(decision.MsgHoldPoints)
	case f.Meta.HasPaidFullRoyalty || f.Meta.OnlyNative:
		return decision.Refuse(decision.MsgHoldSales)
	}
	return nil
}

// checkTokenHold refuses unless the member holds a token.
func checkTokenHold(f decision.Facts) error {
	if err := checkHoldClaim(f); err != nil {
		return err
	}
	return checkHeld(f)
}

// checkHeld refuses unless the member holds what the rule asks for, and as much as its lowest tier.
func checkHeld(f decision.Facts) error { return checkHolding(f, decision.MsgNotAchieved) }

// checkFullSet refuses unless the member holds a token of every collection.
func checkFullSet(f decision.Facts) error { return checkHolding(f, decision.MsgNotCompleted) }

// checkHolding refuses with a message unless the chain shows what the rule asks for. Without any verdict the question
// is whether a reward stays: it does, as nobody knows better.
func checkHolding(f decision.Facts, message string) error {
	switch {
	case !f.Verdict.HasProvider:
		return nil
	case f.Verdict.Refusal != "":
		return decision.Refuse(f.Verdict.Refusal)
	case !f.Verdict.Fulfilled:
		return decision.Refuse(message)
	}
	if tiers := f.Meta.Range; len(tiers) > 0 && f.Verdict.Value != nil {
		if _, ok := schema.TierOf(tiers, *f.Verdict.Value); !ok {
			return decision.Refuse(message)
		}
	}
	return nil
}
