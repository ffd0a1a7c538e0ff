package awards_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laurel/internal/app"
	"laurel/internal/dev/apptest"
	"laurel/internal/dev/storetest"
	"laurel/internal/engagement/badges"
	"laurel/internal/engagement/conditions"
	"laurel/internal/rules/lists"

	"laurel"
)

// rowsVariable says how many rows BenchmarkList reads.
const rowsVariable = "LAUREL_BENCH_ROWS"

// BenchmarkList gives a badge to the wallets of a list, a million unless LAUREL_BENCH_ROWS says otherwise, of which
// nobody is known yet, and tells rows per second, how long the reading took of it, and how much the heap grew at most:
// go test ./internal/rules/awards -run xxx -bench List -benchtime 1x.
func BenchmarkList(b *testing.B) {
	rows := lists.MaxRows
	if text := os.Getenv(rowsVariable); text != "" {
		rows, _ = strconv.Atoi(text)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var part strings.Builder
		for i := range rows { // wallets in no order, as in life; 43 bytes each, so that a million fit
			fmt.Fprintf(&part, "0x%032x%08x\n", uint64(i)*0x9e3779b97f4a7c15, i)
			if part.Len() > 60_000 {
				_, _ = io.WriteString(w, part.String())
				part.Reset()
			}
		}
		_, _ = io.WriteString(w, part.String())
	}))
	defer site.Close()
	for _, engine := range storetest.Engines() {
		b.Run(engine.Name, func(b *testing.B) {
			for range b.N {
				listOnce(b, engine.URL(b), site.URL, rows)
			}
		})
	}
}

func listOnce(b *testing.B, database, address string, rows int) {
	b.Helper()
	ctx := context.Background()
	a, err := app.Open(
		ctx,
		app.Config{Database: database, DataDir: b.TempDir(), Dev: true, Logger: slog.New(slog.DiscardHandler)},
	)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	p, err := a.CreateProgram(ctx, app.ProgramInput{Organization: "Acme", Website: "Acme", Currency: "Points"})
	if err != nil {
		b.Fatal(err)
	}
	scope, err := a.ScopeOf(ctx, p.WebsiteAPIKey)
	if err != nil {
		b.Fatal(err)
	}
	badge, err := a.Badges.Create(ctx, scope, badges.CreateInput{
		Input:      badges.Input{Name: laurel.Some("B"), ImageURL: laurel.Some("https://files.example/b.png")},
		Conditions: []conditions.Input{{Type: conditions.CSV, CSVURL: &address}},
	})
	if err != nil {
		b.Fatal(err)
	}
	grown, begun := watchHeap(), time.Now()
	if _, err := a.Lists.RunDue(ctx); err != nil {
		b.Fatal(err)
	}
	read := time.Since(begun)
	stop := apptest.Beside(a.Awards.Run)
	var message string
	for {
		jobs, err := a.Report.BadgeJobsOf(ctx, scope, []laurel.ID{badge.ID})
		if err != nil {
			b.Fatal(err)
		}
		job := jobs[badge.ID][0]
		if message = job.Message; job.Status == "complete" || job.Status == "failed" {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	took := time.Since(begun)
	stop()
	if want := " granted"; !strings.HasSuffix(message, want) || strings.Contains(message, ", 0 granted") {
		b.Fatal(message)
	}
	b.ReportMetric(float64(rows)/took.Seconds(), "rows/s")
	b.ReportMetric(took.Seconds(), "s")
	b.ReportMetric(read.Seconds(), "s-reading")
	b.ReportMetric(float64(grown())/(1<<20), "MiB")
}

// watchHeap returns by how much the live heap grew at most until the function that it returns is called.
func watchHeap() func() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	var most atomic.Uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(100 * time.Millisecond):
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapAlloc))
		}
	}()
	return func() uint64 {
		close(done)
		<-ended
		return max(most.Load(), before) - before
	}
}
