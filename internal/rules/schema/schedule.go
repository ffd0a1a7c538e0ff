package schema

import (
	"time"

	"laurel.example/laurel"
)

// FrequencyNone is the frequency of rules without runs.
const FrequencyNone = "none"

// The frequencies of contract 5.3 at which rules run.
const (
	FrequencyOnce    = "once"
	frequencyHourly  = "hourly"
	frequencyDaily   = "daily"
	frequencyWeekly  = "weekly"
	frequencyMonthly = "monthly"
)

const day = 24 * time.Hour

// runIntervals are the frequencies with a fixed interval; months differ in length.
var runIntervals = map[string]time.Duration{frequencyHourly: time.Hour, frequencyDaily: day, frequencyWeekly: 7 * day}

// HasRuns reports whether the rule has runs: its type must allow them, and its frequency must be recurring or once. For
// types that are completed by calls, the frequency once has no meaning.
func (p *Properties) HasRuns() bool {
	return p.Type.Kind().Scheduled && IsRecurring(p.Frequency)
}

// IsRecurring reports whether the frequency sets times for runs.
func IsRecurring(frequency string) bool {
	return frequency == FrequencyOnce || frequency == frequencyMonthly || runIntervals[frequency] > 0
}

// TriggerSubscription returns the subscription whose events trigger the rule (contract 6); nil: none. A rule with runs
// is triggered by its runs alone.
func (p *Properties) TriggerSubscription() *laurel.ID {
	kind := p.Type.Kind()
	isDecided := kind.Provider == FunctionProvider || p.Type == TypeContractEvent
	if !kind.TriggeredByEvents || !isDecided || p.HasRuns() {
		return nil
	}
	return p.SubscriptionID
}

// IsClaimedByCall reports whether runs only find eligible members, who then claim the reward by a call (contract 5.3).
func (p *Properties) IsClaimedByCall() bool {
	return p.HasRuns() && p.ClaimType != nil && *p.ClaimType == "manual"
}

// RunsPay reports whether the runs of the rule pay points. They do not if members claim the reward; but referral shares
// cannot be claimed.
func (p *Properties) RunsPay() bool {
	return p.RewardType == RewardPoints && p.HasRuns() && (!p.IsClaimedByCall() || p.Type == TypeReferredUser)
}

// IsDynamic reports whether the rule's reward is taken back once its conditions no longer hold (contract 5.5).
func (p *Properties) IsDynamic() bool {
	return p.RewardLifetime != nil && *p.RewardLifetime == "dynamic"
}

// Schedule says when a rule runs: at Start, and after every interval from there, before End. Times are in UTC, so that
// all days have the same length.
type Schedule struct {
	Frequency string
	Start     time.Time
	End       time.Time // zero: the schedule never ends
}

// Schedule returns the schedule of the rule. since is the start for a rule that sets none.
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

// RunTime returns the time of the nth run, counted from 0, regardless of End. Monthly runs are on the day of the month
// of Start, or on the last day of shorter months, at the time of day of Start.
func (c Schedule) RunTime(n int) time.Time {
	if c.Frequency != frequencyMonthly {
		return c.Start.Add(time.Duration(n) * runIntervals[c.Frequency])
	}
	firstDay := time.Date(c.Start.Year(), c.Start.Month(), 1, 0, 0, 0, 0, time.UTC).AddDate(0, n, 0)
	daysInMonth := firstDay.AddDate(0, 1, -1).Day()
	timeOfDay := c.Start.Sub(c.Start.Truncate(day))
	return firstDay.AddDate(0, 0, min(c.Start.Day(), daysInMonth)-1).Add(timeOfDay)
}

// Next returns the first run after a moment; false if there is none.
func (c Schedule) Next(after time.Time) (time.Time, bool) { return c.runBeforeEnd(c.runsUntil(after)) }

// Latest returns the last run at or before a moment; false if there is none.
func (c Schedule) Latest(at time.Time) (time.Time, bool) {
	n := c.runsUntil(at) - 1
	if last, hasLast := c.lastRun(); hasLast {
		n = min(n, last)
	}
	return c.runBeforeEnd(n)
}

// runBeforeEnd returns the time of the nth run; false if the schedule has no such run.
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

// runsUntil returns how many runs there are at or before a moment, regardless of End.
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
	at = at.UTC() // the frequency is monthly
	n := (at.Year()-c.Start.Year())*12 + int(at.Month()) - int(c.Start.Month())
	if c.RunTime(n).After(at) { // the run of the present month is still to come
		n--
	}
	return n + 1
}

// lastRun returns the number of the last run; -1 if the schedule ends before its first run. hasLast is false if the
// schedule never ends.
func (c Schedule) lastRun() (n int, hasLast bool) {
	if c.Frequency == FrequencyOnce {
		return 0, true
	}
	if c.End.IsZero() {
		return 0, false
	}
	return c.runsUntil(c.End.Add(-1)) - 1, true
}
