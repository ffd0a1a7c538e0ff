package kinds

import (
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// stratusFunction: a function of the website says whether the member has earned the rule.
var stratusFunction = Kind{
	Kind: schema.Kind{
		Type: schema.TypeFunction, Family: schema.Server, Title: "Function",
		Summary: "A function of yours decides who is rewarded.",
		OnCall:  true, Scheduled: true, EventFed: true, Driver: schema.Function,
	},
	Decision: &decision.Kind{Equipped: answerable, Check: functionSays},
}

// functionSays: a function that fails, or sets what cannot be gone by, has verified nothing (contract 7.6).
func functionSays(f decision.Facts) error {
	if f.Verdict.Bad {
		return decision.Refuse(decision.MsgVerification)
	}
	return fulfilled(f)
}
