package abi

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"laurel.example/laurel/internal/evm/keccak"
)

var errFunction = errors.New("abi: the call is of another function")

// DecodeCall decodes the data of a call of the function into plain values by Keys of its inputs. It returns an error if
// the call is of another function, or its data does not fit. Data behind the values is ignored.
func (fn *Function) DecodeCall(data []byte) (map[string]any, error) {
	if len(data) < selectorSize || "0x"+hex.EncodeToString(data[:selectorSize]) != fn.Selector {
		return nil, errFunction
	}
	return decodeTuple(fn.Inputs, data[selectorSize:])
}

// DecodeResults decodes what a call of the function returned into plain values, in the order of its outputs. It returns
// an error if the data does not fit, such as no data, which an address without a contract returns.
func (fn *Function) DecodeResults(data []byte) ([]any, error) {
	return newDecoder(data).members(fn.Outputs, data)
}

// EncodeCall returns the data of a call of the function with plain values, in the order of its inputs; a tuple may be a
// list, too. It returns an error for a value that is not of its type.
func (fn *Function) EncodeCall(values ...any) ([]byte, error) {
	selector := keccak.Sum256([]byte(fn.Canonical))[:selectorSize]
	inputs, err := encodeMembers(fn.Inputs, values)
	return append(selector, inputs...), err
}

// encodeMembers encodes the values of a tuple: their heads, then what stands behind offsets.
func encodeMembers(list []Parameter, values []any) ([]byte, error) {
	if len(values) != len(list) {
		return nil, fmt.Errorf("abi: %d values for %s", len(values), canonicalOf(list))
	}
	tail := 0
	for _, p := range list {
		tail += p.Type.headSize()
	}
	var head, body []byte
	for i, p := range list {
		b, err := p.Type.encode(values[i])
		if err != nil {
			return nil, err
		}
		if !p.Type.dynamic {
			head = append(head, b...)
			continue
		}
		head, body = append(head, encodeLength(tail+len(body))...), append(body, b...)
	}
	return append(head, body...), nil
}

// encodeLength encodes a length or an offset.
func encodeLength(n int) []byte { return big.NewInt(int64(n)).FillBytes(make([]byte, wordSize)) }

// encode encodes a plain value of the type.
func (t *Type) encode(value any) ([]byte, error) {
	switch t.base {
	case typeTuple:
		return t.encodeTuple(value)
	case typeArray:
		return t.encodeArray(value)
	case typeBool:
		is, ok := value.(bool)
		if !ok {
			return nil, t.errNot(value)
		}
		if is {
			return encodeLength(1), nil
		}
		return encodeLength(0), nil
	}
	text, ok := value.(string)
	if !ok {
		return nil, t.errNot(value)
	}
	if t.base == typeString {
		return encodeBytes([]byte(text)), nil
	}
	if t.base < typeAddress {
		return t.encodeNumber(text)
	}
	digits, hasPrefix := strings.CutPrefix(text, "0x")
	b, err := hex.DecodeString(digits)
	switch {
	case err != nil || !hasPrefix:
	case t.base == typeBytes:
		return encodeBytes(b), nil
	case t.base == typeAddress && len(b) == 20:
		return append(make([]byte, 12), b...), nil
	case t.base == typeFixedBytes && len(b) == t.size:
		return append(b, make([]byte, wordSize-t.size)...), nil
	}
	return nil, t.errNot(value)
}

func (t *Type) errNot(value any) error {
	return fmt.Errorf("abi: %.100q is no %s", fmt.Sprint(value), t.name)
}

// encodeBytes encodes bytes behind their length, in whole words.
func encodeBytes(b []byte) []byte {
	out := append(encodeLength(len(b)), b...)
	return append(out, make([]byte, (wordSize-len(b)%wordSize)%wordSize)...)
}

// encodeTuple encodes a map by Keys of the components, or a list.
func (t *Type) encodeTuple(value any) ([]byte, error) {
	if byKey, ok := value.(map[string]any); ok && len(byKey) == len(t.fields) {
		list := make([]any, len(t.fields))
		for i, key := range Keys(t.fields) {
			list[i] = byKey[key]
		}
		value = list
	}
	list, ok := value.([]any)
	if !ok {
		return nil, t.errNot(value)
	}
	return encodeMembers(t.fields, list)
}

// encodeArray encodes a list.
func (t *Type) encodeArray(value any) ([]byte, error) {
	list, ok := value.([]any)
	if !ok || t.size >= 0 && t.size != len(list) {
		return nil, t.errNot(value)
	}
	members := make([]Parameter, len(list))
	for i := range members {
		members[i].Type = t.element
	}
	out, err := encodeMembers(members, list)
	if t.size < 0 {
		out = append(encodeLength(len(list)), out...)
	}
	return out, err
}

// encodeNumber encodes a decimal, exactly.
func (t *Type) encodeNumber(text string) ([]byte, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(text) > 200 || len(fraction) > t.places || strings.ContainsAny(text, "+_ ") {
		return nil, t.errNot(text)
	}
	n, ok := new(big.Int).SetString(whole+fraction+strings.Repeat("0", t.places-len(fraction)), 10)
	if !ok || !t.holds(n) || fraction == "" && strings.Contains(text, ".") {
		return nil, t.errNot(text)
	}
	if n.Sign() < 0 {
		n.Add(n, new(big.Int).Lsh(big.NewInt(1), 256))
	}
	return n.FillBytes(make([]byte, wordSize)), nil
}
