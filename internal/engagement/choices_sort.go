package engagement

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"laurel.example/laurel"
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

// parseSortIdentifier returns a sort identifier as a number n, also if it is written as a text, or else as a text.
// Numbers out of range are infinite.
func parseSortIdentifier(value laurel.RawJSON) (n float64, text string, isNumber bool) {
	text = string(value)
	_ = json.Unmarshal(value, &text) // a number is no text and keeps its spelling
	n, err := strconv.ParseFloat(text, 64)
	if math.IsNaN(n) || err != nil && !math.IsInf(n, 0) { // a number out of range is infinite
		return 0, text, false
	}
	return n, "", true
}

// compareSortIdentifiers compares two sort identifiers for sorting. Numbers come first, by value, and then texts, by
// their letters.
func compareSortIdentifiers(a, b laurel.RawJSON) int {
	firstNumber, firstText, firstIsNumber := parseSortIdentifier(a)
	secondNumber, secondText, secondIsNumber := parseSortIdentifier(b)
	switch {
	case firstIsNumber && secondIsNumber:
		return cmp.Compare(firstNumber, secondNumber)
	case firstIsNumber:
		return -1
	case secondIsNumber:
		return 1
	}
	return cmp.Compare(firstText, secondText)
}
