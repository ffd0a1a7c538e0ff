package completion

import (
	"context"
	"errors"
	"log/slog"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/store"
)

// checkInSource is what triggers check-ins: the completion of another rule, or an entry of the member (contract 5.9).
type checkInSource struct {
	scope      laurel.Scope
	person     identity.Person
	readsFresh bool // read rules from the database, not from the caches of this node
}

// prepareCheckIns prepares a check-in of source.person for each CheckInRule for which isTriggered returns true. These
// check-ins trigger no others. If one of them is refused, it pays nothing, but what triggered it goes on all the same.
//
// If one of the rules grants a multiplier, source.person is marked as a member with multipliers before any check-in is
// prepared, because the source also writes the row of a new member for the check-ins.
func (s *Service) prepareCheckIns(
	ctx context.Context,
	source *checkInSource,
	isTriggered func(catalog.CheckInRule) bool,
) ([]*completion, error) {
	rules, err := s.triggeredCheckInRules(ctx, source, isTriggered)
	if err != nil {
		return nil, err
	}
	var out []*completion
	for _, current := range rules {
		w := s.newCompletion(autoCheckInMode(), source.scope, CompleteInput{RuleID: current.Rule.ID})
		w.Person = source.person
		w.setRule(current)
		if source.readsFresh {
			w.preparations = 2 // as if prepared before, so that readAhead reads the rule state
			if err := w.attachPost(ctx); err != nil {
				return nil, err
			}
		}
		if err := w.readAhead(ctx); err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, nil
}

// triggeredCheckInRules returns the live rules whose CheckInRule isTriggered accepts. If there are any, it replaces
// source.person by the person as stored in the database. If one of the rules grants a multiplier, the person also gets
// the mark that it may have multipliers.
func (s *Service) triggeredCheckInRules(
	ctx context.Context,
	source *checkInSource,
	isTriggered func(catalog.CheckInRule) bool,
) ([]catalog.CachedRule, error) {
	checkIns, err := s.rules.CheckInRules(ctx, source.scope)
	if err != nil {
		return nil, err
	}
	var rules []catalog.CachedRule
	for _, c := range checkIns {
		if !isTriggered(c) {
			continue
		}
		current, err := s.rules.GetCached(ctx, source.scope, c.RuleID, source.readsFresh)
		if laurel.CodeOf(err) == laurel.NotFound || err == nil && !current.Rule.DeletedAt.IsZero() {
			continue
		}
		if err == nil {
			source.person, err = s.people.LoadPresumed(ctx, source.scope, source.person)
		}
		if err == nil && grantsMultiplier(current.Rule) {
			source.person, err = s.people.EnsureMultiplierMark(ctx, source.scope, source.person)
		}
		if err != nil {
			return nil, err
		}
		rules = append(rules, current)
	}
	return rules, nil
}

// prepareAutoCheckIns prepares the check-ins that the completion triggers. On the way, it may find that the person has
// joined a group. Then it also prepares the steps of the completion anew, for the group.
func (w *completion) prepareAutoCheckIns(ctx context.Context) (err error) {
	source := &checkInSource{w.Scope, w.Person, w.preparations > 1}
	w.autoCheckIns, err = w.service.prepareCheckIns(ctx, source, func(c catalog.CheckInRule) bool {
		return c.RuleID != w.Rule.ID && (c.Triggers.Contains(w.Rule.ID) || c.OnEveryEntry && !w.Rule.Currency().IsZero())
	})
	presumed := w.Person.Subject()
	if w.Person = source.person; err == nil && w.Person.Subject() != presumed { // the person turned out to be in a group
		err = w.readSteps(ctx)
	}
	if err == nil && w.pendingPost != nil {
		w.pendingPost.post.Guards = w.reservations() // the group may have been read anew
	}
	return err
}

// checkInSideEffect is a check-in that the ledger stages with an entry (ledger.SideEffect).
type checkInSideEffect struct{ *completion }

// AutoCheckInsOfEntry prepares the check-ins that an entry of the person triggers. It returns the check-ins to stage
// with the entry, and the person to post the entry to, who may have got the mark of having multipliers.
func (s *Service) AutoCheckInsOfEntry(
	ctx context.Context,
	scope laurel.Scope,
	p identity.Person,
) (identity.Person, []ledger.SideEffect, error) {
	source := &checkInSource{scope, p, true}
	checkIns, err := s.prepareCheckIns(ctx, source, func(c catalog.CheckInRule) bool { return c.OnEveryEntry })
	out := make([]ledger.SideEffect, len(checkIns))
	for i, w := range checkIns {
		out[i] = checkInSideEffect{w}
	}
	return source.person, out, err
}

// Stage stages the check-in, unless it is refused.
func (f checkInSideEffect) Stage(b *store.Batch) { f.stageCheckIn(b) }

// attachPost sets pendingPost if the currency of the check-in is on an external ledger. A post is a stored request to
// that ledger: it is committed together with what triggers the check-in, and sent to the ledger afterwards.
func (w *completion) attachPost(ctx context.Context) error {
	if w.Rule.Currency().IsZero() {
		return nil
	}
	isExternal, err := w.service.ledger.IsExternallyHeld(ctx, w.Scope, w.Rule.Currency())
	if isExternal {
		w.pendingPost = &pendingPost{
			post: &external.Post{ID: w.service.db.NewID(), Kind: external.Completion, NeverCancelled: true},
		}
	}
	return err
}

// stageCheckIn stages the check-in, unless the decision refuses it. CheckCurrent has passed before, so a payment fails
// only for amounts that are out of range, and before it has changed anything. What triggered the check-in is staged
// already and is committed in any case. So stageCheckIn returns no error: it logs faults and drops refusals.
func (w *completion) stageCheckIn(b *store.Batch) {
	state, paid := w.windowState(b)
	facts := w.lockedFacts(b, state, paid)
	reward, err := decision.Decide(facts)
	if err == nil {
		err = w.pay(b, reward, facts)
	}
	if refusal := (*laurel.Error)(nil); err != nil && !errors.As(err, &refusal) {
		w.service.log.Error("a check-in could not be made", slog.String("work", w.String()), slog.Any("error", err))
	}
}
