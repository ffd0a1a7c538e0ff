package store

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns a text as searches compare it: without case, and the same however its characters are composed, in every
// script. Both engines' own lower() differ, and SQLite's knows ASCII alone; so what people search by is folded here.
func Fold(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return norm.NFKC.String(dotlessI.Replace(cases.Fold().String(norm.NFKD.String(text))))
		}
	}
	return strings.ToLower(text) // the same, of ASCII
}

// dotlessI takes the letters i with and without a dot for one: which of them an I stands for depends on the language.
var dotlessI = strings.NewReplacer("i\u0307", "i", "ı", "i")

// Folded finds a text in others, as Fold compares them.
type Folded string

// NewFolded folds the text that is looked for, once.
func NewFolded(text string) Folded { return Folded(Fold(text)) }

// In reports whether the other text contains it.
func (f Folded) In(text string) bool { return strings.Contains(Fold(text), string(f)) }
