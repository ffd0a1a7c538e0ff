package holdings

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"laurel.example/laurel/internal/evm/node"
)

// Standard is what a contract of tokens does.
type Standard int

// The standards.
const (
	Fungible        Standard = iota + 1 // ERC-20
	Collection                          // ERC-721
	MultiCollection                     // ERC-1155
)

// Contract is a contract of tokens.
type Contract struct {
	Standard Standard
	Decimals int // of a Fungible one
}

// ContractError says why an address cannot be read as a contract of tokens.
type ContractError struct{ Network, Address, Problem string }

func (e *ContractError) Error() string {
	return fmt.Sprintf("%s on %s %s", e.Address, e.Network, e.Problem)
}

const maxDecimals = 77 // 10 to the power of more does not fit into 256 bits

type contractKey struct {
	at      Block
	address string
}

// inspection is what was found at an address.
type inspection struct {
	contract Contract
	problem  string // why it is no contract of tokens; "": it is one
}

// knownContract is a contract of tokens, and the lowest height at which it was seen. What it is does not change later.
type knownContract struct {
	Contract

	from uint64
}

// contract returns what kind of tokens a contract has at a block.
func (n *network) contract(ctx context.Context, at Block, address string) (Contract, error) {
	n.mu.Lock()
	known, ok := n.known[address]
	n.mu.Unlock()
	if ok && known.from <= at.Number {
		return known.Contract, nil
	}
	found, _, err := n.contracts.Get(ctx, contractKey{at, address})
	switch {
	case err != nil:
		return Contract{}, err
	case found.problem != "":
		return Contract{}, &ContractError{n.client.Network().Name, address, found.problem}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.known) >= maxKnown {
		clear(n.known)
	}
	from := at.Number
	if ok { // somebody has seen it later
		from = min(from, known.from)
	}
	n.known[address] = knownContract{found.contract, from}
	return found.contract, nil
}

// inspect finds out what contracts do.
func (n *network) inspect(ctx context.Context, keys []contractKey) (map[contractKey]inspection, error) {
	out := make(map[contractKey]inspection, len(keys))
	for _, key := range keys {
		found, err := n.inspectOne(ctx, key)
		if err != nil {
			return nil, err
		}
		out[key] = found
	}
	return out, nil
}

// Interfaces of ERC-165, whose own contracts say that they do not support none.
const (
	interfaceNone  = "0xffffffff"
	interface721   = "0x80ac58cd"
	interface1155  = "0xd9b67a26"
	callsOfInspect = 5
)

func (n *network) inspectOne(ctx context.Context, key contractKey) (inspection, error) {
	at := node.At{Hash: key.at.Hash}
	code, err := n.client.Code(ctx, key.address, at)
	if err != nil {
		return inspection{}, err
	}
	if len(code) == 0 {
		return inspection{problem: "is not a contract"}, nil
	}
	results, err := n.client.Calls(ctx, []node.Message{
		{To: key.address, Data: supportsCall(interfaceNone)}, {To: key.address, Data: supportsCall(interface721)},
		{To: key.address, Data: supportsCall(interface1155)}, {To: key.address, Data: decimalsCall()},
		{To: key.address, Data: balanceCall(Key{Wallet: key.address})},
	}, at)
	if err != nil {
		return inspection{}, err
	}
	words := [callsOfInspect]*big.Int{} // nil: the contract has no such function
	for i, r := range results {
		if words[i], err = wordOf(r); err != nil {
			return inspection{}, err
		}
	}
	supports := func(i int) bool { return isOne(words[i]) && !isOne(words[0]) }
	hasBalances, decimals := words[4] != nil, words[3]
	hasDecimals := decimals != nil && decimals.IsInt64() && decimals.Int64() <= maxDecimals
	switch {
	case supports(2):
		return inspection{contract: Contract{Standard: MultiCollection}}, nil
	case hasBalances && supports(1):
		return inspection{contract: Contract{Standard: Collection}}, nil
	case hasBalances && hasDecimals:
		return inspection{contract: Contract{Fungible, int(decimals.Int64())}}, nil
	}
	return inspection{problem: "is not a contract of tokens"}, nil
}

func isOne(n *big.Int) bool { return n != nil && n.IsInt64() && n.Int64() == 1 }

// wordOf returns the number that a call has returned; nil if the contract has no such function. Errors: *node.RPCError
// if the node cannot answer.
func wordOf(r node.Result) (*big.Int, error) {
	if r.Err != nil {
		answer := (*node.RPCError)(nil)
		if errors.As(r.Err, &answer) && answer.IsOfContract() {
			return nil, nil //nolint:nilnil // the contract has no such function
		}
		return nil, r.Err
	}
	return numberIn(r.Data), nil
}

// numberIn returns the number that a function has returned; nil if it is not exactly one word.
func numberIn(data []byte) *big.Int {
	if len(data) != wordSize {
		return nil
	}
	return new(big.Int).SetBytes(data)
}
