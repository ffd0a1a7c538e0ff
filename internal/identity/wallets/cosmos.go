package wallets

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/ripemd160" //nolint:gosec,staticcheck // addresses are made with it

	"laurel.example/laurel/internal/evm"
)

// cosmosSignature is a signature as wallets return it.
type cosmosSignature struct {
	PubKey struct {
		Value []byte `json:"value"`
	} `json:"pub_key"`
	Signature []byte `json:"signature"`
}

// verifyCosmos checks a secp256k1 signature over the sign document of ADR-36, which holds message and signer. It comes
// as JSON, or as base64 of it. The address is the hash of the public key.
var verifyCosmos = local(func(p Proof) bool {
	text := []byte(p.Signature)
	if decoded, err := base64.StdEncoding.DecodeString(p.Signature); err == nil {
		text = decoded
	}
	var sent cosmosSignature
	account, isAddress := evm.DecodeBech32(p.Address)
	if json.Unmarshal(text, &sent) != nil || len(sent.Signature) != 64 || !isAddress {
		return false
	}
	key, err := secp256k1.ParsePubKey(sent.PubKey.Value)
	if err != nil || len(sent.PubKey.Value) != secp256k1.PubKeyBytesLenCompressed ||
		!bytes.Equal(account, cosmosAccount(sent.PubKey.Value)) {
		return false
	}
	var r, s secp256k1.ModNScalar
	if r.SetByteSlice(sent.Signature[:32]) || s.SetByteSlice(sent.Signature[32:]) || s.IsOverHalfOrder() {
		return false
	}
	hash := sha256.Sum256(signDocument(p.Message, p.Address))
	return ecdsa.NewSignature(&r, &s).Verify(hash[:], key)
})

// cosmosAccount returns the bytes of the address of a compressed public key.
func cosmosAccount(key []byte) []byte {
	sum := sha256.Sum256(key)
	h := ripemd160.New() //nolint:gosec // addresses are made with it
	_, _ = h.Write(sum[:])
	return h.Sum(nil)
}

// signDocument returns the document of ADR-36 for a message, in the one form that is signed: with sorted names and
// without spaces.
func signDocument(message, signer string) []byte {
	name, _ := json.Marshal(signer) //nolint:errchkjson // a text has no error
	return []byte(`{"account_number":"0","chain_id":"","fee":{"amount":[],"gas":"0"},"memo":"","msgs":[{"type":` +
		`"sign/MsgSignData","value":{"data":"` + base64.StdEncoding.EncodeToString([]byte(message)) +
		`","signer":` + string(name) + `}}],"sequence":"0"}`)
}
