package web

import (
	"strings"
	"testing"
	"time"
)

func TestTheAxisOfACountHasWholeNumbers(t *testing.T) {
	t.Parallel()
	for most := 1.0; most <= 60; most++ {
		day := DayValue{At: time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC), Up: most, Texts: []string{Number(int64(most))}}
		chart := DrawDays([]DayValue{day}, AxisCount, "completions")
		if len(chart.Lines) < 2 || len(chart.Lines) > 6 {
			t.Errorf("%v has %d lines", most, len(chart.Lines))
		}
		for _, line := range chart.Lines {
			if strings.Contains(line.Label, ".") {
				t.Errorf("%v has a line at %s", most, line.Label)
			}
		}
	}
}
