package decision

import (
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
)

// addBadges adds the badges that the completion grants: those of the reached tiers. A rule whose reward is a badge pays
// no points; if no tier brings a badge, it grants the one that a function named, or else the rule's own (contract 5.5,
// 5.7). Badges that do not exist are left out.
func (f Facts) addBadges(reward *Reward) {
	ids := f.Rule.BadgesReachedBy(f.Meta, tierValue(f))
	if f.Rule.RewardType == schema.RewardBadge {
		reward.Amount = 0
		switch {
		case len(ids) > 0: // those of the tiers
		case f.Verdict.BadgeID != nil:
			ids = []laurel.ID{*f.Verdict.BadgeID}
		case f.Rule.LoyaltyBadgeID != nil:
			ids = []laurel.ID{*f.Rule.LoyaltyBadgeID}
		}
	}
	reward.Badges = slices.DeleteFunc(ids, func(id laurel.ID) bool { return !slices.Contains(f.Badges, id) })
}
