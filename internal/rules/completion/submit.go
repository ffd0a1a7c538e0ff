package completion

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// commitResult says how a completion that was not refused went through the committer.
type commitResult int

const (
	committed   commitResult = iota // committed, or has its result without a payment
	needsPost                       // an external ledger must accept its points first
	needsNoPost                     // it has a post, but its currency has no external ledger any more
)

// maxLedgerMoves bounds how often a currency may move to or from an external ledger while a completion is under way.
const maxLedgerMoves = 3

// submit commits a completion and sets its result. If it pays points of an external ledger, it commits a post first and
// pays once the ledger has accepted. It begins anew if the currency moves to or from an external ledger meanwhile, and
// returns Unavailable if that happens again and again.
func (s *Service) submit(ctx context.Context, w *completion) error {
	for range maxLedgerMoves {
		w.pendingPost = nil
		result, err := s.commit(ctx, w)
		if err != nil || result == committed {
			return err
		}
		commitPost := func(p *external.Post) (_ external.CommitResult, err error) {
			w.pendingPost = &pendingPost{post: p}
			result, err = s.commit(ctx, w)
			return w.pendingPost.CommitResult, err
		}
		p, err := s.external.Pay(ctx, w.Scope, s.ExternalPostApplier(), commitPost)
		switch {
		case err != nil:
			return err
		case result != committed: // the currency has moved meanwhile
			continue
		case p.ID.IsZero(): // it had its result without a payment
			return nil
		}
		return json.Unmarshal([]byte(p.Result), &w.result)
	}
	return &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 1}
}

// commit prepares a completion and submits it to the committer, which prepares it anew as long as it is stale. With a
// pending post it commits the post instead of the payment. After needsPost and needsNoPost nothing is committed: the
// caller must add or remove the post and try again.
func (s *Service) commit(ctx context.Context, w *completion) (commitResult, error) {
	key := w.Scope.Request
	if w.pendingPost != nil {
		key = nil // the transaction that pays uses it
	}
	err := s.committer.Submit(ctx, key, func() (store.Work, error) {
		if done, err := w.prepare(ctx); done || err != nil {
			return nil, err
		}
		return w, nil
	})
	switch {
	case errors.Is(err, ledger.ErrExternal):
		return needsPost, nil
	case errors.Is(err, external.ErrNotExternal):
		return needsNoPost, nil
	}
	return committed, err
}

// String describes the completion in log messages.
func (w *completion) String() string {
	text := w.Trigger.Name + " of rule " + w.In.RuleID.String() + " of website " + w.Scope.WebsiteID.String() +
		" by user " + w.Person.UserID.String()
	if w.In.Key != "" {
		text += " with key " + strconv.Quote(w.In.Key)
	}
	return text
}

// PayReferral pays the welcome bonus and the referrer bonus of a referral whose requirements hold. Each referee counts
// once, whatever the rule's interval. Errors are those of Complete; "Quest not completed" if the requirements do not
// hold.
func (s *Service) PayReferral(ctx context.Context, scope laurel.Scope, rule, referee laurel.ID) error {
	event := &EventOrRun{Kind: decision.TriggerEvent, At: s.db.Now(), Window: schema.IntervalOnce}
	in := CompleteInput{RuleID: rule, User: identity.Ref{UserID: referee}}
	return s.submit(ctx, s.newCompletion(event.mode(), scope, in))
}
