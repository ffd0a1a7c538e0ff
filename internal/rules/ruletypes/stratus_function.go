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
	Decision: &decision.Kind{Equipped: answerable, Check: functionSays, Waits: untilDecided},
	Begin:    func(d *Deps, _ *Case) Step { return &waiting{Deps: d, after: decision.MsgQueued} },
}

// askedAgain is the pause between two looks at a function that still decides.
const askedAgain = time.Second

// untilDecided: a function that takes long goes on as a job (contract 7.6).
func untilDecided(f decision.Facts) (time.Duration, bool) {
	return askedAgain, f.Verdict.Slow || f.Undecided()
}

// functionSays: a function that fails, or sets what cannot be gone by, has verified nothing (contract 7.6).
func functionSays(f decision.Facts) error {
	switch _, waits := untilDecided(f); {
	case waits:
		return nil
	case f.Verdict.Bad:
		return decision.Refuse(decision.MsgVerification)
	}
	return fulfilled(f)
}
