package parts

import (
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/schema"
)

// Reward is a reward in words.
type Reward struct{ Amount, Unit string }

// DescribeReward writes what a rule pays in words, as an amount and a unit. One of them may be empty.
func DescribeReward(properties *schema.Properties, names *Names) Reward {
	var unit string
	switch properties.RewardType {
	case schema.RewardPoints:
		unit = names.Currency(properties.LoyaltyCurrencyID)
	case schema.RewardMultiplier:
		if properties.Amount != nil {
			return Reward{Amount: "×" + web.Number(*properties.Amount), Unit: "on points earned"}
		}
		unit = "A multiplier"
	case schema.RewardBadge:
		if properties.LoyaltyBadgeID != nil && names.BadgeNames[*properties.LoyaltyBadgeID] != "" {
			return Reward{Unit: "Badge “" + names.BadgeNames[*properties.LoyaltyBadgeID] + "”"}
		}
		if len(properties.Meta().Range) > 0 {
			return Reward{Unit: "A badge per range"}
		}
		return Reward{Unit: "A badge"}
	case schema.RewardToken:
		unit = "token"
	}
	switch tiers := properties.Meta().Range; {
	case len(tiers) > 0:
		return Reward{Amount: "By range", Unit: unit}
	case properties.Amount == nil && properties.Type == schema.TypeFunction:
		return Reward{Unit: unit + ", set by the function"}
	case properties.Amount == nil:
		return Reward{Unit: unit}
	}
	return Reward{Amount: web.Number(*properties.Amount), Unit: unit}
}
