package claims_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel"
	"laurel/internal/app"
	"laurel/internal/commerce/claims"
	"laurel/internal/commerce/contracts"
	"laurel/internal/dev/storetest"
	"laurel/internal/rules/lists"
)

// rowsVariable says how many wallets BenchmarkImport reads.
const rowsVariable = "LAUREL_BENCH_ROWS"

// BenchmarkImport reads a list of wallets, a million unless LAUREL_BENCH_ROWS says otherwise, into a tree, and then takes
// proofs: go test ./internal/commerce/claims -run xxx -bench Import -benchtime 1x. It tells the seconds of the import and
// the milliseconds of a proof.
func BenchmarkImport(b *testing.B) {
	rows := lists.MaxRows
	if text := os.Getenv(rowsVariable); text != "" {
		rows, _ = strconv.Atoi(text)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		var chunk strings.Builder
		for i := range rows {
			fmt.Fprintf(&chunk, "%s,%d\n", walletOf(i), i%1000+1)
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

// walletOf returns wallets in no order, as in life.
func walletOf(i int) string { return fmt.Sprintf("0x%032x%08x", uint64(i)*0x9e3779b97f4a7c15, i) }

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
	token, err := a.Contracts.Create(ctx, scope, contracts.Input{
		Name: laurel.Some("Token"), Address: laurel.Some(walletOf(1)), ChainID: laurel.Some[int64](1),
		Type: laurel.Some(contracts.ERC20),
	})
	if err != nil {
		b.Fatal(err)
	}
	c, err := a.Claims.Create(ctx, scope, claims.Input{
		Name: laurel.Some("Season"), ContractID: laurel.Some(token.ID), CSVURL: laurel.Some(address),
	})
	if err != nil {
		b.Fatal(err)
	}
	begun := time.Now()
	if _, err := a.Claims.RunDue(ctx); err != nil {
		b.Fatal(err)
	}
	took := time.Since(begun)
	if c, err = a.Claims.Get(ctx, scope, c.ID); err != nil || c.Wallets != int64(rows) {
		b.Fatalf("%+v %v", c, err)
	}
	const proofs = 1000
	begun = time.Now()
	for i := range proofs {
		c, allocation, err := a.Claims.Allocation(ctx, scope, c.ID, walletOf(i*7919%rows))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := a.Claims.Proof(ctx, scope, c, allocation); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(took.Seconds(), "s/import")
	b.ReportMetric(float64(time.Since(begun).Milliseconds())/proofs, "ms/proof")
}
