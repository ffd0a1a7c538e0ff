package lists_test

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

	"laurel"
	"laurel/internal/app"
	"laurel/internal/dev/storetest"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/schema"
)

// rowsVariable says how many rows BenchmarkImport reads.
const rowsVariable = "LAUREL_BENCH_ROWS"

// BenchmarkImport reads a list of wallets with amounts, a million rows unless LAUREL_BENCH_ROWS says otherwise, and
// tells rows per second and how much the heap grew at most while it did: go test ./internal/rules/lists -run xxx -bench
// Import -benchtime 1x.
func BenchmarkImport(b *testing.B) {
	rows := lists.MaxRows
	if text := os.Getenv(rowsVariable); text != "" {
		rows, _ = strconv.Atoi(text)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		const line = "0x%032x%08x,%d.25\n"
		var chunk strings.Builder
		for i := range rows { // wallets in no order, as in life
			fmt.Fprintf(&chunk, line, uint64(i)*0x9e3779b97f4a7c15, i, i%1000)
			if chunk.Len() > 60_000 {
				_, _ = io.WriteString(w, chunk.String())
				chunk.Reset()
			}
		}
		_, _ = io.WriteString(w, chunk.String())
	}))
	defer site.Close()
	for _, engine := range storetest.Engines() {
		b.Run(engine.Name, func(b *testing.B) {
			for range b.N {
				importOnce(b, engine.URL(b), site.URL, rows)
			}
		})
	}
}

func importOnce(b *testing.B, database, address string, rows int) {
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
	rule, err := a.Rules.Create(
		ctx,
		scope,
		schema.Input{Name: laurel.Some("R"), Type: laurel.Some("points_airdrop"), UserAllotmentCSVURL: laurel.Some(address)},
	)
	if err != nil {
		b.Fatal(err)
	}
	stop := watchHeap()
	begun := time.Now()
	if _, err := a.Lists.RunDue(ctx); err != nil {
		b.Fatal(err)
	}
	took := time.Since(begun)
	grown := stop()
	page, err := a.Lists.List(ctx, scope, rule.ID, laurel.PageRequest{Limit: 1})
	if err != nil || page.Data[0].Kept != int64(rows) {
		b.Fatalf("%+v %v", page.Data, err)
	}
	b.ReportMetric(float64(rows)/took.Seconds(), "rows/s")
	b.ReportMetric(float64(grown)/(1<<20), "MiB")
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
		if most.Load() < before {
			return 0
		}
		return most.Load() - before
	}
}
