package rest

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"strings"
)

// The functions of this file walk over JSON text that json.Valid has accepted, without decoding it.

// member is one property of an object: its name unquoted and quoted, and the text of its value.
type member struct{ name, quoted, value []byte }

// members iterates over the properties of an object, whose text begins with {.
func members(object []byte) iter.Seq[member] {
	return func(yield func(member) bool) {
		for at := nextValue(object, 1); object[at] != '}'; at = nextValue(object, at) {
			end := valueEnd(object, at)
			m := member{quoted: object[at:end]}
			m.name = unquoted(m.quoted)
			at = nextValue(object, end)
			end = valueEnd(object, at)
			m.value, at = object[at:end], end
			if !yield(m) {
				return
			}
		}
	}
}

// items iterates over the items of an array, whose text begins with [.
func items(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := nextValue(array, 1); array[at] != ']'; at = nextValue(array, at) {
			end := valueEnd(array, at)
			if !yield(array[at:end]) {
				return
			}
			at = end
		}
	}
}

// nextValue returns the position of the next value or closing bracket, from a position on: it skips spaces and
// separators.
func nextValue(text []byte, at int) int {
	for isSpace(text[at]) || text[at] == ',' || text[at] == ':' {
		at++
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// valueEnd returns the position behind the value that begins at the position at.
func valueEnd(text []byte, at int) int {
	switch text[at] {
	case '"':
		return stringEnd(text, at)
	case '{', '[':
		for depth := 0; ; at++ {
			switch text[at] {
			case '"':
				at = stringEnd(text, at) - 1
			case '{', '[':
				depth++
			case '}', ']':
				depth--
				if depth == 0 {
					return at + 1
				}
			}
		}
	}
	for at < len(text) && !isSpace(text[at]) && text[at] != ',' && text[at] != ']' && text[at] != '}' {
		at++
	}
	return at
}

// stringEnd returns the position behind the string whose opening quote is at the position at.
func stringEnd(text []byte, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// unquoted returns the content of a JSON string.
func unquoted(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var name string
	_ = json.Unmarshal(quoted, &name) // it is a valid string
	return []byte(name)
}

func isNumber(value []byte) bool { return value[0] == '-' || value[0] >= '0' && value[0] <= '9' }

// maxDigits is how many digits a number without exponent may have to fit into a float in any case.
const maxDigits = 300

// isTooLarge reports whether no float can hold a number, such as 1e400: the decoders would fail on it.
func isTooLarge(number []byte) bool {
	if len(number) <= maxDigits && bytes.IndexByte(number, 'e') < 0 && bytes.IndexByte(number, 'E') < 0 {
		return false
	}
	_, err := strconv.ParseFloat(string(number), 64)
	return err != nil
}

// parseWhole parses a number of any form, such as 2.0 or 1e1, as a signed integer of so many bits. It returns false if
// the number is no integer or does not fit.
func parseWhole(number []byte, bits int) (int64, bool) {
	mantissa, exponent := string(number), 0
	if n, err := strconv.ParseInt(mantissa, 10, bits); err == nil {
		return n, true
	}
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		e, err := strconv.Atoi(mantissa[i+1:])
		if err != nil {
			return 0, false
		}
		mantissa, exponent = mantissa[:i], e
	}
	digits, fraction, _ := strings.Cut(mantissa, ".")
	fraction = strings.TrimRight(fraction, "0")
	digits += fraction
	shift := exponent - len(fraction) // the number is digits times 10 to the power of shift
	switch {
	case strings.Trim(digits, "-0") == "":
		return 0, true
	case shift > 18 || -shift >= len(digits): // larger than every int64, or smaller than 1
		return 0, false
	case shift >= 0:
		digits += strings.Repeat("0", shift)
	default: // the digits that are cut off must be zeros
		var cut string
		digits, cut = digits[:len(digits)+shift], digits[len(digits)+shift:]
		if strings.Trim(cut, "0") != "" {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(digits, 10, bits)
	return n, err == nil
}
