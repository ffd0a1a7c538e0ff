// Package wallets checks that a message was signed by a wallet, and reads what the message says (contract 8.5). Each
// wallet type has a file. It knows nothing of users, has no database and stores no nonces.
package wallets

import (
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

// Question is what a contract wallet must be asked if the signature is not that of a key: whether it accepts the
// signature of the hash (EIP-1271).
type Question struct {
	ChainID         uint64 // 0: the message names no chain
	Address         string
	Hash, Signature []byte
}

// verifier checks the signature of a proof and returns what the signed message says.
type verifier func(p Proof) (s Statement, ok bool, ask *Question)

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
// that of the address' key, or the message has no known form. Where the address may be a contract wallet, ask is then
// the question to it; it is nil if nobody needs to be asked. Errors: ErrUnsupported.
func (p Proof) Verify() (s Statement, ok bool, ask *Question, err error) {
	verify := verifiers[p.Type]
	if verify == nil {
		return Statement{}, false, nil, ErrUnsupported
	}
	if len(p.Message) > MaxMessage || len(p.Signature) > MaxSignature {
		return Statement{}, false, nil, nil
	}
	s, ok, ask = verify(p)
	return s, ok, ask, nil
}

// local returns a verifier for a wallet type whose signature needs no network, over a message of the common form.
func local(isSigned func(p Proof) bool) verifier {
	return func(p Proof) (Statement, bool, *Question) {
		s, ok := parseCommon(p.Message, p.Address)
		return s, ok && isSigned(p), nil
	}
}
