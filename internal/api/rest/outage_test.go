package rest_test

import (
	"testing"
	"time"

	"laurel/internal/api/rest"
)

func TestAnOutageIsToldTenTimesASecondAndTheRestCounted(t *testing.T) {
	t.Parallel()
	var o rest.Outage
	second := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	for i, want := range []struct{ requests, told, untold int }{{3, 3, 0}, {25, 10, 0}, {10, 10, 15}, {1, 1, 0}} {
		told, untold := 0, 0
		for n := range want.requests {
			yes, before := o.Note(second.Add(time.Duration(i)*time.Second + time.Duration(n)*time.Millisecond))
			untold += before
			if yes {
				told++
			}
		}
		if told != want.told || untold != want.untold {
			t.Errorf("second %d: %d told and %d untold before, want %d and %d", i, told, untold, want.told, want.untold)
		}
	}
}
