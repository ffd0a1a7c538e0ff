package ruletypes

import (
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// dappKinds are the types whose runs rank contracts by how they are used, and pay those who have deployed them.
var dappKinds = []Kind{
	dappKind(schema.TypeGasSpent, "Gas spent", "Members’ apps are ranked by the network fees (gas) that their users pay."),
	dappKind(schema.TypeActiveUsers, "Active users", "Members’ apps are ranked by their number of active users."),
	dappKind(schema.TypeNewUsers, "New users", "Members’ apps are ranked by their number of new users."),
	dappKind(schema.TypeTransactionCount, "Transactions", "Members’ apps are ranked by their number of transactions."),
	dappKind(schema.TypeUserRetention, "User retention", "Members’ apps are ranked by their number of returning users."),
}

func dappKind(t schema.Type, title, summary string) Kind {
	return Kind{
		Kind: schema.Kind{
			Type: t, Family: schema.FamilyDapps, Title: title, Summary: summary, Scheduled: true,
			Provider: schema.UsageProvider,
		},
		Decision: &decision.Kind{IsSetUp: isReadByRun, Check: checkRanked},
	}
}

// checkRanked refuses unless the member has deployed a contract whose rank is paid.
func checkRanked(f decision.Facts) error { return checkHolding(f, decision.MsgNotCompleted) }
