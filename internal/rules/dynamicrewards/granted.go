package dynamicrewards

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// grantedReward is a multiplier or a badge that a dynamic rule granted to a member.
type grantedReward struct {
	user       laurel.ID
	multiplier engagement.GrantedMultiplier
	badge      *badges.BadgeUser // nil: a multiplier
}

// isRevoked reports whether the reward was revoked before. Only badges stay listed then, since they can be restored.
func (r grantedReward) isRevoked() bool { return r.badge != nil && r.badge.Status == badges.Inactive }

// listGranted returns the next page of the rewards that a rule has granted, in the order of members, after the last
// member checked. A member's rewards are never split between pages. last is true if there are no more pages.
func (s *Service) listGranted(
	ctx context.Context,
	c *checkRow,
	rule *catalog.Rule,
) (page []grantedReward, last bool, err error) {
	if rule.RewardType == schema.RewardMultiplier {
		granted, err := s.Engagement.ListGrantedMultipliers(ctx, c.scope(), c.RuleID, c.LastUserID, pageSize)
		for _, multiplier := range granted {
			page = append(page, grantedReward{user: multiplier.UserID, multiplier: multiplier})
		}
		return page, len(granted) < pageSize, err
	}
	granted, err := s.Badges.ListDynamic(ctx, c.scope(), c.RuleID, c.LastUserID, pageSize)
	if err != nil {
		return nil, false, err
	}
	last = len(granted) < pageSize
	for i := len(granted) - 1; !last && i > 0; i-- { // the last member may have more of the rule's badges
		if granted[i].UserID != granted[i-1].UserID {
			granted = granted[:i]
			break
		}
	}
	for i := range granted {
		page = append(page, grantedReward{user: granted[i].UserID, badge: &granted[i]})
	}
	return page, last, nil
}

// revoke revokes rewards of a rule in the transaction, and returns how many it has revoked. The rewards are either all
// multipliers or all badges.
func (s *Service) revoke(ctx context.Context, tx *store.Tx, c *checkRow, rewards []grantedReward) (int, error) {
	var multipliers []engagement.GrantedMultiplier
	var revokedBadges []badges.BadgeUser
	for _, reward := range rewards {
		if reward.badge != nil {
			revokedBadges = append(revokedBadges, *reward.badge)
		} else {
			multipliers = append(multipliers, reward.multiplier)
		}
	}
	if len(revokedBadges) > 0 {
		return s.Badges.DeactivateDynamic(ctx, tx, c.scope(), c.RuleID, revokedBadges)
	}
	return engagement.EndMultipliers(ctx, tx, c.scope(), multipliers)
}

// restore reactivates the revoked badges of members who meet the requirements again. mayStay says so for each reward of
// the page. Each badge is reactivated in a transaction of its own, which changes nothing if the badge is active
// already.
func (s *Service) restore(ctx context.Context, c *checkRow, page []grantedReward, mayStay []bool) error {
	for i, reward := range page {
		if !reward.isRevoked() || !mayStay[i] {
			continue
		}
		if err := s.Badges.Reactivate(ctx, c.scope(), c.RuleID, reward.badge.BadgeID, reward.user); err != nil {
			return err
		}
	}
	return nil
}
