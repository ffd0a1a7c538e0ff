package admins

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"laurel/internal/store"
)

// tokenBytes is what a token holds of chance: nobody can guess one, so its hash needs no salt.
const tokenBytes = 32

// newToken makes the secret part of a link.
func newToken(tx *store.Tx) string {
	b := make([]byte, tokenBytes)
	tx.Random(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// hashToken is what is kept of a token or a recovery code, and how an address is named where it must not be read.
func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// HashedToken is what is kept of a session's token. The library that makes tokens hashes them in its own way.
func HashedToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
