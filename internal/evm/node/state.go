package node

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/worker"
)

// Status is whether a network can be read.
type Status string

// The states of networks (contract 5.23).
const (
	OK         Status = "ok"
	Down       Status = "down"
	WrongChain Status = "wrong_chain"
)

// State is what this process has seen of a network since it started.
type State struct {
	Status    Status
	Head      uint64    // the newest block; 0: none was seen
	HeadTime  time.Time // of that block; zero: none was seen
	Problem   string    // why the network cannot be read, without addresses; "": it can
	Addresses []AddressState
}

// AddressState is what this process has seen of an address of a network.
type AddressState struct {
	Number    int // from 1, in the order of the file
	Head      uint64
	IsFailing bool // its last call has failed
	outbound.Status
}

const notAsked = "no node was asked yet"

// State returns what was seen of the network.
func (c *Client) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := State{Status: OK, Head: c.head, HeadTime: c.headTime}
	wrong := (*WrongChainError)(nil)
	switch {
	case !c.called:
		s.Status, s.Problem = Down, notAsked
	case errors.As(c.fault, &wrong):
		s.Status, s.Problem = WrongChain, wrong.Error()
	case c.fault != nil:
		s.Status, s.Problem = Down, problemOf(c.fault)
	}
	for _, a := range c.addresses {
		s.Addresses = append(s.Addresses, AddressState{
			Number: a.number, Head: a.head, IsFailing: a.failures > 0, Status: a.status,
		})
	}
	return s
}

// The time between two looks at the head of a network.
const (
	shortestPause = 2 * time.Second
	longestPause  = 30 * time.Second
)

// Run looks at the head of each network about once per block, until ctx ends. Every node of the service does so.
func (n *Networks) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, c := range n.clients {
		loop := worker.Loop{
			Every: min(max(c.network.BlockTime, shortestPause), longestPause),
			Log:   n.log.With(slog.String("network", c.network.Name)), Fault: "the head of a network could not be read",
		}
		running.Go(func() {
			loop.RunEach(ctx, func(ctx context.Context) error {
				_, _ = c.Head(ctx) // the client logs the first failure of a row, and State has the others
				return nil
			})
		})
	}
	running.Wait()
}

// Look looks at the head of each network once.
func (n *Networks) Look(ctx context.Context) {
	for _, c := range n.clients {
		_, _ = c.Head(ctx) // State has the failure
	}
}
