package bench

import (
	"math"
	"slices"
	"time"
)

// Result is one line of the table: a figure that was measured, with its floor and its goal.
type Result struct {
	Row    int    `json:"row"`
	Name   string `json:"name"`
	Engine string `json:"engine"`
	// Ratio is the figure that Floor and Goal bound: a multiple of the row that Against names or, where Against names a
	// unit, the figure itself.
	Ratio     float64  `json:"ratio"`
	Floor     float64  `json:"floor"`
	Goal      float64  `json:"goal"`
	Met       bool     `json:"met"` // the whole goal, any bound of p99 included
	PerSecond *float64 `json:"perSecond"`
	P50Ms     *float64 `json:"p50Ms"`
	P99Ms     *float64 `json:"p99Ms"`
	Against   string   `json:"against"`

	lowerIsBetter bool // Ratio must not be above Floor and Goal, rather than not below
}

// limit is what the figure of a row must reach.
type limit struct {
	floor, goal   float64 // worse than the floor, the design is wrong; the goal is what it aims for
	lowerIsBetter bool
	p99           float64 // the most that the goal allows, in ms; 0: any
}

// newResult compares a measured figure with the goal and returns the result, with the throughput and latencies of m
// unless m is empty. If the limit has a p99, the result is Met only if that of m is not above it. The figure is rounded
// first, so that the printed figure and Met agree.
func (l limit) newResult(name string, figure float64, m measured) Result {
	r := Result{Name: name, Ratio: round(figure, 3), Floor: l.floor, Goal: l.goal, lowerIsBetter: l.lowerIsBetter}
	if m.done > 0 {
		perSecond, p50, p99 := round(m.perSecond, 1), milliseconds(m.p50), milliseconds(m.p99)
		r.PerSecond, r.P50Ms, r.P99Ms = &perSecond, &p50, &p99
	}
	r.Met = r.reaches(l.goal) && (l.p99 == 0 || r.P99Ms != nil && *r.P99Ms <= l.p99)
	return r
}

// reaches reports whether the figure is on the good side of a bound. NaN reaches no bound.
func (r Result) reaches(bound float64) bool {
	if r.lowerIsBetter {
		return r.Ratio <= bound
	}
	return r.Ratio >= bound
}

// BelowFloor reports whether the figure is worse than the floor: then the design is wrong.
func (r Result) BelowFloor() bool { return !r.reaches(r.Floor) }

// measured is the result of one run: how many calls it made, how many per second, and how long they took.
type measured struct {
	done      int
	perSecond float64
	p50, p99  time.Duration
}

// measure returns the result of a run of some duration with calls that took the given times. It sorts the times.
func measure(times []time.Duration, duration time.Duration) measured {
	slices.Sort(times)
	return measured{
		done:      len(times),
		perSecond: float64(len(times)) / duration.Seconds(),
		p50:       percentile(times, 50),
		p99:       percentile(times, 99),
	}
}

// percentile returns the smallest of the sorted times that at least p percent do not exceed (nearest rank); 0 for no
// times.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

func milliseconds(d time.Duration) float64 { return round(float64(d)/float64(time.Millisecond), 3) }

func round(x float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(x*scale) / scale
}

// relativeDifference returns the difference of two figures as a part of the larger one.
func relativeDifference(a, b float64) float64 {
	return math.Abs(a-b) / max(a, b)
}
