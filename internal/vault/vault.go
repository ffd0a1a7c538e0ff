// Package vault seals secrets that must be readable again, such as member secrets and signing keys, before they are
// stored. It does not own where sealed texts are stored, nor where its keys come from. Secrets that need not be read
// again are hashed elsewhere.
package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

const (
	version = "v1"
	// minKeyBytes refuses keys that can be guessed: HKDF does not strengthen them.
	minKeyBytes = 16
	idBytes     = 6
	cipherUse   = "laurel vault aes-256-gcm"
	idUse       = "laurel vault key id"
)

// Errors of Open. They do not say which part of a text was wrong, so that nobody learns it by trying.
var (
	// ErrUnknownKey says that a text was sealed with a key that the vault does not have, or is no sealed text.
	ErrUnknownKey = errors.New("vault: sealed with an unknown key")
	// ErrBroken says that a text was changed after it was sealed, or was sealed for another context.
	ErrBroken = errors.New("vault: sealed text does not open")
)

// Vault seals with its first key and opens with all of them, so a key is replaced by putting a new one first. It may
// be used by many goroutines.
type Vault struct {
	random  func([]byte)
	sealID  string
	keys    map[string]cipher.AEAD
	macKeys map[string][]byte
}

// New returns a vault that seals with the first key and opens with all of them. random fills a slice with secure bytes.
// Each key has at least 16 bytes of any form: AES-256 keys and their ids are derived from it with HKDF-SHA256 (RFC
// 5869).
func New(random func([]byte), keys ...[]byte) (*Vault, error) {
	if len(keys) == 0 {
		return nil, errors.New("vault: a key is needed")
	}
	v := &Vault{random: random, keys: map[string]cipher.AEAD{}, macKeys: map[string][]byte{}}
	for i, key := range keys {
		if len(key) < minKeyBytes {
			return nil, fmt.Errorf("vault: key %d must have at least %d bytes", i+1, minKeyBytes)
		}
		id, aead, err := deriveKey(key)
		if err != nil {
			return nil, fmt.Errorf("vault: %w", err)
		}
		if i == 0 {
			v.sealID = id
		}
		v.keys[id] = aead
		if v.macKeys[id], err = deriveMACKey(key); err != nil {
			return nil, fmt.Errorf("vault: %w", err)
		}
	}
	return v, nil
}

// deriveKey returns the public id of a key, and the cipher that seals with it. The id reveals nothing about the key.
func deriveKey(key []byte) (string, cipher.AEAD, error) {
	id, err := hkdf.Key(sha256.New, key, nil, idUse, idBytes)
	if err != nil {
		return "", nil, err
	}
	secret, err := hkdf.Key(sha256.New, key, nil, cipherUse, 32)
	if err != nil {
		return "", nil, err
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return "", nil, err
	}
	aead, err := cipher.NewGCM(block)
	return base64.RawURLEncoding.EncodeToString(id), aead, err
}

// Seal encrypts a text with AES-256-GCM and a random nonce. The result is printable: "v1.<key id>.<base64url>". It can
// only be opened with the same context, for example "member_secret:<id>", so a sealed text copied to another row is
// useless.
func (v *Vault) Seal(plain []byte, context string) string {
	aead := v.keys[v.sealID]
	if aead == nil {
		panic("vault: it is closed") // what is sealed now could never be opened
	}
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(plain)+aead.Overhead())
	v.random(nonce)
	sealed := aead.Seal(nonce, nonce, plain, []byte(context))
	return version + "." + v.sealID + "." + base64.RawURLEncoding.EncodeToString(sealed)
}

// Open returns the text that was sealed with the context. Errors: ErrUnknownKey if the vault does not have the key or
// the text is not a sealed one; ErrBroken if the text was changed or sealed with another context.
func (v *Vault) Open(sealed, context string) ([]byte, error) {
	parts := strings.Split(sealed, ".")
	if len(parts) != 3 || parts[0] != version || v.keys[parts[1]] == nil {
		return nil, ErrUnknownKey
	}
	aead := v.keys[parts[1]]
	// Strict and without line ends, which the decoder would skip, so that no second spelling of a sealed text opens.
	data, err := base64.RawURLEncoding.Strict().DecodeString(parts[2])
	if err != nil || strings.ContainsAny(parts[2], "\r\n") || len(data) < aead.NonceSize() {
		return nil, ErrBroken
	}
	nonce, body := data[:aead.NonceSize()], data[aead.NonceSize():]
	plain, err := aead.Open(nil, nonce, body, []byte(context))
	if err != nil {
		return nil, ErrBroken
	}
	return plain, nil
}

// KeyID returns the public id of the key with which the vault seals.
func (v *Vault) KeyID() string { return v.sealID }

// HasKey reports whether the vault has the key of that id.
func (v *Vault) HasKey(id string) bool { return v.keys[id] != nil }

// KeyIDOf returns the id of the key that a text was sealed with, or "" if it is no sealed text.
func KeyIDOf(sealed string) string {
	parts := strings.Split(sealed, ".")
	if len(parts) != 3 || parts[0] != version {
		return ""
	}
	return parts[1]
}

// Reseal returns a sealed text sealed with the vault's first key: the text itself if it is already. Errors: those of
// Open.
func (v *Vault) Reseal(sealed, context string) (string, error) {
	plain, err := v.Open(sealed, context)
	if err != nil || KeyIDOf(sealed) == v.sealID {
		return sealed, err
	}
	return v.Seal(plain, context), nil
}

// Closed returns a vault that opens nothing and must not seal, for commands that need no secret.
func Closed() *Vault { return &Vault{} }
