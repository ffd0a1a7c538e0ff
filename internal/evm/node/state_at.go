package node

import (
	"context"
	"fmt"
	"math/big"
	"time"
)

// IsOfContract reports whether the code of a contract has failed, by a revert or otherwise: every node would answer so.
// Other errors say that this node cannot answer, such as one that has dropped the state of the block.
func (e *RPCError) IsOfContract() bool { return e.IsRevert() || codeText.MatchString(e.Message) }

// HeaderByNumber returns the header of the block at a height. Errors: ErrNotFound.
func (c *Client) HeaderByNumber(ctx context.Context, number uint64) (Header, error) {
	var w wireHeader
	if err := c.ask(ctx, newRequest("eth_getBlockByNumber", hexNumber(number), false), &w); err != nil {
		return Header{}, err
	}
	header, err := w.header()
	if err == nil && header.Number != number {
		return Header{}, ErrInvalid
	}
	return header, err
}

// Balances returns the balances of accounts at a block, in the smallest unit, with one call for each batch of them.
func (c *Client) Balances(ctx context.Context, accounts []string, at At) ([]*big.Int, error) {
	requests := make([]*request, len(accounts))
	for i, account := range accounts {
		requests[i] = newRequest("eth_getBalance", account, at.param())
	}
	if err := c.do(ctx, nil, requests...); err != nil {
		return nil, err
	}
	out := make([]*big.Int, len(requests))
	for i, r := range requests {
		var n amount
		if err := r.read(&n); err != nil {
			return nil, err
		}
		out[i] = &n.Int
	}
	return out, nil
}

// ErrTooEarly says that a chain began after a moment. It is an ErrNotFound.
var ErrTooEarly = fmt.Errorf("the chain began later: %w", ErrNotFound)

// LastBlockAt returns the last block whose time is not after a moment, and which is not above head. It asks for about
// as many headers as the height has binary digits, and for few where blocks come evenly. Errors: ErrTooEarly if the
// chain began later; ErrInvalid if it has changed meanwhile.
func (c *Client) LastBlockAt(ctx context.Context, head Header, moment time.Time) (Header, error) {
	if !head.Time.After(moment) {
		return head, nil
	}
	above := head // the lowest block that is known to be later
	var below Header
	for step := uint64(head.Time.Sub(moment)/max(c.network.BlockTime, time.Millisecond)) + 1; ; step *= 2 {
		if above.Number == 0 {
			return Header{}, ErrTooEarly
		}
		h, err := c.HeaderByNumber(ctx, above.Number-min(step, above.Number))
		if err != nil {
			return Header{}, err
		}
		if !h.Time.After(moment) {
			below = h
			break
		}
		above = h
	}
	for guesses := true; above.Number-below.Number > 1; guesses = !guesses {
		gap := above.Number - below.Number
		n := below.Number + gap/2
		if span := above.Time.Sub(below.Time); guesses && span > 0 { // blocks come evenly, mostly
			n = below.Number + uint64(float64(gap)*float64(moment.Sub(below.Time))/float64(span))
			n = min(max(n, below.Number+1), above.Number-1)
		}
		h, err := c.HeaderByNumber(ctx, n)
		if err != nil {
			return Header{}, err
		}
		if h.Time.After(moment) {
			above = h
		} else {
			below = h
		}
	}
	if above.ParentHash != below.Hash {
		return Header{}, ErrInvalid
	}
	return below, nil
}
