package schema

import "time"

// WindowStart returns the start of the window that contains a moment: the earliest moment with the same WindowKey. It
// returns the zero time for intervals without a fixed start.
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

// WindowEnd returns the end of the window that contains a moment, which is the start of the next window. It returns the
// zero time if the window has no end.
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
