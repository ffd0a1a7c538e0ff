// Package wallets checks that a message was signed by a wallet, and reads what the message says (contract 8.5). Each
// wallet type has a file. It knows nothing of users, has no database and stores no nonces.
package wallets

import (
	"context"
	"errors"
	"maps"
	"slices"
)

// ErrUnsupported is the error for a wallet type without a check.
var ErrUnsupported = errors.New("wallet type is not supported")

// The most bytes of a message and of a signature.
const (
	MaxMessage   = 4096
	MaxSignature = 4096
)

// Proof is a signed message as a caller sends it.
type Proof struct {
	Type      string // of contract 2, walletType
	Address   string
	Message   string
	Signature string
	TON       *TONProof // of type ton, in place of message and signature
}

// ContractReader asks a contract wallet whether a signature is its own (EIP-1271).
type ContractReader interface {
	// IsValidSignature reports whether the contract at the address accepts the signature of a hash.
	IsValidSignature(ctx context.Context, chainID uint64, address string, hash, signature []byte) (bool, error)
}

// verifier checks the signature of a proof and returns what the signed message says.
type verifier func(ctx context.Context, p Proof, contracts ContractReader) (Statement, bool, error)

// verifiers has the check of each wallet type that has one. flow_cadence has none: a driver of the operator would read
// the keys of its accounts.
var verifiers = map[string]verifier{
	"evm": verifyEVM, "agw": verifyEVM, "imx": verifyEVM, "solana": verifySolana, "sui": verifySui, "ton": verifyTON,
	"cosmos": verifyCosmos, "substrate": verifySubstrate,
}

// unchecked are the wallet types that secret keys may name and whose signatures are not checked.
var unchecked = []string{"flow_cadence"}

// Types lists the wallet types (contract 2).
func Types() []string {
	return slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(verifiers)), unchecked...)))
}

// Verify checks the signature of a proof and returns what the signed message says. ok is false if the signature is not
// that of the address, or the message has no known form. contracts may be nil: then contract wallets prove nothing.
// Errors: ErrUnsupported, and those of contracts.
func (p Proof) Verify(ctx context.Context, contracts ContractReader) (s Statement, ok bool, err error) {
	verify := verifiers[p.Type]
	if verify == nil {
		return Statement{}, false, ErrUnsupported
	}
	if len(p.Message) > MaxMessage || len(p.Signature) > MaxSignature {
		return Statement{}, false, nil
	}
	return verify(ctx, p, contracts)
}

// local returns a verifier for a wallet type whose signature needs no network, over a message of the common form.
func local(isSigned func(p Proof) bool) verifier {
	return func(_ context.Context, p Proof, _ ContractReader) (Statement, bool, error) {
		s, ok := parseCommon(p.Message, p.Address)
		return s, ok && isSigned(p), nil
	}
}
