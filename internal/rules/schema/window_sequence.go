package schema

import (
	"encoding/json"
	"slices"
	"time"

	"laurel.example/laurel"
)

// WindowSequence is the sequence of windows of a rule, in which streaks are counted.
type WindowSequence struct {
	Interval     string
	CustomLength time.Duration // the length of windows of interval custom
}

// WindowSequence returns the sequence of the rule's windows.
func (p *Properties) WindowSequence(meta Meta) WindowSequence {
	c := WindowSequence{Interval: p.Interval}
	if meta.CustomIntervalSeconds != nil {
		c.CustomLength = time.Duration(*meta.CustomIntervalSeconds) * time.Second
	}
	return c
}

// StreakEnd returns when a streak ends if no check-in follows the last one: at the end of the next window (contract
// 5.9). The zero time means never.
func (c WindowSequence) StreakEnd(last time.Time) time.Time {
	if c.Interval == IntervalCustom {
		return last.Add(2 * c.CustomLength)
	}
	next := WindowEnd(c.Interval, last)
	if next.IsZero() {
		return next
	}
	return WindowEnd(c.Interval, next)
}

// InSameWindow reports whether two moments lie in the same window. at is not before last.
func (c WindowSequence) InSameWindow(last, at time.Time) bool {
	if c.Interval == IntervalCustom {
		return at.Before(last.Add(c.CustomLength))
	}
	key := WindowKey(c.Interval, last)
	return key != "" && key == WindowKey(c.Interval, at)
}

// Triggers are the rules whose completions check members in: all rules, or some.
type Triggers struct {
	Any   bool
	Rules []laurel.ID
}

// UnmarshalJSON decodes "any" or an array of ids.
func (t *Triggers) UnmarshalJSON(b []byte) error {
	*t = Triggers{Any: string(b) == `"any"`}
	if t.Any {
		return nil
	}
	return json.Unmarshal(b, &t.Rules)
}

// IsEmpty reports whether no completion of another rule checks members in.
func (t Triggers) IsEmpty() bool { return !t.Any && len(t.Rules) == 0 }

// Contains reports whether completions of the rule check members in.
func (t Triggers) Contains(rule laurel.ID) bool { return t.Any || slices.Contains(t.Rules, rule) }

// IsCheckedInByOthers reports whether entries or completions of other rules check members in to the rule (contract
// 5.9).
func (p *Properties) IsCheckedInByOthers() bool {
	meta := p.Meta()
	return p.Type == TypeCheckIn && (meta.OnEveryEntry || !meta.CheckInTriggers.IsEmpty())
}
