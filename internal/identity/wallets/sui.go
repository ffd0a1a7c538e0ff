package wallets

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"

	"golang.org/x/crypto/blake2b"
)

const suiEd25519 = 0 // the byte of the scheme

// verifySui checks a signature of a personal message: base64 of a byte for the scheme, the signature and the public
// key. Only ed25519 is checked. The address is the hash of scheme and key.
var verifySui = local(func(p Proof) bool {
	b, err := base64.StdEncoding.DecodeString(p.Signature)
	if err != nil || len(b) != 1+64+32 || b[0] != suiEd25519 {
		return false
	}
	signature, key := b[1:65], b[65:]
	address := blake2b.Sum256(append([]byte{suiEd25519}, key...))
	// The intent: a personal message, version 0, of Sui; then the message in BCS, with its length before it.
	text := binary.AppendUvarint([]byte{3, 0, 0}, uint64(len(p.Message)))
	hash := blake2b.Sum256(append(text, p.Message...))
	// Only one spelling of an address counts, or one key would be many users.
	return p.Address == "0x"+hex.EncodeToString(address[:]) && isSignedByKey(key, hash[:], signature)
})
