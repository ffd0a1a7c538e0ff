package formula_test

import (
	"math"
	"strings"
	"testing"

	"laurel.example/laurel/internal/rules/formula"
)

func TestValuesOfFormulas(t *testing.T) {
	t.Parallel()
	none := math.NaN()
	for text, want := range map[string]float64{ // of X = 16
		"X": 16, "x": 16, " 3\t+\n4 ": 7, "X - 1 - 2": 13, "X / 2 / 4": 2, "1 + 2 * 3": 7, "(1 + 2) * 3": 9, "0.5*X": 8,
		".5": .5, "5.": 5, "2 ^ 3 ^ 2": 512, "-2 ^ 2": -4, "(-2) ^ 2": 4, "2 ^ -1": .5, "2 * -3": -6, "1 - -1": 2, "+X": 16,
		"--X": 16, "sqrt(X)": 4, "SQRT(x)": 4, "log(1)": 0, "min(X, 20)": 16, "max(X, 20, 5)": 20, "min(max(X, 2), 10)": 10,
		"X ^ 0.5": 4, "log(X) / log(2)": 4, "100 * sqrt(X) - X ^ 2 / 4": 336,
		"1 / 0": none, "X / (X - 16)": none, "min(1 / 0, 5)": none, "(1 / 0) ^ 0": none, "1 ^ (1 / 0)": none, "0 * (1 / 0)": none,
		"log(0)": none, "log(-1)": none, "sqrt(-1)": none, "(-2) ^ 0.5": none, "10 ^ 400": none, "10 ^ 200 * 10 ^ 200": none,
		"max(log(0 - X), 3)": none, "0 ^ -1": none,
		strings.Repeat("1+", 249) + "1":                         250,
		strings.Repeat("(", 50) + "X" + strings.Repeat(")", 50): 16,
	} {
		f, err := formula.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := f.Value(16); math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
}

func TestFaultsOfFormulasNameTheirPositions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":            "at position 1, it ends in place of a value",
		"  ":          "at position 3, it ends in place of a value",
		"X +":         "at position 4, it ends in place of a value",
		"X * y":       `at position 5, "y" is not known`,
		"X2":          `at position 1, "X2" is not known`,
		"2X":          `at position 2, there is "X" in place of an operator`,
		"(X":          "at position 3, it ends in place of a closing bracket",
		"X)":          `at position 2, there is ")" in place of an operator`,
		"é(X)":        `at position 1, "é" is not known`,
		"X ÷ 2":       `at position 3, there is "÷" in place of an operator`,
		"1.2.3":       `at position 1, "1.2.3" is no number`,
		"1 + .":       `at position 5, "." is no number`,
		"1e6":         `at position 2, there is "e" in place of an operator`,
		"sqrt X":      `at position 6, there is "X" in place of an opening bracket`,
		"sqrt()":      `at position 6, there is ")" in place of a value`,
		"sqrt(X, 2)":  "at position 1, sqrt needs one value",
		"1 + min(X)":  "at position 5, min needs two values or more",
		"max(X; 2)":   `at position 6, there is ";" in place of a comma or a closing bracket`,
		"X ** 2":      `at position 4, there is "*" in place of a value`,
		"system('x')": `at position 1, "system" is not known`,

		strings.Repeat("(", 51) + "X":  "at position 52, it is nested more than 50 times",
		strings.Repeat("-", 60) + "X":  "at position 52, it is nested more than 50 times",
		strings.Repeat("2^", 60) + "X": "at position 103, it is nested more than 50 times",
		strings.Repeat("9", 501):       "at position 501, it is longer than 500 characters",
		strings.Repeat("9", 400):       `at position 1, "` + strings.Repeat("9", 400) + `" is no number`,
	} {
		if _, err := formula.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

func FuzzFormulas(f *testing.F) {
	for _, text := range []string{"X", "min(X, 2) ^ -3 / log(0)", "((", "-+-2^2^", "sqrt(max(1,X))", "\xff", "1..", "é"} {
		f.Add(text, 3.5)
	}
	f.Fuzz(func(t *testing.T, text string, x float64) {
		parsed, err := formula.Parse(text)
		if err != nil {
			return
		}
		if math.IsInf(x, 0) {
			x = 1
		}
		if value := parsed.Value(x); math.IsInf(value, 0) {
			t.Errorf("%q of %v is %v", text, x, value)
		}
	})
}
