package schema

import (
	"time"

	"laurel.example/laurel"
)

// The intervals of contract 5.3 that code refers to.
const (
	IntervalOnce   = "once"
	IntervalCustom = "custom"
)

// WindowKey returns the key of the window that contains a moment, in UTC (contract 5.3). It returns "" for intervals
// without fixed windows: unlimited, and custom, whose windows start at the last reward.
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

// IsWindowPaid reports whether the window that contains a moment was paid already, given the time of the last payment
// (zero: never paid). If the clock has stepped back before the last payment, the window counts as paid: otherwise it
// could be paid twice, under two keys.
func IsWindowPaid(interval string, lastPaid, at time.Time) bool {
	key := WindowKey(interval, lastPaid)
	return !lastPaid.IsZero() && key != "" && (at.Before(lastPaid) || key == WindowKey(interval, at))
}

// Tally counts what a rule has paid to a member or group, in every period for which a maximum may be set (contract
// 5.6). All periods are counted even without a maximum, so that a maximum that is set later applies to earlier
// payments.
type Tally struct {
	At                     time.Time // the moment for which the counters are valid
	Day, Week, Month, Ever laurel.Amount
}

// RollTo returns the tally at a later moment: the counters of periods that have ended are 0. For an earlier moment,
// after the clock has stepped back, it returns the tally unchanged.
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

// Paid returns the amount paid in the present period of an interval. The interval lifetime covers all payments.
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

// Add returns the tally with a further payment.
func (t Tally) Add(amount laurel.Amount, now time.Time) Tally {
	return t.RollTo(now).combine(Tally{Day: amount, Week: amount, Month: amount, Ever: amount}, cappedSum)
}

// Merge returns the tally of a group that a member with tally o joins: the group's tally is the sum over its present
// members.
func (t Tally) Merge(o Tally) Tally {
	at := latest(t.At, o.At)
	return t.RollTo(at).combine(o.RollTo(at), cappedSum)
}

// Subtract returns the tally of a group that a member with tally o leaves.
func (t Tally) Subtract(o Tally) Tally {
	at := latest(t.At, o.At)
	return t.RollTo(at).combine(o.RollTo(at), func(a, b laurel.Amount) laurel.Amount { return max(a-b, 0) })
}

// combine returns a tally at t.At whose counters are the results of a function of the counters of t and o.
func (t Tally) combine(o Tally, combineAmounts func(a, b laurel.Amount) laurel.Amount) Tally {
	return Tally{
		At:    t.At,
		Day:   combineAmounts(t.Day, o.Day),
		Week:  combineAmounts(t.Week, o.Week),
		Month: combineAmounts(t.Month, o.Month),
		Ever:  combineAmounts(t.Ever, o.Ever),
	}
}

// cappedSum adds amounts up to the largest one. No maximum lies beyond it.
func cappedSum(a, b laurel.Amount) laurel.Amount { return min(a+b, laurel.MaxAmount-1) }

// latest returns the later of two moments.
func latest(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
