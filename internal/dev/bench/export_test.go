package bench

import (
	"context"
	"net/url"
	"time"
)

// What tests see of the figures.
var (
	Percentile = percentile
	Apart      = relativeDifference
)

// Judge makes a result of a figure.
func Judge(floor, goal float64, atMost bool, p99Goal, figure float64, times ...time.Duration) Result {
	return limit{floor, goal, atMost, p99Goal}.newResult("a line", figure, measure(times, time.Second))
}

// CompareYardstick tells two figures of pgbench.
func CompareYardstick(before, after float64, try int) (text string, steady bool) {
	s := pgbenchRates{before, after, try}
	return s.String(), s.isSteady()
}

// Pairs returns the rule and member of the first calls of a plan with at least so many rules: of as many calls as there
// are pairs.
func Pairs(rules, members int, hot bool) [][2]int {
	rules = ruleCount(rules, members)
	c := requestStock{completionPlan: completionPlan{site: site{members: members}, hot: hot}, templates: make([]template, rules)}
	out := make([][2]int, rules*members)
	for k := range out {
		out[k][0], out[k][1] = c.pick(k)
	}
	return out
}

// Ask sends one GET to a host and returns status and body.
func Ask(ctx context.Context, host, path string) (int, string, error) {
	w, err := dial(ctx, host)
	if err != nil {
		return 0, "", err
	}
	defer w.close()
	status, err := w.send(request{method: "GET", host: host, path: path, key: "k", query: url.Values{"a": {"b c"}}}.bytes())
	return status, string(w.body), err
}

// Closed runs a closed loop of one worker.
func Closed(
	ctx context.Context,
	seconds time.Duration,
	step func() error,
) (done int, perSecond float64, p99 time.Duration, err error) {
	m, err := load{
		workers:  1,
		duration: seconds,
		worker:   func(context.Context) (func() error, func(), error) { return step, func() {}, nil },
	}.run(ctx)
	return m.done, m.perSecond, m.p99, err
}

// Order is a command of Redis as it is sent.
func Order(words ...string) string { return string(encodeCommand(words...)) }
