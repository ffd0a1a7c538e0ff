package apptest

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

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/storetest"
)

// rowsVariable says how many rows benchmarks of lists read.
const rowsVariable = "LAUREL_BENCH_ROWS"

// BenchList measures work on a list on each engine, each time on a new app with a program of its own. The list has as
// many rows as LAUREL_BENCH_ROWS says, or defaultRows if it is not set; line returns the i-th row. once does the work
// that is measured.
func BenchList(b *testing.B, defaultRows int, line func(i int) string, once func(b *testing.B, l ListBench)) {
	b.Helper()
	rows := defaultRows
	if text := os.Getenv(rowsVariable); text != "" {
		rows, _ = strconv.Atoi(text)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var part strings.Builder
		for i := range rows {
			part.WriteString(line(i))
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
				l := ListBench{Address: site.URL, Rows: rows}
				l.runOn(b, engine.URL(b), once)
			}
		})
	}
}

// ListBench is a run of a benchmark of a list.
type ListBench struct {
	App     *app.App
	Scope   laurel.Scope // of the program's website
	Address string       // of the list
	Rows    int
}

// runOn runs the benchmark once, on a new app and program on a database.
func (l ListBench) runOn(b *testing.B, database string, once func(b *testing.B, l ListBench)) {
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
	if l.Scope, err = a.ScopeOf(ctx, p.WebsiteAPIKey); err != nil {
		b.Fatal(err)
	}
	l.App = a
	once(b, l)
}

// ListedWallet returns the i-th of many wallets, which are in no order, as real ones.
func ListedWallet(i int) string { return fmt.Sprintf("0x%032x%08x", uint64(i)*0x9e3779b97f4a7c15, i) }

// WatchHeap samples the allocated heap until the returned function is called. That function returns by how many bytes
// the largest sample exceeded the heap at the start.
func WatchHeap() (peakGrowth func() uint64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	var largest atomic.Uint64
	stop := RunWorkers(func(ctx context.Context) {
		for ctx.Err() == nil {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			largest.Store(max(largest.Load(), m.HeapAlloc))
			time.Sleep(100 * time.Millisecond)
		}
	})
	return func() uint64 {
		stop()
		return max(largest.Load(), before) - before
	}
}
