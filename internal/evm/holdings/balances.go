package holdings

import (
	"context"
	"encoding/hex"
	"errors"
	"math/big"
	"slices"

	"laurel.example/laurel/internal/evm/abi"
	"laurel.example/laurel/internal/evm/node"
)

const (
	wordSize = 32 // bytes
	// multicall has the same address on every network that has one, and one code, which its address follows from.
	multicall = "0xca11bde05977b3631167028862be2a173976ca11"
	// perMulticall is how many balances one call of it reads. Nodes limit the gas of a call to that of a block or so.
	perMulticall = 100
	// recheckAfter is after how many blocks a network without a multicall contract is asked for one again.
	recheckAfter = 1000
)

// The functions that are called.
var (
	supportsInterface = abi.MustFunction("supportsInterface(bytes4)")
	decimalsFunction  = abi.MustFunction("decimals()")
	balanceOf         = abi.MustFunction("balanceOf(address)")
	balanceOfID       = abi.MustFunction("balanceOf(address,uint256)")
	aggregate         = abi.MustFunction("function aggregate3((address target, bool mayFail, bytes data)[]) returns " +
		"((bool success, bytes data)[])")
	coinBalance = abi.MustFunction("getEthBalance(address)")
)

func supportsCall(id string) []byte { return supportsInterface.MustEncodeCall(id) }
func decimalsCall() []byte          { return decimalsFunction.MustEncodeCall() }

// balanceCall returns the data of a call that returns the balance of a token.
func balanceCall(k Key) []byte {
	if k.ID != "" {
		return balanceOfID.MustEncodeCall(k.Wallet, k.ID)
	}
	return balanceOf.MustEncodeCall(k.Wallet)
}

// message returns the call that reads a balance: of the contract, or of the multicall contract for coins.
func (k Key) message() node.Message {
	if k.Contract == "" {
		return node.Message{To: multicall, Data: coinBalance.MustEncodeCall(k.Wallet)}
	}
	return node.Message{To: k.Contract, Data: balanceCall(k)}
}

// readBalances reads balances. It leaves out those for which a contract gave no number.
func (n *network) readBalances(ctx context.Context, keys []balanceKey) (map[balanceKey]*big.Int, error) {
	byBlock := map[Block][]Key{}
	for _, k := range keys {
		byBlock[k.at] = append(byBlock[k.at], k.Key)
	}
	out := make(map[balanceKey]*big.Int, len(keys))
	for at, list := range byBlock {
		found, err := n.readAt(ctx, at, list)
		if err != nil {
			return nil, err
		}
		for k, value := range found {
			out[balanceKey{at, k}] = value
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.cached)+len(out) > maxCached {
		clear(n.cached)
	}
	for k, value := range out {
		n.cached[k] = value
	}
	return out, nil
}

// readAt reads balances at one block: by the multicall contract where the network has one, else in batches.
func (n *network) readAt(ctx context.Context, at Block, keys []Key) (map[Key]*big.Int, error) {
	out := make(map[Key]*big.Int, len(keys))
	if len(keys) == 1 {
		return out, n.readEach(ctx, at, keys, out)
	}
	has, err := n.hasMulticall(ctx, at)
	if err != nil {
		return nil, err
	}
	if !has {
		return out, n.readEach(ctx, at, keys, out)
	}
	messages := make([]node.Message, len(keys))
	for i, k := range keys {
		messages[i] = k.message()
	}
	answers, err := n.callTogether(ctx, at, messages)
	if err != nil {
		return nil, err
	}
	for i, k := range keys {
		if value := numberIn(answers[i]); value != nil {
			out[k] = value
		}
	}
	return out, nil
}

// Calls calls functions of contracts at a block: by the multicall contract where the network has one, else in batches.
// It returns what they have returned; nil for a function that has failed. Errors: as of Contract.
func (r *Reader) Calls(ctx context.Context, network string, at Block, messages []node.Message) ([][]byte, error) {
	n := r.networks[network]
	if len(messages) == 0 {
		return nil, nil
	}
	has, err := n.hasMulticall(ctx, at)
	if err != nil {
		return nil, err
	}
	if !has {
		return n.callEach(ctx, at, messages)
	}
	return n.callTogether(ctx, at, messages)
}

// callTogether is Calls by the multicall contract.
func (n *network) callTogether(ctx context.Context, at Block, messages []node.Message) ([][]byte, error) {
	parts := slices.Collect(slices.Chunk(messages, perMulticall))
	together := make([]node.Message, len(parts))
	for i, part := range parts {
		calls := make([]any, len(part))
		for j, m := range part {
			calls[j] = []any{m.To, true, "0x" + hex.EncodeToString(m.Data)}
		}
		together[i] = node.Message{To: multicall, Data: aggregate.MustEncodeCall(calls)}
	}
	results, err := n.client.Calls(ctx, together, node.At{Hash: at.Hash})
	if err != nil {
		return nil, err
	}
	out := make([][]byte, 0, len(messages))
	for i, r := range results {
		var answers [][]byte
		err := r.Err
		if err == nil {
			answers, err = answersIn(r.Data, len(parts[i]))
		}
		answer := (*node.RPCError)(nil)
		if errors.As(err, &answer) && answer.IsOfContract() { // such as for want of gas
			answers, err = n.callEach(ctx, at, parts[i])
		}
		if err != nil {
			return nil, err
		}
		out = append(out, answers...)
	}
	return out, nil
}

// callEach is Calls with a request for each.
func (n *network) callEach(ctx context.Context, at Block, messages []node.Message) ([][]byte, error) {
	results, err := n.client.Calls(ctx, messages, node.At{Hash: at.Hash})
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(results))
	for i, r := range results {
		answer := (*node.RPCError)(nil)
		if r.Err != nil && (!errors.As(r.Err, &answer) || !answer.IsOfContract()) {
			return nil, r.Err
		}
		if r.Err == nil {
			out[i] = r.Data
		}
	}
	return out, nil
}

// answersIn returns what a call of the multicall contract says that each of its calls has returned; nil for those that
// have failed. Errors: node.ErrInvalid.
func answersIn(data []byte, count int) ([][]byte, error) {
	values, err := aggregate.DecodeResults(data)
	if err != nil {
		return nil, errors.Join(node.ErrInvalid, err)
	}
	list, ok := values[0].([]any)
	if !ok || len(list) != count {
		return nil, node.ErrInvalid
	}
	out := make([][]byte, count)
	for i, item := range list {
		fields, ok := item.(map[string]any)
		if !ok {
			return nil, node.ErrInvalid
		}
		text, _ := fields["data"].(string)
		answer, err := hex.DecodeString(text[min(2, len(text)):])
		if err != nil {
			return nil, errors.Join(node.ErrInvalid, err)
		}
		if fields["success"] == true {
			out[i] = answer
		}
	}
	return out, nil
}

// readEach reads balances with one request for each, in batches.
func (n *network) readEach(ctx context.Context, at Block, keys []Key, out map[Key]*big.Int) error {
	var tokens, coins []Key
	for _, k := range keys {
		if k.Contract == "" {
			coins = append(coins, k)
		} else {
			tokens = append(tokens, k)
		}
	}
	if len(coins) > 0 {
		accounts := make([]string, len(coins))
		for i, k := range coins {
			accounts[i] = k.Wallet
		}
		values, err := n.client.Balances(ctx, accounts, node.At{Hash: at.Hash})
		if err != nil {
			return err
		}
		for i, k := range coins {
			out[k] = values[i]
		}
	}
	if len(tokens) == 0 {
		return nil
	}
	messages := make([]node.Message, len(tokens))
	for i, k := range tokens {
		messages[i] = k.message()
	}
	answers, err := n.callEach(ctx, at, messages)
	if err != nil {
		return err
	}
	for i, k := range tokens {
		if value := numberIn(answers[i]); value != nil {
			out[k] = value
		}
	}
	return nil
}

// hasMulticall reports whether the network has a multicall contract at a block.
func (n *network) hasMulticall(ctx context.Context, at Block) (bool, error) {
	n.mu.Lock()
	from, without := n.multicallAt, n.withoutUpTo
	n.mu.Unlock()
	switch {
	case from != nil && at.Number >= *from:
		return true, nil
	case without != nil && at.Number < *without+recheckAfter:
		return false, nil
	}
	code, err := n.client.Code(ctx, multicall, node.At{Hash: at.Hash})
	if err != nil {
		return false, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	height := at.Number
	if len(code) > 0 {
		n.multicallAt = &height
	} else {
		n.withoutUpTo = &height
	}
	return len(code) > 0, nil
}
