package schema_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/rules/schema"
)

func TestAWindowBeginsWithTheFirstMomentOfItsKey(t *testing.T) {
	t.Parallel()
	first := time.Date(2027, 12, 20, 5, 17, 3, 9, time.FixedZone("east", 7200))
	for _, interval := range []string{"hourly", "daily", "weekly", "monthly"} {
		for at := first; at.Before(first.AddDate(0, 4, 0)); at = at.Add(7*time.Hour + 13*time.Minute) {
			start, key := schema.WindowStart(interval, at), schema.WindowKey(interval, at)
			if start.After(at) || schema.WindowKey(interval, start) != key ||
				schema.WindowKey(interval, start.Add(-time.Nanosecond)) == key {
				t.Errorf("the %s window of %s begins at %s", interval, at, start)
			}
		}
	}
	if start := schema.WindowStart("once", first); !start.IsZero() {
		t.Errorf("once begins at %s", start)
	}
}
