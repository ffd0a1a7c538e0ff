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

// Closed reports whether the window that a moment falls in is one that was paid last at another. Time that steps back
// stays in the window that was paid: else one could be paid twice under two keys. The zero time: nothing was paid.
func Closed(interval string, paid, at time.Time) bool {
	key := WindowKey(interval, paid)
	return !paid.IsZero() && key != "" && (at.Before(paid) || key == WindowKey(interval, at))
}

// Tally is what a rule paid to one member or group, counted in every period that a maximum may be set for (contract
// 5.6). Whatever the rule says at the time, all are kept: a maximum that is set or changed later finds what was paid
// before it.
type Tally struct {
	At                     time.Time // the moment up to which the counters are rolled
	Day, Week, Month, Ever laurel.Amount
}

// Rolled returns the tally at a later moment: periods that have ended start anew. A clock that steps back opens no
// period again.
func (t Tally) Rolled(now time.Time) Tally {
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
	t = t.Rolled(now)
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

// Plus counts a payment.
func (t Tally) Plus(amount laurel.Amount, now time.Time) Tally {
	return t.Rolled(now).combined(Tally{Day: amount, Week: amount, Month: amount, Ever: amount}, sum)
}

// With adds what a member was paid that joins a group: a group's tally is what its present members were paid.
func (t Tally) With(o Tally) Tally {
	at := latest(t.At, o.At)
	return t.Rolled(at).combined(o.Rolled(at), sum)
}

// Without takes out what a member was paid that leaves.
func (t Tally) Without(o Tally) Tally {
	at := latest(t.At, o.At)
	return t.Rolled(at).combined(o.Rolled(at), func(a, b laurel.Amount) laurel.Amount { return max(a-b, 0) })
}

func (t Tally) combined(o Tally, with func(a, b laurel.Amount) laurel.Amount) Tally {
	return Tally{
		At:    t.At,
		Day:   with(t.Day, o.Day),
		Week:  with(t.Week, o.Week),
		Month: with(t.Month, o.Month),
		Ever:  with(t.Ever, o.Ever),
	}
}

// sum stays in the range of amounts: beyond it no maximum can lie.
func sum(a, b laurel.Amount) laurel.Amount { return min(a+b, laurel.MaxAmount-1) }

func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
