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

// deferredStep stores a completion as a job, which is decided later as of the moment of the call.
type deferredStep struct {
	*Deps
	message string // the message of the call's result
}

// jobKey returns the key of the member's job.
func jobKey(c *Case) completionjobs.Key {
	return completionjobs.Key{Rule: c.Rule.ID, User: c.Person.UserID}
}

// JobIsPending reports whether a job is still undecided, by its locked row.
func JobIsPending(b *store.Batch, c *Case, j *completionjobs.Job) bool {
	return completionjobs.PendingJobs.Row(b, jobKey(c)).ID == j.ID
}

// Prepare notes whether a job decides the completion.
func (*deferredStep) Prepare(_ context.Context, c *Case) error {
	c.PreparedFacts.DecidedByJob = c.Trigger.Job != nil
	return nil
}

// Locks returns the lock of the member's job.
func (*deferredStep) Locks(c *Case) []store.Lock {
	return []store.Lock{completionjobs.PendingJobs.Lock(jobKey(c))}
}

// LockedFacts adds whether the member has a pending job.
func (*deferredStep) LockedFacts(b *store.Batch, c *Case, f *decision.Facts) {
	f.HasPendingJob = !completionjobs.PendingJobs.Row(b, jobKey(c)).ID.IsZero() // also one that was staged in this batch
}

// UnlockedFacts adds whether the member has a pending job, read without locks.
func (s *deferredStep) UnlockedFacts(ctx context.Context, c *Case, f *decision.Facts) (err error) {
	f.HasPendingJob, err = completionjobs.HasPending(ctx, s.DB, jobKey(c))
	return err
}

// Apply marks the job that this completion decides as completed. It does nothing for completions without a job.
func (*deferredStep) Apply(b *store.Batch, c *Case, _ decision.Reward) error {
	// The job may be over: an external ledger may accept its payment later.
	if j := c.Trigger.Job; j != nil && JobIsPending(b, c, j) {
		row := completionjobs.PendingJobs.Changed(b, jobKey(c))
		row.Status, row.Message, row.UpdatedAt = completionjobs.Completed, decision.MsgCompleted, store.Micros(b.Now())
	}
	return nil
}

// JobWindow returns the key of the calendar window at the moment as of which a job is decided, and whether that window
// is open: the rule state does not show it as the last one paid. The key is "", and open true, without such windows.
func JobWindow(c *Case, state *progress.State) (key string, open bool) {
	key = schema.WindowKey(c.Rule.Interval, c.Trigger.Moment)
	if key == "" || state.WindowPaidAt == nil {
		return key, true
	}
	return key, key != schema.WindowKey(c.Rule.Interval, store.Time(*state.WindowPaidAt))
}

// InitState gives the rule state the id and time of its job, so that the processing view shows both in one place.
func (*deferredStep) InitState(c *Case, state *progress.State) {
	if j := c.Trigger.Job; j != nil {
		state.ID, state.CreatedAt = j.ID, j.CreatedAt
	}
}

// Defer stages a pending job that stores the call and is due after reward.RetryAfter, unless the member has one. It
// returns the message of the call's result.
func (s *deferredStep) Defer(b *store.Batch, c *Case, reward decision.Reward) string {
	now := store.Micros(b.Now())
	j := completionjobs.PendingJobs.Row(b, jobKey(c))
	if !j.ID.IsZero() {
		return s.message
	}
	j = completionjobs.PendingJobs.Changed(b, jobKey(c))
	j.ID, j.OrganizationID, j.WebsiteID, j.Status, j.Message =
		b.NewID(), c.Scope.OrganizationID, c.Scope.WebsiteID, completionjobs.Pending, s.message
	j.Input = string(store.JSON(storedCall{
		ContentURL: c.In.ContentURL, Code: c.In.VerificationCode, RangeValue: c.In.RangeValue, RunID: c.RunID,
	}))
	j.CreatedAt, j.UpdatedAt, j.DueAt = now, now, store.Micros(b.Now().Add(reward.RetryAfter))
	return s.message
}

// storedCall is what a job stores of the call, as JSON.
type storedCall struct {
	ContentURL string         `json:"contentUrl,omitempty"`
	Code       string         `json:"verificationCode,omitempty"`
	RangeValue *laurel.Amount `json:"rangeValue,omitempty"`
	RunID      laurel.ID      `json:"runId,omitzero"`
}

// JobInput returns the call that a job completes, and the run of the function that is already deciding; zero: none.
func JobInput(j *completionjobs.Job) (in Input, run laurel.ID, err error) {
	var call storedCall
	err = json.Unmarshal([]byte(j.Input), &call)
	return Input{
		RuleID: j.RuleID, SkipRequired: true, ContentURL: call.ContentURL, VerificationCode: call.Code,
		RangeValue: call.RangeValue,
	}, call.RunID, err
}
