package completion

import (
	"cmp"

	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// judgment is the decision on a completion: a reward or a refusal.
type judgment struct {
	facts   *decision.Facts
	reward  decision.Reward
	refusal error
}

// judgeAndStage judges the completion by the locked rows and stages what follows (contract 5.1, steps 13 to 15). It
// returns the refusal, store.ErrStale if the completion must be prepared again, or store.ErrDuplicateRequest if a post
// for the same request has ended just now.
func (p *plan) judgeAndStage(b *store.Batch) (outcome, error) {
	if err := p.checkAllCurrent(b); err != nil {
		return outcome{}, err
	}
	switch {
	case p.Trigger.Job != nil && !ruletypes.JobIsPending(b, &p.Case, p.Trigger.Job):
		return outcome{}, nil // another node was first
	case p.post != nil && p.post.IsRequestClaimed(b): // another post ended just now
		return outcome{}, store.ErrDuplicateRequest
	case p.keyIsUsed(b):
		return p.resultOfUsedKey(b)
	}
	return p.stage(b, p.judge(b))
}

// judge decides on the facts as the locked rows show them.
func (p *plan) judge(b *store.Batch) judgment {
	j := judgment{facts: p.lockedFacts(b)}
	j.reward, j.refusal = decision.Decide(*j.facts)
	return j
}

// checkAllCurrent returns store.ErrStale if something has changed that the completion, or a check-in that it triggers,
// was prepared with.
func (p *plan) checkAllCurrent(b *store.Batch) error {
	if err := p.checkCurrent(b); err != nil {
		return err
	}
	for _, c := range p.checkIns {
		if err := c.CheckCurrent(b); err != nil {
			return err
		}
	}
	return nil
}

// checkCurrent returns store.ErrStale if something that the completion was prepared with has changed meanwhile. It
// stages nothing.
func (p *plan) checkCurrent(b *store.Batch) error {
	if err := p.Person.Check(b); err != nil {
		return err
	}
	rule := catalog.Versions.Row(b, p.Rule.ID)
	if rule.Version != p.Rule.Version || rule.HasRequired != p.HasRequiredRules {
		return store.ErrStale
	}
	for _, s := range p.steps {
		if s.Check != nil {
			if err := s.Check(b, &p.Case); err != nil {
				return err
			}
		}
	}
	if p.verifier != nil && p.verifier.check != nil {
		if err := p.verifier.check(b, p); err != nil {
			return err
		}
	}
	isCheckIn, currency := p.Trigger.Kind == decision.TriggerAutoCheckIn, p.Rule.Currency()
	if isCheckIn && p.post == nil && !currency.IsZero() && ledger.IsExternal(b, currency) {
		return store.ErrStale // the currency moved to an external ledger, so the check-in needs a post
	}
	if window, _ := p.windowAt(progress.States.Row(b, p.StateKey()), b.Now()); p.window != window {
		return store.ErrStale // the window ended while the Work waited
	}
	return nil
}

// lockedFacts returns the facts of the decision as the locked rows show them.
func (p *plan) lockedFacts(b *store.Batch) *decision.Facts {
	state := progress.States.Row(b, p.StateKey())
	_, open := p.windowAt(state, b.Now())
	paid := !open || p.window != "" && progress.PaidWindows.Row(b, p.paidWindowKey(p.window)).CreatedAt != 0
	currencyLive := p.Rule.Currency().IsZero() || ledger.IsLiveCurrency(b, p.Scope, p.Rule.Currency())
	facts := p.factsOf(state, paid, currencyLive)
	facts.Now, facts.MemberSince = p.DecisionTime(b.Now()), p.Person.MemberSince(b)
	for _, s := range p.steps {
		if s.LockedFacts != nil {
			s.LockedFacts(b, &p.Case, &facts)
		}
	}
	return &facts
}

// factsOf returns the prepared facts together with those that all rules share, from the call, the person and a rule
// state. paid says whether the window is paid, currencyLive whether the rule's currency exists. The caller sets the
// time of the decision.
func (p *plan) factsOf(state *progress.State, paid, currencyLive bool) decision.Facts {
	f := p.PreparedFacts
	f.Rule, f.Meta, f.WithClientKey, f.Blocked, f.MemberSince =
		&p.Rule.Properties, p.Rule.Meta(), !p.Scope.HasSecretKey(), p.Person.Blocked, p.Person.KnownSince
	f.CurrencyLive, f.KeyGiven, f.WindowPaid, f.Tally = currencyLive, p.In.Key != "", paid, state.Tally()
	f.Amount, f.Text, f.RuleID = cmp.Or(p.In.Amount, p.PreparedFacts.Amount), p.In.Entered(), p.Rule.ID
	f.HasContentURL = p.In.ContentURL != ""
	f.TriggeredBy, f.Kind = p.Trigger.Kind, p.Kind.Decision
	f.TokenCurrencyID = p.Rule.TokenCurrencyID
	if p.Scope.HasSecretKey() && p.Rule.Type == schema.TypeExternal {
		f.RangeValue = p.In.RangeValue
	}
	if state.LastPaidAt != nil {
		f.LastPaidAt = store.Time(*state.LastPaidAt)
	}
	if p.Trigger.Event != nil && state.WindowPaidAt != nil { // blocks of the past are paid for by their own times
		f.LastPaidAt = store.Time(*state.WindowPaidAt)
	}
	// A claim needs progress that a run has completed; a payment sets progress, too.
	if state.Progress != nil && (state.EligibleAt != nil || !p.IsClaim()) {
		f.Progress = *state.Progress
	}
	return f
}
