package apptest

import (
	"crypto/ed25519"
	"encoding/hex"
	"math/big"
	"strings"
	"time"

	"golang.org/x/crypto/blake2b"
)

// SigningWallet is a wallet that signs messages: of type solana, or of type substrate.
type SigningWallet struct {
	Address string
	Type    string
	key     ed25519.PrivateKey
	signed  int
}

// NewSigningWallet returns a wallet whose key is made of a number.
func NewSigningWallet(number byte) *SigningWallet {
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat(string([]byte{number}), ed25519.SeedSize)))
	return &SigningWallet{Address: base58(key.Public().(ed25519.PublicKey)), Type: "solana", key: key}
}

// Substrate returns the wallet as one of type substrate, with the address (SS58) of a network below 64.
func (w *SigningWallet) Substrate(network byte) *SigningWallet {
	w.signed++ // each has nonces of its own
	address := append([]byte{network}, w.key.Public().(ed25519.PublicKey)...)
	sum := blake2b.Sum512(append([]byte("SS58PRE"), address...))
	return &SigningWallet{Address: base58(append(address, sum[:2]...)), Type: "substrate", key: w.key, signed: w.signed}
}

// Message returns a message of the common form for a website, with a nonce of its own and further lines.
func (w *SigningWallet) Message(website string, at time.Time, lines ...string) string {
	w.signed++
	return strings.Join(append([]string{
		"Sign in", "", w.Address, "Website: " + website, "Nonce: " + w.Address[:8] + strings.Repeat("x", w.signed),
		"Issued At: " + at.Format(time.RFC3339),
	}, lines...), "\n")
}

// Sign returns a message with its signature, as bodies have them.
func (w *SigningWallet) Sign(message string) Object {
	signature := base58(ed25519.Sign(w.key, []byte(message)))
	if w.Type == "substrate" {
		signature = "0x" + hex.EncodeToString(ed25519.Sign(w.key, []byte("<Bytes>"+message+"</Bytes>")))
	}
	return Object{"message": message, "signature": signature}
}

// Connect returns the body that connects the wallet by a signature.
func (w *SigningWallet) Connect(website string, at time.Time) Object {
	return Object{"walletAddress": w.Address, "walletType": w.Type, "verificationData": w.Sign(w.Message(website, at))}
}

// Delegate returns the body by which the wallet delegates to a user, whose wallet it names.
func (w *SigningWallet) Delegate(website string, at time.Time, to string) Object {
	out := w.Sign(w.Message(website, at, "Delegate: "+to))
	out["delegatorWalletAddress"] = w.Address
	return out
}

// base58 encodes bytes.
func base58(b []byte) string {
	const letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	var out []byte
	n, base, digit := new(big.Int).SetBytes(b), big.NewInt(58), new(big.Int)
	for n.Sign() > 0 {
		n.DivMod(n, base, digit)
		out = append([]byte{letters[digit.Int64()]}, out...)
	}
	for i := 0; i < len(b) && b[i] == 0; i++ {
		out = append([]byte{letters[0]}, out...)
	}
	return string(out)
}
