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

// deferredStep keeps a completion as a job, which is decided again later as of the moment of the call.
type deferredStep struct {
	*Deps
	message string // what the caller is told
}

// jobKey names the job of a member.
func jobKey(c *Case) completionjobs.Key {
	return completionjobs.Key{Rule: c.Rule.ID, User: c.Person.UserID}
}

// JobIsPending reports whether a job has not been decided yet, by this or another node.
func JobIsPending(b *store.Batch, c *Case, j *completionjobs.Job) bool {
	return completionjobs.Waiting.Row(b, jobKey(c)).ID == j.ID
}

func (*deferredStep) Prepare(_ context.Context, c *Case) error {
	c.PreparedFacts.DecidedByJob = c.Trigger.Job != nil
	return nil
}

func (*deferredStep) Locks(c *Case) []store.Lock {
	return []store.Lock{completionjobs.Waiting.Lock(jobKey(c))}
}

func (*deferredStep) LockedFacts(b *store.Batch, c *Case, f *decision.Facts) {
	f.HasPendingJob = !completionjobs.Waiting.Row(b, jobKey(c)).ID.IsZero() // one of the same batch counts
}

func (s *deferredStep) UnlockedFacts(ctx context.Context, c *Case, f *decision.Facts) (err error) {
	f.HasPendingJob, err = completionjobs.Waits(ctx, s.DB, jobKey(c))
	return err
}

func (*deferredStep) Apply(b *store.Batch, c *Case, _ decision.Reward) error {
	// else it is over: what it asked for outside was accepted later than that
	if j := c.Trigger.Job; j != nil && JobIsPending(b, c, j) {
		row := completionjobs.Waiting.Changed(b, jobKey(c))
		row.Status, row.Message, row.UpdatedAt = completionjobs.Completed, decision.MsgCompleted, store.Micros(b.Now())
	}
	return nil
}

// JobWindow is the calendar's window of the moment for which a job decides, and whether it is open as far as the
// subject tells.
func JobWindow(c *Case, sub *progress.State) (key string, open bool) {
	key = schema.WindowKey(c.Rule.Interval, c.Trigger.Moment)
	open = key == "" || sub.WindowPaidAt == nil || key != schema.WindowKey(c.Rule.Interval, store.Time(*sub.WindowPaidAt))
	return key, open
}

// InitState: the processing view tells of the job and of what became of it in one place.
func (*deferredStep) InitState(c *Case, sub *progress.State) {
	if j := c.Trigger.Job; j != nil {
		sub.ID, sub.CreatedAt = j.ID, j.CreatedAt
	}
}

// Defer stages the job that decides again later, unless there is one.
func (s *deferredStep) Defer(b *store.Batch, c *Case, reward decision.Reward) string {
	now := store.Micros(b.Now())
	j := completionjobs.Waiting.Row(b, jobKey(c))
	if !j.ID.IsZero() {
		return s.message
	}
	j = completionjobs.Waiting.Changed(b, jobKey(c))
	j.ID, j.OrganizationID, j.WebsiteID, j.Status, j.Message =
		b.NewID(), c.Scope.OrganizationID, c.Scope.WebsiteID, completionjobs.Pending, s.message
	j.Input = string(store.JSON(storedCall{
		ContentURL: c.In.ContentURL, Code: c.In.VerificationCode, RangeValue: c.In.RangeValue, RunID: c.RunID,
	}))
	j.CreatedAt, j.UpdatedAt, j.DueAt = now, now, store.Micros(b.Now().Add(reward.RetryAfter))
	return s.message
}

// storedCall is what a job keeps of the call that it carries out.
type storedCall struct {
	ContentURL string         `json:"contentUrl,omitempty"`
	Code       string         `json:"verificationCode,omitempty"`
	RangeValue *laurel.Amount `json:"rangeValue,omitempty"`
	RunID      laurel.ID      `json:"runId,omitzero"`
}

// JobInput returns the call that a job carries out, and the run of the function that has begun to decide; zero: none
// has.
func JobInput(j *completionjobs.Job) (in Input, run laurel.ID, err error) {
	var kept storedCall
	err = json.Unmarshal([]byte(j.Input), &kept)
	return Input{
		RuleID: j.RuleID, SkipRequired: true, ContentURL: kept.ContentURL, VerificationCode: kept.Code,
		RangeValue: kept.RangeValue,
	}, kept.RunID, err
}
