package completion

import (
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// badgeStep grants the badges of a rule (contract 5.5, 5.7), with everything that a badge brings, in the transaction
// that pays. A badge that the member has already is not granted again.
type badgeStep struct {
	*Service
	plans       map[laurel.ID]*badges.Plan
	grantErrors map[laurel.ID]error // by badge: why it cannot be granted, as check has found
}

// newBadgeStep returns the step that grants the badges of a rule.
func newBadgeStep(s *Service) *ruletypes.Step {
	step := &badgeStep{Service: s}
	return &ruletypes.Step{
		IsRequirement: true, Prepare: step.prepare, PrepareVerified: step.prepareVerified,
		Locks: step.locks, Check: step.check, Apply: step.grant,
	}
}

// badgeKey identifies a badge of a website.
type badgeKey struct{ organization, website, badge laurel.ID }

// newPlanLoader returns a loader of grant plans. A plan says what a member gets with a badge. Deleted badges have none.
func newPlanLoader(service *badges.Service) store.Loader[badgeKey, *badges.Plan] {
	return store.NewLoader(func(ctx context.Context, keys []badgeKey) (map[badgeKey]*badges.Plan, error) {
		out := make(map[badgeKey]*badges.Plan, len(keys))
		for _, k := range keys {
			scope := laurel.Scope{OrganizationID: k.organization, WebsiteID: k.website, Role: laurel.RoleWebsite}
			plan, err := service.Plan(ctx, scope, k.badge)
			switch {
			case err == nil:
				out[k] = plan
			case laurel.CodeOf(err) != laurel.NotFound:
				return nil, err
			}
		}
		return out, nil
	})
}

// prepare loads the plans of the badges that the rule names. It sets PreparedFacts.Badges to those that exist.
func (s *badgeStep) prepare(ctx context.Context, c *ruletypes.Case) error {
	s.plans, c.PreparedFacts.Badges = map[laurel.ID]*badges.Plan{}, nil
	for _, n := range c.Rule.BadgeReferences(c.Rule.Meta()) {
		if err := s.loadPlan(ctx, c, n.ID); err != nil {
			return err
		}
	}
	return nil
}

// loadPlan loads the plan of a badge and adds the badge to the prepared facts. If the badge brings a multiplier, the
// member gets the mark of having multipliers, unless the call writes nothing. A deleted badge is left out.
func (s *badgeStep) loadPlan(ctx context.Context, c *ruletypes.Case, id laurel.ID) error {
	plan, live, err := s.badgePlans.Get(ctx, badgeKey{c.Scope.OrganizationID, c.Scope.WebsiteID, id})
	if err != nil || !live || s.plans[id] != nil {
		return err
	}
	s.plans[id], c.PreparedFacts.Badges = plan, append(c.PreparedFacts.Badges, id)
	if plan.HasMultiplier() && !c.In.VerifyOnly {
		c.Person, err = s.people.EnsureMultiplierMark(ctx, c.Scope, c.Person)
	}
	return err
}

// locks returns the locks of all plans.
func (s *badgeStep) locks(c *ruletypes.Case) []store.Lock {
	var locks []store.Lock
	for _, plan := range s.plans {
		locks = append(locks, plan.Locks(c.Person)...)
	}
	return locks
}

// check returns store.ErrStale if a badge has changed since it was read. Other reasons why a badge cannot be granted
// are stored for grant, which returns them only if the completion grants that badge.
func (s *badgeStep) check(b *store.Batch, c *ruletypes.Case) error {
	s.grantErrors = map[laurel.ID]error{}
	for id, plan := range s.plans {
		if s.grantErrors[id] = plan.Check(b, c.Person, grantOf(c)); errors.Is(s.grantErrors[id], store.ErrStale) {
			return store.ErrStale
		}
	}
	return nil
}

// grantOf returns the source of grants by the rule.
func grantOf(c *ruletypes.Case) badges.GrantOptions {
	return badges.GrantOptions{RuleID: c.Rule.ID, Dynamic: c.Rule.IsDynamic()}
}

// grant grants the badges of the reward, and notes in the payment if the member did not have one of them.
func (s *badgeStep) grant(b *store.Batch, c *ruletypes.Case, p *ruletypes.Payment) error {
	for _, id := range p.Reward.Badges {
		if err := s.grantErrors[id]; err != nil {
			return err
		}
		_, isNew, err := s.plans[id].Grant(b, c.Person, grantOf(c))
		if err != nil {
			return err
		}
		p.GrantsNewBadge = p.GrantsNewBadge || isNew
	}
	return nil
}

// prepareVerified loads the badge that a function names in place of the rule's own (contract 7.6). If there is no such
// badge, the verification is unusable.
func (s *badgeStep) prepareVerified(ctx context.Context, c *ruletypes.Case) error {
	id := c.PreparedFacts.Verdict.BadgeID
	if id == nil || c.Rule.RewardType != schema.RewardBadge {
		return nil
	}
	if err := s.loadPlan(ctx, c, *id); err != nil {
		return err
	}
	if s.plans[*id] == nil {
		c.PreparedFacts.Verdict.IsUnusable, c.PreparedFacts.Verdict.Fulfilled = true, false
	}
	return nil
}
