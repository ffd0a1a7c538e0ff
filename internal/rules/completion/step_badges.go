package completion

import (
	"context"
	"errors"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/store"
)

// badgeStep: the rule gives badges (contract 5.5, 5.7), each with everything that comes with it, in the transaction
// that pays. Whoever has one already is not given it again.
type badgeStep struct {
	ruletypes.BaseStep
	*Service
	plans       map[laurel.ID]*badges.Plan
	grantErrors map[laurel.ID]error // of those that cannot be granted
	// grantedNew tells that the member got one of them that it did not have
	grantedNew bool
}

// badgeKey names a badge of a website.
type badgeKey struct{ organization, website, badge laurel.ID }

// newPlanLoader reads what granting a badge sets off, for many completions at once. Deleted badges are left out.
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

func (s *badgeStep) Prepare(ctx context.Context, c *ruletypes.Case) error {
	s.plans, c.PreparedFacts.Badges = map[laurel.ID]*badges.Plan{}, nil
	for _, n := range c.Rule.BadgeReferences(c.Rule.Meta()) {
		if err := s.loadPlan(ctx, c, n.ID); err != nil {
			return err
		}
	}
	return nil
}

// loadPlan reads what granting a badge sets off. Where a multiplier comes with it, the member is marked as one that has
// some. A badge that is not there is left out.
func (s *badgeStep) loadPlan(ctx context.Context, c *ruletypes.Case, id laurel.ID) error {
	plan, live, err := s.Service.badgePlans.Get(ctx, badgeKey{c.Scope.OrganizationID, c.Scope.WebsiteID, id})
	if err != nil || !live || s.plans[id] != nil {
		return err
	}
	s.plans[id], c.PreparedFacts.Badges = plan, append(c.PreparedFacts.Badges, id)
	if plan.HasMultiplier() && !c.In.VerifyOnly {
		c.Person, err = s.people.Marked(ctx, c.Scope, c.Person)
	}
	return err
}

func (s *badgeStep) Locks(c *ruletypes.Case) []store.Lock {
	var locks []store.Lock
	for _, plan := range s.plans {
		locks = append(locks, plan.Locks(c.Person)...)
	}
	return locks
}

// Check returns store.ErrStale where a badge has changed since it was read. That one cannot be granted matters only
// where the completion gives it.
func (s *badgeStep) Check(b *store.Batch, c *ruletypes.Case) error {
	s.grantErrors = map[laurel.ID]error{}
	for id, plan := range s.plans {
		if s.grantErrors[id] = plan.Check(b, c.Person, grantOf(c)); errors.Is(s.grantErrors[id], store.ErrStale) {
			return store.ErrStale
		}
	}
	return nil
}

func grantOf(c *ruletypes.Case) badges.Grant {
	return badges.Grant{RuleID: c.Rule.ID, Dynamic: c.Rule.IsDynamic()}
}

func (s *badgeStep) Apply(b *store.Batch, c *ruletypes.Case, reward decision.Reward) error {
	s.grantedNew = false
	for _, id := range reward.Badges {
		if err := s.grantErrors[id]; err != nil {
			return err
		}
		_, isNew, err := s.plans[id].Grant(b, c.Person, grantOf(c))
		if err != nil {
			return err
		}
		s.grantedNew = s.grantedNew || isNew
	}
	return nil
}

// functionBadgeStep: a function has named the badge that the rule gives, in the place of the rule's own (contract 7.6).
type functionBadgeStep struct {
	ruletypes.BaseStep
	award *badgeStep
}

func (s functionBadgeStep) Prepare(ctx context.Context, c *ruletypes.Case) error {
	id := c.PreparedFacts.Verdict.BadgeID
	if id == nil {
		return nil
	}
	if err := s.award.loadPlan(ctx, c, *id); err != nil {
		return err
	}
	if s.award.plans[*id] == nil { // what the function said cannot be gone by
		c.PreparedFacts.Verdict.IsUnusable, c.PreparedFacts.Verdict.Fulfilled = true, false
	}
	return nil
}
