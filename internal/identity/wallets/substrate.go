package wallets

import (
	"github.com/ChainSafe/go-schnorrkel"

	"laurel.example/laurel/internal/evm"
)

// The bytes of the schemes, where a signature begins with one.
const (
	substrateEd25519 = 0
	substrateSr25519 = 1
)

// verifySubstrate checks a signature in hexadecimal over <Bytes>message</Bytes>: 64 bytes of sr25519 or ed25519, or 65
// that begin with the scheme. The address holds the public key (SS58).
var verifySubstrate = local(func(p Proof) bool {
	key, isKey := evm.DecodeSS58(p.Address)
	signature, isHex := decodeHex(p.Signature)
	if !isKey || !isHex {
		return false
	}
	message := []byte("<Bytes>" + p.Message + "</Bytes>")
	switch {
	case len(signature) == 64:
		return isSignedBySr25519(key, message, signature) || isSignedByKey(key, message, signature)
	case len(signature) == 65 && signature[0] == substrateEd25519:
		return isSignedByKey(key, message, signature[1:])
	case len(signature) == 65 && signature[0] == substrateSr25519:
		return isSignedBySr25519(key, message, signature[1:])
	}
	return false
})

// isSignedBySr25519 reports whether an sr25519 key has signed a message.
func isSignedBySr25519(key, message, signature []byte) bool {
	public, sent := &schnorrkel.PublicKey{}, &schnorrkel.Signature{}
	if public.Decode([32]byte(key)) != nil || sent.Decode([64]byte(signature)) != nil {
		return false
	}
	ok, err := public.Verify(sent, schnorrkel.NewSigningContext([]byte("substrate"), message))
	return ok && err == nil
}
