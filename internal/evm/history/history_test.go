package history_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/history"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/outbound"
)

// newNetworks returns the networks of a file with one network, devnet, whose node is behind the proxy.
func newNetworks(t *testing.T, proxy *anvil.Proxy) *node.Networks {
	t.Helper()
	text := fmt.Sprintf(`{"networks": [{"name": "devnet", "chainId": %d, "rpcUrl": %q}]}`, anvil.ChainID, proxy.URL)
	client := outbound.New(outbound.Options{Trusted: true})
	var f laurel.Faults
	registry := evm.ReadConfig(&f, "", []byte(text), client.Guard)
	if len(f) > 0 {
		t.Fatalf("%+v", f)
	}
	return node.New(node.Config{
		Registry: registry, Outbound: client, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
}

// TestRangesFarApartAreReadOnce reads two ranges of one collection in turn, as two rules do of which one begins long
// after the other.
func TestRangesFarApartAreReadOnce(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	proxy := anvil.NewProxy(t, n)
	networks := newNetworks(t, proxy)
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

// TestWhoAsksForLessDropsNothing: members who were paid before ask for later blocks than others of the same run.
func TestWhoAsksForLessDropsNothing(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	proxy := anvil.NewProxy(t, n)
	items := n.Deploy("tokens", "Items", "")
	for range 6 {
		n.Send(items, mintCall, "0x0")
	}
	networks := newNetworks(t, proxy)
	reader := history.New(networks)
	reader.KeepAtMost(2)
	mints := history.Mints("devnet", strings.ToLower(items), false)
	header, err := networks.Find("devnet").HeaderByNumber(t.Context(), n.Head())
	if err != nil {
		t.Fatal(err)
	}
	of := func(from uint64) int {
		t.Helper()
		in := history.Range{From: from, Last: header.Number, LastHash: header.Hash}
		list, err := reader.EventsOf(t.Context(), mints, in, []string{minter})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if got := of(1); got != 6 {
		t.Fatalf("%d events", got)
	}
	calls := proxy.Calls("eth_getLogs")
	for range 3 {
		if few, all := of(header.Number-1), of(1); few != 2 || all != 6 {
			t.Errorf("%d and %d events", few, all)
		}
	}
	if again := proxy.Calls("eth_getLogs") - calls; again != 0 {
		t.Errorf("%d requests for what was read before", again)
	}
	in := history.Range{From: header.Number, Last: header.Number, LastHash: header.Hash}
	if err := reader.Read(t.Context(), mints, in); err != nil { // the next run, for which the last block is enough
		t.Fatal(err)
	}
	if got := of(1); got != 6 || proxy.Calls("eth_getLogs") == calls {
		t.Errorf("%d events, after those before the last block were dropped", got)
	}
}

// minter is who gets the item that mintCall creates.
const (
	minter   = "0x00000000000000000000000000000000000000a1"
	mintCall = "0x40c10f19" + // mint(address,uint256)
		"00000000000000000000000000000000000000000000000000000000000000a1" +
		"0000000000000000000000000000000000000000000000000000000000000001"
)
