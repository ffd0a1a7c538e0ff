package history

import (
	"context"
	"maps"
	"math/big"
	"slices"
	"strings"

	"laurel.example/laurel/internal/evm/abi"
	"laurel.example/laurel/internal/evm/node"
)

// Swap is what one transaction has swapped in pools: how many of the smallest unit of each token went into them, and
// came out of them. What passes through a pool on its way to another one is in both. Largest has the largest amount of
// each token that went into one pool, or came out of it, at once.
type Swap struct{ In, Out, Largest map[string]*big.Int }

// Net returns how many of the smallest unit of a token the transaction gave to pools; below 0: it took so many.
func (s *Swap) Net(token string) *big.Int {
	n := new(big.Int)
	if in := s.In[token]; in != nil {
		n.Add(n, in)
	}
	if out := s.Out[token]; out != nil {
		n.Sub(n, out)
	}
	return n
}

// Given returns the tokens that the transaction gave to pools on the whole, and Taken those that it took.
func (s *Swap) Given() []string { return s.withSign(1) }

// Taken returns the tokens that the transaction took from pools on the whole.
func (s *Swap) Taken() []string { return s.withSign(-1) }

func (s *Swap) withSign(sign int) (out []string) {
	for _, amounts := range []map[string]*big.Int{s.In, s.Out} {
		for token := range amounts {
			if s.Net(token).Sign() == sign && !slices.Contains(out, token) {
				out = append(out, token)
			}
		}
	}
	slices.Sort(out)
	return out
}

// PoolTokens are the two tokens of pools, by the address of the pool.
type PoolTokens map[string][2]string

// The events of pools: how much went in and came out (version 2), or how much went in or, below 0, came out (version
// 3).
var (
	swapPair = abi.MustEvent("Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, " +
		"uint256 amount1Out, address indexed to)")
	swapRanged = abi.MustEvent("Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, " +
		"uint160 sqrtPriceX96, uint128 liquidity, int24 tick)")
)

// Swaps returns the source of swaps in pools, of version 2 or 3: an event for each transaction. They are
// found by who has sent the transaction.
func Swaps(network string, pools PoolTokens) Source {
	addresses := slices.Sorted(maps.Keys(pools))
	s := Source{network: network, what: "swaps " + strings.Join(addresses, ",")}
	s.filters = []node.Filter{{Addresses: addresses, Topics: [][]string{{swapPair.Topic, swapRanged.Topic}}}}
	s.indexed = func(e Event) []string { return []string{e.From} }
	s.decodeAll = func(ctx context.Context, c *node.Client, logs []node.Log) ([]Event, error) {
		var hashes []string
		swaps, blocks := map[string]*Swap{}, map[string]uint64{}
		for _, l := range logs {
			into := amountsInto(l)
			if into == nil {
				continue
			}
			if swaps[l.TxHash] == nil {
				hashes = append(hashes, l.TxHash)
				swaps[l.TxHash], blocks[l.TxHash] = newSwap(), l.BlockNumber
			}
			for i, n := range into {
				swaps[l.TxHash].add(pools[l.Address][i], n)
			}
		}
		senders, err := c.SendersOf(ctx, hashes)
		if err != nil {
			return nil, err
		}
		out := make([]Event, len(hashes))
		for i, hash := range hashes {
			out[i] = Event{Block: blocks[hash], From: senders[i], Swap: swaps[hash]}
		}
		return out, nil
	}
	return s
}

// amountsInto returns how much of both tokens a swap has given to a pool, or taken from it; nil if the log is of no
// swap.
func amountsInto(l node.Log) []*big.Int {
	if v := decode(swapPair, l); v != nil {
		return []*big.Int{
			new(big.Int).Sub(numberOf(v["amount0In"]), numberOf(v["amount0Out"])),
			new(big.Int).Sub(numberOf(v["amount1In"]), numberOf(v["amount1Out"])),
		}
	}
	if v := decode(swapRanged, l); v != nil {
		return []*big.Int{signedOf(v["amount0"]), signedOf(v["amount1"])}
	}
	return nil
}

// signedOf returns a decoded value that is a number.
func signedOf(value any) *big.Int {
	n, ok := new(big.Int).SetString(textOf(value), 10)
	if !ok {
		return new(big.Int)
	}
	return n
}

func newSwap() *Swap {
	return &Swap{map[string]*big.Int{}, map[string]*big.Int{}, map[string]*big.Int{}}
}

// add adds an amount of a token that went into a pool or, below 0, came out of it.
func (s *Swap) add(token string, n *big.Int) {
	if n.Sign() == 0 {
		return
	}
	to, amount := s.In, new(big.Int).Abs(n)
	if n.Sign() < 0 {
		to = s.Out
	}
	if to[token] == nil {
		to[token] = new(big.Int)
	}
	to[token].Add(to[token], amount)
	if most := s.Largest[token]; most == nil || amount.Cmp(most) > 0 {
		s.Largest[token] = amount
	}
}
