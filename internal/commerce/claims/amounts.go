package claims

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math/big"
	"strings"

	"laurel.example/laurel/internal/commerce/merkle"
)

// maxDigits bounds the length of an amount before it is parsed, because parsing takes time quadratic in the length. 256
// bits have 78 digits.
const maxDigits = 160

// units is an amount in smallest units in the encoding of a leaf: 256 bits, big-endian.
type units [merkle.Size]byte

func (u units) big() *big.Int { return new(big.Int).SetBytes(u[:]) }

// parseUnits parses a decimal with at most the given number of decimal places into smallest units, or returns what is
// wrong with it.
func parseUnits(text string, places int64) (u units, problem string) {
	whole, fraction, dotted := strings.Cut(text, ".")
	digits := strings.TrimPrefix(whole, "-")
	if digits == "" || dotted && fraction == "" || strings.Trim(digits+fraction, "0123456789") != "" {
		return u, "must be a number"
	}
	if fraction = strings.TrimRight(fraction, "0"); len(fraction) > int(places) {
		return u, fmt.Sprintf("must have at most %d decimal places", places)
	}
	if len(digits)+int(places) > maxDigits { // before a number of any length is parsed
		return u, "must have at most 256 bits in smallest units"
	}
	n, _ := new(big.Int).SetString(digits+fraction+strings.Repeat("0", int(places)-len(fraction)), 10)
	switch {
	case n.Sign() == 0, whole != digits: // zero, or there was a minus sign
		return u, "must be above 0"
	case n.BitLen() > merkle.MaxBits:
		return u, "must have at most 256 bits in smallest units"
	}
	n.FillBytes(u[:])
	return u, ""
}

// formatUnits formats an amount of smallest units as a decimal with the given number of decimal places. Trailing zeros
// after the point are left out.
func formatUnits(n *big.Int, places int64) string {
	digits := n.String()
	if missing := int(places) + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole, fraction := digits[:len(digits)-int(places)], strings.TrimRight(digits[len(digits)-int(places):], "0")
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// Total is a sum of amounts in smallest units of a token. It is stored as its digits.
type Total struct{ *big.Int }

// Value stores the digits.
func (t Total) Value() (driver.Value, error) { return t.String(), nil }

// Scan reads what Value stores.
func (t *Total) Scan(src any) error {
	text := sql.NullString{}
	if err := text.Scan(src); err != nil {
		return err
	}
	t.Int = parseBig(text.String)
	return nil
}

// parseBig parses a whole number that this package has stored.
func parseBig(text string) *big.Int {
	n, _ := new(big.Int).SetString(text, 10)
	return n
}
