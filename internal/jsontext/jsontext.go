// Package jsontext mends JSON that is kept as callers sent it, so that every parser reads it back. No database.
package jsontext

import (
	"bytes"
	"strconv"
)

// replacement is U+FFFD as an escape: as long as what it replaces.
const replacement = `\ufffd`

// Whole replaces each half of a surrogate pair that stands alone by U+FFFD, in place, and returns the text. The grammar
// of JSON allows "\ud800", but it stands for no character, and strict parsers refuse all that it stands in. The text is
// valid JSON.
func Whole(text []byte) []byte { return mended(text, false) }

// Storable is Whole for JSON that nobody can be refused for, such as the result of a function: it replaces NUL too.
func Storable(text []byte) []byte { return mended(text, true) }

// MostLevels is how deep JSON of callers may be nested. What is kept stands within events and pages, and parsers stop
// at some depth: encoding/json at 10,000 levels, others earlier.
const MostLevels = 500

// Deep reports whether valid JSON is nested deeper than MostLevels.
func Deep(text []byte) bool {
	levels, quoted := 0, false
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case quoted && c == '\\':
			at++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			levels++
			if levels > MostLevels {
				return true
			}
		case c == '}', c == ']':
			levels--
		}
	}
	return false
}

func mended(text []byte, nul bool) []byte {
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '\\')
		if i < 0 {
			return text
		}
		at += i
		unit, ok := escaped(text[at:])
		switch {
		case len(text) < at+2:
			return text // no JSON
		case !ok:
			at += 2 // another escape, of one letter
			continue
		case unit&0xfc00 == 0xd800 && pairs(text[at+len(replacement):]):
			at += len(replacement)
		case unit&0xf800 == 0xd800, unit == 0 && nul:
			copy(text[at:], replacement)
		}
		at += len(replacement)
	}
}

// escaped reads the \uXXXX that a text begins with.
func escaped(text []byte) (unit uint64, ok bool) {
	if len(text) < len(replacement) || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:len(replacement)]), 16, 16)
	return unit, err == nil
}

// pairs reports whether a text begins with the second half of a pair.
func pairs(text []byte) bool {
	unit, ok := escaped(text)
	return ok && text[0] == '\\' && unit&0xfc00 == 0xdc00
}
