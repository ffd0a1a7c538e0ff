// Package jsontext repairs and checks JSON that is stored as callers sent it, so that every parser reads it back. It
// owns no table.
package jsontext

import (
	"bytes"
	"strconv"
)

// replacement is U+FFFD as an escape. It has the length of the escapes that it replaces.
const replacement = `\ufffd`

// ReplaceLoneSurrogates replaces each lone half of a surrogate pair by U+FFFD, in place, and returns the text. The text
// must be valid JSON. JSON's grammar allows "\ud800", but it encodes no character, and strict parsers refuse documents
// that contain it.
func ReplaceLoneSurrogates(text []byte) []byte { return replaceEscapes(text, false) }

// ReplaceUnstorable is ReplaceLoneSurrogates that replaces NUL too. It is for JSON that cannot be refused, such as the
// result of a function.
func ReplaceUnstorable(text []byte) []byte { return replaceEscapes(text, true) }

// MaxDepth is how deep JSON of callers may be nested. It is stored, and sent within events and pages, and parsers have
// limits of depth: encoding/json 10,000 levels, others less.
const MaxDepth = 500

// IsTooDeep reports whether valid JSON is nested deeper than MaxDepth.
func IsTooDeep(text []byte) bool {
	depth, inString := 0, false
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case inString && c == '\\':
			at++
		case c == '"':
			inString = !inString
		case inString: // a bracket in a string opens nothing
		case c == '{', c == '[':
			depth++
			if depth > MaxDepth {
				return true
			}
		case c == '}', c == ']':
			depth--
		}
	}
	return false
}

// replaceEscapes overwrites each escape of a lone surrogate with the escape of the replacement character, and with
// replaceNUL each \u0000 too. It changes text itself, whose length stays the same, and returns it.
func replaceEscapes(text []byte, replaceNUL bool) []byte {
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '\\')
		if i < 0 {
			return text
		}
		at += i
		unit, ok := parseUnicodeEscape(text[at:])
		switch {
		case len(text) < at+2:
			return text // a backslash at the end: not JSON
		case !ok:
			at += 2 // another escape, of one letter
			continue
		case unit&0xfc00 == 0xd800 && startsWithLowSurrogate(text[at+len(replacement):]):
			at += len(replacement) // a whole pair: skip its first half here, its second below
		case unit&0xf800 == 0xd800, unit == 0 && replaceNUL: // a lone half, or NUL
			copy(text[at:], replacement)
		}
		at += len(replacement)
	}
}

// parseUnicodeEscape returns the UTF-16 unit of the escape \uXXXX at the beginning of a text, which begins with a
// backslash; false if it is another escape.
func parseUnicodeEscape(text []byte) (unit uint64, ok bool) {
	if len(text) < len(replacement) || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:len(replacement)]), 16, 16)
	return unit, err == nil
}

// startsWithLowSurrogate reports whether a text begins with the escape of the second half of a surrogate pair.
func startsWithLowSurrogate(text []byte) bool {
	unit, ok := parseUnicodeEscape(text)
	return ok && text[0] == '\\' && unit&0xfc00 == 0xdc00
}
