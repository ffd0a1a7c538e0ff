package engagement

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// isSortIdentifier reports whether a JSON value can be a sort identifier: a number, or a text of at most maxSort
// characters.
func isSortIdentifier(value json.RawMessage) bool {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return utf8.RuneCountInString(text) <= maxSort
	}
	var n json.Number
	return len(value) <= maxSort && json.Unmarshal(value, &n) == nil
}

// parseSortIdentifier returns a sort identifier as a number, also if it is written as a text, or else as a text.
func parseSortIdentifier(value json.RawMessage) (n float64, text string, isNumber bool) {
	text = string(value)
	_ = json.Unmarshal(value, &text) // a number is no text and keeps its spelling
	n, err := strconv.ParseFloat(text, 64)
	if math.IsNaN(n) || err != nil && !math.IsInf(n, 0) { // a number out of range is infinite
		return 0, text, false
	}
	return n, "", true
}

// compareSortIdentifiers orders numbers before texts.
func compareSortIdentifiers(a, b json.RawMessage) int {
	m, s, firstIsNumber := parseSortIdentifier(a)
	n, t, secondIsNumber := parseSortIdentifier(b)
	switch {
	case firstIsNumber && secondIsNumber:
		return cmp.Compare(m, n)
	case firstIsNumber:
		return -1
	case secondIsNumber:
		return 1
	}
	return cmp.Compare(s, t)
}
