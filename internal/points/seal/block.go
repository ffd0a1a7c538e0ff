package seal

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"laurel.example/laurel"
)

// Block seals some entries of one organization. Its hash covers every field except the signature, and the next block
// has its hash.
type Block struct {
	OrganizationID laurel.ID `json:"organizationId" db:"organization_id"`
	Number         int64     `json:"number" db:"number"` // 1, 2, 3 … within the organization
	Size           int64     `json:"size" db:"size"`     // how many entries it seals
	Root           Hash      `json:"root" db:"root"`     // of the Merkle tree over their leaves
	PreviousHash   Hash      `json:"previousHash" db:"previous_hash"`
	CreatedAt      int64     `json:"createdAt" db:"created_at"` // microseconds since 1970, UTC
	PublicKey      PublicKey `json:"publicKey" db:"public_key"`
	Hash           Hash      `json:"hash" db:"hash"`
	Signature      Signature `json:"signature" db:"signature"` // of the hash, by the public key
}

// The prefixes of the texts that a block's hash and signature are made of.
const (
	blockPrefix = "laurel block 1\x00"
	headPrefix  = "laurel block head 1\x00"
)

// The errors of Block.Check.
var (
	ErrBlockHash = errors.New("its hash does not fit its fields")
	ErrSignature = errors.New("its signature does not fit its hash and public key")
)

// Seal returns the block with its public key, hash and signature set.
func (k Key) Seal(b Block) Block {
	b.PublicKey = k.Public()
	b.Hash = b.computeHash()
	copy(b.Signature[:], ed25519.Sign(k.private, signedText(b.Hash)))
	return b
}

// Check verifies the hash and the signature of a block. It returns ErrBlockHash or ErrSignature. It does not check
// whether the public key is trusted.
func (b Block) Check() error {
	if b.computeHash() != b.Hash {
		return ErrBlockHash
	}
	if !ed25519.Verify(b.PublicKey[:], signedText(b.Hash), b.Signature[:]) {
		return ErrSignature
	}
	return nil
}

// computeHash returns SHA-256 over "laurel block 1", 0x00, organization (16 bytes), number, size (8 bytes each, big
// endian), root, previous hash, time (8 bytes) and public key.
func (b Block) computeHash() Hash {
	text := append(make([]byte, 0, 192), blockPrefix...)
	text = append(text, b.OrganizationID[:]...)
	text = appendInt(appendInt(text, b.Number), b.Size)
	text = append(append(text, b.Root[:]...), b.PreviousHash[:]...)
	text = append(appendInt(text, b.CreatedAt), b.PublicKey[:]...)
	return sha256.Sum256(text)
}

// signedText returns the text that a block's signature signs.
func signedText(h Hash) []byte { return append([]byte(headPrefix), h[:]...) }

// appendInt appends n as 8 bytes, big endian.
func appendInt(b []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(n)) //nolint:gosec // two's complement is what is hashed
}
