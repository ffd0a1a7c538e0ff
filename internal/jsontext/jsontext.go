// Package jsontext mends JSON that is kept as callers sent it, so that every parser reads it back. No database.
package jsontext

import (
	"bytes"
	"strconv"
)

// replacement is U+FFFD as an escape: as long as what it replaces.
const replacement = `\ufffd`

// ReplaceLoneSurrogates replaces each half of a surrogate pair that stands alone by U+FFFD, in place, and returns the text. The grammar
// of JSON allows "\ud800", but it stands for no character, and strict parsers refuse all that it stands in. The text is
// valid JSON.
func ReplaceLoneSurrogates(text []byte) []byte { return replaceEscapes(text, false) }

// ReplaceUnstorable is Whole for JSON that nobody can be refused for, such as the result of a function: it replaces NUL too.
func ReplaceUnstorable(text []byte) []byte { return replaceEscapes(text, true) }

// MaxDepth is how deep JSON of callers may be nested. What is kept stands within events and pages, and parsers stop
// at some depth: encoding/json at 10,000 levels, others earlier.
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
		case inString:
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
			return text // no JSON
		case !ok:
			at += 2 // another escape, of one letter
			continue
		case unit&0xfc00 == 0xd800 && startsWithLowSurrogate(text[at+len(replacement):]):
			at += len(replacement)
		case unit&0xf800 == 0xd800, unit == 0 && replaceNUL:
			copy(text[at:], replacement)
		}
		at += len(replacement)
	}
}

// parseUnicodeEscape reads the \uXXXX that a text begins with.
func parseUnicodeEscape(text []byte) (unit uint64, ok bool) {
	if len(text) < len(replacement) || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:len(replacement)]), 16, 16)
	return unit, err == nil
}

// startsWithLowSurrogate reports whether a text begins with the second half of a pair.
func startsWithLowSurrogate(text []byte) bool {
	unit, ok := parseUnicodeEscape(text)
	return ok && text[0] == '\\' && unit&0xfc00 == 0xdc00
}
