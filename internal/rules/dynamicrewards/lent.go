package dynamicrewards

import (
	"context"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/engagement/badges"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// lent is something that a dynamic rule gave to a member: a multiplier, or a badge.
type lent struct {
	user       laurel.ID
	multiplier engagement.GrantedMultiplier
	badge      *badges.BadgeUser // nil: a multiplier
}

// lapsed reports whether it was taken back already. Only badges come back.
func (l lent) lapsed() bool { return l.badge != nil && l.badge.Status == badges.Inactive }

// given returns what a rule has lent, in the order of the members, behind one of them; no member is cut in two.
func (s *Service) given(ctx context.Context, c *checkRow, rule *catalog.Rule) (page []lent, last bool, err error) {
	if rule.RewardType == schema.RewardMultiplier {
		list, err := s.Engagement.ListGranted(ctx, c.scope(), c.RuleID, c.LastUserID, pageSize)
		for _, h := range list {
			page = append(page, lent{user: h.UserID, multiplier: h})
		}
		return page, len(list) < pageSize, err
	}
	list, err := s.Badges.ListDynamic(ctx, c.scope(), c.RuleID, c.LastUserID, pageSize)
	if err != nil {
		return nil, false, err
	}
	last = len(list) < pageSize
	for i := len(list) - 1; !last && i > 0; i-- { // the last member may have more of the rule's badges
		if list[i].UserID != list[i-1].UserID {
			list = list[:i]
			break
		}
	}
	for i := range list {
		page = append(page, lent{user: list[i].UserID, badge: &list[i]})
	}
	return page, last, nil
}

// takeBack ends what was lent to members for whom the rule's requirement no longer holds, and returns how much it was.
func (s *Service) takeBack(ctx context.Context, tx *store.Tx, c *checkRow, ends []lent) (int, error) {
	var multipliers []engagement.GrantedMultiplier
	var held []badges.BadgeUser
	for _, l := range ends {
		if l.badge != nil {
			held = append(held, *l.badge)
		} else {
			multipliers = append(multipliers, l.multiplier)
		}
	}
	if len(held) > 0 {
		return s.Badges.DeactivateDynamic(ctx, tx, c.scope(), c.RuleID, held)
	}
	return engagement.EndMultipliers(ctx, tx, c.scope(), multipliers)
}

// giveBack returns badges to members for whom the requirement holds again. Each is a grant of its own, which changes
// nothing where it was made before.
func (s *Service) giveBack(ctx context.Context, c *checkRow, page []lent, holds []bool) error {
	for i, l := range page {
		if !l.lapsed() || !holds[i] {
			continue
		}
		if err := s.Badges.Reactivate(ctx, c.scope(), c.RuleID, l.badge.BadgeID, l.user); err != nil {
			return err
		}
	}
	return nil
}
