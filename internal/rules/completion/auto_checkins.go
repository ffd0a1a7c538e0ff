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

// checkInSource is what sets check-ins off: the completion of another rule, or an entry of the member's (contract 5.9).
type checkInSource struct {
	scope   laurel.Scope
	person  identity.Person
	rereads bool // rules as they are now, not as this node saw them last
}

// prepareCheckIns prepares the check-ins that the deed sets off at rules for which it counts. A check-in that is made
// this way sets off no others. Its refusal is nobody's business: it pays nothing, and what set it off goes on. Where
// one of them gives a multiplier, the deed's person is marked before anything is prepared on it: the deed, which comes
// first, writes the row of a new member for all.
func (s *Service) prepareCheckIns(
	ctx context.Context,
	d *checkInSource,
	counts func(catalog.CheckInRule) bool,
) ([]*completion, error) {
	list, err := s.rules.CheckInRules(ctx, d.scope)
	var set []catalog.CachedRule
	for _, c := range list {
		if !counts(c) {
			continue
		}
		current, err := s.rules.GetCached(ctx, d.scope, c.RuleID, d.rereads)
		if laurel.CodeOf(err) == laurel.NotFound || err == nil && !current.Rule.DeletedAt.IsZero() {
			continue
		}
		if err == nil {
			d.person, err = s.people.Known(ctx, d.scope, d.person)
		}
		if err == nil && grantsMultiplier(current.Rule) {
			d.person, err = s.people.Marked(ctx, d.scope, d.person)
		}
		if err != nil {
			return nil, err
		}
		set = append(set, current)
	}
	var out []*completion
	for _, current := range set {
		w := s.newCompletion(autoCheckInMode(), d.scope, CompleteInput{RuleID: current.Rule.ID})
		w.Person = d.person
		w.setRule(current)
		if d.rereads {
			w.preparations = 2 // the subject is looked at
			if err := w.attachPost(ctx); err != nil {
				return nil, err
			}
		}
		if err := w.readAhead(ctx); err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, err
}

// prepareAutoCheckIns prepares what the completion sets off.
func (w *completion) prepareAutoCheckIns(ctx context.Context) (err error) {
	d := &checkInSource{w.Scope, w.Person, w.preparations > 1}
	w.autoCheckIns, err = w.service.prepareCheckIns(ctx, d, func(c catalog.CheckInRule) bool {
		return c.RuleID != w.Rule.ID && (c.Triggers.Contains(w.Rule.ID) || c.OnEveryEntry && !w.Rule.Currency().IsZero())
	})
	presumed := w.Person.Subject()
	if w.Person = d.person; err == nil && w.Person.Subject() != presumed { // what was read ahead is of the member alone
		err = w.readSteps(ctx)
	}
	if err == nil && w.pendingPost != nil {
		w.pendingPost.post.Guards = w.reservations() // who the person's mates are may have been read anew
	}
	return err
}

// follower is a check-in that follows an entry.
type follower struct{ *completion }

// AutoCheckInsOfEntry returns the check-ins that an entry of the person sets off, for whoever posts it, and the person
// as it is to be posted to.
func (s *Service) AutoCheckInsOfEntry(
	ctx context.Context,
	scope laurel.Scope,
	p identity.Person,
) (identity.Person, []ledger.Follower, error) {
	d := &checkInSource{scope, p, true}
	list, err := s.prepareCheckIns(ctx, d, func(c catalog.CheckInRule) bool { return c.OnEveryEntry })
	out := make([]ledger.Follower, len(list))
	for i, w := range list {
		out[i] = follower{w}
	}
	return d.person, out, err
}

// Follow stages the check-in, unless it is refused.
func (f follower) Follow(b *store.Batch) { f.stageCheckIn(b) }

// attachPost has a check-in of what is kept outside committed as a post, with what sets it off: the outside is asked
// afterwards.
func (w *completion) attachPost(ctx context.Context) error {
	if w.Rule.Currency().IsZero() {
		return nil
	}
	kept, err := w.service.ledger.KeptOutside(ctx, w.Scope, w.Rule.Currency())
	if kept {
		w.pendingPost = &pendingPost{post: &external.Post{ID: w.service.db.NewID(), Kind: external.Completion, NeverCancelled: true}}
	}
	return err
}

// stageCheckIn stages the check-in, unless it is refused. Ready was asked before, so a payment answers an error only
// for amounts that are out of range, and before it has changed anything. What set the check-in off is staged already
// and goes on whatever comes of it: a fault is told in the log.
func (w *completion) stageCheckIn(b *store.Batch) {
	sub, paid := w.windowState(b)
	facts := w.lockedFacts(b, sub, paid)
	reward, err := decision.Decide(facts)
	if err == nil {
		err = w.pay(b, reward, facts)
	}
	if refusal := (*laurel.Error)(nil); err != nil && !errors.As(err, &refusal) {
		w.service.log.Error("a check-in could not be made", slog.String("work", w.String()), slog.Any("error", err))
	}
}
