package claims_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/commerce/claims"
	"laurel.example/laurel/internal/commerce/contracts"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/rules/lists"
)

// BenchmarkImport reads a list of wallets, a million unless LAUREL_BENCH_ROWS says otherwise, into a tree, and then takes
// proofs. It tells the seconds of the import, the milliseconds of a proof and how much the heap grew at most: go test
// ./internal/commerce/claims -run xxx -bench Import -benchtime 1x.
func BenchmarkImport(b *testing.B) {
	line := func(i int) string { return fmt.Sprintf("%s,%d\n", apptest.ListedWallet(i), i%1000+1) }
	apptest.BenchList(b, lists.MaxRows, line, importOnce)
}

func importOnce(b *testing.B, l apptest.ListBench) {
	b.Helper()
	ctx, a := context.Background(), l.App
	token, err := a.Contracts.Create(ctx, l.Scope, record.All(contracts.Contract{
		Name: new("Token"), Address: apptest.ListedWallet(1), ChainID: new(int64(1)), Type: contracts.ERC20,
	}))
	if err != nil {
		b.Fatal(err)
	}
	c, err := a.Claims.Create(ctx, l.Scope, claims.Patch{}.
		With("name", "Season").With("contractId", token.ID).With("csvUrl", l.Address))
	if err != nil {
		b.Fatal(err)
	}
	grown, begun := apptest.WatchHeap(), time.Now()
	if _, err := a.Claims.RunDue(ctx); err != nil {
		b.Fatal(err)
	}
	took, most := time.Since(begun), grown()
	if c, err = a.Claims.Get(ctx, l.Scope, c.ID); err != nil || c.Wallets != int64(l.Rows) {
		b.Fatalf("%+v %v", c, err)
	}
	const proofs = 1000
	begun = time.Now()
	for i := range proofs {
		c, allocation, err := a.Claims.Allocation(ctx, l.Scope, c.ID, apptest.ListedWallet(i*7919%l.Rows))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := a.Claims.Proof(ctx, l.Scope, c, allocation); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(took.Seconds(), "s/import")
	b.ReportMetric(float64(time.Since(begun).Milliseconds())/proofs, "ms/proof")
	b.ReportMetric(float64(most)/(1<<20), "MiB")
}
