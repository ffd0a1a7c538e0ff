package wallets

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"laurel.example/laurel/internal/evm"
	"laurel.example/laurel/internal/evm/keccak"
)

// verifyEVM checks a personal_sign signature (EIP-191) over a sign-in message (EIP-4361) or a message of the common
// form. If it is not that of the key of the address, the address may be a contract wallet, which must be asked on the
// chain that the message names (EIP-1271). A message of the common form names none.
func verifyEVM(p Proof) (s Statement, ok bool, ask *Question) {
	if isSignIn(p.Message) {
		s, ok = parseSignIn(p.Message, p.Address)
		ok = ok && evm.IsKnownChainID(int64(s.ChainID)) //nolint:gosec // it has 63 bits
	} else {
		s, ok = parseCommon(p.Message, p.Address)
	}
	signature, isHex := decodeHex(p.Signature)
	if !ok || !isHex || !evm.IsAccount(p.Address) {
		return s, false, nil
	}
	hash := personalHash(p.Message)
	if signer, isKey := recoverSigner(hash, signature); isKey && strings.EqualFold(signer, p.Address) {
		return s, true, nil
	}
	return s, false, &Question{ChainID: s.ChainID, Address: strings.ToLower(p.Address), Hash: hash, Signature: signature}
}

// personalHash returns the hash that personal_sign signs (EIP-191, version 0x45).
func personalHash(message string) []byte {
	return keccak.Sum256([]byte("\x19Ethereum Signed Message:\n" + strconv.Itoa(len(message)) + message))
}

// recoverSigner returns the address, in lower case, whose key has made a signature of 65 bytes: r, s and v. It refuses
// the second form that every signature has, with an s in the upper half of the order (EIP-2).
func recoverSigner(hash, signature []byte) (address string, ok bool) {
	if len(signature) != 65 {
		return "", false
	}
	v := signature[64]
	if v >= 27 {
		v -= 27
	}
	var s secp256k1.ModNScalar
	if v > 1 || s.SetByteSlice(signature[32:64]) || s.IsOverHalfOrder() {
		return "", false
	}
	compact := append([]byte{27 + v}, signature[:64]...)
	key, _, err := ecdsa.RecoverCompact(compact, hash)
	if err != nil {
		return "", false
	}
	return "0x" + hex.EncodeToString(keccak.Sum256(key.SerializeUncompressed()[1:])[12:]), true
}

// decodeHex decodes a text that begins with 0x.
func decodeHex(text string) ([]byte, bool) {
	digits, ok := strings.CutPrefix(text, "0x")
	b, err := hex.DecodeString(digits)
	return b, ok && err == nil
}
