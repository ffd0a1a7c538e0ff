// Package anvil runs a real node of a blockchain for tests: anvil, from the npm package of the same name. It is
// imported by tests only.
package anvil

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/anvilpath"
	"laurel.example/laurel/internal/dev/freeport"
	"laurel.example/laurel/internal/dev/wait"
)

// ChainID is that of every node that Start starts, unless an option says otherwise.
const ChainID = 31337

// Accounts of a node, which have coins and for which it signs.
const (
	First  = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
	Second = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
)

// FirstKey is the private key of First. The whole world knows it: anvil derives it from a fixed phrase.
const FirstKey = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"

// Node is a running node.
type Node struct {
	t   testing.TB
	URL string
}

// program returns the path of the node's program. Without it the test fails if CI=true, and is skipped elsewhere.
func program(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("LAUREL_TEST_ANVIL"); path != "" {
		return path
	}
	if path := anvilpath.Find(); path != "" {
		return path
	}
	const text = "anvil is missing, so tests with a blockchain cannot run: npm --prefix scripts/anvil ci --ignore-scripts"
	if os.Getenv("CI") == "true" {
		t.Fatal(text)
	}
	t.Skip(text)
	return ""
}

// Start starts a node that mines a block for each transaction. It ends with the test.
func Start(t testing.TB, options ...string) *Node {
	t.Helper()
	path := program(t)
	port, err := freeport.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	arguments := append([]string{"--port", strconv.Itoa(port), "--silent", "--threads", "1"}, options...)
	command := exec.CommandContext(context.WithoutCancel(t.Context()), path, arguments...)
	command.Stdout, command.Stderr = &log, &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-ended
	})
	n := &Node{t: t, URL: fmt.Sprintf("http://127.0.0.1:%d", port)}
	wait.Until(t, "anvil answers", func() bool {
		select {
		case <-ended:
			t.Fatalf("anvil ended: %s", log.String())
		default:
		}
		_, err := n.try("eth_chainId")
		return err == nil
	})
	return n
}

// Do makes a JSON-RPC request and returns its result.
func (n *Node) Do(method string, params ...any) json.RawMessage {
	n.t.Helper()
	result, err := n.try(method, params...)
	if err != nil {
		n.t.Fatalf("%s: %v", method, err)
	}
	return result
}

// Text makes a request whose result is a text.
func (n *Node) Text(method string, params ...any) string {
	n.t.Helper()
	var text string
	if err := json.Unmarshal(n.Do(method, params...), &text); err != nil {
		n.t.Fatalf("%s: %v", method, err)
	}
	return text
}

func (n *Node) try(method string, params ...any) (json.RawMessage, error) {
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(n.t.Context()), 20*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, n.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, err
	}
	if answer.Error != nil {
		return nil, fmt.Errorf("the node answers %s", answer.Error.Message)
	}
	return answer.Result, nil
}

// Mine mines blocks.
func (n *Node) Mine(blocks int) {
	n.t.Helper()
	n.Do("anvil_mine", "0x"+strconv.FormatInt(int64(blocks), 16))
}

// NextBlockAt sets the time of the next block. Those after it follow in seconds, or later.
func (n *Node) NextBlockAt(at time.Time) {
	n.t.Helper()
	n.Do("evm_setNextBlockTimestamp", at.Unix())
}

// InOneBlock mines the transactions that f sends with Submit in one block at a time.
func (n *Node) InOneBlock(at time.Time, f func()) {
	n.t.Helper()
	n.Do("evm_setAutomine", false)
	f()
	n.NextBlockAt(at)
	n.Mine(1)
	n.Do("evm_setAutomine", true)
}

// Submit sends a transaction of First without waiting for a block. The gas is given, as nothing can be estimated on
// transactions that wait.
func (n *Node) Submit(to, data string) {
	n.t.Helper()
	n.Text("eth_sendTransaction", map[string]string{"from": First, "to": to, "data": data, "gas": "0x7a120"})
}

// PlaceMulticall puts the contract that makes several calls in one where networks have it.
func (n *Node) PlaceMulticall() {
	n.t.Helper()
	code := n.Text("eth_getCode", n.Deploy("tokens", "Multicall", ""), "latest")
	n.Do("anvil_setCode", "0xca11bde05977b3631167028862be2a173976ca11", code)
}

// Head returns the height of the chain.
func (n *Node) Head() uint64 {
	n.t.Helper()
	height, err := strconv.ParseUint(n.Text("eth_blockNumber"), 0, 64)
	if err != nil {
		n.t.Fatal(err)
	}
	return height
}

// Snapshot returns a mark to which Revert goes back.
func (n *Node) Snapshot() string { return n.Text("evm_snapshot") }

// Revert takes back all blocks since a mark.
func (n *Node) Revert(mark string) {
	n.t.Helper()
	n.Do("evm_revert", mark)
}

// Send sends a transaction of First, waits until it is in a block and returns its hash. An empty account creates a
// contract.
func (n *Node) Send(to, data, value string) string {
	n.t.Helper()
	return n.sendBy(First, to, data, value)
}

func (n *Node) sendBy(from, to, data, value string) string {
	n.t.Helper()
	transaction := map[string]string{"from": from, "data": data, "value": value}
	if to != "" {
		transaction["to"] = to
	}
	hash := n.Text("eth_sendTransaction", transaction)
	wait.Until(n.t, "the transaction is in a block", func() bool {
		return string(n.Do("eth_getTransactionReceipt", hash)) != "null"
	})
	return hash
}

//go:embed contracts/*.json
var contracts embed.FS

// Deploy creates a contract of a file in the folder contracts, and returns its address. arguments are those of its
// constructor, encoded.
func (n *Node) Deploy(file, contract, arguments string) string {
	n.t.Helper()
	return n.DeployBy(First, file, contract, arguments)
}

// DeployBy is Deploy for another account than First.
func (n *Node) DeployBy(from, file, contract, arguments string) string {
	n.t.Helper()
	text, err := contracts.ReadFile("contracts/" + file + ".json")
	var codes map[string]string
	if err == nil {
		err = json.Unmarshal(text, &codes)
	}
	if err != nil || codes[contract] == "" {
		n.t.Fatalf("no contract %s in %s: %v", contract, file, err)
	}
	hash := n.sendBy(from, "", codes[contract]+arguments, "0x0")
	var receipt struct{ ContractAddress, Status string }
	if err := json.Unmarshal(n.Do("eth_getTransactionReceipt", hash), &receipt); err != nil || receipt.Status != "0x1" {
		n.t.Fatalf("%s was not deployed: %v %+v", contract, err, receipt)
	}
	return strings.ToLower(receipt.ContractAddress)
}

// Word returns an address as an argument of a contract.
func Word(address string) string {
	return strings.Repeat("0", 24) + strings.TrimPrefix(strings.ToLower(address), "0x")
}
