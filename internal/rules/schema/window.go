package schema

import (
	"time"

	"laurel"
)

// The intervals of contract 5.3 that code names.
const (
	IntervalOnce   = "once"
	IntervalCustom = "custom"
)

// WindowKey returns the key of the window that a moment falls in (contract 5.3), in UTC. "" means that the interval has
// no fixed windows: unlimited, and custom, which rolls from the last reward.
func WindowKey(interval string, at time.Time) string {
	at = at.UTC()
	switch interval {
	case "hourly":
		return at.Format("2006-01-02T15")
	case "daily":
		return at.Format(time.DateOnly)
	case "weekly":
		return at.AddDate(0, 0, -int(at.Weekday())).Format(time.DateOnly) // weeks start on Sunday
	case "monthly":
		return at.Format("2006-01")
	case IntervalOnce:
		return IntervalOnce
	}
	return ""
}

// IsWindowPaid reports whether the window that a moment falls in is one that was paid last at another. Time that steps
// back stays in the window that was paid: else one could be paid twice under two keys. The zero time: nothing was paid.
func IsWindowPaid(interval string, lastPaid, at time.Time) bool {
	key := WindowKey(interval, lastPaid)
	return !lastPaid.IsZero() && key != "" && (at.Before(lastPaid) || key == WindowKey(interval, at))
}

// Tally is what a rule paid to one member or group, counted in every period that a maximum may be set for (contract
// 5.6). Whatever the rule says at the time, all are kept: a maximum that is set or changed later finds what was paid
// before it.
type Tally struct {
	At                     time.Time // the moment up to which the counters are rolled
	Day, Week, Month, Ever laurel.Amount
}

// RollTo returns the tally at a later moment: periods that have ended start anew. A clock that steps back opens no
// period again.
func (t Tally) RollTo(now time.Time) Tally {
	if now.Before(t.At) {
		return t
	}
	for interval, counter := range map[string]*laurel.Amount{"daily": &t.Day, "weekly": &t.Week, "monthly": &t.Month} {
		if WindowKey(interval, now) != WindowKey(interval, t.At) {
			*counter = 0
		}
	}
	t.At = now
	return t
}

// Paid returns what was paid in the present period of an interval; lifetime is ever.
func (t Tally) Paid(interval string, now time.Time) laurel.Amount {
	t = t.RollTo(now)
	switch interval {
	case "daily":
		return t.Day
	case "weekly":
		return t.Week
	case "monthly":
		return t.Month
	}
	return t.Ever
}

// Add counts a payment.
func (t Tally) Add(amount laurel.Amount, now time.Time) Tally {
	return t.RollTo(now).combine(Tally{Day: amount, Week: amount, Month: amount, Ever: amount}, cappedSum)
}

// Merge adds what a member was paid that joins a group: a group's tally is what its present members were paid.
func (t Tally) Merge(o Tally) Tally {
	at := latest(t.At, o.At)
	return t.RollTo(at).combine(o.RollTo(at), cappedSum)
}

// Subtract takes out what a member was paid that leaves.
func (t Tally) Subtract(o Tally) Tally {
	at := latest(t.At, o.At)
	return t.RollTo(at).combine(o.RollTo(at), func(a, b laurel.Amount) laurel.Amount { return max(a-b, 0) })
}

func (t Tally) combine(o Tally, combineAmounts func(a, b laurel.Amount) laurel.Amount) Tally {
	return Tally{
		At:    t.At,
		Day:   combineAmounts(t.Day, o.Day),
		Week:  combineAmounts(t.Week, o.Week),
		Month: combineAmounts(t.Month, o.Month),
		Ever:  combineAmounts(t.Ever, o.Ever),
	}
}

// cappedSum stays in the range of amounts: beyond it no maximum can lie.
func cappedSum(a, b laurel.Amount) laurel.Amount { return min(a+b, laurel.MaxAmount-1) }

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
