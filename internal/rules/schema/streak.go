package schema

import (
	"encoding/json"
	"slices"
	"time"

	"laurel"
)

// Course is how the windows of a rule follow each other.
type Course struct {
	Interval string
	Rolling  time.Duration // of custom
}

// Course returns how the rule's windows follow each other.
func (p *Properties) Course(meta Meta) Course {
	c := Course{Interval: p.Interval}
	if meta.CustomIntervalSeconds != nil {
		c.Rolling = time.Duration(*meta.CustomIntervalSeconds) * time.Second
	}
	return c
}

// Ends returns when a streak has ended whose last check-in was at the moment, unless a further one comes before: with
// the next window (contract 5.9). The zero time: never.
func (c Course) Ends(last time.Time) time.Time {
	if c.Interval == IntervalCustom {
		return last.Add(2 * c.Rolling)
	}
	next := WindowEnd(c.Interval, last)
	if next.IsZero() {
		return next
	}
	return WindowEnd(c.Interval, next)
}

// Same reports whether both moments, the later one second, lie in one window.
func (c Course) Same(last, at time.Time) bool {
	if c.Interval == IntervalCustom {
		return at.Before(last.Add(c.Rolling))
	}
	key := WindowKey(c.Interval, last)
	return key != "" && key == WindowKey(c.Interval, at)
}

// Triggers are the rules whose completions check members in: all of them, or some.
type Triggers struct {
	Any   bool
	Rules []laurel.ID
}

// UnmarshalJSON reads "any" or an array of ids.
func (t *Triggers) UnmarshalJSON(b []byte) error {
	*t = Triggers{Any: string(b) == `"any"`}
	if t.Any {
		return nil
	}
	return json.Unmarshal(b, &t.Rules)
}

// None reports whether no completion of another rule checks in.
func (t Triggers) None() bool { return !t.Any && len(t.Rules) == 0 }

// Has reports whether completions of the rule do.
func (t Triggers) Has(rule laurel.ID) bool { return t.Any || slices.Contains(t.Rules, rule) }

// ChecksIn reports whether something else than a call checks members in to the rule (contract 5.9).
func (p *Properties) ChecksIn() bool {
	meta := p.Meta()
	return p.Type == TypeCheckIn && (meta.EveryEntry || !meta.AutoCheckIn.None())
}
