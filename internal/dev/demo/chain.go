package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/anvilpath"
	"laurel.example/laurel/internal/report"
)

// The network that the demo has of its own.
const (
	Network      = "devnet"
	chainID      = 31337
	confirmDepth = 5
	blockTime    = 12 * time.Second
)

// Where the demo takes its chain from.
const (
	AnyChain      = "auto" // anvil where it is found, else the recorded one
	AnvilChain    = "anvil"
	RecordedChain = "recorded"
)

// Files in the folder of the demo.
const (
	chainFile  = "chain.json"
	anvilState = "anvil"
)

const (
	longestUnpaid = 10 * time.Minute // blocks leave the chain at the latest then
	lookEvery     = 250 * time.Millisecond
)

// Chain is a blockchain of the demo's own: a node, or a recording of one.
type Chain struct {
	// Title says which of both it is.
	Title string

	node  chainNode
	path  string // of the file with the state
	mu    sync.Mutex
	state chainState
}

// chainState is what the next start must know of a chain, as the service remembers its blocks.
type chainState struct {
	Kind      string `json:"kind"`
	Ends      int64  `json:"ends"`      // the moment at which the recording ends, in seconds
	HasParted bool   `json:"hasParted"` // blocks have left the chain
}

// chainNode is where a chain is read.
type chainNode interface {
	address() string
	// part has blocks leave the chain, and others take their place.
	part(ctx context.Context) error
	close() error
}

// OpenChain starts the chain of a demo in a folder: the one that it had before, or a new one whose story ends now.
func OpenChain(ctx context.Context, kind, folder string, now time.Time) (*Chain, error) {
	c := &Chain{path: filepath.Join(folder, chainFile)}
	text, err := os.ReadFile(c.path)
	isNew := errors.Is(err, fs.ErrNotExist)
	if err == nil {
		err = json.Unmarshal(text, &c.state)
	}
	if err != nil && !isNew {
		return nil, fmt.Errorf("%s: %w", c.path, err)
	}
	program := ""
	if kind != RecordedChain {
		program = anvilpath.Find()
	}
	switch {
	case !isNew: // it stays what it was
	case program != "":
		c.state = chainState{Kind: AnvilChain, Ends: now.Unix()}
	case kind == AnvilChain:
		return nil, errors.New("anvil was not found, neither in PATH nor in scripts/anvil of this checkout")
	default:
		c.state = chainState{Kind: RecordedChain, Ends: now.Unix()}
	}
	story, err := readRecording()
	if err != nil {
		return nil, err
	}
	switch {
	case c.state.Kind == RecordedChain:
		c.Title = "a recorded chain, played back by the demo itself"
		if kind == AnyChain && program == "" {
			c.Title += ": anvil was not found"
		}
		c.node, err = openReplay(ctx, story, c.state)
	case program == "":
		c.Title = "out of reach: it was an anvil's, which is not found any more"
		c.node = noNode{}
	default:
		c.Title = "a node of anvil, which the demo has started"
		c.node, err = startAnvil(ctx, anvilInput{
			program: program, folder: filepath.Join(folder, anvilState), story: story, state: c.state, isNew: isNew,
		})
		if err != nil && isNew && kind == AnyChain {
			c.state.Kind = RecordedChain
			c.Title = "a recorded chain, played back by the demo itself: anvil did not start"
			c.node, err = openReplay(ctx, story, c.state)
		}
	}
	if err != nil {
		return nil, err
	}
	if isNew {
		err = c.save()
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close ends the chain.
func (c *Chain) Close() error { return c.node.close() }

// Config returns the operator's file of networks with the chain (contract 5.23).
func (c *Chain) Config() ([]byte, error) {
	type object = map[string]any
	return json.MarshalIndent(object{"networks": []object{{
		"name": Network, "chainId": chainID, "rpcUrl": c.node.address(), "confirmations": confirmDepth,
		"blockTimeSeconds": blockTime.Seconds(),
	}}}, "", "  ")
}

// begins returns the moment at which the chain begins.
func (c *Chain) begins() (time.Time, error) {
	story, err := readRecording()
	if err != nil {
		return time.Time{}, err
	}
	return time.Unix(c.state.Ends-story.Blocks[0].Before, 0).UTC(), nil
}

// Part waits until a rule has paid for an event of the newest blocks, and has these blocks leave the chain. It does so
// once in the life of a chain. It ends with ctx. After an error another call goes on.
func (c *Chain) Part(ctx context.Context, entries *report.Service, scope laurel.Scope, rule laurel.ID) error {
	if c.HasParted() {
		return nil
	}
	latest := time.NewTimer(longestUnpaid)
	defer latest.Stop()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for isOver := false; !isOver; {
		select {
		case <-ctx.Done():
			return nil
		case <-latest.C:
			isOver = true
		case <-look.C:
			found, err := entries.Entries(ctx, scope, report.EntryFilter{
				Users: report.UserFilter{Wallets: []string{wallet(leaver)}}, RuleIDs: []laurel.ID{rule},
			}, laurel.PageRequest{Limit: 1})
			if err != nil {
				return err
			}
			isOver = len(found.Data) > 0
		}
	}
	if err := c.node.part(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.HasParted = true
	err := c.save()
	c.state.HasParted = err == nil // else it is saved by the next call
	return err
}

// HasParted reports whether blocks have left the chain.
func (c *Chain) HasParted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.HasParted
}

// save writes the file with the state whole or not at all.
func (c *Chain) save() error {
	text, err := json.Marshal(c.state)
	if err != nil {
		return err
	}
	draft := c.path + ".new"
	if err := os.WriteFile(draft, text, 0o600); err != nil {
		return err
	}
	return os.Rename(draft, c.path)
}

// noNode is a node that cannot be reached.
type noNode struct{}

func (noNode) address() string            { return "http://127.0.0.1:9/" } // no server uses this port
func (noNode) part(context.Context) error { return nil }
func (noNode) close() error               { return nil }
