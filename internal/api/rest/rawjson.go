package rest

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"strings"
)

// The functions of this file walk over text that json.Valid has accepted, without building values of it.

// member is one property of an object. Its name is unquoted, its value is the text as sent.
type member struct{ name, quoted, value []byte }

// members goes through the properties of an object.
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

// items goes through the values of an array.
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

// nextValue skips what stands between values.
func nextValue(text []byte, at int) int {
	for isSpace(text[at]) || text[at] == ',' || text[at] == ':' {
		at++
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// valueEnd returns where the value that begins at a place has ended.
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

func stringEnd(text []byte, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

func unquoted(quoted []byte) []byte {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	var name string
	_ = json.Unmarshal(quoted, &name) // it is a valid string
	return []byte(name)
}

func isNumber(value []byte) bool { return value[0] == '-' || value[0] >= '0' && value[0] <= '9' }

// maxDigits bounds numbers that no float can fail to hold, unless they have an exponent.
const maxDigits = 300

// tooLarge reports a number that no float holds, such as 1e400: nothing behind the frame could read it.
func tooLarge(number []byte) bool {
	if len(number) <= maxDigits && bytes.IndexByte(number, 'e') < 0 && bytes.IndexByte(number, 'E') < 0 {
		return false
	}
	_, err := strconv.ParseFloat(string(number), 64)
	return err != nil
}

// whole reads a number of any form as a whole number of so many bits: 2.0 and 1e1 are some.
func whole(number []byte, bits int) (int64, bool) {
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
	shift := exponent - len(fraction)
	switch {
	case strings.Trim(digits, "-0") == "":
		return 0, true
	case shift > 18 || -shift >= len(digits):
		return 0, false
	case shift >= 0:
		digits += strings.Repeat("0", shift)
	default:
		var cut string
		digits, cut = digits[:len(digits)+shift], digits[len(digits)+shift:]
		if strings.Trim(cut, "0") != "" {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(digits, 10, bits)
	return n, err == nil
}
