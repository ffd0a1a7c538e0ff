package completion

import (
	"cmp"
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
)

// request asks for a completion.
type request struct {
	scope    laurel.Scope
	in       CompleteInput
	trigger  ruletypes.Trigger
	runID    laurel.ID     // the run of the function that a job waits for; zero: none
	verified *verification // what the rule's function said before the member was known; nil: it is asked while preparing
}

// resolved is a request with the rule and the member that it names.
type resolved struct {
	ruletypes.Case
	steps []*ruletypes.Step // what the rule and its type add to the decision and the payment
}

// unresolved returns the resolved request before its rule and member are found.
func (q *request) unresolved() *resolved {
	return &resolved{Case: ruletypes.Case{Scope: q.scope, In: q.in, Trigger: q.trigger, RunID: q.runID}}
}

// resolve finds the rule and the person of a request. fresh reads them from the database instead of the caches of this
// node. If the rule does not exist, resolve still looks for the person first, because the refusals about the person
// come before that about the rule. With an error it returns what it has found so far.
func (s *Service) resolve(ctx context.Context, q *request, fresh bool) (*resolved, error) {
	r := q.unresolved()
	rule, ruleErr := s.rules.GetCached(ctx, r.Scope, r.In.RuleID, fresh)
	if ruleErr == nil {
		s.setRule(r, rule)
		r.Scope = r.Scope.At(r.Rule.WebsiteID)
	} else if laurel.CodeOf(ruleErr) != laurel.NotFound {
		return r, ruleErr
	}
	var err error
	if ruleErr == nil && !fresh && r.mayPresumePerson() {
		r.Person, err = s.people.Presume(ctx, r.Scope, r.In.User)
	} else {
		r.Person, err = s.people.Find(ctx, r.Scope, r.In.User, fresh)
	}
	if err == nil && ruleErr != nil { // unknown rules are refused last (contract 5.1, steps 2 to 4)
		err = s.refuseUnknownRule(ctx, r, ruleErr)
	}
	return r, err
}

// resolveFor returns a request whose rule and person are known already.
func (s *Service) resolveFor(q *request, rule catalog.CachedRule, person identity.Person) *resolved {
	r := q.unresolved()
	r.Person = person
	s.setRule(r, rule)
	return r
}

// setRule sets the rule, its kind and its steps. The rule may be cached and outdated: checkCurrent notices.
func (s *Service) setRule(r *resolved, rule catalog.CachedRule) {
	r.Rule, r.HasRequiredRules, r.Kind = *rule.Rule, rule.HasRequired, ruletypes.KindOf(rule.Rule.Type)
	r.steps = s.stepsOf(&r.Case)
}

// mayPresumePerson reports whether the locked rows show everything that the completion needs to know about the person,
// so that the person may be presumed and not read.
func (r *resolved) mayPresumePerson() bool {
	return r.Rule.DeletedAt.IsZero() && !r.In.VerifyOnly && !r.Kind.AsksProvider() &&
		!slices.ContainsFunc(r.steps, func(s *ruletypes.Step) bool { return !s.PresumesPerson })
}

// refuseUnknownRule returns the refusal of a call for a rule that does not exist. If a check before step 4 of contract
// 5.1 refuses the call, too, it returns that refusal instead of unknown.
func (s *Service) refuseUnknownRule(ctx context.Context, r *resolved, unknown error) error {
	if r.In.SkipRequired && !r.Scope.HasSecretKey() {
		return decision.Refuse(decision.MsgSkipNeedsKey)
	}
	use, err := s.findKeyUse(ctx, r)
	if err != nil || use.IsUsed() && r.Scope.HasSecretKey() { // another rule used the key
		return cmp.Or(err, ledger.ErrKeyConflict())
	}
	return unknown
}

// checkOverrides makes the checks of contract 5.1, step 3, that need the rule. It refuses a call that must not override
// the amount, set a key, skip required rules, or complete an external rule.
func (r *resolved) checkOverrides() error {
	external := r.Rule.Type == schema.TypeExternal
	switch {
	case r.In.Amount != nil && !external:
		return decision.Refuse(decision.MsgAmountOverride)
	case r.In.Key != "" && !external:
		return decision.Refuse(decision.MsgKeyOverride)
	case r.In.SkipRequired && !r.Scope.HasSecretKey():
		return decision.Refuse(decision.MsgSkipNeedsKey)
	case external && !r.Scope.HasSecretKey():
		return laurel.Errorf(laurel.Forbidden, "API key is not allowed to perform this operation")
	}
	return nil
}
