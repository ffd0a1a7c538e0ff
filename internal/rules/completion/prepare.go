package completion

import (
	"context"

	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/ruletypes"
)

// plan is a resolved completion with all that its decision and its payment need beyond the locked rows. Once it is
// prepared it does not change.
type plan struct {
	*resolved
	// preparation counts the preparations of the completion; 1: the first, which may rest on the caches of this node.
	preparation int
	window      string // key of the window to pay; "" if the interval has no fixed windows or a key replaces it
	// verifier sets verification; nil: the rule needs no provider.
	verifier     *verifier
	verification *verification  // what the provider said about the member; nil: it was not asked
	previous     *verification  // what it said when it was asked before; nil: it was not
	namesOther   bool           // the function named another member, who completes the rule in place of this one
	checkIns     []checkIn      // check-ins that this completion triggers
	post         *external.Post // must be accepted by an external ledger before the points are paid; nil: none
	// followsKeyConflict says that an earlier preparation met the caller's key with a use by another call.
	followsKeyConflict bool
}

// newPlan returns the plan of a resolved completion before its preparation. It asks the provider of the rule, if there
// is one.
func (s *Service) newPlan(r *resolved, preparation int) *plan {
	p := &plan{resolved: r, preparation: preparation}
	if r.Kind.AsksProvider() {
		p.verifier = s.askIfNeeded
	}
	return p
}

// prepareFacts reads all facts that need no locks. judge, which decides under the locks, reads the rest: it holds the
// locks of many calls at once, so reading the same rows here too would cost more than refusing a call only there.
func (s *Service) prepareFacts(ctx context.Context, p *plan) error {
	if err := s.readAhead(ctx, p); err != nil || p.namesOther {
		return err
	}
	if err := s.prepareCheckIns(ctx, p); err != nil {
		return err
	}
	return s.reserve(ctx, p)
}

// readAhead lets the steps read what they need without locks, and sets the window, the period in which the rule pays
// once. The first time it assumes an empty rule state, which saves reading it: the state changes the window only if a
// clock went back, and then checkCurrent returns store.ErrStale and the completion is prepared again.
func (s *Service) readAhead(ctx context.Context, p *plan) error {
	state := progress.State{}
	if p.preparation > 1 {
		var err error
		if state, err = s.deps.Loaders.State(ctx, p.StateKey()); err != nil {
			return err
		}
	}
	p.window, _ = p.windowAt(&state, s.db.Now())
	if err := prepareSteps(ctx, p); err != nil {
		return err
	}
	p.setVerifiedWindow(&state, s.db.Now())
	return nil
}

// prepareSteps lets the steps read, asks the provider, and lets the steps read what its answer names. It stops early if
// the answer names another member.
func prepareSteps(ctx context.Context, p *plan) error {
	for _, s := range p.steps {
		if s.Prepare != nil {
			if err := s.Prepare(ctx, &p.Case); err != nil {
				return err
			}
		}
	}
	if p.verifier == nil {
		return nil
	}
	if err := p.verifier.verify(ctx, p); err != nil || p.namesOther {
		return err
	}
	for _, s := range p.steps {
		if s.PrepareVerified != nil {
			if err := s.PrepareVerified(ctx, &p.Case); err != nil {
				return err
			}
		}
	}
	return nil
}

// readFacts prepares the steps and returns the facts of the decision, all read without locks, for a call that pays
// nothing.
func (s *Service) readFacts(ctx context.Context, p *plan) (decision.Facts, error) {
	if err := prepareSteps(ctx, p); err != nil || p.namesOther {
		return decision.Facts{}, err
	}
	return s.unlockedFacts(ctx, p)
}

// unlockedFacts reads, without locks, the facts that judge reads under locks, and returns them together with the
// prepared facts.
func (s *Service) unlockedFacts(ctx context.Context, p *plan) (decision.Facts, error) {
	state, err := s.deps.Loaders.State(ctx, p.StateKey())
	if err != nil {
		return decision.Facts{}, err
	}
	window, open := p.windowAt(&state, p.DecisionTime(s.db.Now()))
	paid := !open
	// The rule state shows only the last window of the calendar.
	hasOwnRow := p.Trigger.HasFixedWindow || p.Rule.HasWindowPerCode() || p.functionKey() != "" ||
		window != "" && ruletypes.HasWindowPerTier(&p.Case)
	if hasOwnRow {
		if paid, err = progress.IsPaid(ctx, s.db, p.paidWindowKey(window)); err != nil {
			return decision.Facts{}, err
		}
	}
	currencyLive := true
	if currency := p.Rule.Currency(); !currency.IsZero() {
		if currencyLive, err = s.ledger.IsLive(ctx, p.Scope, currency); err != nil {
			return decision.Facts{}, err
		}
	}
	facts := p.factsOf(&state, paid, currencyLive)
	facts.Now = p.DecisionTime(s.db.Now())
	for _, step := range p.steps {
		if step.UnlockedFacts == nil {
			continue
		}
		if err := step.UnlockedFacts(ctx, &p.Case, &facts); err != nil {
			return decision.Facts{}, err
		}
	}
	return facts, nil
}
