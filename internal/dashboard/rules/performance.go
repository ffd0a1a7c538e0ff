package rules

import (
	"cmp"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/report/figures"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/schema"
)

// refusalBar is a reason for which calls were refused.
type refusalBar struct {
	Label, Share string
	Count        int64
}

type performanceData struct {
	Rule        catalog.Rule
	Kind        schema.Kind
	State       catalog.State
	Days        int
	Completions int64
	Paid        []parts.Reward
	Refused     int64
	Refusals    []refusalBar
	Chart       *web.DayChart // nil: neither completed nor refused
}

// rulePerformancePage shows the completions, payments and refusals of a rule within the last RuleDays days, with a
// chart unless there were none.
func rulePerformancePage(c *call) (web.View, error) {
	rule, err := c.getRule()
	if err != nil {
		return web.View{}, err
	}
	data := performanceData{Rule: rule, Kind: rule.Type.Kind(), State: rule.State(c.Now()), Days: parts.RuleDays}
	scope, period := c.Scope.At(c.Site.ID), figures.Until(c.Now(), parts.RuleDays)
	completions, err := c.Figures.Completions(c.Context(), scope, rule.ID, period)
	if err != nil {
		return web.View{}, err
	}
	refusals, err := c.Figures.Refusals(c.Context(), scope, rule.ID, period)
	if err != nil {
		return web.View{}, err
	}
	sums, err := c.RuleSums([]laurel.ID{rule.ID})
	if err != nil {
		return web.View{}, err
	}
	names, err := c.ReadNames()
	if err != nil {
		return web.View{}, err
	}
	data.Completions, data.Paid = parts.SumCounts(completions), describePaid(names, sums[rule.ID])
	data.readRefusals(refusals)
	if data.Completions+data.Refused > 0 {
		days := make([]web.DayValue, len(completions))
		for i, count := range completions {
			isToday := i == len(completions)-1
			days[i] = web.DayValue{At: period.Day(i), Up: float64(count), Today: isToday, Texts: []string{web.Number(count)}}
		}
		chart := web.DrawDays(days, web.AxisCount, "completions")
		chart.Sums = []string{web.Number(data.Completions)}
		data.Chart = &chart
	}
	return web.Show("rule-performance", rule.Name+", performance", data)
}

// refusalLabels are the reasons for refusals in words, where they differ from the label of the check.
var refusalLabels = map[string]string{
	"overrides": "Invalid API request", "idempotencyKey": "Idempotency key already used",
	"currency": "No active currency",
	"setup":    "Rule not set up", "time": "Rule not started or ended", "blocked": "Member is blocked",
	"audience": "Not open to this member", "required": "Required rules or chains not completed",
	"progress": "Progress not complete", "account": "No verified account",
	"verification": "Member didn’t do what the rule requires", "reward": "Value or amount too low",
	"window": "Already rewarded in this period", completion.Other: "Another reason",
}

// readRefusals adds the reasons for which calls were refused, with their numbers and shares.
func (d *performanceData) readRefusals(refusals []figures.Refusal) {
	for _, refusal := range refusals {
		d.Refused += refusal.Count
	}
	for _, refusal := range refusals {
		label := cmp.Or(refusalLabels[refusal.Reason], checkLabels[refusal.Reason], refusal.Reason)
		d.Refusals = append(d.Refusals, refusalBar{
			Label: label, Count: refusal.Count, Share: web.Decimal(float64(refusal.Count)/float64(d.Refused)*100) + "%",
		})
	}
}

// describePaid returns what a rule paid, by currency, in words and sorted by the currency's name.
func describePaid(n *parts.Names, sum figures.RuleSum) []parts.Reward {
	var out []parts.Reward
	for currency, amount := range sum.Paid {
		if amount > 0 {
			out = append(out, parts.Reward{Amount: web.Number(amount), Unit: cmp.Or(n.Currency(&currency), "of a token")})
		}
	}
	slices.SortFunc(out, func(a, b parts.Reward) int { return cmp.Compare(a.Unit, b.Unit) })
	return out
}
