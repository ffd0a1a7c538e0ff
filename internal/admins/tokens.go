package admins

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"laurel.example/laurel/internal/store"
)

// tokenBytes is the number of random bytes of a token: it cannot be guessed, so its hash needs no salt.
const tokenBytes = 32

// newToken returns the secret part of a link.
func newToken(tx *store.Tx) string {
	b := make([]byte, tokenBytes)
	tx.Random(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// hashToken returns the stored form of a token or a recovery code. It also stands for an e-mail address where that
// must not be readable.
func hashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// HashedToken returns the stored form of a session's token, which its library hashes in its own way.
func HashedToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
