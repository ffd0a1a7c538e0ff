package kinds

import (
	"context"
	"encoding/json"
	"time"

	"laurel/internal/rules/decision"
	"laurel/internal/rules/jobs"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// linkClick: a click on a link is kept as a job, and decided again when it has aged (contract 5.11).
var linkClick = Kind{
	Kind: schema.Kind{
		Type: schema.TypeLinkClick, Family: schema.Engagement, Title: "Link click",
		Summary: "Members open a link; the reward follows after a delay.", OnCall: true,
	},
	Decision: &decision.Kind{Equipped: hasLink, Check: noClickWaits, Waits: untilAged},
	Begin:    func(d *Deps, _ *Case) Step { return &click{Deps: d} },
}

func hasLink(f decision.Facts) bool { return f.Meta.Link != "" }

func noClickWaits(f decision.Facts) error {
	if f.ClickWaits && !f.ClickAged {
		return decision.Refuse(decision.MsgClickWaiting)
	}
	return nil
}

func untilAged(f decision.Facts) (time.Duration, bool) { return f.Meta.ClickDelay(), !f.ClickAged }

type click struct{ *Deps }

// clickKey names the job of a click.
func clickKey(c *Case) jobs.Key { return jobs.Key{Rule: c.Rule.ID, User: c.Person.UserID} }

// ClickWaits reports whether the click of a job has not been decided yet, by this or another node.
func ClickWaits(b *store.Batch, c *Case, j *jobs.Job) bool {
	return jobs.Waiting.Row(b, clickKey(c)).ID == j.ID
}

func (*click) Read(_ context.Context, c *Case) error {
	c.Known.ClickAged = c.Trigger.Job != nil
	return nil
}

func (*click) Locks(c *Case) []store.Lock { return []store.Lock{jobs.Waiting.Lock(clickKey(c))} }

func (*click) Facts(b *store.Batch, c *Case, f *decision.Facts) {
	f.ClickWaits = !jobs.Waiting.Row(b, clickKey(c)).ID.IsZero() // one of the same batch counts
}

func (s *click) Look(ctx context.Context, c *Case, f *decision.Facts) (err error) {
	f.ClickWaits, err = jobs.Waits(ctx, s.DB, clickKey(c))
	return err
}

func (*click) Paid(b *store.Batch, c *Case, _ decision.Reward) error {
	// else it is over: what it asked for outside was accepted later than that
	if j := c.Trigger.Job; j != nil && ClickWaits(b, c, j) {
		row := jobs.Waiting.Changed(b, clickKey(c))
		row.Status, row.Message, row.UpdatedAt = jobs.Completed, decision.MsgCompleted, store.Micros(b.Now())
	}
	return nil
}

// Window is that of the click, however late it is decided.
func (*click) Window(c *Case, sub *progress.Subject) (key string, open, ok bool) {
	if c.Trigger.Job == nil {
		return "", false, false
	}
	key = schema.WindowKey(c.Rule.Interval, c.Trigger.Moment)
	open = key == "" || sub.WindowPaidAt == nil || key != schema.WindowKey(c.Rule.Interval, store.Time(*sub.WindowPaidAt))
	return key, open, true
}

func (*click) Claims(*Case) []string { return nil }

// Opened: the processing view tells of the click and of what became of it in one place.
func (*click) Opened(c *Case, sub *progress.Subject) {
	if j := c.Trigger.Job; j != nil {
		sub.ID, sub.CreatedAt = j.ID, j.CreatedAt
	}
}

// Wait stages the job that decides again when the click has aged.
func (*click) Wait(b *store.Batch, c *Case, reward decision.Reward) error {
	now := store.Micros(b.Now())
	j := jobs.Waiting.Changed(b, clickKey(c))
	j.ID, j.OrganizationID, j.WebsiteID, j.Status, j.Message =
		b.NewID(), c.Scope.OrganizationID, c.Scope.WebsiteID, jobs.Pending, decision.MsgClicked
	j.Input = string(store.JSON(keptCall{ContentURL: c.In.ContentURL}))
	j.CreatedAt, j.UpdatedAt, j.DueAt = now, now, store.Micros(b.Now().Add(reward.After))
	return nil
}

// keptCall is what a job keeps of the call that it carries out.
type keptCall struct {
	ContentURL string `json:"contentUrl,omitempty"`
}

// InputOf returns the call that a job carries out.
func InputOf(j *jobs.Job) (Input, error) {
	var kept keptCall
	err := json.Unmarshal([]byte(j.Input), &kept)
	return Input{RuleID: j.RuleID, SkipRequired: true, ContentURL: kept.ContentURL}, err
}
