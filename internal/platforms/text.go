package platforms

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// HoldsText reports whether a text holds one of the texts that the rule looks for, in any case; true without such
// texts.
func (q Question) HoldsText(text string) bool {
	text = strings.ToLower(text)
	return len(q.Texts) == 0 || slices.ContainsFunc(q.Texts, func(wanted string) bool {
		return strings.Contains(text, strings.ToLower(strings.TrimSpace(wanted)))
	})
}

// HasHashtag reports whether a text holds the hashtag of the rule as a whole word, in any case.
func (q Question) HasHashtag(text string) bool {
	tag := strings.ToLower(strings.TrimLeft(strings.TrimSpace(q.Hashtag), "#"))
	if tag == "" {
		return false
	}
	_, rest, _ := strings.Cut(strings.ToLower(text), "#")
	for word := range strings.SplitSeq(rest, "#") { // each begins behind a #
		after, found := strings.CutPrefix(word, tag)
		if next, _ := utf8.DecodeRuneInString(after); found && !isWordCharacter(next) {
			return true
		}
	}
	return false
}

// isWordCharacter reports whether a character may be part of a hashtag.
func isWordCharacter(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}
