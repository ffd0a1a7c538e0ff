package store

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns a text in the form in which searches compare it: without differences of case (Unicode case folding) and
// of representation (NFKC). The engines' lower() functions differ, and SQLite's knows only ASCII, so texts are folded
// here and not in SQL.
func Fold(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return norm.NFKC.String(dotlessI.Replace(cases.Fold().String(norm.NFKD.String(text))))
		}
	}
	return strings.ToLower(text) // the same for ASCII
}

// dotlessI replaces the letters i with and without a dot by one: the lower case of I depends on the language.
var dotlessI = strings.NewReplacer("i\u0307", "i", "ı", "i")

// Folded is a folded search text.
type Folded string

// NewFolded folds a search text.
func NewFolded(text string) Folded { return Folded(Fold(text)) }

// In reports whether the text, once folded, contains the search text.
func (f Folded) In(text string) bool { return strings.Contains(Fold(text), string(f)) }
