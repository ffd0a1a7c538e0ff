package ruletypes

import (
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// partnerTypes are those whose partner says yes or no about the member. They differ in what is asked.
var partnerTypes = []Kind{
	partnerKind(schema.Kind{
		Type: schema.TypePartnerAccount, Family: schema.Commerce, Title: "Partner account",
		Summary: "Members open an account with your partner.", OnCall: true,
	}, false),
	partnerKind(schema.Kind{
		Type: schema.TypeAttendanceToken, Family: schema.Onchain, Title: "Attendance token",
		Summary: "Members hold the token of an event that they attended.", OnCall: true, Scheduled: true,
	}, true),
	partnerKind(schema.Kind{
		Type: schema.TypeGovernanceVote, Family: schema.Onchain, Title: "Governance vote",
		Summary: "Members vote on a proposal.", OnCall: true, Scheduled: true,
	}, true),
	partnerKind(schema.Kind{
		Type: schema.TypeListing, Family: schema.Onchain, Title: "Listing",
		Summary: "Members list tokens of a collection for sale.", Scheduled: true,
	}, true),
	partnerKind(schema.Kind{
		Type: schema.TypeSwap, Family: schema.Onchain, Title: "Swap",
		Summary: "Members swap one token for another.", OnCall: true,
	}, false),
}

func partnerKind(k schema.Kind, everybody bool) Kind {
	k.Provider = schema.PartnerProvider
	return Kind{Kind: k, Decision: byProvider, RunsOverAllMembers: everybody}
}

// byProvider: a provider says whether the member has earned the rule.
var byProvider = &decision.Kind{IsSetUp: hasProvider, Check: checkFulfilled}

// hasProvider reports whether there is somebody to ask.
func hasProvider(f decision.Facts) bool { return f.Verdict.HasProvider }

func checkFulfilled(f decision.Facts) error {
	if !f.Verdict.Fulfilled {
		return decision.Refuse(decision.MsgNotCompleted)
	}
	return nil
}
