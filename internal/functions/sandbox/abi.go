package sandbox

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"laurel/internal/evm"
)

// The decoder of the contract ABI (https://docs.soliditylang.org/en/latest/abi-spec.html), for return data and the
// data of events: no selector before it. Whole numbers become decimal texts, addresses and bytes 0x hex in lower case,
// tuples and arrays become arrays.

const (
	wordSize   = 32
	maxNesting = 16
	maxValues  = 10_000 // in all
	maxTypes   = 100
)

var (
	errABIType = errors.New("abi: the type is not known")
	errABIData = errors.New("abi: the data is too short for the types")
	errABISize = fmt.Errorf("abi: at most %d values are decoded", maxValues)
)

// abiType is a type of the ABI.
type abiType struct {
	kind   string // uint, int, address, bool, bytesN, bytes, string, tuple, array
	size   int    // bits, bytes, or the length of an array; -1: the data has the length
	elem   *abiType
	fields []*abiType
}

// isDynamic reports whether the value is encoded behind an offset, because its size is not fixed.
func (t *abiType) isDynamic() bool {
	switch t.kind {
	case "bytes", "string":
		return true
	case "array":
		return t.size < 0 || t.elem.isDynamic()
	case "tuple":
		for _, f := range t.fields {
			if f.isDynamic() {
				return true
			}
		}
	}
	return false
}

// headSize returns how many bytes the type takes in the head of a tuple, which is the part that holds the values of
// fixed size and the offsets of the others.
func (t *abiType) headSize() int {
	switch {
	case t.isDynamic():
		return wordSize
	case t.kind == "array":
		return t.size * t.elem.headSize()
	case t.kind == "tuple":
		n := 0
		for _, f := range t.fields {
			n += f.headSize()
		}
		return n
	}
	return wordSize
}

// parseABI parses a type such as uint256, bytes32[2][] or (address,uint256[]). nesting is how many arrays and tuples it
// is in. Errors: errABIType.
func parseABI(text string, nesting int) (*abiType, error) {
	text = strings.TrimSpace(text)
	if nesting > maxNesting {
		return nil, errABIType
	}
	if strings.HasSuffix(text, "]") {
		at := strings.LastIndexByte(text, '[')
		if at < 0 {
			return nil, errABIType
		}
		elem, err := parseABI(text[:at], nesting+1)
		if err != nil {
			return nil, err
		}
		size := -1
		if count := text[at+1 : len(text)-1]; count != "" {
			if size, err = strconv.Atoi(count); err != nil ||
				size < 1 || size > maxValues || size*elem.headSize() > maxValues*wordSize {
				return nil, errABIType
			}
		}
		return &abiType{kind: "array", size: size, elem: elem}, nil
	}
	if inner, ok := strings.CutPrefix(strings.TrimPrefix(text, "tuple"), "("); ok && strings.HasSuffix(inner, ")") {
		t := &abiType{kind: "tuple"}
		for _, part := range evm.SplitTypes(inner[:len(inner)-1]) {
			f, err := parseABI(part, nesting+1)
			if err != nil {
				return nil, err
			}
			if t.fields = append(t.fields, f); t.headSize() > maxValues*wordSize {
				return nil, errABIType
			}
		}
		return t, nil
	}
	return parseElementary(text)
}

// parseElementary parses a type that is neither an array nor a tuple, such as uint256. Errors: errABIType.
func parseElementary(text string) (*abiType, error) {
	switch text {
	case "address", "bool", "bytes", "string":
		return &abiType{kind: text}, nil
	case "uint", "int":
		return &abiType{kind: text, size: 256}, nil
	}
	for _, kind := range []string{"uint", "int", "bytes"} {
		digits, ok := strings.CutPrefix(text, kind)
		if !ok {
			continue
		}
		n, err := strconv.Atoi(digits)
		if err != nil || strconv.Itoa(n) != digits || n < 1 ||
			kind == "bytes" && n > wordSize || kind != "bytes" && (n > 256 || n%8 != 0) {
			return nil, errABIType
		}
		if kind == "bytes" {
			kind = "bytesN"
		}
		return &abiType{kind: kind, size: n}, nil
	}
	return nil, errABIType
}

// decodeABI decodes data, which is 0x hex, into values of the types, a JSON array of type names. It returns a JSON
// array of the values, as text.
func decodeABI(types, data string) (any, error) {
	var names []string
	if json.Unmarshal([]byte(types), &names) != nil || len(names) > maxTypes {
		return nil, fmt.Errorf("abi: types must be an array of at most %d texts", maxTypes)
	}
	all := &abiType{kind: "tuple"}
	for _, name := range names {
		t, err := parseABI(name, 0)
		if err != nil {
			return nil, fmt.Errorf("%w: %.100q", err, name)
		}
		all.fields = append(all.fields, t)
	}
	b, err := hex.DecodeString(strings.TrimPrefix(data, "0x"))
	if err != nil {
		return nil, errors.New("abi: data must be 0x hex")
	}
	d := &abiDecoder{remaining: maxValues}
	values, err := d.decodeList(all.fields, b)
	if err != nil {
		return nil, err
	}
	out, err := json.Marshal(values)
	return string(out), err
}

// abiDecoder bounds the number of decoded values, since many offsets may point to the same data.
type abiDecoder struct{ remaining int }

// decodeList decodes consecutive values at the beginning of data, of these types. The offsets of dynamic values count
// from the beginning of data.
func (d *abiDecoder) decodeList(types []*abiType, data []byte) ([]any, error) {
	out, at := []any{}, 0
	for _, t := range types {
		d.remaining--
		if d.remaining < 0 {
			return nil, errABISize
		}
		from := at
		if t.isDynamic() {
			offset, err := readOffset(data, at)
			if err != nil {
				return nil, err
			}
			from = offset
		}
		if from > len(data) {
			return nil, errABIData
		}
		v, err := d.decodeValue(t, data[from:])
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		at += t.headSize()
	}
	return out, nil
}

// readOffset reads the word at a position, which is an offset or a length. It returns errABIData if that lies beyond
// the data.
func readOffset(data []byte, at int) (int, error) {
	if at+wordSize > len(data) {
		return 0, errABIData
	}
	n := new(big.Int).SetBytes(data[at : at+wordSize])
	if !n.IsInt64() || n.Int64() > int64(len(data)) {
		return 0, errABIData
	}
	return int(n.Int64()), nil
}

// decodeValue decodes one value of the type at the beginning of data. An array and a tuple become a []any.
func (d *abiDecoder) decodeValue(t *abiType, data []byte) (any, error) {
	switch t.kind {
	case "tuple":
		return d.decodeList(t.fields, data)
	case "array":
		count := t.size
		if count < 0 {
			n, err := readOffset(data, 0)
			if err != nil {
				return nil, err
			}
			count, data = n, data[wordSize:]
		}
		if count > d.remaining {
			return nil, errABISize
		}
		types := make([]*abiType, count)
		for i := range types {
			types[i] = t.elem
		}
		return d.decodeList(types, data)
	case "bytes", "string":
		n, err := readOffset(data, 0)
		if err != nil {
			return nil, err
		}
		if data = data[wordSize:]; n > len(data) {
			return nil, errABIData
		}
		if t.kind == "string" {
			return strings.ToValidUTF8(string(data[:n]), "\uFFFD"), nil
		}
		return "0x" + hex.EncodeToString(data[:n]), nil
	}
	if len(data) < wordSize {
		return nil, errABIData
	}
	return t.decodeWord(data[:wordSize])
}

var errABIValue = errors.New("abi: the data is no value of its type")

// decodeWord decodes a value of an elementary type, which takes one word. It returns errABIValue if it is out of the
// type's range.
func (t *abiType) decodeWord(data []byte) (any, error) {
	n := new(big.Int).SetBytes(data)
	switch t.kind {
	case "uint":
		if n.BitLen() > t.size {
			return nil, errABIValue
		}
		return n.String(), nil
	case "int":
		if data[0]&0x80 != 0 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 256))
		}
		limit := new(big.Int).Lsh(big.NewInt(1), uint(t.size-1)) //nolint:gosec // 8 to 256
		if n.Cmp(limit) >= 0 || n.Cmp(new(big.Int).Neg(limit)) < 0 {
			return nil, errABIValue
		}
		return n.String(), nil
	case "address":
		if n.BitLen() > 160 {
			return nil, errABIValue
		}
		return "0x" + hex.EncodeToString(data[12:]), nil
	case "bool":
		if n.BitLen() > 1 {
			return nil, errABIValue
		}
		return n.Sign() == 1, nil
	default:
		return "0x" + hex.EncodeToString(data[:t.size]), nil
	}
}
