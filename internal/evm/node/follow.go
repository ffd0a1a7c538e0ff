package node

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"laurel.example/laurel/internal/evm/keccak"
)

var errIncomplete = errors.New("the node leaves out logs of a block")

// BlockAfter returns the block at a height above a known block, parent. Addresses may disagree on it: as long as one of
// them has a block that follows the known one, that is returned. It has another parent only if every address says so
// that has worked in the last minutes. Errors: ErrNotFound; ErrUnsure.
func (c *Client) BlockAfter(ctx context.Context, number uint64, parent string) (Block, error) {
	if newest := c.newestBlock(); newest != nil && newest.Number == number && newest.ParentHash == parent {
		return *newest, nil
	}
	found, err := c.BlockByNumber(ctx, number)
	if err != nil || found.ParentHash == parent {
		return found, err
	}
	defer c.note(nil) // an address works, whatever the others do
	isUnsure := false
	for _, a := range c.addresses {
		r := newRequest("eth_getBlockByNumber", hexNumber(number), true)
		if !c.mayCall(a) || c.doAmong(ctx, []*address{a}, nil, r) != nil {
			isUnsure = isUnsure || c.hasWorkedLately(a)
			continue
		}
		var w wireBlock
		if r.read(&w) != nil {
			continue // it is behind
		}
		if other, err := w.block(); err == nil && other.Number == number && other.ParentHash == parent {
			return other, nil
		}
	}
	if isUnsure {
		return Block{}, ErrUnsure
	}
	return found, ctx.Err()
}

// newestBlock returns the block at which Head has looked last; nil if it was not read whole.
func (c *Client) newestBlock() *Block {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.newest
}

// ErrUnsure means that an address has another chain than the one that was read, and another address, which may still
// have that one, cannot be asked.
var ErrUnsure = errors.New("the addresses have different chains, and not all of them can be asked")

// hasWorkedLately reports whether an address has given a valid answer in the last minutes.
func (c *Client) hasWorkedLately(a *address) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !a.status.LastSuccess.IsZero() && c.now().Sub(a.status.LastSuccess) < headCounts
}

// AllLogs returns all logs of a block. An answer without logs that the bloom of the header has is none: the next
// address is asked. Errors: ErrTooMuch; *RPCError if no node knows the block.
func (c *Client) AllLogs(ctx context.Context, h Header) ([]Log, error) {
	r := newRequest("eth_getLogs", map[string]any{"blockHash": h.Hash})
	var out []Log
	err := c.do(ctx, func(*address) error {
		var list []wireLog
		if err := r.read(&list); err != nil {
			return err
		}
		logs, err := logsOf(list)
		if err != nil {
			return err
		}
		for _, l := range logs {
			if !strings.EqualFold(l.BlockHash, h.Hash) {
				return ErrInvalid
			}
		}
		if out = logs; !h.isCoveredBy(logs) {
			return errIncomplete
		}
		return nil
	}, r)
	return out, err
}

// LogsBetween returns the logs of the blocks from one to another, both included. An answer without logs counts if the
// node shows all logs of both blocks, as their blooms have them: so it has the logs of that time. Errors: ErrTooMuch;
// as of AllLogs.
func (c *Client) LogsBetween(ctx context.Context, f Filter, first, last Header) ([]Log, error) {
	logs, err := c.LogsInRange(ctx, f, first.Number, last.Number)
	if err != nil || len(logs) > 0 {
		return logs, err
	}
	for _, h := range []Header{first, last} {
		if _, err := c.AllLogs(ctx, h); err != nil && !errors.Is(err, ErrTooMuch) {
			return nil, err
		}
	}
	return nil, nil
}

// HasBloom reports whether the header has a bloom. Some networks leave it empty, though the block has logs.
func (h Header) HasBloom() bool {
	for _, b := range h.Bloom {
		if b != 0 {
			return true
		}
	}
	return false
}

// MayHave reports whether the bloom has a contract or topic. If not, no log of the block has it.
func (h Header) MayHave(item string) bool {
	for _, at := range bloomBits(item) {
		if h.Bloom[at.index]&at.mask == 0 {
			return false
		}
	}
	return true
}

// isCoveredBy reports whether logs explain the whole bloom of the header.
func (h Header) isCoveredBy(logs []Log) bool {
	var bloom [bloomBytes]byte
	for _, l := range logs {
		for _, item := range append([]string{l.Address}, l.Topics...) {
			for _, at := range bloomBits(item) {
				bloom[at.index] |= at.mask
			}
		}
	}
	for i, b := range h.Bloom {
		if b&^bloom[i] != 0 {
			return false
		}
	}
	return true
}

type bloomBit struct {
	index int
	mask  byte
}

// bloomBits returns the bits that stand for an address or a topic, 0x and hexadecimal digits, in a bloom.
func bloomBits(item string) (out [3]bloomBit) {
	b, _ := hex.DecodeString(strings.TrimPrefix(item, "0x")) // the forms of addresses and topics were checked
	hash := keccak.Sum256(b)
	for i := range out {
		n := (int(hash[2*i])<<8 | int(hash[2*i+1])) & (8*bloomBytes - 1)
		out[i] = bloomBit{bloomBytes - 1 - n/8, 1 << (n % 8)}
	}
	return out
}
