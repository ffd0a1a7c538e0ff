package awards_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/rules/awards"
	"laurel.example/laurel/internal/rules/lists"
)

// BenchmarkList grants a badge to the wallets of a list, all of which are new, a million unless LAUREL_BENCH_ROWS is
// set. It reports rows per second, the time to read the list, and the growth of the heap: go test
// ./internal/rules/awards -run xxx -bench List -benchtime 1x.
func BenchmarkList(b *testing.B) {
	// 43 bytes a row, so that a million fit
	apptest.BenchList(b, lists.MaxRows, func(i int) string { return apptest.ListedWallet(i) + "\n" }, listOnce)
}

func listOnce(b *testing.B, l apptest.ListBench) {
	b.Helper()
	ctx, a := context.Background(), l.App
	badge, err := a.Badges.Create(ctx, l.Scope, badges.CreateInput{
		Input:      badges.Input{Name: laurel.Some("B"), ImageURL: laurel.Some("https://files.example/b.png")},
		Conditions: []conditions.Input{{Type: conditions.TypeCSV, CSVURL: &l.Address}},
	})
	if err != nil {
		b.Fatal(err)
	}
	grown, begun := apptest.WatchHeap(), time.Now()
	if _, err := a.Lists.RunDue(ctx); err != nil {
		b.Fatal(err)
	}
	read := time.Since(begun)
	stop := apptest.RunWorkers(a.Awards.Run)
	var message string
	for {
		jobs, err := a.Report.BadgeJobsOf(ctx, l.Scope, []laurel.ID{badge.ID})
		if err != nil {
			b.Fatal(err)
		}
		job := jobs[badge.ID][0]
		if message = job.Message; job.Status == awards.JobComplete || job.Status == awards.JobFailed {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	took := time.Since(begun)
	stop()
	if want := " granted"; !strings.HasSuffix(message, want) || strings.Contains(message, ", 0 granted") {
		b.Fatal(message)
	}
	b.ReportMetric(float64(l.Rows)/took.Seconds(), "rows/s")
	b.ReportMetric(took.Seconds(), "s")
	b.ReportMetric(read.Seconds(), "s-reading")
	b.ReportMetric(float64(grown())/(1<<20), "MiB")
}
