package evm

import (
	"math/big"
	"strings"
)

// IsTokenID reports whether a text is the id of a token: a decimal number of at most 256 bits.
func IsTokenID(text string) bool {
	const longest = 78
	if text == "" || len(text) > longest || strings.Trim(text, "0123456789") != "" {
		return false
	}
	n, ok := new(big.Int).SetString(text, 10)
	return ok && n.BitLen() <= 256
}
