package wallets

import (
	"crypto/ed25519"

	"laurel/internal/evm"
)

// verifySolana checks an ed25519 signature in base58 over the message. The address is the public key.
var verifySolana = local(func(p Proof) bool {
	key, isKey := evm.DecodeBase58(p.Address)
	signature, isSignature := evm.DecodeBase58(p.Signature)
	return isKey && isSignature && isSignedByKey(key, []byte(p.Message), signature)
})

// isSignedByKey reports whether an ed25519 key has signed a message.
func isSignedByKey(key, message, signature []byte) bool {
	return len(key) == ed25519.PublicKeySize && len(signature) == ed25519.SignatureSize &&
		ed25519.Verify(key, message, signature)
}
