package completion

import (
	"context"
	"encoding/json"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// outcome is what a completion has come to: its result, if it was not refused.
type outcome struct {
	result        Completion
	failedCheck   string                // name of the check that refused it; "" if none did, or nobody counts
	post          external.CommitResult // of a plan with a post
	otherMember   *verification         // a function's answer that names another member; nil: none
	isKeyConflict bool                  // another call has used the key of a new user
}

// commitResult says how a completion that was not refused went through the committer.
type commitResult int

const (
	committed   commitResult = iota // committed, or has its result without a payment
	needsPost                       // an external ledger must accept its points first
	needsNoPost                     // it has a post, but its currency has no external ledger any more
)

// maxLedgerMoves bounds how often a currency may move to or from an external ledger while a completion is under way.
const maxLedgerMoves = 3

// submit commits a completion and sets its outcome. If it pays points of an external ledger, it commits a post first
// and pays once the ledger has accepted. It begins anew if the currency moves to or from an external ledger meanwhile,
// and returns Unavailable if that happens again and again.
func (a *attempt) submit(ctx context.Context) error {
	for range maxLedgerMoves {
		a.post = nil
		result, err := a.commit(ctx)
		if err != nil || result == committed {
			return err
		}
		commitPost := func(p *external.Post) (_ external.CommitResult, err error) {
			a.post = p
			result, err = a.commit(ctx)
			return a.outcome.post, err
		}
		p, err := a.service.external.Pay(ctx, a.plan.Scope, a.service.ExternalPostApplier(), commitPost)
		switch {
		case err != nil:
			return err
		case result != committed: // the currency has moved meanwhile
			continue
		case p.ID.IsZero(): // it had its result without a payment
			return nil
		}
		a.outcome = outcome{}
		return json.Unmarshal([]byte(p.Result), &a.outcome.result)
	}
	return &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 1}
}

// commit prepares a completion and submits it to the committer, which prepares it anew as long as it is stale. With a
// post it commits the post instead of the payment. After needsPost and needsNoPost nothing is committed: the caller
// must add or remove the post and try again.
func (a *attempt) commit(ctx context.Context) (commitResult, error) {
	key := a.request.scope.Request
	if a.post != nil {
		key = nil // the transaction that pays uses it
	}
	err := a.service.committer.Submit(ctx, key, func() (store.Work, error) {
		if done, err := a.resolveAndPrepare(ctx); done || err != nil {
			return nil, err
		}
		return a, nil
	})
	switch {
	case errors.Is(err, ledger.ErrExternal):
		return needsPost, nil
	case errors.Is(err, external.ErrNotExternal):
		return needsNoPost, nil
	}
	return committed, err
}

// Other is the reason of refusals that none of the decision's checks makes.
const Other = "other"

// countRefusal counts a refused completion. It leaves out calls with verifyOnly, calls for rules that do not exist, and
// errors that are no refusal.
func (a *attempt) countRefusal(err error) {
	r, count := a.resolved, a.service.refusalCounter
	if err == nil || count == nil || r.In.VerifyOnly || r.Rule.ID.IsZero() || !r.Rule.DeletedAt.IsZero() {
		return
	}
	if laurel.IsRefusal(err) { // neither a fault nor a rate limit
		count(r.Scope.At(r.Rule.WebsiteID), r.Rule.ID, a.refusalReason(err))
	}
}

// refusalReason returns the name of the check that refused the completion. The names are those that dry runs show; if
// no check of the decision refused it, it returns Other.
func (a *attempt) refusalReason(err error) string {
	switch {
	case a.outcome.failedCheck != "":
		return a.outcome.failedCheck
	case a.resolved.checkOverrides() != nil:
		return "overrides"
	case laurel.CodeOf(err) == laurel.CodeOf(ledger.ErrKeyConflict()) && err.Error() == ledger.ErrKeyConflict().Error():
		return "idempotencyKey"
	}
	return Other
}
