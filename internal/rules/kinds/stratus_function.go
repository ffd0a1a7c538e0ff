package kinds

import "laurel/internal/rules/schema"

// stratusFunction: a function of the website says whether the member has earned the rule.
var stratusFunction = Kind{
	Kind: schema.Kind{
		Type: schema.TypeFunction, Family: schema.Server, Title: "Function",
		Summary: "A function of yours decides who is rewarded.",
		OnCall:  true, Scheduled: true, EventFed: true, Driver: schema.Function,
	},
	Decision: byProvider,
}
