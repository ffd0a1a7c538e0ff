package laurel

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Amount is an exact decimal with six places, stored as millionths in an int64 (contract 1.7). Its absolute value
// stays below MaxAmount; operations that could exceed it return ErrAmountRange.
type Amount int64

const (
	amountPlaces = 6
	// One is the amount 1.
	One Amount = 1_000_000
	// MaxAmount is the first value out of range: 9,000,000,000,000 units.
	MaxAmount Amount = 9_000_000_000_000 * One
)

// Errors of parsing and computing amounts. In a response their texts follow the name of a field.
var (
	ErrAmount       = errors.New("must be a number")
	ErrAmountPlaces = errors.New("must have at most 6 decimal places")
	ErrAmountRange  = errors.New("must be less than 9000000000000 in absolute value")
)

// ParseAmount reads a JSON number exactly, also one with an exponent. It returns ErrAmount for a text that is no number
// or is longer than 64 bytes, ErrAmountPlaces for more than six decimal places, and ErrAmountRange for a number that no
// Amount holds.
func ParseAmount(s string) (Amount, error) {
	if len(s) == 0 || len(s) > 64 || strings.ContainsAny(s, "xXpP_/ \t\n") || s[0] == '+' {
		return 0, ErrAmount
	}
	mantissa, exponent := s, 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.Atoi(s[i+1:])
		if err != nil || s[i+1:] == "" {
			return 0, ErrAmount
		}
		mantissa, exponent = s[:i], e
	}
	whole, fraction, dotted := strings.Cut(mantissa, ".")
	digits := strings.TrimPrefix(whole, "-")
	if digits == "" || dotted && fraction == "" || !isDigits(digits) || !isDigits(fraction) {
		return 0, ErrAmount
	}
	fraction = strings.TrimRight(fraction, "0")
	value, _ := new(big.Int).SetString(digits+fraction, 10)
	if value.Sign() == 0 {
		return 0, nil
	}
	// value times 10 to the power of shift is the number in millionths. An exponent such as 1e999999999 is refused before
	// the power is computed.
	shift := exponent - len(fraction) + amountPlaces
	if shift > 20 {
		return 0, ErrAmountRange
	}
	if shift < -64 {
		return 0, ErrAmountPlaces
	}
	if shift < 0 {
		rest := new(big.Int)
		value.QuoRem(value, pow10(-shift), rest)
		if rest.Sign() != 0 {
			return 0, ErrAmountPlaces
		}
	} else {
		value.Mul(value, pow10(shift))
	}
	if strings.HasPrefix(whole, "-") {
		value.Neg(value)
	}
	return fromBig(value)
}

func isDigits(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func fromBig(v *big.Int) (Amount, error) {
	if v.CmpAbs(big.NewInt(int64(MaxAmount))) >= 0 {
		return 0, ErrAmountRange
	}
	return Amount(v.Int64()), nil
}

// String writes the shortest exact decimal: no exponent, no trailing zeros.
func (a Amount) String() string {
	sign, v := "", int64(a)
	if v < 0 {
		sign, v = "-", -v
	}
	whole, rest := v/int64(One), v%int64(One)
	if rest == 0 {
		return sign + strconv.FormatInt(whole, 10)
	}
	return sign + strconv.FormatInt(whole, 10) + "." + strings.TrimRight(fmt.Sprintf("%06d", rest), "0")
}

// MarshalJSON writes a JSON number.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalJSON reads a JSON number or a numeric string, never through a float.
func (a *Amount) UnmarshalJSON(b []byte) error {
	s := string(b)
	if len(s) >= 2 && s[0] == '"' {
		s = s[1 : len(s)-1]
	}
	v, err := ParseAmount(s)
	if err == nil {
		*a = v
	}
	return err
}

// Value stores millionths.
func (a Amount) Value() (driver.Value, error) { return int64(a), nil }

// Plus returns a+b, or ErrAmountRange.
func (a Amount) Plus(b Amount) (Amount, error) {
	const largest = MaxAmount - 1
	if b > 0 && a > largest-b || b < 0 && a < -largest-b {
		return 0, ErrAmountRange
	}
	return a + b, nil
}

// Product returns the product of the factors, computed exactly and then rounded once to six places, half away from
// zero. Without factors it is 1. It returns ErrAmountRange if the product is out of range.
func Product(factors ...Amount) (Amount, error) {
	v, unit := big.NewInt(int64(One)), big.NewInt(1)
	for _, f := range factors {
		v.Mul(v, big.NewInt(int64(f)))
		unit.Mul(unit, big.NewInt(int64(One)))
	}
	// The result is v divided by unit. Half a unit, with the sign of v, is added before Quo cuts off the rest.
	half := unit.Rsh(unit, 1)
	return fromBig(v.Add(v, new(big.Int).Mul(half, big.NewInt(int64(v.Sign())))).Quo(v, new(big.Int).Lsh(half, 1)))
}

// Rounding says what becomes of the places that are cut off an amount.
type Rounding string

// The ways to round.
const (
	RoundDown   Rounding = "down"    // toward zero
	RoundHalfUp Rounding = "half_up" // to the nearest, half away from zero
	RoundUp     Rounding = "up"      // away from zero
)

// RoundedProduct returns the product of two factors, computed exactly and then rounded once to a number of decimal
// places: 0 to 6; others count as the nearest of these. Any other way than RoundHalfUp and RoundUp is RoundDown. It
// returns ErrAmountRange if the rounded product is out of range.
func RoundedProduct(a, b Amount, places int, way Rounding) (Amount, error) {
	places = min(max(places, 0), amountPlaces)
	v := new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(int64(b))) // in units of 12 places
	unit := pow10(2*amountPlaces - places)
	rest := new(big.Int)
	sign := big.NewInt(int64(v.Sign()))
	v.QuoRem(v, unit, rest)
	rounds := way == RoundUp && rest.Sign() != 0 ||
		way == RoundHalfUp && new(big.Int).Lsh(rest, 1).CmpAbs(unit) >= 0
	if rounds {
		v.Add(v, sign)
	}
	return fromBig(v.Mul(v, pow10(amountPlaces-places)))
}
