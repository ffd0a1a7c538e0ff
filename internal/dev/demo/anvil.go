package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"laurel.example/laurel/internal/dev/freeport"
)

// anvilNode is a node that the demo has started. It keeps its chain in a folder.
type anvilNode struct {
	story recording
	ends  int64
	url   string
	isNew bool          // it has made its blocks itself, and loaded none
	fork  uint64        // the last block that stays when the newest ones leave; 0: they are all there
	hold  io.Closer     // the node ends when it is closed, and when the demo is killed
	ended chan struct{} // the node has ended
}

const (
	anvilTimeout = 20 * time.Second
	anvilGas     = "0x1c9c380"
	// keepAnvil runs its arguments as a program until its input ends.
	keepAnvil = `"$@" </dev/null >/dev/null 2>&1 & node=$!; cat >/dev/null; kill -INT $node; wait $node`
)

// anvilInput says what node startAnvil starts.
type anvilInput struct {
	program string // its path
	folder  string // of its chain
	story   recording
	state   chainState
	isNew   bool // it has no chain yet
}

// startAnvil starts a node with the chain of a folder, or has a new one do what is recorded.
func startAnvil(ctx context.Context, in anvilInput) (*anvilNode, error) {
	story, state, folder := in.story, in.state, in.folder
	port, err := freeport.Find(ctx)
	if err == nil {
		err = os.MkdirAll(folder, 0o700)
	}
	if err != nil {
		return nil, err
	}
	n := &anvilNode{
		story: story, ends: state.Ends, isNew: in.isNew, url: fmt.Sprintf("http://127.0.0.1:%d", port),
		ended: make(chan struct{}),
	}
	//nolint:gosec // the program is the user's own
	command := exec.CommandContext(context.WithoutCancel(ctx), "sh", "-c", keepAnvil, "anvil", in.program,
		"--port", strconv.Itoa(port), "--chain-id", strconv.Itoa(chainID), "--threads", "1",
		"--timestamp", strconv.FormatInt(state.Ends-story.Blocks[0].Before, 10), "--order", "fifo",
		"--state", filepath.Join(folder, "state.json"), "--state-interval", "2", "--preserve-historical-states",
		"--cache-path", folder)
	if n.hold, err = command.StdinPipe(); err == nil {
		err = command.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("anvil: %w", err)
	}
	go func() {
		_ = command.Wait() // how it ends says nothing
		close(n.ended)
	}()
	if err := n.begin(ctx, state.HasParted); err != nil {
		return nil, errors.Join(fmt.Errorf("anvil: %w", err), n.close())
	}
	return n, nil
}

// begin waits until the node answers. Then a new node makes the recorded blocks.
func (n *anvilNode) begin(ctx context.Context, hasParted bool) error {
	for until := time.Now().Add(anvilTimeout); ; {
		err := n.do(ctx, "eth_chainId")
		if err == nil {
			break
		}
		select {
		case <-n.ended:
			return errors.New("it has ended at once")
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(until) {
			return err
		}
	}
	if n.isNew {
		if err := n.play(ctx, n.story.Blocks[1:]); err != nil {
			return err
		}
		return n.play(ctx, n.story.Left)
	}
	if hasParted {
		return n.goOn(ctx)
	}
	return nil
}

// play makes blocks with the transactions of those that are recorded.
func (n *anvilNode) play(ctx context.Context, blocks []recordedBlock) error {
	if err := n.do(ctx, "evm_setAutomine", false); err != nil {
		return err
	}
	for _, b := range blocks {
		for _, tx := range b.Transactions {
			call := map[string]string{"from": tx.From, "data": tx.Input, "gas": anvilGas, "gasPrice": tx.GasPrice}
			if tx.To != "" {
				call["to"] = tx.To
			}
			if err := n.do(ctx, "eth_sendTransaction", call); err != nil {
				return err
			}
		}
		if err := n.do(ctx, "evm_setNextBlockTimestamp", n.ends-b.Before); err != nil {
			return err
		}
		if err := n.do(ctx, "evm_mine"); err != nil {
			return err
		}
	}
	return n.do(ctx, "evm_setAutomine", true)
}

// part takes the newest blocks back, makes others, and lets a block follow every 12 seconds. A node that has loaded its
// blocks keeps them: anvil does not take the state of those back. After an error it goes on where it was.
func (n *anvilNode) part(ctx context.Context) error {
	if !n.isNew {
		return n.goOn(ctx)
	}
	height, err := n.height(ctx)
	if err != nil {
		return err
	}
	if n.fork == 0 {
		if err := n.do(ctx, "anvil_rollback", len(n.story.Left)); err != nil {
			return err
		}
		height -= uint64(len(n.story.Left))
		n.fork = height
	}
	if err := n.do(ctx, "anvil_dropAllTransactions"); err != nil { // of a block that was not made
		return err
	}
	made := min(height-n.fork, uint64(len(n.story.Stayed)))
	if err := n.play(ctx, n.story.Stayed[made:]); err != nil {
		return err
	}
	return n.goOn(ctx)
}

// goOn lets a block follow every 12 seconds.
func (n *anvilNode) goOn(ctx context.Context) error {
	return n.do(ctx, "evm_setIntervalMining", int(blockTime/time.Second))
}

func (n *anvilNode) address() string { return n.url }

// close ends the node, which writes its chain into its folder.
func (n *anvilNode) close() error {
	err := n.hold.Close()
	<-n.ended
	return err
}

// height returns the height of the chain.
func (n *anvilNode) height(ctx context.Context) (uint64, error) {
	var text string
	if err := n.ask(ctx, &text, "eth_blockNumber"); err != nil {
		return 0, err
	}
	return strconv.ParseUint(text, 0, 64)
}

// do makes a request of JSON-RPC.
func (n *anvilNode) do(ctx context.Context, method string, params ...any) error {
	return n.ask(ctx, new(json.RawMessage), method, params...)
}

// ask makes a request of JSON-RPC and decodes its result.
func (n *anvilNode) ask(ctx context.Context, result any, method string, params ...any) error {
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, anvilTimeout)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, n.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	q.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(q)
	if err != nil {
		return err
	}
	defer func() { _ = reply.Body.Close() }()
	answer := struct {
		Result any
		Error  *rpcFault
	}{Result: result}
	if err := json.NewDecoder(reply.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return fmt.Errorf("%s: %w", method, answer.Error)
	}
	return nil
}
