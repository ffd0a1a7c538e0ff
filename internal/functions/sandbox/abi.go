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
	word       = 32
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
	size   int    // bits, bytes, or items of a fixed array; -1: of an array as long as its data says
	of     *abiType
	fields []*abiType
}

func (t *abiType) dynamic() bool {
	switch t.kind {
	case "bytes", "string":
		return true
	case "array":
		return t.size < 0 || t.of.dynamic()
	case "tuple":
		for _, f := range t.fields {
			if f.dynamic() {
				return true
			}
		}
	}
	return false
}

// head is how many bytes the type takes where it stands.
func (t *abiType) head() int {
	switch {
	case t.dynamic():
		return word
	case t.kind == "array":
		return t.size * t.of.head()
	case t.kind == "tuple":
		n := 0
		for _, f := range t.fields {
			n += f.head()
		}
		return n
	}
	return word
}

// parseABI reads a type such as uint256, bytes32[2][] or (address,uint256[]).
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
		of, err := parseABI(text[:at], nesting+1)
		if err != nil {
			return nil, err
		}
		size := -1
		if count := text[at+1 : len(text)-1]; count != "" {
			if size, err = strconv.Atoi(count); err != nil || size < 1 || size > maxValues || size*of.head() > maxValues*word {
				return nil, errABIType
			}
		}
		return &abiType{kind: "array", size: size, of: of}, nil
	}
	if inner, ok := strings.CutPrefix(strings.TrimPrefix(text, "tuple"), "("); ok && strings.HasSuffix(inner, ")") {
		t := &abiType{kind: "tuple"}
		for _, part := range evm.SplitTypes(inner[:len(inner)-1]) {
			f, err := parseABI(part, nesting+1)
			if err != nil {
				return nil, err
			}
			if t.fields = append(t.fields, f); t.head() > maxValues*word {
				return nil, errABIType
			}
		}
		return t, nil
	}
	return parseElementary(text)
}

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
			kind == "bytes" && n > word || kind != "bytes" && (n > 256 || n%8 != 0) {
			return nil, errABIType
		}
		if kind == "bytes" {
			kind = "bytesN"
		}
		return &abiType{kind: kind, size: n}, nil
	}
	return nil, errABIType
}

// decodeABI decodes data by types, a JSON array of texts, and returns a JSON array.
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
	d := &abiDecoder{left: maxValues}
	values, err := d.list(all.fields, b)
	if err != nil {
		return nil, err
	}
	out, err := json.Marshal(values)
	return string(out), err
}

// abiDecoder counts values, so that offsets which point at the same data make no end of them.
type abiDecoder struct{ left int }

// list decodes values that stand one after the other at the beginning of the data that their offsets count from.
func (d *abiDecoder) list(types []*abiType, data []byte) ([]any, error) {
	out, at := []any{}, 0
	for _, t := range types {
		d.left--
		if d.left < 0 {
			return nil, errABISize
		}
		from := at
		if t.dynamic() {
			offset, err := number(data, at)
			if err != nil {
				return nil, err
			}
			from = offset
		}
		if from > len(data) {
			return nil, errABIData
		}
		v, err := d.value(t, data[from:])
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		at += t.head()
	}
	return out, nil
}

// number reads an offset or a length, which may not lie beyond the data.
func number(data []byte, at int) (int, error) {
	if at+word > len(data) {
		return 0, errABIData
	}
	n := new(big.Int).SetBytes(data[at : at+word])
	if !n.IsInt64() || n.Int64() > int64(len(data)) {
		return 0, errABIData
	}
	return int(n.Int64()), nil
}

func (d *abiDecoder) value(t *abiType, data []byte) (any, error) {
	switch t.kind {
	case "tuple":
		return d.list(t.fields, data)
	case "array":
		count := t.size
		if count < 0 {
			n, err := number(data, 0)
			if err != nil {
				return nil, err
			}
			count, data = n, data[word:]
		}
		if count > d.left {
			return nil, errABISize
		}
		types := make([]*abiType, count)
		for i := range types {
			types[i] = t.of
		}
		return d.list(types, data)
	case "bytes", "string":
		n, err := number(data, 0)
		if err != nil {
			return nil, err
		}
		if data = data[word:]; n > len(data) {
			return nil, errABIData
		}
		if t.kind == "string" {
			return strings.ToValidUTF8(string(data[:n]), "\uFFFD"), nil
		}
		return "0x" + hex.EncodeToString(data[:n]), nil
	}
	if len(data) < word {
		return nil, errABIData
	}
	return t.elementary(data[:word])
}

var errABIValue = errors.New("abi: the data is no value of its type")

// elementary decodes a value of one word. What stands outside of the type's range makes it none.
func (t *abiType) elementary(data []byte) (any, error) {
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
