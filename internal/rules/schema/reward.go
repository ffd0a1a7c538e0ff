package schema

import (
	"strconv"

	"laurel.example/laurel/internal/engagement/multiplier"

	"laurel.example/laurel"
)

// The kinds of rewards (contract 2).
const (
	RewardPoints     = "points"
	RewardMultiplier = "multiplier"
	RewardBadge      = "badge"
	RewardToken      = "token"
)

// checkMultiplier adds faults for multipliers that are missing or out of range: that of the rule, and those of its
// tiers.
func (p *Properties) checkMultiplier(f *laurel.Faults, tiers []Tier) {
	hasAmount := p.Amount != nil && *p.Amount > 0
	switch {
	case hasAmount:
		checkMultiplierValue(f, "amount", *p.Amount)
	case len(tiers) == 0:
		f.Add("amount", "must be greater than 0")
	}
	for i, t := range tiers {
		path := "metadata.range." + strconv.Itoa(i) + ".loyaltyMultiplierAmount"
		if t.Multiplier != nil {
			checkMultiplierValue(f, path, *t.Multiplier)
		} else if !hasAmount {
			f.Add(path, "is required")
		}
	}
}

// checkMultiplierValue adds a fault for a multiplier that is out of range.
func checkMultiplierValue(f *laurel.Faults, path string, value laurel.Amount) {
	switch {
	case value <= 0:
		f.Add(path, "must be greater than 0")
	case value < multiplier.Min || value > multiplier.Max:
		f.Add(path, "must be between %s and %s", multiplier.Min, multiplier.Max)
	}
}
