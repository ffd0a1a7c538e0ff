package ruletypes

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// newDeferringStep returns a step that stores a completion as a job, which is decided later as of the moment of the
// call. message is that of the call's result.
func newDeferringStep(d *Deps, message string) *Step {
	return &Step{
		Prepare: noteJob, UnlockedFacts: d.addPendingJob, Locks: lockJob, LockedFacts: addLockedJob,
		InitState: initStateOfJob, Apply: completeJob,
		Defer: func(b *store.Batch, c *Case, reward decision.Reward) string {
			stageJob(b, c, reward, message)
			return message
		},
	}
}

// jobKey returns the key of the member's job.
func jobKey(c *Case) completionjobs.Key {
	return completionjobs.Key{Rule: c.Rule.ID, User: c.Person.UserID}
}

// JobIsPending reports whether a job is still undecided, by its locked row.
func JobIsPending(b *store.Batch, c *Case, j *completionjobs.Job) bool {
	return completionjobs.PendingJobs.Row(b, jobKey(c)).ID == j.ID
}

// noteJob notes whether a job decides the completion.
func noteJob(_ context.Context, c *Case) error {
	c.PreparedFacts.DecidedByJob = c.Trigger.Job != nil
	return nil
}

// lockJob returns the lock of the member's job.
func lockJob(c *Case) []store.Lock {
	return []store.Lock{completionjobs.PendingJobs.Lock(jobKey(c))}
}

// addLockedJob adds whether the member has a pending job, as its locked row shows.
func addLockedJob(b *store.Batch, c *Case, f *decision.Facts) {
	f.HasPendingJob = !completionjobs.PendingJobs.Row(b, jobKey(c)).ID.IsZero() // also one that was staged in this batch
}

// addPendingJob adds whether the member has a pending job, read without locks.
func (d *Deps) addPendingJob(ctx context.Context, c *Case, f *decision.Facts) (err error) {
	f.HasPendingJob, err = completionjobs.HasPending(ctx, d.DB, jobKey(c))
	return err
}

// completeJob marks the job that this completion decides as completed. It does nothing for completions without a job.
func completeJob(b *store.Batch, c *Case, _ *Payment) error {
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

// initStateOfJob gives the rule state the id and time of its job, so that the processing view shows both in one place.
func initStateOfJob(c *Case, state *progress.State) {
	if j := c.Trigger.Job; j != nil {
		state.ID, state.CreatedAt = j.ID, j.CreatedAt
	}
}

// stageJob stages a pending job that stores the call and is due after reward.RetryAfter, unless the member has one.
func stageJob(b *store.Batch, c *Case, reward decision.Reward, message string) {
	if !completionjobs.PendingJobs.Row(b, jobKey(c)).ID.IsZero() {
		return
	}
	now := store.Micros(b.Now())
	j := completionjobs.PendingJobs.Changed(b, jobKey(c))
	j.ID, j.OrganizationID, j.WebsiteID, j.Status, j.Message =
		b.NewID(), c.Scope.OrganizationID, c.Scope.WebsiteID, completionjobs.Pending, message
	j.Input = string(store.JSON(storedCall{
		ContentURL: c.In.ContentURL, Code: c.In.VerificationCode, RangeValue: c.In.RangeValue, RunID: c.RunID,
	}))
	j.Provider = c.Kind.Provider
	j.CreatedAt, j.UpdatedAt, j.DueAt = now, now, store.Micros(b.Now().Add(reward.RetryAfter))
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
