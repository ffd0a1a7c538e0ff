package dashboard

import (
	"cmp"
	"slices"

	"laurel"
	"laurel/internal/report/figures"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/schema"
)

// ruleDays is how far back the pages of rules count.
const ruleDays = 30

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
	Paid        []reward
	Refused     int64
	Refusals    []refusalBar
	Chart       *dayChart // nil: neither completed nor refused
}

// rulePerformancePage shows the completions, payments and refusals of a rule within the last ruleDays days, with a
// chart unless there were none.
func rulePerformancePage(c *request) (view, error) {
	rule, err := c.getRule()
	if err != nil {
		return view{}, err
	}
	data := performanceData{Rule: rule, Kind: rule.Type.Kind(), State: rule.State(c.d.Now()), Days: ruleDays}
	scope, period := c.scope.At(c.site.ID), figures.Until(c.d.Now(), ruleDays)
	completions, err := c.d.Figures.Completions(c.Context(), scope, rule.ID, period)
	if err != nil {
		return view{}, err
	}
	refusals, err := c.d.Figures.Refusals(c.Context(), scope, rule.ID, period)
	if err != nil {
		return view{}, err
	}
	sums, err := c.ruleSums([]laurel.ID{rule.ID})
	if err != nil {
		return view{}, err
	}
	names, err := c.readNames()
	if err != nil {
		return view{}, err
	}
	data.Completions, data.Paid = sumCounts(completions), describePaid(names, sums[rule.ID])
	data.readRefusals(refusals)
	if data.Completions+data.Refused > 0 {
		days := make([]dayValue, len(completions))
		for i, count := range completions {
			isToday := i == len(completions)-1
			days[i] = dayValue{At: period.Day(i), Up: float64(count), Today: isToday, Texts: []string{number(count)}}
		}
		chart := drawDays(days, axisCount, "completions")
		chart.Sums = []string{number(data.Completions)}
		data.Chart = &chart
	}
	return pageView("rule-performance", rule.Name+", performance", data)
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
			Label: label, Count: refusal.Count, Share: decimal(float64(refusal.Count)/float64(d.Refused)*100) + "%",
		})
	}
}

// describePaid returns what a rule paid, by currency, in words and sorted by the currency's name.
func describePaid(n *websiteNames, sum figures.RuleSum) []reward {
	var out []reward
	for currency, amount := range sum.Paid {
		if amount > 0 {
			out = append(out, reward{Amount: number(amount), Unit: cmp.Or(n.Currency(&currency), "of a token")})
		}
	}
	slices.SortFunc(out, func(a, b reward) int { return cmp.Compare(a.Unit, b.Unit) })
	return out
}
