package tenancy

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/crc32"
	"math/big"
	"strings"

	"laurel.example/laurel"
)

// A key has the form "lrl_<kind>_" + 43 characters of base62 (32 random bytes) + 6 characters of base62 (CRC-32 of all
// characters before, so that typing errors are refused without a database read).
const (
	keyLabel        = "lrl_"
	secretBytes     = 32
	secretLetters   = 43
	checksumLetters = 6
	keyLetters      = len(keyLabel) + 2 + secretLetters + checksumLetters
	prefixLetters   = 12
)

// kindLetters are the letters of the roles in keys (contract 1.2).
var kindLetters = map[laurel.Role]string{
	laurel.RoleOrganization: "o",
	laurel.RoleWebsite:      "w",
	laurel.RoleReadOnly:     "r",
	laurel.RoleClient:       "c",
	laurel.RoleFunction:     "s",
}

// newKey returns the text of a new random key of the role.
func newKey(role laurel.Role, random func([]byte)) string {
	secret := make([]byte, secretBytes)
	random(secret)
	text := keyLabel + kindLetters[role] + "_" + encodeBase62(new(big.Int).SetBytes(secret), secretLetters)
	return text + checksum(text)
}

func checksum(text string) string {
	return encodeBase62(new(big.Int).SetUint64(uint64(crc32.ChecksumIEEE([]byte(text)))), checksumLetters)
}

func encodeBase62(n *big.Int, letters int) string {
	text := n.Text(62)
	return strings.Repeat("0", letters-len(text)) + text
}

// isWellFormed reports whether a text has the form and the checksum of a key. Whether the key exists is not checked.
func isWellFormed(text string) bool {
	if len(text) != keyLetters || !strings.HasPrefix(text, keyLabel) {
		return false
	}
	body, sum := text[:keyLetters-checksumLetters], text[keyLetters-checksumLetters:]
	return checksum(body) == sum
}

// hashKey returns the form in which a key is stored: hex SHA-256. Its 256 random bits need no slow hash.
func hashKey(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
