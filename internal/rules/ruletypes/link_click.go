package ruletypes

import (
	"time"

	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
)

// linkClick: a click on a link is kept as a job, and decided again when it has aged (contract 5.11).
var linkClick = Kind{
	Kind: schema.Kind{
		Type: schema.TypeLinkClick, Family: schema.Engagement, Title: "Link click",
		Summary: "Members open a link; the reward follows after a delay.", OnCall: true,
	},
	Decision: &decision.Kind{IsSetUp: hasLink, Check: checkNoPendingClick, DeferFor: deferUntilAged},
	NewStep:  func(d *Deps, _ *Case) Step { return &clickStep{deferredStep{Deps: d, message: decision.MsgClicked}} },
}

func hasLink(f decision.Facts) bool { return f.Meta.Link != "" }

func checkNoPendingClick(f decision.Facts) error {
	if f.HasPendingJob && !f.DecidedByJob {
		return decision.Refuse(decision.MsgClickWaiting)
	}
	return nil
}

func deferUntilAged(f decision.Facts) (time.Duration, bool) {
	return f.Meta.ClickDelay(), !f.DecidedByJob
}

// clickStep is waiting whose window is that of the click, however late it is decided.
type clickStep struct{ deferredStep }

func (*clickStep) Window(c *Case, sub *progress.State) (key string, open, ok bool) {
	if c.Trigger.Job == nil {
		return "", false, false
	}
	key, open = JobWindow(c, sub)
	return key, open, true
}

func (*clickStep) FurtherWindows(*Case) []string { return nil }
