package ruletypes

import (
	"time"

	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/schema"
)

// linkClick stores a click on a link as a job, which pays after a delay (contract 5.11).
var linkClick = Kind{
	Kind: schema.Kind{
		Type: schema.TypeLinkClick, Family: schema.FamilyEngagement, Title: "Link click",
		Summary: "Members open a link and get the reward after a delay.", OnCall: true,
	},
	Decision: &decision.Kind{IsSetUp: hasLink, Check: checkNoPendingClick, DeferFor: deferUntilAged},
	NewStep:  newClickStep,
}

// hasLink reports whether the rule has a link.
func hasLink(f decision.Facts) bool { return f.Meta.Link != "" }

// checkNoPendingClick refuses a click while an earlier one is pending.
func checkNoPendingClick(f decision.Facts) error {
	if f.HasPendingJob && !f.DecidedByJob {
		return decision.Refuse(decision.MsgClickWaiting)
	}
	return nil
}

// deferUntilAged defers a click until its delay is over.
func deferUntilAged(f decision.Facts) (time.Duration, bool) {
	return f.Meta.ClickDelay(), !f.DecidedByJob
}

// newClickStep returns a step that defers clicks. It pays the window of the click, however late its job is decided.
func newClickStep(d *Deps, _ *Case) *Step {
	s := newDeferringStep(d, decision.MsgClicked)
	s.Window = clickWindow
	return s
}

// clickWindow returns the window of the click, once a job decides it.
func clickWindow(c *Case, state *progress.State) (key string, open, ok bool) {
	if c.Trigger.Job == nil {
		return "", false, false
	}
	key, open = JobWindow(c, state)
	return key, open, true
}
