package ruletypes

import (
	"time"

	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// stratusFunction pays members if a function of the website says that they have earned it.
var stratusFunction = Kind{
	Kind: schema.Kind{
		Type: schema.TypeFunction, Family: schema.FamilyServer, Title: "Function",
		Summary: "One of your functions decides which members are rewarded.",
		OnCall:  true, Scheduled: true, TriggeredByEvents: true, Provider: schema.FunctionProvider,
	},
	Decision: &decision.Kind{IsSetUp: hasProvider, Check: checkFunction, DeferFor: deferUntilDecided},
	NewStep:  func(d *Deps, _ *Case) *Step { return newDeferringStep(d, decision.MsgQueued) },
}

// functionRetry is the time after which a function that is still deciding is asked for its result again.
const functionRetry = time.Second

// deferUntilDecided defers the decision while the function is still deciding (contract 7.6).
func deferUntilDecided(f decision.Facts) (time.Duration, bool) {
	return functionRetry, f.Verdict.IsPending || f.AwaitsFunction()
}

// checkFunction refuses the completion unless the function verifies the member. A function that fails, or whose result
// is invalid, has verified nothing (contract 7.6). While the function is still deciding, checkFunction returns nil,
// because the decision is deferred.
func checkFunction(f decision.Facts) error {
	switch _, waits := deferUntilDecided(f); {
	case waits:
		return nil
	case f.Verdict.IsUnusable:
		return decision.Refuse(decision.MsgVerification)
	}
	return checkFulfilled(f)
}
