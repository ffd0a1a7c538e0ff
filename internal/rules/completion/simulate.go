package completion

import (
	"cmp"
	"context"
	"time"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/schema"
)

// SimulateInput is a call to complete a rule that is only tried (contract 4.2).
type SimulateInput struct {
	CompleteInput
	At    time.Time     // as if it were then; zero: now
	Draft *schema.Input // as if the rule were changed so; nil: as it is saved
}

// Simulation is what a completion would come to. Nothing was written.
type Simulation struct {
	Refusal error // nil: it would be completed, or wait as a click does
	Checks  []decision.Check
	Rewards []Paid
	Missing *decision.Missing
	// Transactions are what a function would ask the payout driver for. Nothing of it is handed over.
	Transactions []Transaction
}

// Simulate decides on the present facts what Complete would, and returns every check. A wallet that is not known is
// judged as a new user's, and stays unknown. Errors: NotFound "Loyalty rule" or "User"; where there is no rule to
// judge, also what a completion refuses before it looks for one.
func (s *Service) Simulate(ctx context.Context, scope laurel.Scope, in SimulateInput) (Simulation, error) {
	w := s.newCompletion(simulationMode(in.At), scope, in.CompleteInput)
	w.In.VerifyOnly = true
	if err := w.identify(ctx, true); err != nil {
		return Simulation{}, err
	}
	if in.Draft != nil {
		draft, err := w.Rule.Preview(*in.Draft)
		if err != nil {
			return Simulation{}, err
		}
		w.setRule(catalog.CachedRule{Rule: &draft, HasRequired: w.HasRequiredRules})
	}
	first, err := w.findKeyedResult(ctx)
	if err != nil {
		return Simulation{}, err
	}
	if !w.Rule.DeletedAt.IsZero() {
		return Simulation{}, cmp.Or(w.checkOverrides(), first.conflict, error(laurel.Missing("Loyalty rule")))
	}
	facts, err := w.readFacts(ctx)
	if err != nil {
		return Simulation{}, err
	}
	out := w.simulation(facts, first)
	if first.result == nil { // else the rewards are as they were answered
		err = w.markHeldRewards(ctx, out.Rewards)
	}
	return out, err
}

// markHeldRewards marks what would wait before it is given.
func (w *completion) markHeldRewards(ctx context.Context, rewards []Paid) error {
	for i, r := range rewards {
		if r.CurrencyID == nil || *r.Amount == 0 {
			continue
		}
		c, err := w.service.ledger.Currency(ctx, w.Scope, *r.CurrencyID)
		if err != nil {
			return err
		}
		rewards[i].Waiting = c.WaitHours != nil
	}
	return nil
}

// keyedResult is what a call of the same key came to.
type keyedResult struct {
	result   *Completion // of an equal call
	conflict error       // the key was used for something else
}

func (w *completion) findKeyedResult(ctx context.Context) (keyedResult, error) {
	use, err := w.findKeyUse(ctx)
	if err != nil || !use.Used() {
		return keyedResult{}, err
	}
	answer, err := w.decodeResult(use)
	if laurel.CodeOf(err) == laurel.CodeOf(ledger.KeyConflict()) {
		return keyedResult{conflict: err}, nil
	}
	return keyedResult{result: &answer}, err
}

// simulation explains the decision, the checks of step 3 first.
func (w *completion) simulation(facts decision.Facts, first keyedResult) Simulation {
	overrides := w.checkOverrides()
	checks, reward, refusal := decision.Explain(facts)
	checks = append(
		[]decision.Check{{Name: "overrides", Refusal: overrides}, {Name: "idempotencyKey", Refusal: first.conflict}},
		checks...)
	out := Simulation{Refusal: cmp.Or(overrides, first.conflict, refusal), Checks: checks, Rewards: []Paid{}}
	switch {
	case out.Refusal == nil && first.result == nil && !reward.IsDeferred:
		out.Rewards, out.Transactions = w.paidRewards(reward), w.requestedTransactions(reward)
	case overrides == nil && first.result != nil: // it would be answered again, before every later check
		out.Refusal, out.Rewards = nil, first.result.Rewards
	case out.Refusal != nil:
		out.Missing = decision.FindMissing(facts)
	}
	return out
}
