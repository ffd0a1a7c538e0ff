package abi

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"laurel.example/laurel"
)

// What does not fit, in the errors of decoding.
var (
	errShort = errors.New("abi: the data is too short for the types")
	errValue = errors.New("abi: the data is no value of its type")
	errLarge = errors.New("abi: the data has one part in too many values")
)

// maxShared is how often the data may be used: an encoder may let several values stand at one place, and a hostile one
// could make a few words the beginning of millions of values.
const maxShared = 4

// decoder decodes values, with memory in proportion to the data.
type decoder struct {
	remaining int  // bytes that values may still take
	lists     bool // tuples become lists
}

func newDecoder(data []byte) *decoder { return &decoder{remaining: maxShared * len(data)} }

// DecodeList decodes data, which is a tuple of the types, such as ["uint256", "(address,bytes)[]"], into plain values.
// Tuples become lists. It returns an error if a text is no type, or the data does not fit.
func DecodeList(types []string, data []byte) ([]any, error) {
	list := make([]Parameter, len(types))
	for i, text := range types {
		p := &problems{f: new(laurel.Faults)}
		one := (&textParser{p, "", ""}).parameter(strings.TrimSpace(text), "", false, 0)
		if p.any || one.Name != "" {
			return nil, fmt.Errorf("abi: the type is not known: %.100q", text)
		}
		list[i] = one
	}
	d := newDecoder(data)
	d.lists = true
	return d.members(list, data)
}

// decodeTuple decodes data, which is a tuple of the parameters, into their plain values by Keys. It returns an error if
// the data does not fit: it is too short, or a value is out of its type's range. What follows the tuple is ignored.
func decodeTuple(list []Parameter, data []byte) (map[string]any, error) {
	values, err := newDecoder(data).members(list, data)
	if err != nil {
		return nil, err
	}
	return byKeys(list, values), nil
}

// byKeys returns the values of parameters by Keys.
func byKeys(list []Parameter, values []any) map[string]any {
	out := make(map[string]any, len(list))
	for i, key := range Keys(list) {
		out[key] = values[i]
	}
	return out
}

// members decodes the values of a tuple, which begins with data. Offsets count from there.
func (d *decoder) members(list []Parameter, data []byte) ([]any, error) {
	out, at := make([]any, 0, len(list)), 0
	for _, p := range list {
		v, err := d.member(p.Type, data, at)
		if err != nil {
			return nil, err
		}
		out, at = append(out, v), at+p.Type.headSize()
	}
	return out, nil
}

// elements decodes count elements of an array, of which the first begins with data. Offsets count from there.
func (d *decoder) elements(t *Type, count int, data []byte) ([]any, error) {
	if count > len(data)/t.headSize() {
		return nil, errShort
	}
	out := make([]any, 0, count)
	for i := range count {
		v, err := d.member(t, data, i*t.headSize())
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// member decodes the value whose head is at a position of data: the value itself, or its offset.
func (d *decoder) member(t *Type, data []byte, at int) (any, error) {
	if t.dynamic {
		offset, err := d.length(data, at)
		if err != nil {
			return nil, err
		}
		at = offset
	}
	if at > len(data) {
		return nil, errShort
	}
	return d.value(t, data[at:])
}

// length reads the word at a position, which is an offset or a length, and at most the length of the data.
func (d *decoder) length(data []byte, at int) (int, error) {
	word, err := d.word(data, at)
	if err != nil {
		return 0, err
	}
	n := new(big.Int).SetBytes(word)
	if !n.IsInt64() || n.Int64() > int64(len(data)) {
		return 0, errShort
	}
	return int(n.Int64()), nil
}

// word returns the word at a position.
func (d *decoder) word(data []byte, at int) ([]byte, error) {
	if at+wordSize > len(data) {
		return nil, errShort
	}
	if d.remaining -= wordSize; d.remaining < 0 {
		return nil, errLarge
	}
	return data[at : at+wordSize], nil
}

// value decodes the value that begins with data.
func (d *decoder) value(t *Type, data []byte) (any, error) {
	switch t.base {
	case typeTuple:
		values, err := d.members(t.fields, data)
		if err != nil || d.lists {
			return values, err
		}
		return byKeys(t.fields, values), nil
	case typeArray:
		count := t.size
		if count < 0 {
			n, err := d.length(data, 0)
			if err != nil {
				return nil, err
			}
			count, data = n, data[wordSize:]
		}
		return d.elements(t.element, count, data)
	case typeBytes, typeString:
		n, err := d.length(data, 0)
		if err != nil {
			return nil, err
		}
		if data = data[wordSize:]; n > len(data) {
			return nil, errShort
		}
		if d.remaining -= n; d.remaining < 0 {
			return nil, errLarge
		}
		if t.base == typeString {
			return cleanText(data[:n]), nil
		}
		return "0x" + hex.EncodeToString(data[:n]), nil
	}
	word, err := d.word(data, 0)
	if err != nil {
		return nil, err
	}
	return t.decodeWord(word)
}

// cleanText returns the text in bytes. What is no UTF-8, and NUL, which not every store keeps, becomes U+FFFD.
func cleanText(b []byte) string {
	return strings.ReplaceAll(strings.ToValidUTF8(string(b), "\uFFFD"), "\x00", "\uFFFD")
}

// decodeWord decodes a value that takes one word. It returns errValue if it is out of the type's range.
func (t *Type) decodeWord(word []byte) (any, error) {
	n := new(big.Int).SetBytes(word)
	switch t.base {
	case typeUint, typeUfixed, typeInt, typeFixed:
		if t.isSigned() && word[0]&0x80 != 0 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 256))
		}
		if !t.holds(n) {
			return nil, errValue
		}
		return decimal(n, t.places), nil
	case typeAddress:
		if n.BitLen() > 160 {
			return nil, errValue
		}
		return "0x" + hex.EncodeToString(word[12:]), nil
	case typeBool:
		if n.BitLen() > 1 {
			return nil, errValue
		}
		return n.Sign() == 1, nil
	default:
		return "0x" + hex.EncodeToString(word[:t.size]), nil
	}
}

func (t *Type) isSigned() bool { return t.base == typeInt || t.base == typeFixed }

// holds reports whether a number is in the range of a type of numbers.
func (t *Type) holds(n *big.Int) bool {
	if !t.isSigned() {
		return n.Sign() >= 0 && n.BitLen() <= t.size
	}
	limit := new(big.Int).Lsh(big.NewInt(1), uint(t.size-1)) //nolint:gosec // 8 to 256
	return n.Cmp(limit) < 0 && n.Cmp(new(big.Int).Neg(limit)) >= 0
}

// decimal returns n / 10^places exactly, without trailing zeros.
func decimal(n *big.Int, places int) string {
	if places == 0 {
		return n.String()
	}
	sign, digits := "", new(big.Int).Abs(n).String()
	if n.Sign() < 0 {
		sign = "-"
	}
	if len(digits) <= places {
		digits = strings.Repeat("0", places-len(digits)+1) + digits
	}
	whole, rest := digits[:len(digits)-places], strings.TrimRight(digits[len(digits)-places:], "0")
	if rest != "" {
		rest = "." + rest
	}
	return sign + whole + rest
}
