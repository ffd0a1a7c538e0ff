package csvfile_test

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"laurel.example/laurel/internal/csvfile"
)

func written(t testing.TB, rows ...[]string) string {
	t.Helper()
	var out strings.Builder
	w := csvfile.NewWriter(&out)
	for _, row := range rows {
		if err := w.Write(row...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestAFileIsWrittenAsSpreadsheetsReadIt(t *testing.T) {
	t.Parallel()
	got := written(t, []string{"name", "amount"}, []string{"Jørgen \"the first\"", "1.5"}, []string{"a\nb", ""})
	want := "\xef\xbb\xbf\"name\",\"amount\"\r\n\"Jørgen \"\"the first\"\"\",\"1.5\"\r\n\"a\nb\",\"\"\r\n"
	if got != want {
		t.Errorf("%q", got)
	}
}

func TestCellsAreNoFormulas(t *testing.T) {
	t.Parallel()
	harmless := []string{"", "a=", "'", "a\n=1", "1-2", "é", "'a"}
	for _, sign := range []string{"=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "−"} {
		for _, before := range []string{"", " ", "\n", "\r\n", "\t", "\v", "\u00a0", "\u200b", "\ufeff", "\u202e", "'"} {
			cell := before + sign + "SUM(A1)"
			if got := cellOf(t, cell); got != "'"+cell {
				t.Errorf("%q is %q", cell, got)
			}
		}
	}
	for _, cell := range []string{"\ta", "\ra", "\na", "\n"} {
		if got := cellOf(t, cell); got != "'"+cell {
			t.Errorf("%q is %q", cell, got)
		}
	}
	for _, cell := range harmless {
		if got := cellOf(t, cell); got != cell {
			t.Errorf("%q is %q", cell, got)
		}
	}
}

// cellOf writes a cell and reads it with the library, as a spreadsheet does.
func cellOf(t testing.TB, cell string) string {
	t.Helper()
	raw := strings.TrimPrefix(written(t, []string{cell, "x"}), "\xef\xbb\xbf")
	if !strings.HasPrefix(raw, `"`) || !strings.HasSuffix(raw, "\"x\"\r\n") {
		t.Fatalf("%q is not quoted", raw)
	}
	got := strings.TrimSuffix(strings.TrimPrefix(raw, `"`), "\",\"x\"\r\n")
	return strings.ReplaceAll(got, `""`, `"`)
}

// FuzzWriter holds what the writer writes to be read back by the reader, and to be no formula.
func FuzzWriter(f *testing.F) {
	for _, seed := range []string{"=1", "'=1", "a\"b", "\r\n", "＝1", "''", " +", "a;b,c\td"} {
		f.Add(seed, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) || strings.ContainsRune(a+b, 0) || len(a+b) > 10_000 {
			return
		}
		text := written(t, []string{"walletAddress", "amount"}, []string{"k" + a, b}, []string{a, "k" + b})
		rows := all(t, csvfile.NewReader(strings.NewReader(text), dialect(t, text)))
		want := [][]string{{"walletAddress", "amount"}, {"k" + a, b}, {a, "k" + b}}
		if len(rows) != len(want) {
			t.Fatalf("%q: %v", text, rows)
		}
		for i, row := range rows {
			for n := range row.Fields {
				row.Fields[n] = csvfile.Unguard(row.Fields[n])
			}
			if !slices.Equal(row.Fields, want[i]) {
				t.Fatalf("%q, want %q", row.Fields, want[i])
			}
		}
		if _, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\xef\xbb\xbf"))).ReadAll(); err != nil {
			t.Fatal(err)
		}
	})
}
