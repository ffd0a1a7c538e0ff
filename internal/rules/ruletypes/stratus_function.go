package ruletypes

import (
	"time"

	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// stratusFunction: a function of the website says whether the member has earned the rule.
var stratusFunction = Kind{
	Kind: schema.Kind{
		Type: schema.TypeFunction, Family: schema.Server, Title: "Function",
		Summary: "A function of yours decides who is rewarded.",
		OnCall:  true, Scheduled: true, TriggeredByEvents: true, Provider: schema.FunctionProvider,
	},
	Decision: &decision.Kind{IsSetUp: hasProvider, Check: checkFunction, DeferFor: deferUntilDecided},
	NewStep:  func(d *Deps, _ *Case) Step { return &deferredStep{Deps: d, message: decision.MsgQueued} },
}

// functionRetry is the pause between two looks at a function that still decides.
const functionRetry = time.Second

// deferUntilDecided: a function that takes long goes on as a job (contract 7.6).
func deferUntilDecided(f decision.Facts) (time.Duration, bool) {
	return functionRetry, f.Verdict.IsPending || f.AwaitsFunction()
}

// checkFunction: a function that fails, or sets what cannot be gone by, has verified nothing (contract 7.6).
func checkFunction(f decision.Facts) error {
	switch _, waits := deferUntilDecided(f); {
	case waits:
		return nil
	case f.Verdict.IsUnusable:
		return decision.Refuse(decision.MsgVerification)
	}
	return checkFulfilled(f)
}
