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

// rulePerformancePage shows the completions, payments and refusals of a rule within the last ruleDays days.
func rulePerformancePage(c *request) (view, error) {
	r, err := c.findRule()
	if err != nil {
		return view{}, err
	}
	data := performanceData{Rule: r, Kind: r.Type.Kind(), State: r.State(c.d.Now()), Days: ruleDays}
	scope, span := c.scope.At(c.site.ID), figures.Until(c.d.Now(), ruleDays)
	done, err := c.d.Figures.Completions(c.Context(), scope, r.ID, span)
	if err != nil {
		return view{}, err
	}
	refusals, err := c.d.Figures.Refusals(c.Context(), scope, r.ID, span)
	if err != nil {
		return view{}, err
	}
	sums, err := c.ruleSums([]laurel.ID{r.ID})
	if err != nil {
		return view{}, err
	}
	names, err := c.readNames()
	if err != nil {
		return view{}, err
	}
	data.Completions, data.Paid = sumCounts(done), names.describePaid(sums[r.ID])
	data.readRefusals(refusals)
	if data.Completions+data.Refused > 0 {
		days := make([]dayValue, len(done))
		for i, n := range done {
			days[i] = dayValue{At: span.Day(i), Up: float64(n), Today: i == len(done)-1, Texts: []string{number(n)}}
		}
		chart := drawDays(days, axisCount, "completions")
		chart.Sums = []string{number(data.Completions)}
		data.Chart = &chart
	}
	return pageView("rule-performance", r.Name+", performance", data)
}

// readRefusals adds the reasons of refusals with their counts and shares.
func (d *performanceData) readRefusals(refusals []figures.Refusal) {
	for _, r := range refusals {
		d.Refused += r.Count
	}
	for _, r := range refusals {
		label := cmp.Or(checkLabels[r.Reason], r.Reason)
		switch r.Reason {
		case "window":
			label = "Already rewarded in this period"
		case completion.Other:
			label = "Another reason"
		}
		d.Refusals = append(d.Refusals, refusalBar{
			Label: label, Count: r.Count, Share: decimal(float64(r.Count)/float64(d.Refused)*100) + "%",
		})
	}
}

// describePaid writes what a rule paid, by currency.
func (n *websiteNames) describePaid(sum figures.RuleSum) []reward {
	var out []reward
	for currency, amount := range sum.Paid {
		if amount > 0 {
			out = append(out, reward{Amount: number(amount), Unit: cmp.Or(n.Currency(&currency), "of a token")})
		}
	}
	slices.SortFunc(out, func(a, b reward) int { return cmp.Compare(a.Unit, b.Unit) })
	return out
}
