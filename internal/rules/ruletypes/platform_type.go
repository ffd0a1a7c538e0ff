package ruletypes

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// platformType is a rule type whose platform verifies the member (contract 6). A call is checked for a connected
// account and its body, and then queued as a job, which asks the platform.
type platformType struct {
	schema.Kind
	// failure returns the refusal where the platform has said only that there is nothing; nil: Quest not completed.
	failure func(f decision.Facts) string
	// acceptsURL says that a content url may stand for a connected account: its author is then the account.
	acceptsURL bool
	// needsURL reports whether a call needs a content url, with the refusal if it has none; nil: no call does.
	needsURL func(f decision.Facts) (refusal string, needs bool)
}

// newPlatformKinds returns the kinds of types of one platform.
func newPlatformKinds(platform string, family schema.Family, types ...platformType) []Kind {
	kinds := make([]Kind, len(types))
	for i, t := range types {
		t.Platform, t.Family, t.Provider = platform, family, schema.PlatformProvider
		kinds[i] = Kind{
			Kind: t.Kind,
			Decision: &decision.Kind{
				IsSetUp: hasProvider, CheckVerifiable: t.checkVerifiable, Check: t.check, ChecksState: !t.acceptsURL,
				DeferFor: deferToJob,
			},
			NewStep:            newPlatformStep,
			Profile:            &Profile{Names: accountNames(platform)},
			RunsOverAllMembers: t.Scheduled,
		}
	}
	return kinds
}

// deferToJob defers the decision at once to a job, which asks the platform.
func deferToJob(f decision.Facts) (time.Duration, bool) { return 0, f.Verdict.IsPending }

// checkVerifiable refuses if the platform cannot be asked: without a connected account, and without a content url where
// one is needed.
func (t platformType) checkVerifiable(f decision.Facts) error {
	isCall := f.TriggeredBy == decision.TriggerCall
	switch {
	case t.acceptsURL && isCall && !f.Profile.HasAccount && !f.HasContentURL:
		return laurel.Errorf(laurel.Refused, decision.MsgContentURL, f.Profile.PlatformLabel)
	case t.acceptsURL && isCall && f.HasContentURL:
	default:
		if err := checkAccountConnected(f); err != nil {
			return err
		}
	}
	if t.needsURL == nil || !isCall || f.HasContentURL {
		return nil
	}
	if refusal, needs := t.needsURL(f); needs {
		return decision.Refuse(refusal)
	}
	return nil
}

// check refuses the completion unless the platform says that the member has earned the rule. While a job has yet to ask
// the platform, only the connection and the body are checked. Without any verdict the requirements are those that last:
// the connection.
func (t platformType) check(f decision.Facts) error {
	if err := t.checkVerifiable(f); err != nil {
		return err
	}
	switch {
	case !f.Verdict.HasProvider: // the question is whether a reward stays
		return nil
	case f.PendingJobDiffers && !f.DecidedByJob:
		return decision.Refuse(decision.MsgStillQueued)
	case f.Verdict.IsPending:
		return nil
	case f.PostClaimed:
		return decision.Refuse(decision.MsgPostClaimed)
	case f.Verdict.Fulfilled && (!f.PaysPerValue() || !isZero(f.Verdict.Value)):
		return nil
	case f.Verdict.Refusal != "":
		return decision.Refuse(f.Verdict.Refusal)
	case t.failure != nil:
		return decision.Refuse(t.failure(f))
	}
	return decision.Refuse(decision.MsgNotCompleted)
}

// isZero reports whether a value was measured and is 0.
func isZero(value *laurel.Amount) bool { return value != nil && *value == 0 }

// always returns a function that returns a refusal.
func always(refusal string) func(decision.Facts) string {
	return func(decision.Facts) string { return refusal }
}

// needsCommentLink refuses calls without the link of the comment.
func needsCommentLink(decision.Facts) (string, bool) { return decision.MsgCommentLink, true }

// platformStep defers calls to jobs, and keeps a post from earning the rule twice. A post has a rule state of its own,
// as an account has.
type platformStep struct {
	*Step // of the job
	*Deps
}

// newPlatformStep returns the step of types whose platform verifies the member.
func newPlatformStep(d *Deps, _ *Case) *Step {
	s := &platformStep{newDeferringStep(d, decision.MsgQueued), d}
	step := *s.Step
	step.UnlockedFacts, step.Locks, step.LockedFacts, step.Apply = s.addUnlockedFacts, s.locks, s.addLockedFacts, s.apply
	step.Window, step.Reservations = tierWindow, postReservations
	return &step
}

// postKeys returns the rule states of the post that earns the rule; none if no post does.
func postKeys(c *Case) []progress.StateKey {
	post := c.PreparedFacts.Verdict.PostID
	if post == "" {
		return nil
	}
	return progress.AccountKeys(c.Rule.ID, c.Scope.WebsiteID, []string{"post " + post})
}

// locks returns the locks of the member's job and of the post.
func (s *platformStep) locks(c *Case) []store.Lock {
	locks := lockJob(c)
	for _, k := range postKeys(c) {
		locks = append(locks, progress.States.Lock(k))
	}
	return locks
}

// addLockedFacts adds whether the member has a pending job, whether that is about another content url, and whether the
// post has earned the rule before.
func (s *platformStep) addLockedFacts(b *store.Batch, c *Case, f *decision.Facts) {
	addLockedJob(b, c, f)
	if f.HasPendingJob {
		in, _, err := JobInput(completionjobs.PendingJobs.Row(b, jobKey(c)))
		f.PendingJobDiffers = err == nil && in.ContentURL != c.In.ContentURL
	}
	for _, k := range postKeys(c) {
		f.PostClaimed = progress.States.Row(b, k).LastPaidAt != nil
	}
}

// addUnlockedFacts adds the facts of addLockedFacts for calls that pay nothing, which do not regard the pending job.
func (s *platformStep) addUnlockedFacts(ctx context.Context, c *Case, f *decision.Facts) error {
	if err := s.addPendingJob(ctx, c, f); err != nil {
		return err
	}
	for _, k := range postKeys(c) {
		state, err := s.Loaders.State(ctx, k)
		if err != nil {
			return err
		}
		f.PostClaimed = state.LastPaidAt != nil
	}
	return nil
}

// apply completes the job, and marks the post as one that has earned the rule.
func (s *platformStep) apply(b *store.Batch, c *Case, p *Payment) error {
	now := store.Micros(b.Now())
	for _, k := range postKeys(c) {
		state := progress.States.Changed(b, k)
		state.Init(b, c.Scope)
		state.UpdatedAt, state.LastPaidAt, state.UserID = now, &now, c.Person.UserID
	}
	return completeJob(b, c, p)
}

// postReservations names the post, for the post to an external ledger.
func postReservations(c *Case) []string {
	var out []string
	for _, k := range postKeys(c) {
		out = append(out, "content "+k.Subject.String())
	}
	return out
}

// tierWindow returns the window of the tier that was reached, for types whose tiers are windows of their own (contract
// 5.3), and for jobs the window of the call. While nothing is measured yet the window is open.
func tierWindow(c *Case, state *progress.State) (key string, open, ok bool) {
	switch {
	case HasWindowPerTier(c):
		return TierWindow(c), true, true
	case c.Trigger.Job == nil:
		return "", false, false
	}
	key, open = JobWindow(c, state) // that of the call
	return key, open, true
}

// HasWindowPerTier reports whether each tier of the rule is a window of its own.
func HasWindowPerTier(c *Case) bool {
	return c.Kind.WindowPerTier && len(c.Rule.Meta().Range) > 0
}

// TierWindow returns the key of the window of the reached tier; "" if nothing is measured yet, if the value is below
// all tiers, and for rules whose tiers are no windows.
func TierWindow(c *Case) string {
	value := c.PreparedFacts.Verdict.Value
	if !HasWindowPerTier(c) || value == nil {
		return ""
	}
	tier, reached := schema.TierOf(c.Rule.Meta().Range, *value)
	if !reached {
		return ""
	}
	return "tier " + tier.Start.String()
}
