package schema

import (
	"time"

	"laurel"
)

// FrequencyNone is that of rules that never run.
const FrequencyNone = "none"

// The frequencies of contract 5.3 that the engine runs on.
const (
	FrequencyOnce    = "once"
	frequencyHourly  = "hourly"
	frequencyDaily   = "daily"
	frequencyWeekly  = "weekly"
	frequencyMonthly = "monthly"
)

const day = 24 * time.Hour

// runIntervals are the frequencies of a fixed length; a month has none.
var runIntervals = map[string]time.Duration{frequencyHourly: time.Hour, frequencyDaily: day, frequencyWeekly: 7 * day}

// HasRuns reports whether the engine runs the rule: its type is scheduled, and its frequency names a time. Of types
// that are completed by calls only the frequency once says nothing.
func (p *Properties) HasRuns() bool {
	return p.Type.Kind().Scheduled && IsRecurring(p.Frequency)
}

// IsRecurring reports whether a frequency names times.
func IsRecurring(frequency string) bool {
	return frequency == FrequencyOnce || frequency == frequencyMonthly || runIntervals[frequency] > 0
}

// TriggerSubscription returns the subscription whose events feed the rule (contract 6); nil: none does. A rule with
// runs is paid by these alone.
func (p *Properties) TriggerSubscription() *laurel.ID {
	if kind := p.Type.Kind(); !kind.TriggeredByEvents || kind.Provider != FunctionProvider || p.HasRuns() {
		return nil
	}
	return p.SubscriptionID
}

// IsClaimedByCall reports whether runs only find who is eligible, and members claim by call (contract 5.3).
func (p *Properties) IsClaimedByCall() bool {
	return p.HasRuns() && p.ClaimType != nil && *p.ClaimType == "manual"
}

// RunsPay reports whether runs of the rule pay points themselves: what members claim is paid by their calls, shares of
// referrals cannot be claimed.
func (p *Properties) RunsPay() bool {
	return p.RewardType == RewardPoints && p.HasRuns() && (!p.IsClaimedByCall() || p.Type == TypeReferredUser)
}

// IsDynamic reports whether what the rule gave is taken back when what it asks for no longer holds (contract 5.5).
func (p *Properties) IsDynamic() bool {
	return p.RewardLifetime != nil && *p.RewardLifetime == "dynamic"
}

// Schedule is when a rule runs: at Start and every step after it, before End. Times are UTC, so no day is longer than
// another.
type Schedule struct {
	Frequency string
	Start     time.Time
	End       time.Time // zero: never ends
}

// Schedule returns when the rule runs; since is when it began to live, for a rule that says no start.
func (p *Properties) Schedule(since time.Time) Schedule {
	c := Schedule{Frequency: p.Frequency, Start: since.UTC()}
	if p.StartTime != nil {
		c.Start = p.StartTime.UTC()
	}
	if p.EndTime != nil {
		c.End = p.EndTime.UTC()
	}
	return c
}

// RunTime returns the run of a number, from 0 on. A month begins on the day of the first run, or on its last day where
// it is shorter.
func (c Schedule) RunTime(n int) time.Time {
	if c.Frequency != frequencyMonthly {
		return c.Start.Add(time.Duration(n) * runIntervals[c.Frequency])
	}
	first := time.Date(c.Start.Year(), c.Start.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, n, 0)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(c.Start.Day(), last)-1).Add(c.Start.Sub(c.Start.Truncate(day)))
}

// Next returns the first run after a moment; false where there is none.
func (c Schedule) Next(after time.Time) (time.Time, bool) { return c.runBeforeEnd(c.runsUntil(after)) }

// Latest returns the last run at or before a moment; false where there is none.
func (c Schedule) Latest(at time.Time) (time.Time, bool) {
	n := c.runsUntil(at) - 1
	if last, hasLast := c.lastRun(); hasLast {
		n = min(n, last)
	}
	return c.runBeforeEnd(n)
}

func (c Schedule) runBeforeEnd(n int) (time.Time, bool) {
	if n < 0 || c.Frequency == FrequencyOnce && n > 0 {
		return time.Time{}, false
	}
	at := c.RunTime(n)
	if !c.End.IsZero() && !at.Before(c.End) {
		return time.Time{}, false
	}
	return at, true
}

// runsUntil returns how many runs there would be at or before a moment if nothing ended.
func (c Schedule) runsUntil(at time.Time) int {
	if at.Before(c.Start) {
		return 0
	}
	switch step := runIntervals[c.Frequency]; {
	case step > 0:
		return int(at.Sub(c.Start)/step) + 1
	case c.Frequency == FrequencyOnce:
		return 1
	}
	at = at.UTC()
	n := (at.Year()-c.Start.Year())*12 + int(at.Month()) - int(c.Start.Month())
	if c.RunTime(n).After(at) {
		n--
	}
	return n + 1
}

// lastRun returns the number of the last run before the end; -1: there is none.
func (c Schedule) lastRun() (n int, hasLast bool) {
	if c.Frequency == FrequencyOnce {
		return 0, true
	}
	if c.End.IsZero() {
		return 0, false
	}
	return c.runsUntil(c.End.Add(-1)) - 1, true
}
