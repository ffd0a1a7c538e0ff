package rest_test

import (
	"testing"
	"time"

	"laurel.example/laurel/internal/api/rest"
)

func TestAnOutageIsToldTenTimesASecondAndTheRestCounted(t *testing.T) {
	t.Parallel()
	var o rest.Outage
	second := time.Date(2026, 1, 15, 12, 0, 0, 0, time.UTC)
	for i, want := range []struct{ requests, logged, unlogged int }{{3, 3, 0}, {25, 10, 0}, {10, 10, 15}, {1, 1, 0}} {
		logged, unlogged := 0, 0
		for n := range want.requests {
			yes, before := o.Note(second.Add(time.Duration(i)*time.Second + time.Duration(n)*time.Millisecond))
			unlogged += before
			if yes {
				logged++
			}
		}
		if logged != want.logged || unlogged != want.unlogged {
			t.Errorf("second %d: %d logged and %d unlogged before, want %d and %d", i, logged, unlogged, want.logged, want.unlogged)
		}
	}
}
