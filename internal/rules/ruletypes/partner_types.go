package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// partnerKinds are the types whose partner says yes or no about the member. They differ in the question.
var partnerKinds = []Kind{
	partnerKind(schema.Kind{
		Type: schema.TypePartnerAccount, Family: schema.FamilyCommerce, Title: "Partner account",
		Summary: "Members open an account with your partner.", OnCall: true,
	}, false),
	partnerKind(schema.Kind{
		Type: schema.TypeAttendanceToken, Family: schema.FamilyOnchain, Title: "Attendance token",
		Summary: "Members hold a token that proves they attended an event.", OnCall: true, Scheduled: true,
	}, true),
	partnerKind(schema.Kind{
		Type: schema.TypeGovernanceVote, Family: schema.FamilyOnchain, Title: "Governance vote",
		Summary: "Members vote on a proposal.", OnCall: true, Scheduled: true,
	}, true),
	partnerKind(schema.Kind{
		Type: schema.TypeListing, Family: schema.FamilyOnchain, Title: "Listing",
		Summary: "Members list tokens from a collection for sale.", Scheduled: true,
	}, true),
	partnerKind(schema.Kind{
		Type: schema.TypeSwap, Family: schema.FamilyOnchain, Title: "Swap",
		Summary: "Members swap one token for another.", OnCall: true,
	}, false),
}

// partnerKind returns a type that a partner verifies.
func partnerKind(k schema.Kind, overAllMembers bool) Kind {
	k.Provider = schema.PartnerProvider
	return Kind{Kind: k, Decision: decidedByProvider, RunsOverAllMembers: overAllMembers}
}

// decidedByProvider is the decision of types that a provider verifies.
var decidedByProvider = &decision.Kind{IsSetUp: hasProvider, Check: checkFulfilled}

// hasProvider reports whether the rule has a provider to ask.
func hasProvider(f decision.Facts) bool { return f.Verdict.HasProvider }

// checkFulfilled refuses unless the provider says that the member has earned the rule.
func checkFulfilled(f decision.Facts) error {
	switch {
	case f.Verdict.Refusal != "":
		return decision.Refuse(f.Verdict.Refusal)
	case !f.Verdict.Fulfilled:
		return decision.Refuse(decision.MsgNotCompleted)
	}
	return nil
}
