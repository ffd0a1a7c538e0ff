package node_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/anvil"
	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/outbound"
)

// chain is a network of which the tests see the log and move the clock.
type chain struct {
	*node.Client

	all *node.Networks
	mu  sync.Mutex
	now time.Time
	log bytes.Buffer
}

func (c *chain) time() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *chain) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Write takes a line of the log.
func (c *chain) Write(line []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log.Write(line)
}

func (c *chain) logged() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log.String()
}

// open returns the client of a network with these addresses. When the test ends, no key of a proxy is in the log.
func open(t *testing.T, urls ...string) *chain {
	t.Helper()
	c := &chain{now: time.Date(2026, 1, 14, 12, 0, 0, 0, time.UTC)}
	var f laurel.Faults
	list, err := json.Marshal(urls)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`{"networks": [{"name": "devnet", "chainId": %d, "rpcUrl": %s}]}`, anvil.ChainID, list)
	client := outbound.New(outbound.Options{Trusted: true})
	registry := evm.ReadConfig(&f, "", []byte(text), client.Guard)
	if len(f) > 0 {
		t.Fatalf("%+v", f)
	}
	c.all = node.New(node.Config{
		Registry: registry, Outbound: client, Now: c.time, Logger: slog.New(slog.NewTextHandler(c, nil)),
	})
	c.Client = c.all.Find("devnet")
	t.Cleanup(func() {
		if strings.Contains(c.logged(), anvil.ProxyKey) {
			t.Errorf("a key is in the log: %s", c.logged())
		}
	})
	return c
}

// sees fails unless the head has a height.
func (c *chain) sees(t *testing.T, want uint64) {
	t.Helper()
	head, err := c.Head(t.Context())
	if err != nil || head.Number != want {
		t.Errorf("head %d, %v; want %d", head.Number, err, want)
	}
	if s := c.State(); err == nil && (s.Status != node.OK || s.Head != want || s.Problem != "") {
		t.Errorf("state %+v", s)
	}
}

func TestAChainIsRead(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	c := open(t, n.URL)
	if s := c.State(); s.Status != node.Down || s.Problem == "" {
		t.Errorf("before the first call: %+v", s)
	}
	c.sees(t, 0)
	wallet := n.Deploy("wallets", "EchoWallet", "")
	first := n.Send(anvil.Second, "0x0102", "0x5")
	block, err := c.BlockByNumber(t.Context(), 2)
	if err != nil || len(block.Transactions) != 1 || block.Transactions[0].Hash != first ||
		block.Transactions[0].From != anvil.First || block.Transactions[0].To != anvil.Second ||
		block.Transactions[0].Value.Int64() != 5 || !bytes.Equal(block.Transactions[0].Input, []byte{1, 2}) {
		t.Fatalf("block %+v, %v", block, err)
	}
	same, err := c.BlockByHash(t.Context(), block.Hash)
	if err != nil || same.Number != 2 || same.ParentHash == same.Hash || same.Time.IsZero() {
		t.Errorf("by hash: %+v, %v", same, err)
	}
	creation, err := c.BlockByHash(t.Context(), block.ParentHash)
	if err != nil || creation.Transactions[0].To != "" {
		t.Errorf("creation: %+v, %v", creation, err)
	}
	receipts, err := c.Receipts(t.Context(), creation)
	if err != nil || len(receipts) != 1 || receipts[0].Contract != wallet || !receipts[0].Succeeded || receipts[0].GasUsed == 0 {
		t.Errorf("receipts: %+v, %v", receipts, err)
	}
	if _, err := c.BlockByNumber(t.Context(), 99); !errors.Is(err, node.ErrNotFound) {
		t.Errorf("a block of the future: %v", err)
	}
	if _, err := c.BlockByHash(t.Context(), "0x"+strings.Repeat("0", 64)); !errors.Is(err, node.ErrNotFound) {
		t.Errorf("no such block: %v", err)
	}
	logs, err := c.LogsInRange(t.Context(), node.Filter{Addresses: []string{wallet}}, 0, 2)
	if err != nil || len(logs) != 0 {
		t.Errorf("logs: %v, %v", logs, err)
	}
	if logs, err = c.LogsOfBlock(t.Context(), node.Filter{Topics: [][]string{nil, {block.Hash}}}, block.Hash); err != nil || len(logs) != 0 {
		t.Errorf("logs of a block: %v, %v", logs, err)
	}
	code, err := c.Code(t.Context(), wallet, node.At{Hash: block.Hash})
	if none, err := c.Code(t.Context(), anvil.Second, node.At{}); err != nil || len(none) > 0 {
		t.Errorf("code of no contract: %x, %v", none, err)
	}
	before, err2 := c.Balance(t.Context(), anvil.Second, node.At{Hash: block.ParentHash})
	after, err3 := c.Balance(t.Context(), anvil.Second, node.At{})
	if err != nil || err2 != nil || err3 != nil || len(code) == 0 || after.Sub(after, before).Int64() != 5 {
		t.Errorf("code %x, balances %s %s, %v %v %v", code, before, after, err, err2, err3)
	}
}

func TestCallsComeBackInBatches(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	p := anvil.NewProxy(t, n)
	c := open(t, p.URL)
	echo, reverting := n.Deploy("wallets", "EchoWallet", ""), n.Deploy("wallets", "RevertingWallet", "")
	var messages []node.Message
	for i := range 120 {
		messages = append(messages, node.Message{To: echo, Data: []byte{byte(i), 1}})
	}
	messages[70].To = reverting
	results, err := c.Calls(t.Context(), messages, node.At{})
	if err != nil || len(results) != 120 || p.Calls("eth_call") != 120 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for i, r := range results {
		answer := (*node.RPCError)(nil)
		if i == 70 && (!errors.As(r.Err, &answer) || !answer.IsRevert()) ||
			i != 70 && (r.Err != nil || !bytes.Equal(r.Data, []byte{byte(i), 1})) {
			t.Errorf("%d: %+v", i, r)
		}
	}
	if _, err := c.Call(t.Context(), messages[70], node.At{}); err == nil {
		t.Error("no error of a revert")
	}
	c.sees(t, 2) // what a contract says counts against no node
	p.Set(anvil.Fault{Refuses: map[string]bool{"eth_getBlockReceipts": true}})
	block, err := c.BlockByNumber(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if receipts, err := c.Receipts(t.Context(), block); err != nil || receipts[0].Contract != echo ||
		p.Calls("eth_getTransactionReceipt") != 1 {
		t.Errorf("receipts one by one: %+v, %v", receipts, err)
	}
}

func TestTheNextAddressAnswersForOneThatFails(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	for name, fault := range map[string]anvil.Fault{
		"empty":               {IsEmpty: true},
		"no JSON":             {Body: "<html>"},
		"null":                {Body: "null"},
		"without an id":       {Body: `{"jsonrpc":"2.0","result":"0x1"}`},
		"of another request":  {Body: `{"jsonrpc":"2.0","id":9,"result":"0x1"}`},
		"without a result":    {Body: `{"jsonrpc":"2.0","id":1}`},
		"one for a batch":     {Body: `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`},
		"broken":              {Status: 500, Body: anvil.ProxyKey},
		"not allowed":         {Status: 401, Body: `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"who?"}}`},
		"moved":               {Status: 307},
		"a key that is wrong": {Body: `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"invalid ` + anvil.ProxyKey + `"}}`},
		"another chain":       {ChainID: 1},
		"a chain of nothing":  {Result: map[string]any{"eth_chainId": nil}},
		"a chain of texts":    {Result: map[string]any{"eth_chainId": "mainnet"}},
		"limited":             {Status: 429, RetryAfter: "30"},
		"limited in words": {Error: map[string]any{
			"eth_getBlockByNumber": map[string]any{"code": -32005, "message": "daily request count exceeded, request rate limited"},
		}},
		"a head of nothing": {Result: map[string]any{"eth_getBlockByNumber": nil}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad, good := anvil.NewProxy(t, n), anvil.NewProxy(t, n)
			c := open(t, bad.URL, good.URL)
			bad.Set(fault)
			c.sees(t, n.Head())
			s := c.State()
			if !s.Addresses[0].IsFailing || s.Addresses[1].IsFailing || strings.Contains(s.Addresses[0].Problem, anvil.ProxyKey) {
				t.Errorf("addresses %+v", s.Addresses)
			}
			bad.Set(anvil.Fault{})
			c.sees(t, n.Head())
			if bad.Calls("eth_getBlockByNumber") > 1 {
				t.Error("the failing address was not left alone")
			}
			c.advance(31 * time.Second)
			c.sees(t, n.Head())
			if s := c.State(); s.Addresses[0].IsFailing || s.Addresses[0].LastSuccess.Before(c.time()) {
				t.Errorf("the first address is not asked again: %+v", s.Addresses)
			}
			// Alone it is down, and says so without its key.
			single := open(t, bad.URL)
			bad.Set(fault)
			_, err := single.Head(t.Context())
			state := single.State()
			want := node.Down
			if name == "another chain" {
				want = node.WrongChain
			}
			if err == nil || state.Status != want || strings.Contains(err.Error()+state.Problem, anvil.ProxyKey) {
				t.Errorf("alone: %v, %+v", err, state)
			}
		})
	}
}

func TestAWrongChainNamesBothIDs(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t, "--chain-id", "1337")
	c := open(t, n.URL)
	var wrong *node.WrongChainError
	if _, err := c.Balance(t.Context(), anvil.First, node.At{}); !errors.As(err, &wrong) || wrong.Is != 1337 || wrong.Want != anvil.ChainID {
		t.Errorf("%v", err)
	}
	if s := c.State(); s.Status != node.WrongChain || s.Problem != "the node is of chain 1337; configured is 31337" {
		t.Errorf("%+v", s)
	}
	// While it is left alone it still is the wrong chain.
	if _, err := c.Head(t.Context()); !errors.As(err, &wrong) {
		t.Errorf("%v", err)
	}
}

func TestPausesAreAsLongAsTheNodeAsks(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	p := anvil.NewProxy(t, n)
	c := open(t, p.URL)
	c.sees(t, 0)
	p.Set(anvil.Fault{Status: 429, RetryAfter: "20"})
	if _, err := c.Head(t.Context()); err == nil {
		t.Error("no error")
	}
	p.Set(anvil.Fault{})
	calls := p.Calls("eth_getBlockByNumber")
	c.advance(19 * time.Second)
	if _, err := c.Head(t.Context()); err == nil || p.Calls("eth_getBlockByNumber") != calls {
		t.Errorf("it was called again: %v", err)
	}
	c.advance(2 * time.Second)
	c.sees(t, 0)
	if p.Calls("eth_chainId") != 2 {
		t.Errorf("the chain was asked for %d times: first, and after the failure", p.Calls("eth_chainId"))
	}
	p.Set(anvil.Fault{Status: 503, RetryAfter: "1000000"})
	_, _ = c.Head(t.Context())
	p.Set(anvil.Fault{})
	c.advance(10*time.Minute + time.Second) // nobody may ask for longer
	c.sees(t, 0)
	// Without a wish pauses grow up to a minute.
	p.Set(anvil.Fault{IsEmpty: true})
	for range 9 {
		_, _ = c.Head(t.Context())
		c.advance(61 * time.Second)
	}
	if n := strings.Count(c.logged(), "answer is not valid"); n != 1 {
		t.Errorf("logged %d times:\n%s", n, c.logged())
	}
}

func TestReadingNeverGoesBackToAnAddressThatIsBehind(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	one, two := anvil.NewProxy(t, n), anvil.NewProxy(t, n)
	c := open(t, one.URL, two.URL)
	n.Mine(10)
	c.sees(t, 10)
	one.Set(anvil.Fault{Status: 500})
	two.Set(anvil.Fault{Behind: 3})
	if _, err := c.Head(t.Context()); err == nil {
		t.Error("the address that is behind was read")
	}
	if _, err := c.Balance(t.Context(), anvil.First, node.At{}); err == nil {
		t.Error("the address that is behind was read")
	}
	c.advance(3 * time.Second)
	n.Mine(3)
	if head, err := c.Head(t.Context()); err != nil || head.Number != 10 { // it has caught up with what was seen
		t.Errorf("%d, %v", head.Number, err)
	}
	two.Set(anvil.Fault{})
	one.Set(anvil.Fault{Behind: 6}) // the first works again, and is behind now
	c.sees(t, 10+3)
	c.advance(2 * time.Minute)
	c.sees(t, 13)
	one.Set(anvil.Fault{})
	c.advance(time.Minute)
	calls := two.Calls("eth_getBlockByNumber")
	c.sees(t, 13)
	if two.Calls("eth_getBlockByNumber") != calls {
		t.Error("the first address is not preferred again")
	}
	// Its own chain may become shorter.
	mark := n.Snapshot()
	n.Mine(5)
	c.sees(t, 18)
	n.Revert(mark)
	c.sees(t, 13)
	// A height that nobody else has counts for five minutes only.
	n.Mine(100)
	c.sees(t, 113)
	one.Set(anvil.Fault{Status: 500})
	two.Set(anvil.Fault{Behind: 50})
	if _, err := c.Head(t.Context()); err == nil {
		t.Error("the address that is behind was read")
	}
	c.advance(6 * time.Minute)
	c.sees(t, 63)
}

func TestAnswersThatAreTooLargeSayAskForLess(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	p := anvil.NewProxy(t, n)
	c := open(t, p.URL)
	for _, message := range []string{
		"query returned more than 10000 results", "block range is too wide", "exceed maximum block range: 5000",
		"Log response size exceeded", "query timeout exceeded", "eth_getLogs is limited to a 1000 block range",
	} {
		for _, code := range []int{-32005, -32000, -32602} {
			p.Set(anvil.Fault{Error: map[string]any{"eth_getLogs": map[string]any{"code": code, "message": message}}})
			if _, err := c.LogsInRange(t.Context(), node.Filter{}, 0, 1); !errors.Is(err, node.ErrTooMuch) {
				t.Errorf("%d %s: %v", code, message, err)
			}
		}
	}
	p.Set(anvil.Fault{Result: map[string]any{"eth_getLogs": strings.Repeat("x", 17<<20)}})
	if _, err := c.LogsInRange(t.Context(), node.Filter{}, 0, 1); !errors.Is(err, node.ErrTooMuch) {
		t.Errorf("17 MiB: %v", err)
	}
	if s := c.State(); s.Status != node.OK {
		t.Errorf("%+v", s)
	}
}

// TestTheHeadIsSeenWhereItsBlockIsTooMuch: a block with its transactions is too large for the node, or not ready in
// time, while its header is.
func TestTheHeadIsSeenWhereItsBlockIsTooMuch(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	p := anvil.NewProxy(t, n)
	c := open(t, p.URL)
	c.Follow(true)
	c.sees(t, 0)
	n.Mine(1)
	p.Set(anvil.Fault{Whole: &anvil.Fault{Error: map[string]any{
		"eth_getBlockByNumber": map[string]any{"code": -32005, "message": "response size exceeded"}}}})
	c.sees(t, 1)

	n.Mine(1)
	p.Set(anvil.Fault{Whole: &anvil.Fault{Status: 504}})
	for range 2 { // the second time, the address is left alone
		if _, err := c.Head(t.Context()); err == nil {
			t.Error("a node without an answer in time: no error")
		}
	}
	c.advance(2 * time.Second)
	c.sees(t, 2)

	p.Set(anvil.Fault{})
	n.Mine(1)
	c.sees(t, 3)
	calls := p.Calls("eth_getBlockByNumber")
	if b, err := c.BlockAfter(t.Context(), 3, c.hashOf(t, 2)); err != nil || b.Number != 3 {
		t.Errorf("block %d, %v", b.Number, err)
	}
	if calls = p.Calls("eth_getBlockByNumber") - calls; calls != 1 { // of block 2
		t.Errorf("%d calls: the newest block is read whole again", calls)
	}
}

// hashOf returns the hash of the block at a height.
func (c *chain) hashOf(t *testing.T, number uint64) string {
	t.Helper()
	b, err := c.BlockByNumber(t.Context(), number)
	if err != nil {
		t.Fatal(err)
	}
	return b.Hash
}

func TestAnswersOfOtherBlocksAreRefused(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	n.Mine(3)
	p := anvil.NewProxy(t, n)
	c := open(t, p.URL)
	c.sees(t, 3)
	other := n.Do("eth_getBlockByNumber", "0x1", true)
	log := map[string]any{
		"address": anvil.First, "topics": []string{}, "data": "0x", "blockNumber": "0x7", "blockHash": "0x" + strings.Repeat("a", 64),
		"transactionHash": "0x" + strings.Repeat("b", 64), "transactionIndex": "0x0", "logIndex": "0x0",
	}
	p.Set(anvil.Fault{Result: map[string]any{
		"eth_getBlockByNumber": other, "eth_getBlockByHash": other, "eth_getLogs": []any{log}, "eth_getBalance": "0xzz",
		"eth_getCode": "0x123", "eth_getBlockReceipts": []any{},
	}})
	ctx, hash := context.Background(), "0x"+strings.Repeat("c", 64)
	_, err1 := c.BlockByNumber(ctx, 2)
	_, err2 := c.BlockByHash(ctx, hash)
	_, err3 := c.LogsInRange(ctx, node.Filter{}, 0, 6)
	_, err4 := c.LogsOfBlock(ctx, node.Filter{}, hash)
	_, err5 := c.Balance(ctx, anvil.First, node.At{})
	_, err6 := c.Code(ctx, anvil.First, node.At{})
	_, err7 := c.Receipts(ctx, node.Block{Header: node.Header{Hash: hash}, Transactions: make([]node.Transaction, 1)})
	for i, err := range []error{err1, err2, err3, err4, err5, err6, err7} {
		if !errors.Is(err, node.ErrInvalid) {
			t.Errorf("%d: %v", i+1, err)
		}
	}
	logs, err := c.LogsInRange(ctx, node.Filter{}, 0, 7)
	if err != nil || len(logs) != 1 || logs[0].Address != anvil.First || logs[0].BlockNumber != 7 {
		t.Errorf("%+v, %v", logs, err)
	}
}

func TestALateAnswerEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	p := anvil.NewProxy(t, n)
	c := open(t, p.URL)
	c.sees(t, 0)
	p.Set(anvil.Fault{Delay: time.Hour})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := c.Head(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	p.Set(anvil.Fault{})
	c.sees(t, 0) // that a caller has gone says nothing about the node
}

func TestMetricsCountCalls(t *testing.T) {
	t.Parallel()
	n := anvil.Start(t)
	c := open(t, n.URL)
	c.all.Look(t.Context())
	if c.State().Head != 0 || c.State().HeadTime.IsZero() || len(c.all.Collectors()) != 4 {
		t.Errorf("%+v", c.State())
	}
	if c.all.ByChainID(anvil.ChainID) != c.Client || c.all.ByChainID(5) != nil || c.all.Find("base") != nil ||
		!slices.Contains(c.all.Clients(), c.Client) {
		t.Error("the client is not found")
	}
}
