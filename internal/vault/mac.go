package vault

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

const macUse = "laurel vault hmac-sha256"

// MAC returns a keyed hash of a text for its context (HMAC-SHA256, RFC 2104), in printable form. It hides short texts,
// such as codes of a few digits, from readers of the database, who could find a plain hash by trying. Only CheckMAC
// with the same context accepts it.
func (v *Vault) MAC(text, context string) string {
	key := v.macKeys[v.sealID]
	if key == nil {
		panic("vault: it is closed") // what is hashed now could never be checked
	}
	return v.sealID + "." + hex.EncodeToString(mac(key, text, context))
}

// CheckMAC reports whether MAC has returned the hash for the text and the context, with any of the vault's keys.
func (v *Vault) CheckMAC(hash, text, context string) bool {
	id, sum, _ := strings.Cut(hash, ".")
	key := v.macKeys[id]
	return key != nil && hmac.Equal([]byte(sum), []byte(hex.EncodeToString(mac(key, text, context))))
}

// mac hashes a context and a text, of which neither can be mistaken for a part of the other.
func mac(key []byte, text, context string) []byte {
	h := hmac.New(sha256.New, key)
	inner := sha256.Sum256([]byte(context))
	h.Write(inner[:])
	h.Write([]byte(text))
	return h.Sum(nil)
}

// deriveMACKey returns the key of MAC that belongs to a key of the vault.
func deriveMACKey(key []byte) ([]byte, error) {
	return hkdf.Key(sha256.New, key, nil, macUse, sha256.Size)
}
