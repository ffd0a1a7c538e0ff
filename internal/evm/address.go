package evm

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/crypto/blake2b"
)

// IsAddress reports whether a text has the form of a blockchain address, for the wallet types of contract 2: evm, agw,
// imx, flow_cadence and sui (hexadecimal), solana and substrate (base58), cosmos (bech32), ton (base64 and raw). It
// checks the checksums of cosmos and ton. It ignores those of evm, which are the case of letters that is not stored,
// and that of substrate, which needs a hash of its own.
func IsAddress(text string) bool {
	return IsHexAddress(text) || isBase58Address(text) || isBech32Address(text) || isTONAddress(text)
}

// IsHexAddress reports whether a text is 0x and 20 bytes (EIP-55), 32 (Sui) or 8 (Flow) in hexadecimal digits.
func IsHexAddress(text string) bool {
	digits, ok := strings.CutPrefix(text, "0x")
	return ok && (len(digits) == 40 || len(digits) == 64 || len(digits) == 16) && isHex(digits)
}

// IsAccount reports whether a text is 0x and 20 bytes in hexadecimal digits: an account or a contract of an EVM
// network.
func IsAccount(text string) bool { return len(text) == 42 && IsHexAddress(text) }

// Normalize returns the stored form of an address: EVM addresses in lower case, others unchanged (contract 1.7).
func Normalize(text string) string {
	if IsAccount(text) {
		return strings.ToLower(text)
	}
	return text
}

func isHex(digits string) bool {
	_, err := hex.DecodeString(digits)
	return err == nil
}

const (
	base58Letters = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	maxBase58     = 50 // letters that 36 bytes take, the longest address
)

// isBase58Address reports whether a text is base58 of 32 bytes (Solana), or of an SS58 address of 32 bytes: a prefix of
// one byte below 64, or of two bytes of which the first is 64 to 127, then the 32 bytes, then a checksum of two.
func isBase58Address(text string) bool {
	b, ok := DecodeBase58(text)
	switch {
	case !ok || len(text) > maxBase58:
		return false
	case len(b) == 35:
		return b[0] < 64
	case len(b) == 36:
		return b[0] >= 64 && b[0] < 128
	}
	return len(b) == 32
}

// maxBase58Text is how many letters of base58 are decoded: more than a signature of 64 bytes takes.
const maxBase58Text = 100

// DecodeBase58 returns the bytes of a base58 text. It returns false if the text has other letters, or more than 100.
func DecodeBase58(text string) ([]byte, bool) {
	if len(text) > maxBase58Text {
		return nil, false
	}
	var b []byte // little-endian
	for _, letter := range []byte(text) {
		carry := strings.IndexByte(base58Letters, letter)
		if carry < 0 {
			return nil, false
		}
		for i := range b {
			carry += int(b[i]) * 58
			b[i] = byte(carry)
			carry >>= 8
		}
		for ; carry > 0; carry >>= 8 {
			b = append(b, byte(carry))
		}
	}
	zeros := len(text) - len(strings.TrimLeft(text, base58Letters[:1])) // each leading 1 is a zero byte
	b = append(b, make([]byte, zeros)...)
	slices.Reverse(b)
	return b, true
}

const (
	bech32Letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	bech32Sum     = 6
)

// isBech32Address reports whether a text is an address as chains of the Cosmos SDK write it: a name, 1, and 20 or 32
// bytes in bech32 with a valid checksum (BIP 173).
func isBech32Address(text string) bool {
	_, ok := DecodeBech32(text)
	return ok
}

// DecodeBech32 returns the 20 or 32 bytes of such an address, and false for every other text.
func DecodeBech32(text string) ([]byte, bool) {
	one := strings.LastIndexByte(text, '1')
	if one < 1 || len(text) > 90 { // BIP 173 allows no longer text
		return nil, false
	}
	name, data := text[:one], text[one+1:]
	if len(data) != 32+bech32Sum && len(data) != 52+bech32Sum { // letters of 5 bits: 20 or 32 bytes
		return nil, false
	}
	// The checksum covers the upper bits of the name's letters, 0, their lower bits, and the values of the data.
	values := make([]byte, 0, 2*len(text))
	for _, letter := range []byte(name) {
		if (letter < 'a' || letter > 'z') && (letter < '0' || letter > '9') {
			return nil, false
		}
		values = append(values, letter>>5)
	}
	values = append(values, 0)
	for _, letter := range []byte(name) {
		values = append(values, letter&31)
	}
	for _, letter := range []byte(data) {
		value := strings.IndexByte(bech32Letters, letter)
		if value < 0 {
			return nil, false
		}
		values = append(values, byte(value))
	}
	if bech32Checksum(values) != 1 {
		return nil, false
	}
	return joinBits(values[len(values)-len(data) : len(values)-bech32Sum]), true
}

// joinBits returns the bytes of values of 5 bits. The bits that fill no byte are left out.
func joinBits(values []byte) (out []byte) {
	bits, n := 0, 0
	for _, value := range values {
		if bits, n = bits<<5|int(value), n+5; n >= 8 {
			n -= 8
			out = append(out, byte(bits>>n))
			bits &= 1<<n - 1
		}
	}
	return out
}

// bech32Checksum returns the checksum of BIP 173; it is 1 for the values of a valid address.
func bech32Checksum(values []byte) uint32 {
	sum := uint32(1)
	for _, value := range values {
		top := sum >> 25
		sum = sum&0x1ffffff<<5 ^ uint32(value)
		for i, generator := range []uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			if top>>i&1 == 1 {
				sum ^= generator
			}
		}
	}
	return sum
}

// isTONAddress reports whether a text is an address of TON (TEP-2): a workchain and 32 bytes in hexadecimal, or 36
// bytes in standard or URL-safe base64, which are a tag, the workchain, the 32 bytes and a CRC-16.
func isTONAddress(text string) bool {
	_, _, ok := DecodeTON(text)
	return ok
}

// DecodeTON returns the workchain and the 32 bytes of such an address, and false for every other text.
func DecodeTON(text string) (workchain int32, hash []byte, ok bool) {
	for _, workchain := range []int32{0, -1} {
		if digits, ok := strings.CutPrefix(text, strconv.Itoa(int(workchain))+":"); ok {
			hash, err := hex.DecodeString(digits)
			return workchain, hash, err == nil && len(hash) == 32
		}
	}
	if len(text) != 48 {
		return 0, nil, false
	}
	b, err := base64.URLEncoding.DecodeString(strings.NewReplacer("+", "-", "/", "_").Replace(text))
	if err != nil || len(b) != 36 {
		return 0, nil, false
	}
	// 0x80: for test networks; the other tags say whether payments may bounce.
	tag, workchain := b[0]&^0x80, int32(int8(b[1]))
	ok = (tag == 0x11 || tag == 0x51) && (workchain == 0 || workchain == -1) &&
		crc16(b[:34]) == binary.BigEndian.Uint16(b[34:])
	return workchain, b[2:34], ok
}

// DecodeSS58 returns the public key of an SS58 address of 32 bytes, whatever its network. It returns false for any
// other text, and for a wrong checksum.
func DecodeSS58(text string) (key []byte, ok bool) {
	b, ok := DecodeBase58(text)
	prefix := 1
	if ok && len(b) > 0 && b[0] >= 64 {
		prefix = 2
	}
	if !ok || len(b) != prefix+32+2 || b[0] >= 128 {
		return nil, false
	}
	body := b[:prefix+32]
	sum := blake2b.Sum512(append([]byte("SS58PRE"), body...))
	return body[prefix:], bytes.Equal(sum[:2], b[prefix+32:])
}

// KeyOf returns what all spellings of an address have in common, where an address has several: those of TON, of Cosmos
// chains, which share the bytes of an account under a name each, and of Substrate networks, which share a public key
// under a number each. It returns "" for every other text (decision 102).
func KeyOf(address string) string {
	if workchain, hash, ok := DecodeTON(address); ok {
		return "ton:" + strconv.Itoa(int(workchain)) + ":" + hex.EncodeToString(hash)
	}
	if account, ok := DecodeBech32(address); ok {
		return "cosmos:" + hex.EncodeToString(account)
	}
	if key, ok := DecodeSS58(address); ok {
		return "substrate:" + hex.EncodeToString(key)
	}
	return ""
}

// crc16 returns the CRC-16/XMODEM of bytes.
func crc16(b []byte) uint16 {
	var sum uint16
	for _, c := range b {
		sum ^= uint16(c) << 8
		for range 8 {
			high := sum&0x8000 != 0
			sum <<= 1
			if high {
				sum ^= 0x1021
			}
		}
	}
	return sum
}
