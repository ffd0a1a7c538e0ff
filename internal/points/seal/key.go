package seal

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
)

// Key signs blocks (Ed25519, RFC 8032).
type Key struct{ private ed25519.PrivateKey }

// SeedSize is the number of random bytes that a key is made of.
const SeedSize = ed25519.SeedSize

const (
	keyUse  = "laurel seal ed25519"
	pemType = "PRIVATE KEY"
)

// ErrKey says that a file has no Ed25519 private key.
var ErrKey = errors.New("must hold an Ed25519 private key in PEM form (PKCS #8)")

// NewKey makes a key of SeedSize random bytes.
func NewKey(seed []byte) Key { return Key{ed25519.NewKeyFromSeed(seed)} }

// DeriveKey makes the key that belongs to a secret, by HKDF-SHA256 (RFC 5869): the same secret, the same key.
func DeriveKey(secret []byte) (Key, error) {
	seed, err := hkdf.Key(sha256.New, secret, nil, keyUse, SeedSize)
	if err != nil {
		return Key{}, err
	}
	return NewKey(seed), nil
}

// ParseKey parses the PEM form of PKCS #8 (RFC 5958, RFC 8410), as `openssl genpkey -algorithm ed25519` writes it. It
// returns ErrKey for anything else.
func ParseKey(text []byte) (Key, error) {
	block, _ := pem.Decode(text)
	if block == nil || block.Type != pemType {
		return Key{}, ErrKey
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return Key{}, ErrKey
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return Key{}, ErrKey
	}
	return Key{private}, nil
}

// PEM returns the key in the form that ParseKey parses.
func (k Key) PEM() ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(k.private)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: pemType, Bytes: der}), nil
}

// Public returns the public key, which verifies signatures.
func (k Key) Public() PublicKey {
	return PublicKey(k.private.Public().(ed25519.PublicKey)) //nolint:forcetypeassert // an Ed25519 key returns this type
}
