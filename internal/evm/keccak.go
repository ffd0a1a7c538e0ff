package evm

import "golang.org/x/crypto/sha3"

// Keccak returns the Keccak-256 hash of bytes.
func Keccak(b []byte) []byte {
	h := sha3.NewLegacyKeccak256()
	_, _ = h.Write(b) // never fails
	return h.Sum(nil)
}
