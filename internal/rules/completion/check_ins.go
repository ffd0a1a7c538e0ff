package completion

import (
	"context"
	"errors"
	"log/slog"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/store"
)

// checkIn is a check-in that no call asks for. It is staged with the completion or the entry that triggers it (a
// ledger.SideEffect).
type checkIn struct {
	*plan
	log *slog.Logger
}

// checkInSource is what triggers check-ins: the completion of another rule, or an entry of the member (contract 5.9).
type checkInSource struct {
	scope      laurel.Scope
	person     identity.Person
	readsFresh bool // read rules from the database, not from the caches of this node
}

// prepareCheckIns prepares the check-ins that the completion triggers. On the way, it may find that the person has
// joined a group. Then it also prepares the steps of the completion anew, for the group.
func (s *Service) prepareCheckIns(ctx context.Context, p *plan) (err error) {
	source := &checkInSource{p.Scope, p.Person, p.preparation > 1}
	p.checkIns, err = s.planCheckIns(ctx, source, func(c catalog.CheckInRule) bool {
		return c.RuleID != p.Rule.ID && (c.Triggers.Contains(p.Rule.ID) || c.OnEveryEntry && !p.Rule.Currency().IsZero())
	})
	presumed := p.Person.Subject()
	if p.Person = source.person; err == nil && p.Person.Subject() != presumed { // the person turned out to be in a group
		p.PreparedFacts = decision.Facts{}
		err = prepareSteps(ctx, p)
	}
	return err
}

// AutoCheckInsOfEntry prepares the check-ins that an entry of the person triggers. It returns the check-ins to stage
// with the entry, and the person to post the entry to, who may have got the mark of having multipliers.
func (s *Service) AutoCheckInsOfEntry(
	ctx context.Context,
	scope laurel.Scope,
	p identity.Person,
) (identity.Person, []ledger.SideEffect, error) {
	source := &checkInSource{scope, p, true}
	checkIns, err := s.planCheckIns(ctx, source, func(c catalog.CheckInRule) bool { return c.OnEveryEntry })
	out := make([]ledger.SideEffect, len(checkIns))
	for i, c := range checkIns {
		out[i] = c
	}
	return source.person, out, err
}

// planCheckIns prepares a check-in of source.person for each CheckInRule for which isTriggered returns true. These
// check-ins trigger no others. If one of them is refused, it pays nothing, but what triggered it goes on all the same.
//
// If one of the rules grants a multiplier, source.person is marked as a member with multipliers before any check-in is
// prepared, because the source also writes the row of a new member for the check-ins.
func (s *Service) planCheckIns(
	ctx context.Context,
	source *checkInSource,
	isTriggered func(catalog.CheckInRule) bool,
) ([]checkIn, error) {
	rules, err := s.triggeredCheckInRules(ctx, source, isTriggered)
	if err != nil {
		return nil, err
	}
	var out []checkIn
	for _, rule := range rules {
		q := &request{scope: source.scope, in: CompleteInput{RuleID: rule.Rule.ID}, trigger: checkInTrigger()}
		p := s.newPlan(s.resolveFor(q, rule, source.person), 1)
		if source.readsFresh {
			p.preparation = 2 // as if prepared before, so that readAhead reads the rule state
			if p.post, err = s.postOfCheckIn(ctx, p); err != nil {
				return nil, err
			}
		}
		if err := s.readAhead(ctx, p); err != nil {
			return nil, err
		}
		if err := s.reserve(ctx, p); err != nil {
			return nil, err
		}
		out = append(out, checkIn{p, s.log})
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

// postOfCheckIn returns a post if the currency of the check-in is on an external ledger; else nil. It is committed
// together with what triggers the check-in, and sent to the ledger afterwards.
func (s *Service) postOfCheckIn(ctx context.Context, p *plan) (*external.Post, error) {
	if p.Rule.Currency().IsZero() {
		return nil, nil
	}
	isExternal, err := s.ledger.IsExternallyHeld(ctx, p.Scope, p.Rule.Currency())
	if err != nil || !isExternal {
		return nil, err
	}
	return &external.Post{ID: s.db.NewID(), Kind: external.Completion, NeverCancelled: true}, nil
}

// CheckCurrent returns store.ErrStale if something has changed that the check-in was prepared with.
func (c checkIn) CheckCurrent(b *store.Batch) error { return c.checkCurrent(b) }

// stageCheckIns stages the check-ins that a paid completion triggers.
func (p *plan) stageCheckIns(b *store.Batch) {
	for _, c := range p.checkIns {
		c.Stage(b)
	}
}

// Stage stages the check-in, unless the decision refuses it. CheckCurrent has passed before, so a payment fails only
// for amounts that are out of range, and before it has changed anything. What triggered the check-in is staged already
// and is committed in any case. So Stage logs faults and drops refusals.
func (c checkIn) Stage(b *store.Batch) {
	j := c.judge(b)
	err := j.refusal
	if err == nil {
		err = c.pay(b, j)
	}
	if refusal := (*laurel.Error)(nil); err != nil && !errors.As(err, &refusal) {
		c.log.Error("a check-in could not be made", slog.String("work", c.String()), slog.Any("error", err))
	}
}

// pay stages the payment of the check-in. If an external ledger must accept its points first, it stages a post, unless
// the currency has left that ledger meanwhile.
func (c checkIn) pay(b *store.Batch, j judgment) error {
	posting := c.finalPosting(b, j)
	if c.post != nil {
		if _, err := c.stagePost(b, posting, j.reward); !errors.Is(err, external.ErrNotExternal) {
			return err
		}
	}
	_, err := c.stagePayment(b, posting, j.reward)
	return err
}
