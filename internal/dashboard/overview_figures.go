package dashboard

import (
	"net/url"
	"strconv"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report/figures"
)

// figureTile is a figure with its trend.
type figureTile struct {
	Label, Value, Unit string
	Note               string
	Spark              string
	Second             bool // the colour of the second series
	Good               bool // more is better: the change is coloured
	Change             web.Trend
}

// flowData are the figures of a currency in a period.
type flowData struct {
	Currency ledger.Currency
	Held     string // by members
	Choices  []web.FilterLink
	Periods  []web.Period
	Days     int
	Tiles    []figureTile
	Others   []namedFlow
	Chart    *web.DayChart // nil: nothing has happened yet
	Since    time.Time     // figures begin within the period; zero: before it
}

// overviewDays are the periods of the overview.
var overviewDays = []int{7, 30, 90}

// readFlowCard reads the figures of the currency and period that the query names, or of the first currency and 30 days.
// holdings are the website's currencies.
func (c *call) readFlowCard(holdings []parts.CurrencyHoldings) (flowData, error) {
	query := c.URL.Query()
	data := flowData{Days: 30}
	for _, days := range overviewDays {
		if query.Get("days") == strconv.Itoa(days) {
			data.Days = days
		}
	}
	var chosen parts.CurrencyHoldings
	for i, currency := range holdings {
		if i == 0 || currency.ID.String() == query.Get("currency") {
			chosen = currency
		}
	}
	data.Currency = chosen.Currency
	if len(holdings) > 0 {
		data.Held = "no " + chosen.Name
		if chosen.Held != 0 {
			data.Held = web.Number(chosen.Held) + " " + chosen.Name
		}
	}
	c.flowLinks(&data, holdings)
	err := c.readFigures(&data, chosen)
	return data, err
}

// flowLinks adds the links to other periods, and to other currencies if there are several.
func (c *call) flowLinks(data *flowData, holdings []parts.CurrencyHoldings) {
	link := func(days int, currency laurel.ID) string {
		query := url.Values{"days": {strconv.Itoa(days)}}
		if len(holdings) > 1 {
			query.Set("currency", currency.String())
		}
		return c.SitePath("?" + query.Encode())
	}
	for _, days := range overviewDays {
		data.Periods = append(data.Periods, web.Period{
			Label: web.Plural(days, "day", "days"), Address: link(days, data.Currency.ID), Current: days == data.Days,
		})
	}
	if len(holdings) < 2 {
		return
	}
	for _, currency := range holdings {
		isChosen := currency.ID == data.Currency.ID
		data.Choices = append(
			data.Choices, web.FilterLink{Label: currency.Name, Address: link(data.Days, currency.ID), IsChosen: isChosen},
		)
	}
}

// readFigures reads the figures of the period and of the one before, and builds the tiles, the chart and the list of
// other flows from them. It does nothing if the website has no figures yet. If the figures do not cover the whole
// period before, tiles show no change. If they began during the period on an older website, data.Since is their first
// day.
func (c *call) readFigures(data *flowData, chosen parts.CurrencyHoldings) error {
	ctx, scope := c.Context(), c.Scope.At(c.Site.ID)
	period, allRules := figures.Until(c.Now(), data.Days), laurel.ID{}
	since, err := c.Figures.FirstDay(ctx, scope)
	if err != nil || since.IsZero() {
		return err
	}
	var flows, flowsBefore []figures.Flow
	var completions, completionsBefore, active []int64
	var members, membersBefore int64
	for _, read := range []func() error{
		func() (err error) {
			flows, err = c.Figures.Flows(ctx, scope, c.Visibility(), chosen.ID, period)
			return err
		},
		func() (err error) {
			flowsBefore, err = c.Figures.Flows(ctx, scope, c.Visibility(), chosen.ID, period.Before())
			return err
		},
		func() (err error) {
			completions, err = c.Figures.Completions(ctx, scope, allRules, period)
			return err
		},
		func() (err error) {
			completionsBefore, err = c.Figures.Completions(ctx, scope, allRules, period.Before())
			return err
		},
		func() (err error) { active, err = c.Figures.CountActiveMembers(ctx, scope, period); return err },
		func() (err error) { members, err = c.Figures.CountDistinctMembers(ctx, scope, period); return err },
		func() (err error) {
			membersBefore, err = c.Figures.CountDistinctMembers(ctx, scope, period.Before())
			return err
		},
	} {
		if err := read(); err != nil {
			return err
		}
	}
	sum, sumBefore := sumFlows(flows), sumFlows(flowsBefore)
	hasPrevious := !since.After(period.Before().Day(0)) // the period before has figures to its beginning
	if since.After(period.Day(0)) && c.Site.CreatedAt.Before(since.Add(-web.Day)) {
		data.Since = since
	}
	compare := func(now, before float64) web.Trend {
		if !hasPrevious {
			return web.Trend{}
		}
		return web.PercentChange(now, before)
	}
	data.Tiles = []figureTile{
		{
			Label: "Issued", Value: web.Number(sum.Issued), Unit: chosen.Name, Good: true,
			Spark:  web.DrawSparkline(web.Map(flows, func(f figures.Flow) float64 { return float64(f.Issued) })),
			Change: compare(float64(sum.Issued), float64(sumBefore.Issued)),
		},
		{
			Label: "Spent", Value: web.Number(sum.Spent), Unit: chosen.Name, Second: true,
			Spark:  web.DrawSparkline(web.Map(flows, func(f figures.Flow) float64 { return float64(f.Spent) })),
			Change: compare(float64(sum.Spent), float64(sumBefore.Spent)),
		},
		{
			Label: "Active members", Value: web.Number(members), Good: true, Spark: web.DrawSparkline(web.Map(active, toFloat)),
			Change: compare(float64(members), float64(membersBefore)),
		},
		{
			Label: "Completions", Value: web.Number(parts.SumCounts(completions)), Good: true,
			Spark:  web.DrawSparkline(web.Map(completions, toFloat)),
			Change: compare(float64(parts.SumCounts(completions)), float64(parts.SumCounts(completionsBefore))),
		},
	}
	chart := c.flowChart(flows, period)
	chart.Sums = []string{web.Number(sum.Issued), web.Number(sum.Spent)}
	data.Chart, data.Others = &chart, otherFlows(sum)
	return nil
}

// flowChart draws, for each day, issued points above the line and spent points below it. The last day is not over yet.
func (c *call) flowChart(flows []figures.Flow, period figures.Span) web.DayChart {
	days := make([]web.DayValue, len(flows))
	for i, f := range flows {
		days[i] = web.DayValue{
			At: period.Day(i), Up: float64(f.Issued), Down: float64(f.Spent), Today: i == len(flows)-1,
			Texts: []string{web.Number(f.Issued), web.Number(f.Spent)},
		}
	}
	return web.DrawDays(days, web.AxisAmount, "issued", "spent")
}

// namedFlow is an amount that is neither issued nor spent, in words.
type namedFlow struct{ Label, Value, Help string }

// otherFlows returns the flows that are neither issued nor spent, each with a label and a help text. Flows of zero are
// left out.
func otherFlows(flow figures.Flow) []namedFlow {
	var out []namedFlow
	for _, other := range []struct {
		label string
		value laurel.Amount
		help  string
	}{
		{"Returned", flow.Returned, "Points returned to members after cancelled reservations, lost bids and failed purchases."},
		{"Expired", flow.Expired, "Points that have expired."},
		{"Taken back", flow.TakenBack, "Points taken back from members through currency resets or deleted rules."},
		{"Moved between members", flow.Moved, "Points that members transferred to other members."},
		{"Opening balances", flow.Opening, "Points that imported members had in your earlier program."},
	} {
		if other.value != 0 {
			out = append(out, namedFlow{other.label, web.Number(other.value), other.help})
		}
	}
	return out
}

// sumFlows adds up the flows of several days. Sums are capped at the largest amount.
func sumFlows(flows []figures.Flow) (sum figures.Flow) {
	for _, flow := range flows {
		sum.Issued, sum.Spent = addCapped(sum.Issued, flow.Issued), addCapped(sum.Spent, flow.Spent)
		sum.Returned, sum.Expired = addCapped(sum.Returned, flow.Returned), addCapped(sum.Expired, flow.Expired)
		sum.TakenBack, sum.Moved = addCapped(sum.TakenBack, flow.TakenBack), addCapped(sum.Moved, flow.Moved)
		sum.Opening = addCapped(sum.Opening, flow.Opening)
	}
	return sum
}

// addCapped adds two amounts; the largest amount if the sum exceeds it.
func addCapped(a, b laurel.Amount) laurel.Amount {
	if sum, err := a.Plus(b); err == nil {
		return sum
	}
	return laurel.MaxAmount
}

func toFloat(n int64) float64 { return float64(n) }
