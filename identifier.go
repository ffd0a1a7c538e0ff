package laurel

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxIdentifier is how many characters the identifier of a member, or an address, may have (contract 1.7, 1.11).
const MaxIdentifier = 128

// FormatIdentifier is the format by which schemas know identifiers and addresses.
const FormatIdentifier = "identifier"

// What may be wrong with a name. They are the same for all names that files and requests may hold, so that what a file
// names can be named by a request.
const (
	problemAtEnds = "must not begin or end with spaces or invisible characters"
	problemInside = "must not hold control characters, commas, semicolons or line separators"
)

// IdentifierProblem returns what is wrong with the identifier of a member, or with an address; "" where nothing is. It
// judges whatever a request, a file or a form calls a member by: what it refuses would be another member than the one
// that looks the same.
func IdentifierProblem(text string) string { return NameProblem(text, MaxIdentifier) }

// NameProblem judges a name of up to so many characters by the same rule, such as a code of a list.
func NameProblem(text string, most int) string {
	if isPlain(text) && len(text) <= most {
		return ""
	}
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case strings.TrimSpace(text) == "":
		return "is required"
	case utf8.RuneCountInString(text) > most:
		return fmt.Sprintf("must be at most %d characters", most)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "must not contain NUL characters"
	case isInvisible(first) || isInvisible(last):
		return problemAtEnds
	case strings.ContainsFunc(text, isSeparator):
		return problemInside
	}
	return ""
}

// isPlain reports a text of letters, digits and signs of ASCII, as nearly all identifiers are.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f || c == ',' || c == ';' {
			return false
		}
	}
	return text != ""
}

// isSeparator reports a character that separates names where several stand beside each other, or that no name holds.
func isSeparator(c rune) bool {
	return c == ',' || c == ';' || c == '\u2028' || c == '\u2029' || unicode.IsControl(c)
}

// isInvisible reports a character of which nobody sees that it is there at an end of a text: spaces, control and format
// characters, fillers, and marks that only choose how the character before is drawn.
func isInvisible(c rune) bool {
	switch {
	case unicode.IsSpace(c), unicode.IsControl(c), unicode.In(c, unicode.Z, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point):
		return true
	case unicode.Is(unicode.Cf, c):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, c)
	}
	return c == '\u2800' // a braille cell without dots
}

// Identifier notes what is wrong with an identifier or an address that is needed.
func (f *Faults) Identifier(path, text string) {
	if problem := IdentifierProblem(text); problem != "" {
		f.Add(path, "%s", problem)
	}
}

// OptionalIdentifier notes what is wrong with an identifier or an address that may be empty.
func (f *Faults) OptionalIdentifier(path, text string) {
	if text != "" {
		f.Identifier(path, text)
	}
}

// AssignIdentifier stores an identifier or an address that was sent, or null.
func AssignIdentifier(f *Faults, path string, in Optional[string], to **string) {
	if in.Set {
		f.OptionalIdentifier(path, in.Value)
		*to = in.ApplyTo(nil)
	}
}

// IdentifierKeywords are the keywords of an identifier or an address that may be empty in a schema.
func IdentifierKeywords() Keywords {
	return Keywords{"maxLength": MaxIdentifier, "format": FormatIdentifier}
}

// IdentifierListKeywords are those of a list of up to so many identifiers or addresses.
func IdentifierListKeywords(max int) Keywords {
	item := RequiredIdentifierKeywords()
	item["type"] = "string"
	return Keywords{"maxItems": max, "items": item}
}

// RequiredIdentifierKeywords are those of an identifier or an address that is needed.
func RequiredIdentifierKeywords() Keywords {
	return Keywords{"minLength": 1, "maxLength": MaxIdentifier, "format": FormatIdentifier}
}
