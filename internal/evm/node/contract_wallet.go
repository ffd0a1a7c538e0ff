package node

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
)

// acceptsSignature is what isValidSignature(bytes32,bytes) returns for a valid signature, and its selector (EIP-1271).
var acceptsSignature = []byte{0x16, 0x26, 0xba, 0x7e}

const word = 32 // bytes

// IsValidSignature reports whether the contract at an address of the network with a chain id accepts the signature of
// a hash (EIP-1271). Without a chain id, one of the networks must accept it. Where Laurel reads no such network, none
// is valid. It is valid only if one answer says at once that the node is of the chain, that the account has code, and
// that this code accepts. Errors: as of Client.Head, if no network accepts and one did not answer.
func (n *Networks) IsValidSignature(
	ctx context.Context, chainID uint64, account string, hash, signature []byte,
) (bool, error) {
	clients := n.clients
	if chainID != 0 {
		clients = nil
		if c := n.ByChainID(chainID); c != nil {
			clients = []*Client{c}
		}
	}
	var faults error
	for _, c := range clients {
		isValid, err := c.isValidSignature(ctx, account, hash, signature)
		if isValid && err == nil {
			return true, nil
		}
		faults = errors.Join(faults, err)
	}
	return false, faults
}

func (c *Client) isValidSignature(ctx context.Context, account string, hash, signature []byte) (bool, error) {
	chain, code := newRequest("eth_chainId"), newRequest("eth_getCode", account, "latest")
	call := newRequest("eth_call", Message{To: account, Data: signatureCall(hash, signature)}.params(), "latest")
	checkChain := func(*address) error { return c.checkChain(chain) }
	err := c.do(ctx, checkChain, chain, code, call)
	switch answer := (*RPCError)(nil); {
	case errors.As(err, &answer) && chain.err == nil && code.err == nil: // the call alone failed: the contract has refused
		if answer.isFinal() {
			return false, nil
		}
		return false, err
	case err != nil:
		return false, err
	}
	var has, result data
	if err := errors.Join(code.read(&has), call.read(&result)); err != nil {
		return false, ErrInvalid
	}
	accepts := append(bytes.Clone(acceptsSignature), make([]byte, word-len(acceptsSignature))...)
	return len(has) > 0 && bytes.Equal(result, accepts), nil
}

// signatureCall returns the data of a call of isValidSignature.
func signatureCall(hash, signature []byte) []byte {
	number := func(n int) []byte {
		out := make([]byte, word)
		binary.BigEndian.PutUint64(out[word-8:], uint64(n)) //nolint:gosec // a length
		return out
	}
	padding := make([]byte, (word-len(signature)%word)%word)
	return bytes.Join([][]byte{acceptsSignature, hash, number(2 * word), number(len(signature)), signature, padding}, nil)
}
