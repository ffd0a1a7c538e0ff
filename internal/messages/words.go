package messages

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// maxName is how many characters of a name messages show.
const maxName = 40

// Shorten returns a name in one line, cut to what messages show.
func Shorten(name string) string {
	isBetweenWords := func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }
	runes := []rune(strings.Join(strings.FieldsFunc(name, isBetweenWords), " "))
	if len(runes) <= maxName {
		return string(runes)
	}
	return string(runes[:maxName-1]) + "…"
}

// Spell returns a time in words: in whole minutes, or in seconds if it is shorter than one.
func Spell(d time.Duration) string {
	n, unit := int(d/time.Minute), "minute"
	if n == 0 {
		n, unit = int(d/time.Second), "second"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
