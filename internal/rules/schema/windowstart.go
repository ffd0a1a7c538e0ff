package schema

import "time"

// WindowStart returns when the window began that a moment falls in, of an interval that WindowKey has keys for: the
// earliest moment with the same key. The zero time is before all.
func WindowStart(interval string, at time.Time) time.Time {
	at = at.UTC()
	year, month, day := at.Date()
	switch interval {
	case "hourly":
		return time.Date(year, month, day, at.Hour(), 0, 0, 0, time.UTC)
	case "daily":
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	case "weekly":
		return time.Date(year, month, day-int(at.Weekday()), 0, 0, 0, 0, time.UTC)
	case "monthly":
		return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Time{}
}

// WindowEnd returns when the window ends that a moment falls in: the first moment of the next. The zero time: it has
// none.
func WindowEnd(interval string, at time.Time) time.Time {
	start := WindowStart(interval, at)
	switch interval {
	case "hourly":
		return start.Add(time.Hour)
	case "daily":
		return start.AddDate(0, 0, 1)
	case "weekly":
		return start.AddDate(0, 0, 7)
	case "monthly":
		return start.AddDate(0, 1, 0)
	}
	return time.Time{}
}
