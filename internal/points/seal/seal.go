// Package seal makes tampering with the ledger evident: leaf hashes of entries, Merkle trees over them, chained and
// signed blocks, and proofs that an entry is in a block. It uses neither database nor clock. The ledger decides which
// entries make a block, app where the key is stored.
//
// All hashes are SHA-256. Leaves and nodes differ in their first byte (RFC 6962, section 2.1), and every other hashed
// or signed text begins with its kind, so that none can be taken for another.
package seal

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Hash is a SHA-256 hash; its text is 64 hexadecimal digits. The first block of a chain has the zero Hash as its
// previous one.
type Hash [sha256.Size]byte

// PublicKey is an Ed25519 public key (RFC 8032); its text is 64 hexadecimal digits.
type PublicKey [ed25519.PublicKeySize]byte

// Signature is an Ed25519 signature; its text is 128 hexadecimal digits.
type Signature [ed25519.SignatureSize]byte

// String returns the digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText returns the digits.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (h *Hash) UnmarshalText(b []byte) error { return decodeHex(h[:], b) }

// Scan reads a column that holds the bytes or the digits.
func (h *Hash) Scan(src any) error { scan(h[:], src); return nil }

// String returns the digits.
func (k PublicKey) String() string { return hex.EncodeToString(k[:]) }

// MarshalText returns the digits.
func (k PublicKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (k *PublicKey) UnmarshalText(b []byte) error { return decodeHex(k[:], b) }

// Scan reads a column that holds the digits.
func (k *PublicKey) Scan(src any) error { scan(k[:], src); return nil }

// String returns the digits.
func (s Signature) String() string { return hex.EncodeToString(s[:]) }

// MarshalText returns the digits.
func (s Signature) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Signature) UnmarshalText(b []byte) error { return decodeHex(s[:], b) }

// Scan reads a column that holds the digits.
func (s *Signature) Scan(src any) error { scan(s[:], src); return nil }

// decodeHex decodes hexadecimal digits, which must fill dst exactly.
func decodeHex(dst, text []byte) error {
	if len(text) != hex.EncodedLen(len(dst)) {
		return fmt.Errorf("must be %d hexadecimal digits", hex.EncodedLen(len(dst)))
	}
	if _, err := hex.Decode(dst, text); err != nil {
		return fmt.Errorf("must be %d hexadecimal digits", hex.EncodedLen(len(dst)))
	}
	return nil
}

// scan sets dst to the value of a column that holds its bytes or their hexadecimal digits. Any other value becomes zero
// bytes, so that verification reports a corrupt column instead of failing on it.
func scan(dst []byte, src any) {
	clear(dst)
	var from []byte
	switch v := src.(type) {
	case string:
		from = []byte(v)
	case []byte:
		from = v
	}
	if len(from) == len(dst) {
		copy(dst, from)
	} else if decodeHex(dst, from) != nil {
		clear(dst)
	}
}
