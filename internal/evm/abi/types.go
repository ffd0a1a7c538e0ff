package abi

import (
	"strconv"
	"strings"
)

// Type is a type of the ABI.
type Type struct {
	base    baseType
	size    int // bits of a number; bytes; the length of an array, or -1 if the data has it
	places  int // decimal places of a fixed-point number
	element *Type
	fields  []Parameter // of a tuple, one at least
	name    string      // in canonical form, such as (uint256,bytes)[2]
	dynamic bool        // the value stands behind an offset, because its size is not fixed
	words   int         // that it takes where it stands, or that the beginning of its elements takes
	levels  int         // of tuples and arrays
}

type baseType int

const (
	typeUint baseType = iota
	typeInt
	typeUfixed
	typeFixed
	typeAddress
	typeBool
	typeFixedBytes
	typeBytes
	typeString
	typeTuple
	typeArray
)

// String returns the type in canonical form, such as (uint256,bytes)[2].
func (t *Type) String() string { return t.name }

// IsAddress reports whether a value of the type is an address.
func (t *Type) IsAddress() bool { return t.base == typeAddress }

// IsNumber reports whether a value of the type is a number.
func (t *Type) IsNumber() bool { return t.base < typeAddress }

// IsInteger reports whether a value of the type is a whole number.
func (t *Type) IsInteger() bool { return t.base <= typeInt }

// headSize returns the bytes that a value takes in the head of a tuple or an array: all of it, or its offset.
func (t *Type) headSize() int {
	if t.dynamic {
		return wordSize
	}
	return t.words * wordSize
}

// isValue reports whether a topic holds a value of the type. Of other types it holds a hash.
func (t *Type) isValue() bool { return t.base < typeBytes }

// What a fault says of a type.
const (
	mustBeType  = "must be a type of the ABI, such as uint256"
	mustBeArray = "must end in [] or in a length of at least 1, such as [2]"
	mustBeSmall = "must take at most 10000 words of 32 bytes"
	mustBeFlat  = "must have at most 16 levels of tuples and arrays"
)

// newType returns the type that a text names, such as uint256[2]. The components are those of a text that begins with
// tuple. With a problem, which says what is expected, the type is nil.
func newType(text string, components []Parameter) (t *Type, problem string) {
	base, suffix := text, ""
	if i := strings.IndexByte(text, '['); i >= 0 {
		base, suffix = text[:i], text[i:]
	}
	if base == "tuple" {
		t, problem = newTuple(components)
	} else {
		t, problem = newElementary(base)
	}
	for problem == "" && suffix != "" {
		inner, rest, closed := strings.Cut(suffix, "]")
		if suffix[0] != '[' || !closed {
			return nil, mustBeArray
		}
		suffix = rest
		t, problem = newArray(t, inner[1:])
	}
	if problem != "" {
		return nil, problem
	}
	return t, ""
}

// newTuple returns the tuple of components. Solidity knows no empty ones.
func newTuple(components []Parameter) (t *Type, problem string) {
	if len(components) == 0 {
		return nil, "must have components"
	}
	t = &Type{base: typeTuple, fields: components, name: canonicalOf(components)}
	for _, c := range components {
		t.dynamic = t.dynamic || c.Type.dynamic
		t.words += c.Type.headSize() / wordSize
		t.levels = max(t.levels, c.Type.levels+1)
		if t.words > maxWords {
			return nil, mustBeSmall
		}
	}
	if t.levels > maxNesting {
		return nil, mustBeFlat
	}
	return t, ""
}

// newArray returns the array of elements with a length; "" if the data has the length.
func newArray(element *Type, length string) (t *Type, problem string) {
	t = &Type{
		base: typeArray, size: -1, element: element, name: element.name + "[" + length + "]",
		dynamic: true, words: 1, levels: element.levels + 1,
	}
	if t.levels > maxNesting {
		return nil, mustBeFlat
	}
	if length == "" {
		return t, ""
	}
	n, ok := parseDigits(length)
	if !ok || n < 1 {
		return nil, mustBeArray
	}
	if n > maxWords || n*element.headSize() > maxWords*wordSize {
		return nil, mustBeSmall
	}
	t.size, t.dynamic, t.words = n, element.dynamic, n*element.headSize()/wordSize
	return t, ""
}

// newElementary returns the type that is neither a tuple nor an array, such as int256 for int.
func newElementary(text string) (t *Type, problem string) {
	t = &Type{name: text, words: 1}
	switch text {
	case "address":
		t.base = typeAddress
	case "bool":
		t.base = typeBool
	case "string":
		t.base, t.dynamic = typeString, true
	case "bytes":
		t.base, t.dynamic = typeBytes, true
	case "function": // an address and a selector
		t.base, t.size = typeFixedBytes, 24
	case "uint", "int":
		return newElementary(text + "256")
	case "ufixed", "fixed":
		return newElementary(text + "128x18")
	default:
		if !t.parseSized(text) {
			return nil, mustBeType
		}
	}
	return t, ""
}

// parseSized sets the type to the one that a text names with its size, such as uint8, and reports whether there is one.
func (t *Type) parseSized(text string) bool {
	for _, form := range []struct {
		prefix string
		base   baseType
	}{
		{"uint", typeUint}, {"int", typeInt}, {"ufixed", typeUfixed}, {"fixed", typeFixed}, {"bytes", typeFixedBytes},
	} {
		digits, ok := strings.CutPrefix(text, form.prefix)
		if !ok {
			continue
		}
		t.base = form.base
		if t.base == typeFixed || t.base == typeUfixed {
			bits, places, _ := strings.Cut(digits, "x")
			digits = bits
			if t.places, ok = parseDigits(places); !ok || t.places < 1 || t.places > 80 {
				return false
			}
		}
		if t.size, ok = parseDigits(digits); !ok || t.size < 1 {
			return false
		}
		if t.base == typeFixedBytes {
			return t.size <= wordSize
		}
		return t.size <= 256 && t.size%8 == 0
	}
	return false
}

// parseDigits reads a number that is written as the ABI writes sizes: without signs and leading zeros.
func parseDigits(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == text
}
