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
	Decision: &decision.Kind{Equipped: hasLink, Check: noClickWaits, Waits: untilAged},
	Begin:    func(d *Deps, _ *Case) Step { return &click{waiting{Deps: d, after: decision.MsgClicked}} },
}

func hasLink(f decision.Facts) bool { return f.Meta.Link != "" }

func noClickWaits(f decision.Facts) error {
	if f.JobWaits && !f.JobAged {
		return decision.Refuse(decision.MsgClickWaiting)
	}
	return nil
}

func untilAged(f decision.Facts) (time.Duration, bool) { return f.Meta.ClickDelay(), !f.JobAged }

// click is waiting whose window is that of the click, however late it is decided.
type click struct{ waiting }

func (*click) Window(c *Case, sub *progress.Subject) (key string, open, ok bool) {
	if c.Trigger.Job == nil {
		return "", false, false
	}
	key, open = WindowOfJob(c, sub)
	return key, open, true
}

func (*click) Claims(*Case) []string { return nil }
