// Package node speaks JSON-RPC to the nodes of blockchain networks: the one way in which the service reads a chain. It
// owns which address of a network is asked, when a failing one is left alone, and that an answer is of the right chain
// and not from behind what was seen before. It knows nothing of contracts, rules or users, and stores nothing.
package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/outbound"
)

// Config holds what the clients need.
type Config struct {
	Registry *evm.Registry
	Outbound *outbound.Client // calls addresses of the operator
	Now      func() time.Time
	Logger   *slog.Logger
}

// Networks has a client for each network that the operator has configured with addresses.
type Networks struct {
	clients []*Client
	metrics *metrics
	log     *slog.Logger
}

// New returns the clients of the registry's networks. It calls no node.
func New(c Config) *Networks {
	n := &Networks{metrics: newMetrics(), log: c.Logger}
	for _, network := range c.Registry.Configured() {
		if network.IsRead() {
			n.clients = append(n.clients, newClient(c, network, n.metrics))
		}
	}
	return n
}

// Clients returns the clients in the order of the operator's file.
func (n *Networks) Clients() []*Client { return n.clients }

// Find returns the client of a network; nil if Laurel does not read it.
func (n *Networks) Find(name string) *Client {
	for _, c := range n.clients {
		if c.network.Name == name {
			return c
		}
	}
	return nil
}

// ByChainID returns the client of the network with a chain id; nil if Laurel does not read it.
func (n *Networks) ByChainID(id uint64) *Client {
	for _, c := range n.clients {
		if c.network.ChainID == id {
			return c
		}
	}
	return nil
}

// Client calls the nodes of one network. It may be used by many goroutines.
type Client struct {
	network   evm.Network
	addresses []*address
	outbound  *outbound.Client
	now       func() time.Time
	log       *slog.Logger
	metrics   *metrics

	mu     sync.Mutex
	head   uint64    // the highest block that an address has shown
	headBy *address  // which of them has shown the head; nil: none yet
	headAt time.Time // when it did so last
	fault  error     // of the last call that no address has answered; nil: the last call was answered
	called bool      // there was a call

	headTime time.Time // of the block that Head has returned last
	newest   *Block    // that block, if it was read whole
	follows  atomic.Bool
	isHeavy  atomic.Bool // the newest block was not there in time, whole: its header is asked for
}

func newClient(c Config, network evm.Network, m *metrics) *Client {
	client := &Client{network: network, outbound: c.Outbound, now: c.Now, log: c.Logger, metrics: m}
	for i, url := range network.URLs {
		client.addresses = append(client.addresses, newAddress(i+1, url))
		m.begin(network.Name, i+1)
	}
	return client
}

// Network returns the network as it is configured.
func (c *Client) Network() evm.Network { return c.network }

// headCounts is how long a head that an address has shown keeps other addresses from being read that are behind it. A
// node that claims a height which does not exist and then fails would keep them out forever.
const headCounts = 5 * time.Minute

// Errors of calls that no address has answered.
var (
	// ErrNotFound means that the node does not know the block, or has no data of it.
	ErrNotFound = errors.New("the node does not know the block")
	// ErrTooMuch means that the answer would be larger than the node or the service allows: ask for fewer blocks.
	ErrTooMuch = errors.New("the answer would be too large")
	// ErrInvalid means that the answer is not what was asked for.
	ErrInvalid = errors.New("the answer is not valid")
	errBehind  = errors.New("the node is behind a block that was seen before")
	errResting = errors.New("all addresses are left alone for a while after failures")
)

// WrongChainError is the error of a node that is of another network.
type WrongChainError struct{ Is, Want uint64 }

func (e *WrongChainError) Error() string {
	return fmt.Sprintf("the node is of chain %d; configured is %d", e.Is, e.Want)
}

// do makes requests at one address of the network: the first that is not left alone, is of the right chain, and is not
// behind. If it fails, the next one is tried; so it is if check, which may be nil, does not accept its answers.
func (c *Client) do(ctx context.Context, check func(a *address) error, requests ...*request) error {
	return c.doAmong(ctx, c.addresses, check, requests...)
}

// doAmong is do with some of the addresses.
func (c *Client) doAmong(
	ctx context.Context, among []*address, check func(a *address) error, requests ...*request,
) error {
	var fault, refusal error
	for _, a := range among {
		if !c.mayCall(a) {
			continue
		}
		err := c.prepare(ctx, a)
		if err == nil {
			err = c.send(ctx, a, requests)
		}
		if err == nil && check != nil {
			if err = check(a); err != nil {
				err = c.fail(a, err, 0)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var answer *RPCError
		switch {
		case err == nil, errors.Is(err, ErrTooMuch), errors.As(err, &answer) && answer.isFinal():
			c.succeed(a)
			c.note(nil)
			return err
		case errors.As(err, &answer):
			c.succeed(a)
			refusal = errors.Join(refusal, err)
		default:
			fault = worse(fault, err)
		}
	}
	switch {
	case refusal != nil: // an address works, and refuses this request
		c.note(nil)
		return refusal
	case fault == nil:
		fault = c.restingFault()
	}
	c.note(fault)
	return fault
}

// worse returns the fault of two that says more: that the chain is wrong, or else the first.
func worse(a, b error) error {
	var wrong *WrongChainError
	if a == nil || !errors.As(a, &wrong) && errors.As(b, &wrong) {
		return b
	}
	return a
}

// restingFault returns the error while all addresses are left alone: the last fault where there is one.
func (c *Client) restingFault() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fault != nil {
		return c.fault
	}
	return errResting
}

// note remembers how a call of the network has ended.
func (c *Client) note(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fault, c.called = err, true
}

// mayCall reports whether an address is not left alone.
func (c *Client) mayCall(a *address) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !a.restsUntil.After(c.now())
}

// prepare makes sure that an address which is used first, or again after a failure, is of the right chain and is not
// behind what was seen.
func (c *Client) prepare(ctx context.Context, a *address) error {
	c.mu.Lock()
	isChecked := a.isChecked
	c.mu.Unlock()
	if isChecked {
		return nil
	}
	chain, head := newRequest("eth_chainId"), newRequest("eth_blockNumber")
	if err := c.send(ctx, a, []*request{chain, head}); err != nil {
		if answer := (*RPCError)(nil); errors.As(err, &answer) {
			// The text alone: an answer to these two questions tells of the address, and callers are not to take it for theirs.
			return c.fail(a, fmt.Errorf("%w: %s", ErrInvalid, answer.Error()), 0)
		}
		return err
	}
	err := c.checkChain(chain)
	if err == nil {
		var n uint64
		if n, err = head.quantity(); err == nil {
			err = c.noteHead(a, n)
		}
	}
	if err != nil {
		return c.fail(a, err, 0)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	a.isChecked = true
	return nil
}

// checkChain reads the answer of eth_chainId.
func (c *Client) checkChain(answer *request) error {
	id, err := answer.quantity()
	if err == nil && id != c.network.ChainID {
		err = &WrongChainError{Is: id, Want: c.network.ChainID}
	}
	return err
}

// noteHead notes the highest block of an address. It fails if another address has shown a higher one: reading never
// goes back to an address that is behind. An address may take its own back, in a reorganization.
func (c *Client) noteHead(a *address, n uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	a.head = n
	now := c.now()
	if n < c.head && a != c.headBy && now.Sub(c.headAt) < headCounts {
		return errBehind
	}
	c.head, c.headBy, c.headAt = n, a, now
	c.metrics.head.WithLabelValues(c.network.Name).Set(float64(n))
	return nil
}
