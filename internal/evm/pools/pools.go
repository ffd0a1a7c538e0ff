// Package pools reads pools in which tokens are traded, and what those parts of them are worth that wallets have put
// in, at one block and in dollars. It owns how pools and positions are read and valued. It knows nothing of rules or
// users, and stores nothing.
package pools

import (
	"context"
	"math/big"
	"sync"

	"laurel.example/laurel/internal/evm/abi"
	"laurel.example/laurel/internal/evm/holdings"
	"laurel.example/laurel/internal/evm/node"
)

// Reader reads pools of the networks that the operator has configured with nodes. It may be used by many goroutines.
type Reader struct {
	networks *node.Networks
	chains   *holdings.Reader

	mu        sync.Mutex
	pools     map[poolKey]pool
	factories map[contractKey]string // of contracts of positions
	positions map[positionKey]position
	// olderPositions were read before those. Both are dropped in turn, so that what was read last is never dropped.
	olderPositions map[positionKey]position
	most           int                       // positions that are kept of each: maxPositions
	tokens         map[contractKey][2]string // of pools
}

// New returns a reader. It calls no node.
func New(networks *node.Networks, chains *holdings.Reader) *Reader {
	return &Reader{
		networks: networks, chains: chains, pools: map[poolKey]pool{}, factories: map[contractKey]string{},
		positions: map[positionKey]position{}, most: maxPositions, tokens: map[contractKey][2]string{},
	}
}

const (
	maxPools = 1000 // whose state at a block is kept
	// maxPositions is how many are kept as they are at a block, and as many older ones. A page of a run has 128 members,
	// each with 500 positions of each contract and wallet.
	maxPositions = 200_000
)

// Choice says which pools count, and what of them.
type Choice struct {
	Network   string   // one that is read
	Addresses []string // of the pools
	// HasRanges says that the pools are of version 3: members have positions, each with a range of prices. Otherwise they
	// are of version 2, and members have shares of the whole.
	HasRanges   bool
	OnlyInRange bool // positions count while the price is in their range
}

// Check makes sure that the pools can be valued at a block. Errors: *holdings.ContractError if one is no pool, or
// trades no token that counts as a dollar; as of holdings.Reader.Contract.
func (r *Reader) Check(ctx context.Context, c Choice, at holdings.Block) error {
	for _, address := range c.Addresses {
		if _, err := r.pool(ctx, c, at, address); err != nil {
			return err
		}
	}
	return nil
}

// Worth returns how many dollars those parts of the pools are worth that wallets have. Errors: as of Check.
func (r *Reader) Worth(ctx context.Context, c Choice, at holdings.Block, wallets []string) (*big.Rat, error) {
	sum := new(big.Rat)
	list := make([]pool, len(c.Addresses))
	for i, address := range c.Addresses {
		var err error
		if list[i], err = r.pool(ctx, c, at, address); err != nil {
			return nil, err
		}
	}
	if !c.HasRanges {
		for _, of := range list {
			worth, err := r.sharesOf(ctx, c.Network, at, of, wallets)
			if err != nil {
				return nil, err
			}
			sum.Add(sum, worth)
		}
		return sum, nil
	}
	found, err := r.positionsOf(ctx, c.Network, at, managersOf(list), wallets)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, of := range list {
			if of.has(p) && (!c.OnlyInRange || of.isInRange(p)) {
				sum.Add(sum, of.worthOf(p))
			}
		}
	}
	return sum, nil
}

// Tokens returns the two tokens that a pool trades, which never change. Errors: *holdings.ContractError if it is no
// pool; as of holdings.Reader.Head.
func (r *Reader) Tokens(ctx context.Context, network, address string) ([2]string, error) {
	key := contractKey{network, address}
	r.mu.Lock()
	known, ok := r.tokens[key]
	r.mu.Unlock()
	if ok {
		return known, nil
	}
	head, err := r.chains.Head(ctx, network)
	if err != nil {
		return known, err
	}
	answers, err := r.answersOf(ctx, network, head, address, token0, token1)
	if err != nil {
		return known, err
	}
	if len(answers[0]) != 1 || len(answers[1]) != 1 {
		return known, &holdings.ContractError{Network: network, Address: address, Problem: "is not a pool"}
	}
	known = [2]string{answers[0][0].address(), answers[1][0].address()}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tokens[key] = known
	return known, nil
}

// pool is a pool at a block.
type pool struct {
	address string

	token [2]string
	unit  [2]*big.Int // how many of the smallest unit of a token are a dollar; nil: it does not count as dollars

	reserve [2]*big.Int // of version 2
	supply  *big.Int    // of the shares

	fee      string // the next ones are of version 3
	root     *big.Int
	tick     int64
	managers []string // the contracts of its positions
}

type poolKey struct {
	network string
	at      holdings.Block
	address string
	isV3    bool
}

type contractKey struct{ network, address string }

// The functions that are called.
var (
	token0      = callOf("token0()")
	token1      = callOf("token1()")
	getReserves = callOf("getReserves()")
	totalSupply = callOf("totalSupply()")
	feeOf       = callOf("fee()")
	slot0       = callOf("slot0()")
	factory     = callOf("factory()")
	ownedToken  = abi.MustFunction("tokenOfOwnerByIndex(address,uint256)")
	positions   = abi.MustFunction("positions(uint256)")
)

func callOf(signature string) []byte { return abi.MustFunction(signature).MustEncodeCall() }

// pool returns a pool at a block.
func (r *Reader) pool(ctx context.Context, c Choice, at holdings.Block, address string) (pool, error) {
	key := poolKey{c.Network, at, address, c.HasRanges}
	r.mu.Lock()
	known, ok := r.pools[key]
	r.mu.Unlock()
	if ok {
		return known, nil
	}
	read := r.readPair
	if c.HasRanges {
		read = r.readRanged
	}
	found, err := read(ctx, c.Network, at, address)
	if err != nil {
		return pool{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.pools) >= maxPools {
		clear(r.pools)
	}
	r.pools[key] = found
	return found, nil
}

// answersOf calls functions of a contract. It returns what they have returned as words; nil for a function that the
// contract does not have.
func (r *Reader) answersOf(
	ctx context.Context, network string, at holdings.Block, address string, calls ...[]byte,
) ([][]word, error) {
	messages := make([]node.Message, len(calls))
	for i, data := range calls {
		messages[i] = node.Message{To: address, Data: data}
	}
	answers, err := r.chains.Calls(ctx, network, at, messages)
	if err != nil {
		return nil, err
	}
	out := make([][]word, len(answers))
	for i, data := range answers {
		out[i] = wordsIn(data)
	}
	return out, nil
}

// addUnits finds out which tokens of a pool count as dollars.
func (r *Reader) addUnits(ctx context.Context, network string, at holdings.Block, address string, p *pool) error {
	for _, dollar := range r.networks.Find(network).Network().DollarTokens {
		for i := range p.token {
			if p.token[i] != dollar {
				continue
			}
			c, err := r.chains.Contract(ctx, network, at, dollar)
			if err != nil {
				return err
			}
			if c.Standard != holdings.Fungible {
				return &holdings.ContractError{Network: network, Address: dollar, Problem: "is not a fungible token"}
			}
			p.unit[i] = new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.Decimals)), nil)
		}
	}
	if p.unit[0] == nil && p.unit[1] == nil {
		return &holdings.ContractError{Network: network, Address: address, Problem: "trades no dollar token"}
	}
	return nil
}
