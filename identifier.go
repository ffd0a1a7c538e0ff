package laurel

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxIdentifier is the most characters of a member's identifier or of an address (contract 1.7, 1.11).
const MaxIdentifier = 128

// FormatIdentifier is the format of identifiers and addresses in schemas.
const FormatIdentifier = "identifier"

// Problems of names. Files and requests share the rules, so that a request can name everything that a file can.
const (
	problemAtEnds = "must not begin or end with spaces or invisible characters"
	problemInside = "must not hold control characters, commas, semicolons or line separators"
)

// IdentifierProblem returns the problem of a member's identifier or of an address, or "". It is the same for requests,
// files and forms. It refuses texts that look like another identifier but differ from it.
func IdentifierProblem(text string) string { return NameProblem(text, MaxIdentifier) }

// NameProblem returns what is wrong with a name, such as a code of a list; "" if nothing is. A name may have up to
// maxLength characters. The other rules are the same as for identifiers (IdentifierProblem).
func NameProblem(text string, maxLength int) string {
	if isPlain(text) && len(text) <= maxLength {
		return ""
	}
	first, _ := utf8.DecodeRuneInString(text)
	last, _ := utf8.DecodeLastRuneInString(text)
	switch {
	case strings.TrimSpace(text) == "":
		return "is required"
	case utf8.RuneCountInString(text) > maxLength:
		return fmt.Sprintf("must be at most %d characters", maxLength)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "must not contain NUL characters"
	case isInvisible(first) || isInvisible(last):
		return problemAtEnds
	case strings.ContainsFunc(text, isSeparator):
		return problemInside
	}
	return ""
}

// isPlain reports whether a text has only ASCII letters, digits and signs other than commas and semicolons, as nearly
// all identifiers do. It returns false for an empty text.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f || c == ',' || c == ';' {
			return false
		}
	}
	return text != ""
}

// isSeparator reports whether a character separates names in a list, or may not be part of a name.
func isSeparator(c rune) bool {
	return c == ',' || c == ';' || c == '\u2028' || c == '\u2029' || unicode.IsControl(c)
}

// isInvisible reports whether a character cannot be seen at an end of a text: spaces, control and format characters,
// fillers, and marks that only choose how the character before is drawn.
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

// Identifier adds the problem of a required identifier or address, if it has one.
func (f *Faults) Identifier(path, text string) {
	if problem := IdentifierProblem(text); problem != "" {
		f.Add(path, "%s", problem)
	}
}

// OptionalIdentifier adds the problem of an identifier or address that may be empty.
func (f *Faults) OptionalIdentifier(path, text string) {
	if text != "" {
		f.Identifier(path, text)
	}
}

// AssignIdentifier sets an identifier or address to the one that was sent, or to nil for null, and adds its problem. It
// does nothing if none was sent.
func AssignIdentifier(f *Faults, path string, in Optional[string], to **string) {
	if in.Set {
		f.OptionalIdentifier(path, in.Value)
		*to = in.ApplyTo(nil)
	}
}

// IdentifierKeywords returns the schema keywords of an identifier or address that may be empty.
func IdentifierKeywords() Keywords {
	return Keywords{"maxLength": MaxIdentifier, "format": FormatIdentifier}
}

// IdentifierListKeywords returns the schema keywords of a list of up to maxItems identifiers or addresses.
func IdentifierListKeywords(maxItems int) Keywords {
	item := RequiredIdentifierKeywords()
	item["type"] = "string"
	return Keywords{"maxItems": maxItems, "items": item}
}

// RequiredIdentifierKeywords returns the schema keywords of a required identifier or address.
func RequiredIdentifierKeywords() Keywords {
	return Keywords{"minLength": 1, "maxLength": MaxIdentifier, "format": FormatIdentifier}
}
