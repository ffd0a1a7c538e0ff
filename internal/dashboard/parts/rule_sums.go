package parts

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/report/figures"
)

// SumCounts adds up counts.
func SumCounts(counts []int64) (sum int64) {
	for _, n := range counts {
		sum += n
	}
	return sum
}

// RuleSums reads the completions and payments of rules within the last RuleDays days.
func (c *Call) RuleSums(rules []laurel.ID) (map[laurel.ID]figures.RuleSum, error) {
	return c.Figures.SumRules(c.Context(), c.Scope.At(c.Site.ID), rules, figures.Until(c.Now(), RuleDays))
}

// RuleDays is how far back the pages of rules count.
const RuleDays = 30
