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

// commitResult is how a completion that was not refused went through the committer.
type commitResult int

const (
	committed   commitResult = iota // or answered without a payment
	needsPost                       // an external ledger keeps what it pays, and must agree first
	needsNoPost                     // it was to ask one, and none keeps what it pays any more
)

// maxLedgerMoves bounds how often a currency goes outside or comes back while a completion is on its way.
const maxLedgerMoves = 3

// submit takes a completion through the committer, and, where it pays what is kept outside, first to those who keep it.
func (s *Service) submit(ctx context.Context, w *completion) error {
	for range maxLedgerMoves {
		w.pendingPost = nil
		went, err := s.commit(ctx, w)
		if err != nil || went == committed {
			return err
		}
		p, err := s.external.Pay(ctx, w.Scope, s.Payer(), func(p *external.Post) (_ external.CommitResult, err error) {
			w.pendingPost = &pendingPost{post: p}
			went, err = s.commit(ctx, w)
			return w.pendingPost.CommitResult, err
		})
		switch {
		case err != nil:
			return err
		case went != committed: // the currency has moved meanwhile
			continue
		case p.ID.IsZero(): // answered without a payment
			return nil
		}
		return json.Unmarshal([]byte(p.Result), &w.result)
	}
	return &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 1}
}

// commit takes a completion through the committer.
func (s *Service) commit(ctx context.Context, w *completion) (commitResult, error) {
	key := w.Scope.Request
	if w.pendingPost != nil {
		key = nil // it is for the transaction that pays
	}
	err := s.committer.Submit(ctx, key, func() (store.Work, error) {
		if done, err := w.prepare(ctx); done || err != nil {
			return nil, err
		}
		return w, nil
	})
	switch {
	case errors.Is(err, ledger.ErrOutside):
		return needsPost, nil
	case errors.Is(err, external.ErrNotExternal):
		return needsNoPost, nil
	}
	return committed, err
}

// String names the work in the log.
func (w *completion) String() string {
	text := w.Trigger.Name + " of rule " + w.In.RuleID.String() + " of website " + w.Scope.WebsiteID.String() +
		" by user " + w.Person.UserID.String()
	if w.In.Key != "" {
		text += " with key " + strconv.Quote(w.In.Key)
	}
	return text
}

// PayReferral pays the welcome and the lump sum of a referral whose requirements hold. Each referee counts once,
// whatever the rule's interval is. Errors are those of Complete; "Quest not completed" where the requirements do not
// hold.
func (s *Service) PayReferral(ctx context.Context, scope laurel.Scope, rule, referee laurel.ID) error {
	event := &EventOrRun{By: decision.ByEvent, At: s.db.Now(), Window: schema.IntervalOnce}
	in := CompleteInput{RuleID: rule, User: identity.Ref{UserID: referee}}
	return s.submit(ctx, s.newCompletion(event.mode(), scope, in))
}
