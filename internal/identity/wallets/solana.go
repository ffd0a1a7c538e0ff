package wallets

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"slices"

	"laurel.example/laurel/internal/evm"
)

// verifySolana checks an ed25519 signature in base58 over the message. The address is the public key.
var verifySolana = local(func(p Proof) bool {
	key, isKey := evm.DecodeBase58(p.Address)
	signature, isSignature := evm.DecodeBase58(p.Signature)
	return isKey && isSignature && isSignedByKey(key, []byte(p.Message), signature)
})

// isSignedByKey reports whether an ed25519 key has signed a message (RFC 8032). Nobody has a key of small order, and
// everybody can sign for one.
func isSignedByKey(key, message, signature []byte) bool {
	return len(key) == ed25519.PublicKeySize && len(signature) == ed25519.SignatureSize && !hasSmallOrder(key) &&
		ed25519.Verify(key, message, signature)
}

// smallOrder holds the encodings of the points whose order divides the cofactor, without the sign of x: 0 and p (order
// 4), 1 and p+1 (order 1), p-1 (order 2), and two of order 8.
var smallOrder = []string{
	"0000000000000000000000000000000000000000000000000000000000000000",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
}

// hasSmallOrder reports whether an ed25519 key is a point of small order.
func hasSmallOrder(key []byte) bool {
	unsigned := bytes.Clone(key)
	unsigned[len(unsigned)-1] &= 0x7f
	return slices.Contains(smallOrder, hex.EncodeToString(unsigned))
}
