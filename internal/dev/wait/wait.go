// Package wait has tests wait for what happens beside them. It is imported by tests only.
package wait

import (
	"testing"
	"time"
)

// patience only bounds hanging: nothing is measured by it.
const patience = 2 * time.Minute

// Pauses grow, since a long wait that looks without pause takes the processor from what it waits for.
const (
	shortest = 5 * time.Millisecond
	longest  = 50 * time.Millisecond
)

// Until looks again and again whether something holds, and fails the test where it does not come to hold in two
// minutes.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	pause := shortest
	for limit := time.Now().Add(patience); !holds(); time.Sleep(pause) {
		if time.Now().After(limit) {
			t.Fatalf("waited in vain: %s", what)
		}
		pause = min(pause*5/4, longest)
	}
}
