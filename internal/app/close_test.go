package app_test

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/wait"
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
		wait.Until(t, "limits count", func() bool { return counters() > before })
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	wait.Until(t, "the limits count no more", func() bool { return counters() <= before })
}
