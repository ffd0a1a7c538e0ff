package node

import (
	"context"
	"encoding/json"
	"errors"

	"laurel.example/laurel/internal/outbound"
)

// Follow says whether the blocks of the network are followed one by one. Then each look at the newest block reads it
// whole, and BlockAfter need not ask for it again.
func (c *Client) Follow(is bool) { c.follows.Store(is) }

// Head returns the newest block. It asks for the header alone where the whole block is too much for the node: at once
// if the answer would be too large, and when the node may be asked again if there was none in time. Errors, as of all
// calls here: *outbound.Fault, *WrongChainError, *RPCError, ErrInvalid and those of the context.
func (c *Client) Head(ctx context.Context) (Header, error) {
	isWhole := c.follows.Load() && !c.isHeavy.Load()
	header, newest, err := c.lookAtHead(ctx, isWhole)
	if isWhole && errors.Is(err, ErrTooMuch) {
		header, newest, err = c.lookAtHead(ctx, false)
	}
	if err != nil {
		if isWhole && isTimeout(err) {
			c.isHeavy.Store(true)
		}
		return Header{}, err
	}
	c.isHeavy.Store(false)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.headTime, c.newest = header.Time, newest
	return header, nil
}

// isTimeout reports whether a node, or what stands in front of it, has given no answer in time.
func isTimeout(err error) bool {
	var fault *outbound.Fault
	return errors.As(err, &fault) && (fault.Kind() == outbound.KindTimedOut || fault.Status == statusTimeout)
}

// lookAtHead asks for the newest block, and returns it whole, too, if that is asked for and can be read.
func (c *Client) lookAtHead(ctx context.Context, isWhole bool) (header Header, newest *Block, err error) {
	r := newRequest("eth_getBlockByNumber", "latest", isWhole)
	err = c.do(ctx, func(a *address) (err error) {
		var w wireHeader
		if err = r.read(&w); err == nil {
			header, err = w.header()
		}
		if err != nil {
			return err
		}
		return c.noteHead(a, header.Number)
	}, r)
	if err != nil || !isWhole {
		return header, nil, err
	}
	var w wireBlock
	if r.read(&w) == nil {
		if b, err := w.block(); err == nil {
			newest = &b
		}
	}
	return header, newest, nil
}

// wireHeader is a block of which the transactions are not read.
type wireHeader struct {
	wireBlock

	Transactions json.RawMessage `json:"transactions"`
}
