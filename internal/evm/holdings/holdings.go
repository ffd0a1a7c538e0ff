// Package holdings reads what wallets hold on blockchains: coins, fungible tokens and tokens of collections, at one
// block. It owns which block a moment has, how contracts of tokens are told apart, and how many balances one call of a
// node reads. It knows nothing of rules or users, and stores nothing.
package holdings

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"sync"
	"time"

	"laurel.example/laurel/internal/evm/node"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// Reader reads the networks that the operator has configured with nodes. It may be used by many goroutines: it combines
// the reads of those that come at once.
type Reader struct{ networks map[string]*network }

// New returns a reader. It calls no node.
func New(networks *node.Networks, now func() time.Time) *Reader {
	r := &Reader{networks: map[string]*network{}}
	for _, c := range networks.Clients() {
		r.networks[c.Network().Name] = newNetwork(c, now)
	}
	return r
}

// Reads reports whether a network is read. Only the networks that are may be passed to the other methods.
func (r *Reader) Reads(network string) bool { return r.networks[network] != nil }

// HasNetworks reports whether any network is read.
func (r *Reader) HasNetworks() bool { return len(r.networks) > 0 }

// Networks returns the names of the networks that are read, in ascending order.
func (r *Reader) Networks() []string { return slices.Sorted(maps.Keys(r.networks)) }

// Block is a block of a network.
type Block struct {
	Number uint64
	Hash   string
}

// Head returns the newest block of a network. Errors: as of node.Client.Head.
func (r *Reader) Head(ctx context.Context, network string) (Block, error) {
	head, _, err := r.networks[network].heads.Get(ctx, struct{}{})
	return Block{head.Number, head.Hash}, err
}

// NotSettledError says that nobody knows yet which block of a network is the last one of a moment.
type NotSettledError struct {
	Network string
	Missing uint64 // so many more blocks must come
}

func (e *NotSettledError) Error() string {
	return fmt.Sprintf("Waiting for %d more blocks of %s", e.Missing, e.Network)
}

// BlockAt returns the last block of a network whose time is not after a moment. It is the same for every caller and at
// every time, since it must have its confirmations. Errors: *NotSettledError until then; node.ErrTooEarly if the chain
// began later; as of node.Client.Head.
func (r *Reader) BlockAt(ctx context.Context, network string, moment time.Time) (Block, error) {
	return r.networks[network].blockAt(ctx, moment)
}

// Final returns the newest block of a network that has its confirmations, and its time. Errors: node.ErrTooEarly if
// none has; as of node.Client.Head.
func (r *Reader) Final(ctx context.Context, network string) (Block, time.Time, error) {
	n := r.networks[network]
	head, _, err := n.heads.Get(ctx, struct{}{})
	if err != nil {
		return Block{}, time.Time{}, err
	}
	needed := uint64(n.client.Network().Confirmations) //nolint:gosec // 0 to 10000
	if head.Number < needed {
		return Block{}, time.Time{}, node.ErrTooEarly
	}
	h := head
	if needed > 0 {
		if h, err = n.client.HeaderByNumber(ctx, head.Number-needed); err != nil {
			return Block{}, time.Time{}, err
		}
	}
	return Block{h.Number, h.Hash}, h.Time, nil
}

// Forget drops what is known of the block at a moment, because the node does not know it any more.
func (r *Reader) Forget(network string, moment time.Time) {
	n := r.networks[network]
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.blocks, moment.Unix())
}

// Contract returns what kind of tokens a contract has at a block. Errors: *ContractError if it has none; as of
// node.Client.Head, and *node.RPCError if the node cannot say.
func (r *Reader) Contract(ctx context.Context, network string, at Block, address string) (Contract, error) {
	return r.networks[network].contract(ctx, at, address)
}

// CurrentContract returns what kind of tokens a contract has. It asks for the state of the newest block, which every
// node has: what a contract is does not change. Errors: as of Contract.
func (r *Reader) CurrentContract(ctx context.Context, network, address string) (Contract, error) {
	n := r.networks[network]
	n.mu.Lock()
	known, ok := n.known[address]
	n.mu.Unlock()
	if ok {
		return known.Contract, nil
	}
	head, err := r.Head(ctx, network)
	if err != nil {
		return Contract{}, err
	}
	return n.contract(ctx, head, address)
}

// Key names a balance.
type Key struct {
	Contract string // of the tokens; "": the coin of the network
	ID       string // of a token of a MultiCollection, as a decimal number; "" for others
	Wallet   string
}

// Balances returns balances at a block, in the smallest unit. Errors: *ContractError if a contract gave no number;
// as of Contract.
func (r *Reader) Balances(ctx context.Context, network string, at Block, keys []Key) ([]*big.Int, error) {
	n := r.networks[network]
	out := make([]*big.Int, len(keys))
	index := make([]int, len(keys))
	for i := range index {
		index[i] = i
	}
	err := worker.ForEach(index, maxWaiting, func(i int) (err error) {
		out[i], err = n.balance(ctx, balanceKey{at, keys[i]})
		return err
	})
	return out, err
}

const (
	maxWaiting = 300    // balances of one call of Balances that wait for a node at once
	maxCached  = 50_000 // balances that are kept; they never change, as each is of one block
	maxBlocks  = 1000   // blocks of moments that are kept
	maxKnown   = 10_000 // contracts that are kept
)

// network reads one network.
type network struct {
	client    *node.Client
	now       func() time.Time
	heads     store.Loader[struct{}, node.Header]
	contracts store.Loader[contractKey, inspection]
	balances  store.Loader[balanceKey, *big.Int]

	mu          sync.Mutex
	blocks      map[int64]Block // by the second of the moment
	known       map[string]knownContract
	cached      map[balanceKey]*big.Int
	multicallAt *uint64 // there is a multicall contract at this height, and so at later ones
	withoutUpTo *uint64 // there was none up to this height
}

type balanceKey struct {
	at Block
	Key
}

func newNetwork(c *node.Client, now func() time.Time) *network {
	n := &network{
		client: c, now: now, blocks: map[int64]Block{}, known: map[string]knownContract{},
		cached: map[balanceKey]*big.Int{},
	}
	n.heads = store.NewLoader(func(ctx context.Context, _ []struct{}) (map[struct{}]node.Header, error) {
		head, err := c.Head(ctx)
		return map[struct{}]node.Header{{}: head}, err
	})
	n.contracts, n.balances = store.NewLoader(n.inspect), store.NewLoader(n.readBalances)
	return n
}

// blockAt returns the last block that is not after a moment, once it has its confirmations.
func (n *network) blockAt(ctx context.Context, moment time.Time) (Block, error) {
	moment = moment.Truncate(time.Second) // the times of blocks are whole seconds
	n.mu.Lock()
	found, ok := n.blocks[moment.Unix()]
	n.mu.Unlock()
	if ok {
		return found, nil
	}
	head, _, err := n.heads.Get(ctx, struct{}{})
	if err != nil {
		return Block{}, err
	}
	header, err := n.client.LastBlockAt(ctx, head, moment)
	if err != nil {
		return Block{}, err
	}
	needed := uint64(n.client.Network().Confirmations) //nolint:gosec // 0 to 10000
	if needed == 0 && n.now().Before(moment.Add(2*n.client.Network().BlockTime)) {
		needed = 1 // the next block may still be of this moment
	}
	if has := head.Number - header.Number; has < needed {
		return Block{}, &NotSettledError{n.client.Network().Name, needed - has}
	}
	found = Block{header.Number, header.Hash}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.blocks) >= maxBlocks {
		clear(n.blocks)
	}
	n.blocks[moment.Unix()] = found
	return found, nil
}

// balance returns a balance, which it reads together with those of other callers.
func (n *network) balance(ctx context.Context, key balanceKey) (*big.Int, error) {
	n.mu.Lock()
	value, ok := n.cached[key]
	n.mu.Unlock()
	if ok {
		return value, nil
	}
	value, found, err := n.balances.Get(ctx, key)
	if err == nil && !found {
		err = &ContractError{n.client.Network().Name, key.Contract, "gave no balance of " + key.Wallet}
	}
	return value, err
}
