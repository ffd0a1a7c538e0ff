package completion

import (
	"cmp"
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/schema"
)

// SimulateInput is a call to complete a rule that is only tried (contract 4.2).
type SimulateInput struct {
	CompleteInput
	At    time.Time     // the moment to simulate; zero: now
	Draft *schema.Input // an unsaved change of the rule to try; nil: the rule as it is
}

// Simulation is the result that a completion would have. Nothing was written.
type Simulation struct {
	Refusal error // nil: it would be completed, or deferred as a click is
	Checks  []decision.Check
	Rewards []Paid
	Missing *decision.Missing
	// Transactions are the payout calls that a function requests. They are not sent.
	Transactions []Transaction
}

// Simulate decides on the present facts as Complete would, and returns every check. An unknown wallet is decided as a
// new user, and none is created. Errors: NotFound "Loyalty rule" or "User". If the rule does not exist, also the
// refusals that come before that one.
func (s *Service) Simulate(ctx context.Context, scope laurel.Scope, in SimulateInput) (Simulation, error) {
	r, err := s.resolveSimulated(ctx, scope, in)
	if err != nil {
		return Simulation{}, err
	}
	keyed, err := s.findKeyedResult(ctx, r)
	if err != nil {
		return Simulation{}, err
	}
	if !r.Rule.DeletedAt.IsZero() {
		return Simulation{}, cmp.Or(r.checkOverrides(), keyed.conflict, error(laurel.Missing("Loyalty rule")))
	}
	p := s.newPlan(r, 1)
	if p.verifier != nil {
		p.verifier = s.askAlways
	}
	facts, err := s.readFacts(ctx, p)
	if err != nil {
		return Simulation{}, err
	}
	out := p.simulation(facts, keyed)
	if keyed.result == nil { // else the rewards are those of the stored result
		err = s.markHeldRewards(ctx, p.Scope, out.Rewards)
	}
	return out, err
}

// resolveSimulated finds the rule and the person of a simulation. It replaces the rule by the draft, if there is one.
func (s *Service) resolveSimulated(ctx context.Context, scope laurel.Scope, in SimulateInput) (*resolved, error) {
	q := &request{scope: scope, in: in.CompleteInput, trigger: callTrigger()}
	q.in.VerifyOnly, q.trigger.Moment = true, in.At
	r, err := s.resolve(ctx, q, true)
	if err != nil || in.Draft == nil {
		return r, err
	}
	draft, err := r.Rule.Preview(*in.Draft)
	if err == nil {
		s.setRule(r, catalog.CachedRule{Rule: &draft, HasRequired: r.HasRequiredRules})
	}
	return r, err
}

// markHeldRewards marks the rewards whose points would be held.
func (s *Service) markHeldRewards(ctx context.Context, scope laurel.Scope, rewards []Paid) error {
	for i, r := range rewards {
		if r.CurrencyID == nil || *r.Amount == 0 {
			continue
		}
		c, err := s.ledger.Currency(ctx, scope, *r.CurrencyID)
		if err != nil {
			return err
		}
		rewards[i].Waiting = c.WaitHours != nil
	}
	return nil
}

// keyedResult is the result of an earlier call with the same idempotencyKey. It is empty if there was none.
type keyedResult struct {
	result   *Completion // the stored result, if that call had the same input
	conflict error       // the key was used for something else
}

// findKeyedResult returns the result of an earlier call with the same key, or the conflict if that call had other
// input. It returns the zero value if there was none, or if this call has no key.
func (s *Service) findKeyedResult(ctx context.Context, r *resolved) (keyedResult, error) {
	use, err := s.findKeyUse(ctx, r)
	if err != nil || !use.IsUsed() {
		return keyedResult{}, err
	}
	result, err := r.decodeResult(use)
	if laurel.CodeOf(err) == laurel.CodeOf(ledger.ErrKeyConflict()) {
		return keyedResult{conflict: err}, nil
	}
	return keyedResult{result: &result}, err
}

// simulation returns the decision on the facts with every check, those of overrides and the idempotencyKey first. If
// the key was used before with the same input, it returns the rewards of the stored result and no refusal, except one
// of the overrides. If the call is refused, Missing says what the member still needs.
func (p *plan) simulation(facts decision.Facts, keyed keyedResult) Simulation {
	overrides := p.checkOverrides()
	checks, reward, refusal := decision.Explain(facts)
	checks = append(
		[]decision.Check{{Name: "overrides", Refusal: overrides}, {Name: "idempotencyKey", Refusal: keyed.conflict}},
		checks...)
	out := Simulation{Refusal: cmp.Or(overrides, keyed.conflict, refusal), Checks: checks, Rewards: []Paid{}}
	switch {
	case out.Refusal == nil && keyed.result == nil && !reward.IsDeferred:
		out.Rewards, out.Transactions = p.paidRewards(reward), p.requestedTransactions(reward)
	case overrides == nil && keyed.result != nil: // the stored result comes before every later check
		out.Refusal, out.Rewards = nil, keyed.result.Rewards
	case out.Refusal != nil:
		out.Missing = decision.FindMissing(facts)
	}
	return out
}
