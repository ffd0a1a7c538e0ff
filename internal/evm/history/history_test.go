package history_test

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"laurel"
	"laurel/internal/dev/anvil"
	"laurel/internal/evm"
	"laurel/internal/evm/history"
	"laurel/internal/evm/node"
	"laurel/internal/outbound"
)

// TestRangesFarApartAreReadOnce reads two ranges of one collection in turn, as two rules do of which one begins long
// after the other.
func TestRangesFarApartAreReadOnce(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	proxy := anvil.NewProxy(t, n)
	text := fmt.Sprintf(`{"networks": [{"name": "devnet", "chainId": %d, "rpcUrl": %q}]}`, anvil.ChainID, proxy.URL)
	client := outbound.New(outbound.Options{Trusted: true})
	var f laurel.Faults
	registry := evm.ReadConfig(&f, "", []byte(text), client.Guard)
	if len(f) > 0 {
		t.Fatalf("%+v", f)
	}
	networks := node.New(node.Config{
		Registry: registry, Outbound: client, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
	for range 12 {
		n.Mine(200)
	}
	reader := history.New(networks)
	mints := history.Mints("devnet", "0x00000000000000000000000000000000000000aa", false)
	read := func(from, last uint64) {
		t.Helper()
		header, err := networks.Find("devnet").HeaderByNumber(t.Context(), last)
		if err != nil {
			t.Fatal(err)
		}
		if err := reader.Read(t.Context(), mints, history.Range{From: from, Last: last, LastHash: header.Hash}); err != nil {
			t.Fatal(err)
		}
	}
	read(1, 30)
	read(2300, 2330)
	calls := proxy.Calls("eth_getLogs")
	for range 3 {
		read(1, 30)
		read(2300, 2330)
	}
	if again := proxy.Calls("eth_getLogs") - calls; again != 0 {
		t.Errorf("%d requests for what was read before", again)
	}
	read(20, 40) // goes on with the first range
	if more := proxy.Calls("eth_getLogs") - calls; calls == 0 || more == 0 {
		t.Errorf("%d requests, %d for ten more blocks", calls, more)
	}
}
