package rulebook_test

import (
	"testing"
	"time"

	"laurel/internal/rulebook"
)

func TestAWindowBeginsWithTheFirstMomentOfItsKey(t *testing.T) {
	t.Parallel()
	first := time.Date(2027, 12, 20, 5, 17, 3, 9, time.FixedZone("east", 7200))
	for _, interval := range []string{"hourly", "daily", "weekly", "monthly"} {
		for at := first; at.Before(first.AddDate(0, 4, 0)); at = at.Add(7*time.Hour + 13*time.Minute) {
			start, key := rulebook.WindowStart(interval, at), rulebook.WindowKey(interval, at)
			if start.After(at) || rulebook.WindowKey(interval, start) != key || rulebook.WindowKey(interval, start.Add(-time.Nanosecond)) == key {
				t.Errorf("the %s window of %s begins at %s", interval, at, start)
			}
		}
	}
	if start := rulebook.WindowStart("once", first); !start.IsZero() {
		t.Errorf("once begins at %s", start)
	}
}
