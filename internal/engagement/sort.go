package engagement

import (
	"cmp"
	"encoding/json"
	"math/big"
	"unicode/utf8"
)

// sortable reports whether the JSON value may say where a choice stands: a number, or a text that is not too long.
func sortable(value json.RawMessage) bool {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return utf8.RuneCountInString(text) <= maxSort
	}
	var n json.Number
	return len(value) <= maxSort && json.Unmarshal(value, &n) == nil
}

// place is the value of a sort identifier: a number, or else a text.
func place(value json.RawMessage) (n *big.Float, text string) {
	text = string(value)
	_ = json.Unmarshal(value, &text) // what is no text is a number, and stays as it is written
	if f, _, err := big.ParseFloat(text, 10, 64, big.ToNearestEven); err == nil {
		return f, ""
	}
	return nil, text
}

// compareSort orders numbers, also those that are written as text, before all other texts.
func compareSort(a, b json.RawMessage) int {
	m, s := place(a)
	n, t := place(b)
	switch {
	case m != nil && n != nil:
		return m.Cmp(n)
	case m != nil:
		return -1
	case n != nil:
		return 1
	}
	return cmp.Compare(s, t)
}
