// Package keccak computes Keccak-256, the hash of Ethereum, which SHA3-256 differs from by its padding.
package keccak

import "golang.org/x/crypto/sha3"

// Sum256 returns the Keccak-256 hash of bytes.
func Sum256(b []byte) []byte {
	h := sha3.NewLegacyKeccak256()
	_, _ = h.Write(b) // never fails
	return h.Sum(nil)
}
