package laurel_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"laurel.example/laurel"
)

func TestAmountsAreReadExactlyOrRefused(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"0": "0", "-0": "0", "0.000000": "0", "0e99": "0", "1": "1", "-1": "-1", "1.0": "1", "1.50": "1.5", "0.000001": "0.000001", "-0.000001": "-0.000001",
		"1e3": "1000", "1E+3": "1000", "1.5e-5": "0.000015", "10e-7": "0.000001", "123456.789": "123456.789", "007": "7",
		"8999999999999.999999": "8999999999999.999999", "-8999999999999.999999": "-8999999999999.999999", "1.10000000000000000": "1.1",
		"100000000000000000000e-20": "1", "0.1e1": "1", "89999999999999999990000e-10": "8999999999999.999999",
	} {
		got, err := laurel.ParseAmount(in)
		if err != nil || got.String() != want {
			t.Errorf("%q became %s, %v; want %s", in, got, err, want)
		}
	}
	for in, want := range map[string]error{
		"": laurel.ErrAmount, "-": laurel.ErrAmount, "+1": laurel.ErrAmount, ".5": laurel.ErrAmount, "5.": laurel.ErrAmount, "1.2.3": laurel.ErrAmount, "1,5": laurel.ErrAmount,
		"0x10": laurel.ErrAmount, "1_000": laurel.ErrAmount, " 1": laurel.ErrAmount, "1 ": laurel.ErrAmount, "NaN": laurel.ErrAmount, "Infinity": laurel.ErrAmount,
		"1e": laurel.ErrAmount, "1e+": laurel.ErrAmount, "e5": laurel.ErrAmount, "--1": laurel.ErrAmount, "1-": laurel.ErrAmount, "1/2": laurel.ErrAmount, "١": laurel.ErrAmount,
		"null": laurel.ErrAmount, `"1"`: laurel.ErrAmount, strings.Repeat("1", 65): laurel.ErrAmount, "1e5.0": laurel.ErrAmount, "1\n": laurel.ErrAmount,
		"1.0000001": laurel.ErrAmountPlaces, "1e-7": laurel.ErrAmountPlaces, "-0.0000019": laurel.ErrAmountPlaces, "1e-999999999": laurel.ErrAmountPlaces,
		"9000000000000": laurel.ErrAmountRange, "-9000000000000": laurel.ErrAmountRange, "9e12": laurel.ErrAmountRange, "1e999999999": laurel.ErrAmountRange,
		"18446744073709.551617": laurel.ErrAmountRange, "99999999999999999999999999999999": laurel.ErrAmountRange,
	} {
		if got, err := laurel.ParseAmount(in); !errors.Is(err, want) || got != 0 {
			t.Errorf("%q became %s, %v; want %v", in, got, err, want)
		}
	}
}

func TestAmountsAreReadFromJSONNumbersAndTexts(t *testing.T) {
	t.Parallel()
	var v struct{ A, B laurel.Amount }
	if err := json.Unmarshal([]byte(`{"A":1.25,"B":"0.1"}`), &v); err != nil || v.A != 1_250_000 || v.B != 100_000 {
		t.Errorf("read %v, %v", v, err)
	}
	for _, wrong := range []string{`true`, `{}`, `[]`, `""`, `"1.2.3"`, `"\u0031"`} {
		var a laurel.Amount
		if json.Unmarshal([]byte(wrong), &a) == nil {
			t.Errorf("%s was read as %s", wrong, a)
		}
	}
}

// anyAmount is every amount that may exist.
func anyAmount() *rapid.Generator[laurel.Amount] {
	most := int64(laurel.MaxAmount) - 1
	return rapid.Custom(
		func(t *rapid.T) laurel.Amount { return laurel.Amount(rapid.Int64Range(-most, most).Draw(t, "amount")) },
	)
}

func TestWritingAndReadingAnAmountChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := anyAmount().Draw(t, "a")
		got, err := laurel.ParseAmount(a.String())
		if err != nil || got != a || strings.ContainsAny(a.String(), "eE") ||
			strings.Contains(a.String(), ".") && strings.HasSuffix(a.String(), "0") {
			t.Fatalf("%d is written %s and read %d, %v", int64(a), a, int64(got), err)
		}
	})
}

// inRange returns the amount, or 0 and ErrAmountRange: what big integers say of a sum or product.
func inRange(v *big.Int) (laurel.Amount, error) {
	if v.CmpAbs(big.NewInt(int64(laurel.MaxAmount))) >= 0 {
		return 0, laurel.ErrAmountRange
	}
	return laurel.Amount(v.Int64()), nil
}

func TestSumsAreThoseOfBigIntegers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyAmount().Draw(t, "a"), anyAmount().Draw(t, "b")
		want, wantErr := inRange(new(big.Int).Add(big.NewInt(int64(a)), big.NewInt(int64(b))))
		if got, err := a.Plus(b); got != want || !errors.Is(err, wantErr) {
			t.Fatalf("%s + %s = %s, %v; want %s, %v", a, b, got, err, want, wantErr)
		}
	})
}

// TestProductsRoundHalfAwayFromZero compares with exact fractions.
func TestProductsRoundHalfAwayFromZero(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		factors := []laurel.Amount{anyAmount().Draw(t, "amount")}
		exact := new(big.Rat).SetFrac64(int64(factors[0]), 1)
		for _, f := range rapid.SliceOfN(rapid.Int64Range(-5_000_000, 5_000_000), 0, 3).Draw(t, "factors") {
			factors = append(factors, laurel.Amount(f))
			exact.Mul(exact, big.NewRat(f, 1_000_000))
		}
		digits, _ := new(big.Int).SetString(exact.FloatString(0), 10) // FloatString rounds halves away from zero
		want, wantErr := inRange(digits)
		if got, err := laurel.Product(factors...); got != want || !errors.Is(err, wantErr) {
			t.Fatalf("the product of %v is %s, %v; want %s, %v", factors, got, err, want, wantErr)
		}
	})
	for _, c := range []struct{ a, b, want laurel.Amount }{
		{1, 500_000, 1}, {-1, 500_000, -1}, {1, 499_999, 0}, {-1, 499_999, 0}, {3, 500_000, 2}, {-3, 500_000, -2}, {3, -500_000, -2},
		{laurel.MaxAmount - 1, laurel.One, laurel.MaxAmount - 1}, {laurel.MaxAmount - 1, -laurel.One, 1 - laurel.MaxAmount},
	} {
		if got, err := laurel.Product(c.a, c.b); err != nil || got != c.want {
			t.Errorf("%d x %d = %d, %v; want %d", c.a, c.b, got, err, c.want)
		}
	}
	if _, err := laurel.Product(laurel.MaxAmount-1, laurel.MaxAmount-1); !errors.Is(err, laurel.ErrAmountRange) {
		t.Errorf("the greatest product: %v", err)
	}
}

// FuzzParseAmount compares every text that is read with the exact fraction that it stands for.
func TestRoundedProductsKeepThePlacesTheyAreCutTo(t *testing.T) {
	t.Parallel()
	amount := func(text string) laurel.Amount {
		a, err := laurel.ParseAmount(text)
		if err != nil {
			t.Fatal(text, err)
		}
		return a
	}
	for _, c := range []struct {
		a, b               string
		places             int
		down, halfUp, upTo string
	}{
		{"1.5", "10.35", 6, "15.525", "15.525", "15.525"},
		{"1.5", "10.35", 2, "15.52", "15.53", "15.53"},
		{"1.5", "10.35", 0, "15", "16", "16"},
		{"1", "0.5", 0, "0", "1", "1"},
		{"1", "0.499999", 0, "0", "0", "1"},
		{"0.001", "0.0005", 6, "0", "0.000001", "0.000001"},
		{"0.000001", "0.000001", 6, "0", "0", "0.000001"},
		{"0.000001", "0.000001", 0, "0", "0", "1"},
		{"3", "0", 0, "0", "0", "0"},
		{"-1.5", "10.35", 2, "-15.52", "-15.53", "-15.53"},
		{"1.5", "10.35", 9, "15.525", "15.525", "15.525"},
		{"1.5", "10.35", -1, "15", "16", "16"},
		{"8999999999999", "1", 0, "8999999999999", "8999999999999", "8999999999999"},
		{"8999999999999.9", "1", 0, "8999999999999", "", ""},
		{"3000000", "3000000", 6, "", "", ""},
	} {
		for way, want := range map[laurel.Rounding]string{laurel.RoundDown: c.down, laurel.RoundHalfUp: c.halfUp, laurel.RoundUp: c.upTo} {
			got, err := laurel.RoundedProduct(amount(c.a), amount(c.b), c.places, way)
			if want == "" && !errors.Is(err, laurel.ErrAmountRange) || want != "" && (err != nil || got != amount(want)) {
				t.Errorf("%s x %s, %d places %s: %s (%v), want %s", c.a, c.b, c.places, way, got, err, want)
			}
		}
	}
}

func FuzzParseAmount(f *testing.F) {
	for _, seed := range []string{"0", "-1.5", "1e3", "1.0000001", "9e12", "8999999999999.999999", "1e-7", "", "+1", ".5", "1e999999999", "00012.30", "1E+2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := laurel.ParseAmount(s)
		if err != nil {
			if a != 0 ||
				!errors.Is(err, laurel.ErrAmount) && !errors.Is(err, laurel.ErrAmountPlaces) &&
					!errors.Is(err, laurel.ErrAmountRange) {
				t.Fatalf("%q became %d, %v", s, a, err)
			}
			return
		}
		exact, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatalf("%q is no number and became %s", s, a)
		}
		if exact.Cmp(big.NewRat(int64(a), int64(laurel.One))) != 0 || a >= laurel.MaxAmount || a <= -laurel.MaxAmount {
			t.Fatalf("%q became %s", s, a)
		}
	})
}
