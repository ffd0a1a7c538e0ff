package schema_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel.example/laurel/internal/rules/schema"
)

func utc(s string) time.Time {
	at, err := time.Parse(time.DateTime, s)
	if err != nil {
		panic(err)
	}
	return at
}

func TestRunsRollFromTheStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, frequency, start, end string
		want                        []string // of the first runs; the list ends where the cadence does
	}{
		{"hours", "hourly", "2026-01-14 12:30:15", "", []string{"2026-01-14 12:30:15", "2026-01-14 13:30:15", "2026-01-14 14:30:15"}},
		{"days over the end of summer time somewhere", "daily", "2026-10-24 02:30:00", "", []string{"2026-10-24 02:30:00", "2026-10-25 02:30:00", "2026-10-26 02:30:00"}},
		{"weeks from a Wednesday, not from their Sunday", "weekly", "2026-01-14 12:00:00", "", []string{"2026-01-14 12:00:00", "2026-01-21 12:00:00"}},
		{"months from the 31st", "monthly", "2026-01-31 10:00:00", "", []string{"2026-01-31 10:00:00", "2026-02-28 10:00:00", "2026-03-31 10:00:00", "2026-04-30 10:00:00"}},
		{"months from the 30th over a leap February", "monthly", "2027-12-30 00:00:00", "", []string{"2027-12-30 00:00:00", "2028-01-30 00:00:00", "2028-02-29 00:00:00", "2028-03-30 00:00:00"}},
		{"months from a leap day", "monthly", "2028-02-29 23:59:59", "", []string{"2028-02-29 23:59:59", "2028-03-29 23:59:59"}},
		{"days over a leap day", "daily", "2028-02-28 06:00:00", "", []string{"2028-02-28 06:00:00", "2028-02-29 06:00:00", "2028-03-01 06:00:00"}},
		{"no run at the end itself", "daily", "2026-01-14 12:00:00", "2026-01-16 12:00:00", []string{"2026-01-14 12:00:00", "2026-01-15 12:00:00"}},
		{"a run just before the end", "daily", "2026-01-14 12:00:00", "2026-01-16 12:00:01", []string{"2026-01-14 12:00:00", "2026-01-15 12:00:00", "2026-01-16 12:00:00"}},
		{"an end at the start", "hourly", "2026-01-14 12:00:00", "2026-01-14 12:00:00", []string{}},
		{"one run", "once", "2026-01-14 12:00:00", "", []string{"2026-01-14 12:00:00"}},
		{"one run that its end forestalls", "once", "2026-01-14 12:00:00", "2026-01-14 12:00:00", []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cadence := schema.Schedule{Frequency: c.frequency, Start: utc(c.start)}
			if c.end != "" {
				cadence.End = utc(c.end)
			}
			at := cadence.Start.Add(-time.Microsecond)
			for _, want := range c.want {
				next, ok := cadence.Next(at)
				if !ok || !next.Equal(utc(want)) {
					t.Fatalf("after %s comes %s %v, want %s", at, next, ok, want)
				}
				at = next
			}
			if next, ok := cadence.Next(at); ok && (c.end != "" || c.frequency == "once") {
				t.Errorf("after the last run comes %s", next)
			}
		})
	}
}

// Next and Latest are two views of one list of times: none is passed over, none comes twice.
func TestNextAndLatestAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := schema.Schedule{
			Frequency: rapid.SampledFrom([]string{"once", "hourly", "daily", "weekly", "monthly"}).Draw(t, "frequency"),
			Start:     time.UnixMicro(rapid.Int64Range(0, 4e15).Draw(t, "start")).UTC(),
		}
		if rapid.Bool().Draw(t, "ends") {
			c.End = c.Start.Add(time.Duration(rapid.Int64Range(0, int64(400*24*time.Hour)).Draw(t, "life")))
		}
		at := c.Start.Add(time.Duration(rapid.Int64Range(-int64(time.Hour), int64(500*24*time.Hour)).Draw(t, "at")))
		latest, ran := c.Latest(at)
		if ran && (latest.After(at) || !c.End.IsZero() && !latest.Before(c.End)) {
			t.Fatalf("the latest run at %s is %s of %+v", at, latest, c)
		}
		next, runs := c.Next(at)
		if runs && (!next.After(at) || !c.End.IsZero() && !next.Before(c.End)) {
			t.Fatalf("the next run after %s is %s of %+v", at, next, c)
		}
		if ran && runs {
			if again, ok := c.Next(latest); !ok || !again.Equal(next) {
				t.Fatalf("after %s comes %s, but %s after %s", latest, again, next, at)
			}
		}
		if !ran && at.After(c.Start) && (c.End.IsZero() || c.End.After(c.Start)) {
			t.Fatalf("no run at %s of %+v", at, c)
		}
	})
}
