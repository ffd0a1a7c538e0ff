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
		if counters() == before {
			t.Fatal("no limit counts")
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(10 * time.Second); counters() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d counters run, %d did before", counters(), before)
		}
	}
}
