package ruletypes

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/rules/completionjobs"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// waiting keeps a completion as a job, which is decided again later as of the moment of the call.
type waiting struct {
	*Deps
	after string // what the caller is told
}

// jobKey names the job of a member.
func jobKey(c *Case) completionjobs.Key {
	return completionjobs.Key{Rule: c.Rule.ID, User: c.Person.UserID}
}

// JobWaits reports whether a job has not been decided yet, by this or another node.
func JobWaits(b *store.Batch, c *Case, j *completionjobs.Job) bool {
	return completionjobs.Waiting.Row(b, jobKey(c)).ID == j.ID
}

func (*waiting) Read(_ context.Context, c *Case) error {
	c.Known.JobAged = c.Trigger.Job != nil
	return nil
}

func (*waiting) Locks(c *Case) []store.Lock {
	return []store.Lock{completionjobs.Waiting.Lock(jobKey(c))}
}

func (*waiting) Facts(b *store.Batch, c *Case, f *decision.Facts) {
	f.JobWaits = !completionjobs.Waiting.Row(b, jobKey(c)).ID.IsZero() // one of the same batch counts
}

func (s *waiting) Look(ctx context.Context, c *Case, f *decision.Facts) (err error) {
	f.JobWaits, err = completionjobs.Waits(ctx, s.DB, jobKey(c))
	return err
}

func (*waiting) Paid(b *store.Batch, c *Case, _ decision.Reward) error {
	// else it is over: what it asked for outside was accepted later than that
	if j := c.Trigger.Job; j != nil && JobWaits(b, c, j) {
		row := completionjobs.Waiting.Changed(b, jobKey(c))
		row.Status, row.Message, row.UpdatedAt = completionjobs.Completed, decision.MsgCompleted, store.Micros(b.Now())
	}
	return nil
}

// WindowOfJob is the calendar's window of the moment for which a job decides, and whether it is open as far as the
// subject tells.
func WindowOfJob(c *Case, sub *progress.Subject) (key string, open bool) {
	key = schema.WindowKey(c.Rule.Interval, c.Trigger.Moment)
	open = key == "" || sub.WindowPaidAt == nil || key != schema.WindowKey(c.Rule.Interval, store.Time(*sub.WindowPaidAt))
	return key, open
}

// Opened: the processing view tells of the job and of what became of it in one place.
func (*waiting) Opened(c *Case, sub *progress.Subject) {
	if j := c.Trigger.Job; j != nil {
		sub.ID, sub.CreatedAt = j.ID, j.CreatedAt
	}
}

// Wait stages the job that decides again later, unless there is one.
func (s *waiting) Wait(b *store.Batch, c *Case, reward decision.Reward) string {
	now := store.Micros(b.Now())
	j := completionjobs.Waiting.Row(b, jobKey(c))
	if !j.ID.IsZero() {
		return s.after
	}
	j = completionjobs.Waiting.Changed(b, jobKey(c))
	j.ID, j.OrganizationID, j.WebsiteID, j.Status, j.Message =
		b.NewID(), c.Scope.OrganizationID, c.Scope.WebsiteID, completionjobs.Pending, s.after
	j.Input = string(store.JSON(keptCall{
		ContentURL: c.In.ContentURL, Code: c.In.VerificationCode, RangeValue: c.In.RangeValue, RunID: c.RunID,
	}))
	j.CreatedAt, j.UpdatedAt, j.DueAt = now, now, store.Micros(b.Now().Add(reward.After))
	return s.after
}

// keptCall is what a job keeps of the call that it carries out.
type keptCall struct {
	ContentURL string         `json:"contentUrl,omitempty"`
	Code       string         `json:"verificationCode,omitempty"`
	RangeValue *laurel.Amount `json:"rangeValue,omitempty"`
	RunID      laurel.ID      `json:"runId,omitzero"`
}

// InputOf returns the call that a job carries out, and the run of the function that has begun to decide; zero: none
// has.
func InputOf(j *completionjobs.Job) (in Input, run laurel.ID, err error) {
	var kept keptCall
	err = json.Unmarshal([]byte(j.Input), &kept)
	return Input{
		RuleID: j.RuleID, SkipRequired: true, ContentURL: kept.ContentURL, VerificationCode: kept.Code,
		RangeValue: kept.RangeValue,
	}, kept.RunID, err
}
