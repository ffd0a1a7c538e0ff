package app_test

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"laurel/internal/app"
)

// It is not parallel: it counts the goroutines of the process that come from our limits.
func TestAClosedAppLeavesNothingRunning(t *testing.T) {
	counters := func() int {
		stacks := make([]byte, 16<<20)
		return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "memorystore.(*store).purge")
	}
	before := counters()
	for range 3 {
		a, err := app.Open(
			t.Context(),
			app.Config{Database: "sqlite:" + filepath.Join(t.TempDir(), "x.db"), DataDir: t.TempDir()},
		)
		if err != nil {
			t.Fatal(err)
		}
		waitFor(t, "no limit counts", func() bool { return counters() > before })
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, "a limit counts on", func() bool { return counters() <= before })
}

func waitFor(t *testing.T, otherwise string, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(otherwise)
		}
	}
}
