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

// outcome is how a completion that was not refused went through the committer.
type outcome int

const (
	committed   outcome = iota // or answered without a payment
	mustAsk                    // an external ledger keeps what it pays, and must agree first
	nobodyToAsk                // it was to ask one, and none keeps what it pays any more
)

// changes bounds how often a currency goes outside or comes back while a completion is on its way.
const changes = 3

// submit takes a completion through the committer, and, where it pays what is kept outside, first to those who keep it.
func (s *Service) submit(ctx context.Context, w *completion) error {
	for range changes {
		w.asking = nil
		went, err := s.carry(ctx, w)
		if err != nil || went == committed {
			return err
		}
		p, err := s.external.Pay(ctx, w.Scope, s.Payer(), func(p *external.Post) (_ external.CommitResult, err error) {
			w.asking = &asking{post: p}
			went, err = s.carry(ctx, w)
			return w.asking.CommitResult, err
		})
		switch {
		case err != nil:
			return err
		case went != committed: // the currency has moved meanwhile
			continue
		case p.ID.IsZero(): // answered without a payment
			return nil
		}
		return json.Unmarshal([]byte(p.Result), &w.answer)
	}
	return &laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 1}
}

// carry takes a completion through the committer.
func (s *Service) carry(ctx context.Context, w *completion) (outcome, error) {
	key := w.Scope.Request
	if w.asking != nil {
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
		return mustAsk, nil
	case errors.Is(err, external.ErrNotExternal):
		return nobodyToAsk, nil
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

// Settle pays the welcome and the lump sum of a referral whose requirements hold. Each referee counts once, whatever
// the rule's interval is. Errors are those of Complete; "Quest not completed" where the requirements do not hold.
func (s *Service) Settle(ctx context.Context, scope laurel.Scope, rule, referee laurel.ID) error {
	event := &Occasion{By: decision.ByEvent, At: s.db.Now(), Window: schema.IntervalOnce}
	return s.submit(ctx, s.begin(event.trigger(), scope, CompleteInput{RuleID: rule, User: identity.Ref{UserID: referee}}))
}
