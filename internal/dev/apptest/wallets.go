package apptest

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/blake2b"
	"golang.org/x/crypto/ripemd160" //nolint:gosec,staticcheck // addresses are made with it
)

// SigningWallet is a wallet that signs messages: of type solana, substrate or cosmos.
type SigningWallet struct {
	Address string
	Type    string
	key     ed25519.PrivateKey
	signed  int
}

// Cosmos returns the wallet as one of type cosmos, with the address (bech32) of a chain. Its secp256k1 key is made of
// the same number.
func (w *SigningWallet) Cosmos(chain string) *SigningWallet {
	w.signed++ // each has nonces of its own
	sum := sha256.Sum256(secp256k1.PrivKeyFromBytes(w.key.Seed()).PubKey().SerializeCompressed())
	h := ripemd160.New() //nolint:gosec // addresses are made with it
	_, _ = h.Write(sum[:])
	return &SigningWallet{Address: bech32(chain, h.Sum(nil)), Type: "cosmos", key: w.key, signed: w.signed}
}

// signCosmos signs a message by ADR-36.
func (w *SigningWallet) signCosmos(message string) string {
	document := `{"account_number":"0","chain_id":"","fee":{"amount":[],"gas":"0"},"memo":"","msgs":[{"type":` +
		`"sign/MsgSignData","value":{"data":"` + base64.StdEncoding.EncodeToString([]byte(message)) +
		`","signer":"` + w.Address + `"}}],"sequence":"0"}`
	key, hash := secp256k1.PrivKeyFromBytes(w.key.Seed()), sha256.Sum256([]byte(document))
	signature := ecdsa.Sign(key, hash[:])
	r, s := signature.R(), signature.S()
	rBytes, sBytes := r.Bytes(), s.Bytes()
	text, err := json.Marshal(Object{
		"pub_key":   Object{"type": "tendermint/PubKeySecp256k1", "value": key.PubKey().SerializeCompressed()},
		"signature": slices.Concat(rBytes[:], sBytes[:]),
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// bech32 encodes bytes, whose number must be a multiple of 5, under a name.
func bech32(name string, b []byte) string {
	const letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	var data []byte
	for digits, n := new(big.Int).SetBytes(b), len(b)*8/5; n > 0; n-- {
		data = append(data, byte(new(big.Int).Rsh(digits, uint(5*(n-1))).Uint64()&31))
	}
	sum := uint32(1)
	add := func(value byte) {
		top := sum >> 25
		sum = sum&0x1ffffff<<5 ^ uint32(value)
		for i, generator := range []uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			sum ^= generator * (top >> i & 1)
		}
	}
	for _, letter := range []byte(name) {
		add(letter >> 5)
	}
	add(0)
	for _, letter := range []byte(name) {
		add(letter & 31)
	}
	for _, value := range append(slices.Clone(data), make([]byte, 6)...) {
		add(value)
	}
	for i := range 6 {
		data = append(data, byte((sum^1)>>(5*(5-i))&31))
	}
	out := name + "1"
	for _, value := range data {
		out += letters[value : value+1]
	}
	return out
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
		"Sign in", "", w.Address, "Website: " + website, "Nonce: " + w.Address[len(w.Address)-8:] + strings.Repeat("x", w.signed),
		"Issued At: " + at.Format(time.RFC3339),
	}, lines...), "\n")
}

// Sign returns a message with its signature, as bodies have them.
func (w *SigningWallet) Sign(message string) Object {
	var signature string
	switch w.Type {
	case "substrate":
		signature = "0x" + hex.EncodeToString(ed25519.Sign(w.key, []byte("<Bytes>"+message+"</Bytes>")))
	case "cosmos":
		signature = w.signCosmos(message)
	default:
		signature = base58(ed25519.Sign(w.key, []byte(message)))
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
