// Package history reads what wallets did on blockchains: how tokens of a collection were transferred, which were sold
// or are offered on a market, which were swapped in pools, and who voted. It owns how logs of the past are asked for,
// in ranges of blocks that are final, and what is kept of them. It knows no rules or users, and stores nothing.
package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/node"
)

// Reader reads the networks that the operator has configured with nodes. It may be used by many goroutines: the logs of
// a source are asked for once, and kept.
type Reader struct {
	networks map[string]*network
	most     int // events of a series that Read leaves as they are: maxOfSeries

	mu   sync.Mutex
	kept []*series // the one that was used last at the end
}

// network is a network, and what does not change of its contracts.
type network struct {
	client *node.Client

	mu      sync.Mutex
	created map[string]uint64 // the first block with a contract, by its address
	// contracts are addresses of which IsContract knows that they have code.
	contracts map[string]bool
}

// New returns a reader. It calls no node.
func New(networks *node.Networks) *Reader {
	r := &Reader{networks: map[string]*network{}, most: maxOfSeries}
	for _, c := range networks.Clients() {
		r.networks[c.Network().Name] = &network{
			client: c, created: map[string]uint64{}, contracts: map[string]bool{},
		}
	}
	return r
}

// Markets returns the markets of a network that is read.
func (r *Reader) Markets(network string) []evm.Market {
	return r.networks[network].client.Network().Markets
}

// Range is a range of blocks, all of which are final. It is empty if From is above Last.
type Range struct {
	From, Last uint64 // both included
	LastHash   string // of the block at Last
}

// Event is a transfer of tokens, which may be a sale; or a swap, a vote, or what became of an offer.
type Event struct {
	Block      uint64
	Collection string   // of a vote: the governor
	From, To   string   // of a sale: the seller and the buyer
	ID         string   // of the token or proposal, as a decimal number
	Count      *big.Int // of tokens; of the end of an offer, nil: of all that were offered
	Payment    *Payment // nil: it is no sale
	Swap       *Swap    // nil: it is no swap. From is who made it
	Offer      *Offer   // nil: it is about no offer. From is who made it
}

// Payment is what was paid in a sale, in the smallest unit of a currency.
type Payment struct {
	Currency  string // the contract of a token; "": the coin of the network
	Price     *big.Int
	Royalty   *big.Int // nil: the market does not tell
	RoyaltyTo string   // "": the market does not tell
}

// UnfinishedError says that a range was read in part when the time of the caller ended. Another call reads on.
type UnfinishedError struct {
	Network  string
	At, Last uint64 // the block that comes next, and the last one of the range
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("Reading %s: at block %d of %d", e.Network, e.At, e.Last)
}

// Read reads the events of a source in a range, for later calls of which none asks for earlier blocks. Errors:
// *UnfinishedError; node.ErrNotFound if the last block has left the chain; as of node.Client.Head.
func (r *Reader) Read(ctx context.Context, s Source, in Range) error {
	return r.use(ctx, s, in, func(kept *series) {
		if len(kept.events) > r.most && in.From > kept.from {
			kept.cut(s, in.From)
		}
	})
}

// EventsOf returns the events of a source in a range that have a wallet of a list as From or To, in the order of the
// chain. Errors: as of Read.
func (r *Reader) EventsOf(ctx context.Context, s Source, in Range, wallets []string) (out []Event, err error) {
	err = r.use(ctx, s, in, func(kept *series) {
		var at []int
		for _, wallet := range wallets {
			at = append(at, kept.byWallet[wallet]...)
		}
		slices.Sort(at)
		for _, i := range slices.Compact(at) {
			if e := kept.events[i]; e.Block >= in.From && e.Block <= in.Last {
				out = append(out, e)
			}
		}
	})
	return out, err
}

// Deposited returns how many tokens wallets have in the account of a source of Deposits, after the transfers in a
// range: by wallet and id of the token. A token that leaves is taken from what its receiver has there, and otherwise
// from what has been there for longest. Errors: as of Read.
func (r *Reader) Deposited(
	ctx context.Context, s Source, in Range,
) (out map[string]map[string]*big.Int, err error) {
	err = r.use(ctx, s, in, func(kept *series) {
		if kept.deposits == nil || kept.depositsIn != in {
			kept.deposits, kept.depositsIn = depositsAfter(s.account, kept.events, in), in
		}
		out = kept.deposits
	})
	return out, err
}

// deposit is what a wallet has deposited of a token at once.
type deposit struct {
	wallet string
	left   *big.Int
}

func depositsAfter(account string, events []Event, in Range) map[string]map[string]*big.Int {
	byID := map[string][]*deposit{} // the oldest first
	for _, e := range events {
		if e.Block < in.From || e.Block > in.Last || e.From == e.To {
			continue
		}
		if e.To == account {
			byID[e.ID] = append(byID[e.ID], &deposit{e.From, new(big.Int).Set(e.Count)})
			continue
		}
		rest := new(big.Int).Set(e.Count)
		for _, ofReceiver := range []bool{true, false} {
			for _, d := range byID[e.ID] {
				if ofReceiver && d.wallet != e.To {
					continue
				}
				taken := rest
				if d.left.Cmp(rest) < 0 {
					taken = d.left
				}
				taken = new(big.Int).Set(taken)
				d.left.Sub(d.left, taken)
				rest.Sub(rest, taken)
			}
		}
		byID[e.ID] = slices.DeleteFunc(byID[e.ID], func(d *deposit) bool { return d.left.Sign() == 0 })
	}
	out := map[string]map[string]*big.Int{}
	for id, list := range byID {
		for _, d := range list {
			if out[d.wallet] == nil {
				out[d.wallet] = map[string]*big.Int{}
			}
			out[d.wallet][id] = new(big.Int).Add(d.left, cmp.Or(out[d.wallet][id], new(big.Int)))
		}
	}
	return out
}

// CreatedAt returns the first block at which an address has code, as far as the nodes of the network still know; 0 if
// they have dropped the state of old blocks. Errors: as of node.Client.Head.
func (r *Reader) CreatedAt(ctx context.Context, name, address string, last uint64) (uint64, error) {
	n := r.networks[name]
	n.mu.Lock()
	found, ok := n.created[address]
	n.mu.Unlock()
	if ok {
		return found, nil
	}
	from, to := uint64(0), last // it has code at to
	for from < to {
		middle := from + (to-from)/2
		has, err := n.hasCode(ctx, address, middle)
		if err != nil {
			return 0, err
		}
		if has {
			to = middle
		} else {
			from = middle + 1
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.created[address] = from
	return from, nil
}

// IsContract reports whether an address has code at a block. It presumes so where the nodes do not know any more.
// Errors: as of node.Client.Head.
func (r *Reader) IsContract(ctx context.Context, name, address string, height uint64) (bool, error) {
	n := r.networks[name]
	n.mu.Lock()
	known := n.contracts[address]
	n.mu.Unlock()
	if known {
		return true, nil
	}
	has, err := n.hasCode(ctx, address, height)
	if has && err == nil {
		n.mu.Lock()
		n.contracts[address] = true
		n.mu.Unlock()
	}
	return has, err
}

// hasCode reports whether an address has code at a height. It presumes so where the node does not know any more.
func (n *network) hasCode(ctx context.Context, address string, height uint64) (bool, error) {
	h, err := n.client.HeaderByNumber(ctx, height)
	if errors.Is(err, node.ErrNotFound) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	code, err := n.client.Code(ctx, address, node.At{Hash: h.Hash})
	if answer := (*node.RPCError)(nil); errors.As(err, &answer) {
		return true, nil
	}
	return len(code) > 0, err
}
