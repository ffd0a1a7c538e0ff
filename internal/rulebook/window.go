package rulebook

import (
	"time"
)

// The intervals of contract 5.3 that code names.
const (
	IntervalOnce   = "once"
	IntervalCustom = "custom"
)

// WindowKey answers the key of the window that a moment falls in (contract 5.3), in UTC. "" means that the interval has no fixed windows:
// unlimited, and custom, which rolls from the last reward.
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

// CapWindow answers the window in which a maximum is counted (contract 5.6).
func CapWindow(interval string, at time.Time) string {
	if interval == "lifetime" {
		return "lifetime"
	}
	return WindowKey(interval, at)
}
