package lists_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/schema"
)

// BenchmarkImport imports a list of wallets with amounts, a million rows unless LAUREL_BENCH_ROWS is set. It reports
// rows per second and the growth of the heap: go test ./internal/rules/lists -run xxx -bench Import -benchtime 1x.
func BenchmarkImport(b *testing.B) {
	line := func(i int) string { return fmt.Sprintf("%s,%d.25\n", apptest.ListedWallet(i), i%1000) }
	apptest.BenchList(b, lists.MaxRows, line, importOnce)
}

func importOnce(b *testing.B, l apptest.ListBench) {
	b.Helper()
	ctx, a := context.Background(), l.App
	rule, err := a.Rules.Create(
		ctx,
		l.Scope,
		schema.Input{Name: laurel.Some("R"), Type: laurel.Some("points_airdrop"), UserAllotmentCSVURL: laurel.Some(l.Address)},
	)
	if err != nil {
		b.Fatal(err)
	}
	grown, begun := apptest.WatchHeap(), time.Now()
	if _, err := a.Lists.RunDue(ctx); err != nil {
		b.Fatal(err)
	}
	took, most := time.Since(begun), grown()
	page, err := a.Lists.ListImports(ctx, l.Scope, rule.ID, laurel.PageRequest{Limit: 1})
	if err != nil || page.Data[0].Added != int64(l.Rows) {
		b.Fatalf("%+v %v", page.Data, err)
	}
	b.ReportMetric(float64(l.Rows)/took.Seconds(), "rows/s")
	b.ReportMetric(float64(most)/(1<<20), "MiB")
}
