package completion

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/decision"
)

// decideUnpaid returns the outcome of a call that pays nothing whatever the facts are: a call with verifyOnly, or one
// for a deleted rule. It returns the refusal if the call is refused. A call whose key was used before gets the stored
// result.
func (s *Service) decideUnpaid(ctx context.Context, p *plan) (o outcome, err error) {
	use, err := s.findKeyUse(ctx, p.resolved)
	if err != nil {
		return o, err
	}
	if use.IsUsed() {
		o.result, err = p.decodeResult(use)
		return o, err
	}
	if !p.Rule.DeletedAt.IsZero() {
		return o, laurel.Missing("Loyalty rule")
	}
	facts, err := s.readFacts(ctx, p)
	if err != nil || p.namesOther {
		return o, err
	}
	reward, err := decision.Decide(facts)
	if err != nil {
		return o, err
	}
	o.result = Completion{
		Message: decision.MsgQueued, Status: "completed", Rewards: []Paid{}, Transactions: p.requestedTransactions(reward),
	}
	return o, nil
}
