package completion

import (
	"context"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/store"
)

// attempt takes a request through the phases, and again as long as its plan is stale (a store.Work).
type attempt struct {
	service      *Service
	request      request
	post         *external.Post // the post that an external ledger must accept first; nil: none
	preparations int            // 1 while it is prepared for the first time
	keyConflict  bool           // an earlier plan met a conflict of the caller's key
	resolved     *resolved      // of the last preparation
	plan         *plan          // of the last preparation that came to one
	outcome      outcome        // of the last plan
}

// newAttempt returns an attempt to complete what is requested.
func (s *Service) newAttempt(q request) *attempt { return &attempt{service: s, request: q} }

// resolveAndPrepare resolves and prepares the completion: from the caches of this node the first time, and from the
// database afterwards. done reports that it has its outcome and needs no transaction.
func (a *attempt) resolveAndPrepare(ctx context.Context) (done bool, err error) {
	a.preparations++
	if a.preparations == 1 {
		// A provider that did not respond is not asked again at once.
		if done, err = a.prepareOn(ctx, false); err == nil && !done || laurel.CodeOf(err) == laurel.Unanswered {
			return false, err
		}
	}
	// Cached data may be outdated, and no lock would show it: a refusal or result on fresh data is final.
	return a.prepareOn(ctx, true)
}

// prepareOn prepares on data from the database if fresh, else on what the caches of this node hold; checkCurrent
// notices if that was outdated. done reports that no transaction is needed. Without fresh, the caller must then call
// prepareOn with fresh, which sets the outcome.
func (a *attempt) prepareOn(ctx context.Context, fresh bool) (done bool, err error) {
	a.keyConflict = a.keyConflict || a.outcome.isKeyConflict
	a.outcome = outcome{}
	if a.resolved, err = a.service.resolve(ctx, &a.request, fresh); err != nil {
		return false, err
	}
	if err := a.resolved.checkOverrides(); err != nil {
		return false, err
	}
	done = !a.resolved.Rule.DeletedAt.IsZero() || a.resolved.In.VerifyOnly
	if done && !fresh {
		return true, nil
	}
	a.plan = a.newPlan()
	if done {
		a.outcome, err = a.service.decideUnpaid(ctx, a.plan)
	} else {
		err = a.service.prepareFacts(ctx, a.plan)
	}
	if err == nil && a.plan.namesOther {
		a.outcome, done = outcome{otherMember: a.plan.verification}, true
	}
	return done, err
}

// newPlan returns the plan of the next preparation, before it is prepared.
func (a *attempt) newPlan() *plan {
	p := a.service.newPlan(a.resolved, a.preparations)
	p.post, p.followsKeyConflict = a.post, a.keyConflict
	switch {
	case p.verifier != nil && a.request.verified != nil:
		p.verifier, p.previous = verifiedBefore, a.request.verified
	case a.plan != nil:
		p.previous = a.plan.verification
	}
	return p
}

// String describes the completion in log messages.
func (a *attempt) String() string { return a.plan.String() }

// Locks returns the locks of the plan.
func (a *attempt) Locks() []store.Lock { return a.plan.Locks() }

// Judge completes the plan by the locked rows, and keeps the outcome.
func (a *attempt) Judge(b *store.Batch) (err error) {
	a.outcome, err = a.plan.judgeAndStage(b)
	return err
}

// String describes the completion in log messages.
func (p *plan) String() string {
	text := p.Trigger.Name + " of rule " + p.In.RuleID.String() + " of website " + p.Scope.WebsiteID.String() +
		" by user " + p.Person.UserID.String()
	if p.In.Key != "" {
		text += " with key " + strconv.Quote(p.In.Key)
	}
	return text
}
