package engagement

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// isSortIdentifier reports whether the JSON value may say where a choice stands: a number, or a text that is not too
// long.
func isSortIdentifier(value json.RawMessage) bool {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return utf8.RuneCountInString(text) <= maxSort
	}
	var n json.Number
	return len(value) <= maxSort && json.Unmarshal(value, &n) == nil
}

// parseSortIdentifier is the value of a sort identifier: a number, also one that is written as text, or else a text.
func parseSortIdentifier(value json.RawMessage) (n float64, text string, isNumber bool) {
	text = string(value)
	_ = json.Unmarshal(value, &text) // what is no text is a number, and stays as it is written
	n, err := strconv.ParseFloat(text, 64)
	if math.IsNaN(n) || err != nil && !math.IsInf(n, 0) { // one out of range is a large one
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
