package demo

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/dev/anvilpath"
)

// TestBlocksLeaveDespiteErrors has each step of a node fail once.
func TestBlocksLeaveDespiteErrors(t *testing.T) {
	t.Parallel()
	program := anvilpath.Find()
	if program == "" {
		t.Skip("anvil is missing: npm --prefix scripts/anvil ci --ignore-scripts") // tests of the recording fail in CI
	}
	story, err := readRecording()
	if err != nil {
		t.Fatal(err)
	}
	n, err := startAnvil(t.Context(), anvilInput{
		program: program, folder: t.TempDir(), story: story, state: chainState{Ends: time.Now().Unix()}, isNew: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = n.close() }()
	first, err := n.height(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	proxy := anvil.NewProxy(t, &anvil.Node{URL: n.url})
	n.url = proxy.URL
	for _, method := range []string{
		"eth_blockNumber", "anvil_rollback", "anvil_dropAllTransactions", "eth_sendTransaction", "evm_mine",
		"evm_setIntervalMining",
	} {
		proxy.Set(anvil.Fault{Error: map[string]any{method: map[string]any{"code": -32000, "message": "not now"}}})
		if err := n.part(t.Context()); err == nil {
			t.Errorf("no error, though %s failed", method)
		}
	}
	proxy.Set(anvil.Fault{})
	if err := n.part(t.Context()); err != nil {
		t.Fatal(err)
	}
	fork := first - uint64(len(story.Left))
	for i, want := range story.Stayed {
		var block struct{ Transactions []json.RawMessage }
		if err := n.ask(t.Context(), &block, "eth_getBlockByNumber", fmt.Sprintf("%#x", fork+1+uint64(i)), false); err != nil {
			t.Fatal(err)
		}
		if len(block.Transactions) != len(want.Transactions) {
			t.Errorf("block %d has %d transactions, want %d", i, len(block.Transactions), len(want.Transactions))
		}
	}
}
