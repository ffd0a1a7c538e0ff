// Package wait has tests wait for what happens beside them. It is imported by tests only.
package wait

import (
	"testing"
	"time"
)

// patience is how long Until waits. It only limits hanging: nothing is measured by it.
const patience = 2 * time.Minute

// The pauses between two looks grow from the shortest to the longest, since a long wait with short pauses would take
// the processor from what it waits for.
const (
	shortest = 5 * time.Millisecond
	longest  = 50 * time.Millisecond
)

// Until calls holds again and again until it returns true, and fails the test if it has not done so within two minutes.
// what names the condition in the message.
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
