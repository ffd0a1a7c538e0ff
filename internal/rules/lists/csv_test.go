package lists_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"laurel/internal/rules/lists"
)

func all(t testing.TB, r *lists.Reader) []lists.Record {
	t.Helper()
	var out []lists.Record
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		row.Fields = slices.Clone(row.Fields)
		out = append(out, row)
	}
}

func read(t testing.TB, text string) []lists.Record {
	t.Helper()
	return all(t, lists.NewReader(strings.NewReader(text), 0, 1))
}

func TestRowsOfAFile(t *testing.T) {
	t.Parallel()
	const quote, open = "a quote may stand only around a whole field", "the row is too long, or a quote is not closed"
	row := func(line int64, fields ...string) lists.Record { return lists.Record{Line: line, Fields: fields} }
	bad := func(line int64, fault string) lists.Record { return lists.Record{Line: line, Fault: fault} }
	long := strings.Repeat("x", 70_000)
	for name, c := range map[string]struct {
		text string
		want []lists.Record
	}{
		"nothing":                {"", nil},
		"only empty lines":       {"\n\r\n \n", nil},
		"one without end":        {"a", []lists.Record{row(1, "a")}},
		"LF and CRLF":            {"a,1\nb,2\r\nc,3", []lists.Record{row(1, "a", "1"), row(2, "b", "2"), row(3, "c", "3")}},
		"empty lines count":      {"a\n\n\nb\n", []lists.Record{row(1, "a"), row(4, "b")}},
		"empty fields":           {",a,\n", []lists.Record{row(1, "", "a", "")}},
		"a comma at the end":     {"a,", []lists.Record{row(1, "a", "")}},
		"a byte order mark":      {"\xef\xbb\xbfcode\nA\n", []lists.Record{row(1, "code"), row(2, "A")}},
		"a mark later on":        {"a\n\xef\xbb\xbfb\n", []lists.Record{row(1, "a"), row(2, "\ufeffb")}},
		"a mark and a quote":     {"\xef\xbb\xbf\"a\"\n", []lists.Record{row(1, "a")}},
		"quotes":                 {"\"a,b\",\"say \"\"hi\"\"\"\n\"\"\n", []lists.Record{row(1, "a,b", `say "hi"`)}},
		"a quoted end":           {"a,\"b\"", []lists.Record{row(1, "a", "b")}},
		"a quoted end with CR":   {"a,\"b\"\r", []lists.Record{row(1, "a", "b")}},
		"a line in quotes":       {"\"a\nb\",1\nc,2\n", []lists.Record{row(1, "a\nb", "1"), row(3, "c", "2")}},
		"a bare quote":           {"a\"b\nc\n", []lists.Record{bad(1, quote), row(2, "c")}},
		"text after a quote":     {"\"a\"b,1\nc\n", []lists.Record{bad(1, quote), row(2, "c")}},
		"a quote left open":      {"a\n\"b\nc\nd", []lists.Record{row(1, "a"), bad(2, open), row(3, "c"), row(4, "d")}},
		"a long row":             {"a\n" + long + "\nc\n", []lists.Record{row(1, "a"), bad(2, open), row(3, "c")}},
		"a long row at the end":  {"a\n" + long, []lists.Record{row(1, "a"), bad(2, open)}},
		"a long row in quotes":   {"\"" + long + "\"\nb\n", []lists.Record{bad(1, open), row(2, "b")}},
		"no UTF-8":               {"a\n\xff\nb", []lists.Record{row(1, "a"), bad(2, "the row is not valid UTF-8, or holds a NUL character"), row(3, "b")}},
		"a NUL":                  {"a\x00\nb", []lists.Record{bad(1, "the row is not valid UTF-8, or holds a NUL character"), row(2, "b")}},
		"a carriage return":      {"a\rb\n", []lists.Record{row(1, "a\rb")}},
		"letters of other kinds": {"тест,名\n", []lists.Record{row(1, "тест", "名")}},
	} {
		if got := read(t, c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %.300v\nwant %.300v", name, got, c.want)
		}
		slow := all(t, lists.NewReader(iotest.OneByteReader(strings.NewReader(c.text)), 0, 1))
		if !reflect.DeepEqual(slow, c.want) {
			t.Errorf("%s, byte by byte: %.300v", name, slow)
		}
	}
}

func TestAFaultOfTheSourceIsNoRow(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	r := lists.NewReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 0, 1)
	if row, err := r.Next(); err != nil || row.Fields[0] != "a" {
		t.Fatal(row, err)
	}
	if row, err := r.Next(); !errors.Is(err, broken) {
		t.Fatal(row, err)
	}
}

// lineEnds are what the library reads as a line end within quotes, which this reader keeps as it stands.
var lineEnds = regexp.MustCompile("\r+\n")

// FuzzReader holds the reader against that of the standard library where the latter reads the whole file, and reads on
// from every row's place.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{"a,b\nc,d\n", "\"a\"\"b\",c\r\n", "\"open\nx\n", "a\n\n\"b\nc\"\n", "\xef\xbb\xbfx,y", ",,\n\"\",", strings.Repeat("a,\"b\"\n", 100)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := lists.NewReader(strings.NewReader(text), 0, 1)
		type place struct{ offset, line int64 }
		var rows []lists.Record
		var places []place
		for {
			row, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if (row.Fields == nil) == (row.Fault == "") {
				t.Fatalf("%v", row)
			}
			row.Fields = slices.Clone(row.Fields)
			rows, places = append(rows, row), append(places, place{r.Offset, r.Line})
		}
		if r.Offset != int64(len(text)) {
			t.Fatalf("read %d of %d bytes", r.Offset, len(text))
		}
		for i, p := range places[:min(len(places), 20)] {
			rest := all(t, lists.NewReader(strings.NewReader(text[p.offset:]), p.offset, p.line))
			if len(rest) != len(rows)-i-1 || len(rest) > 0 && !reflect.DeepEqual(rest, rows[i+1:]) {
				t.Fatalf("from row %d on: %v, want %v", i+1, rest, rows[i+1:])
			}
		}
		if len(text) > 60_000 || !utf8.ValidString(text) || strings.ContainsAny(text, "\x00") ||
			strings.Contains(text, "\"\r") ||
			strings.HasPrefix(text, "\xef\xbb\xbf") {
			return
		}
		library := csv.NewReader(bytes.NewReader([]byte(text)))
		library.FieldsPerRecord = -1
		want, err := library.ReadAll()
		if err != nil {
			return
		}
		var got [][]string
		for _, row := range rows {
			got = append(got, row.Fields)
		}
		var kept [][]string
		for _, row := range want {
			for i := range row {
				row[i] = lineEnds.ReplaceAllString(row[i], "\n")
			}
			if len(row) > 1 || strings.TrimSpace(row[0]) != "" {
				kept = append(kept, row)
			}
		}
		for _, row := range got {
			for i := range row {
				row[i] = lineEnds.ReplaceAllString(row[i], "\n")
			}
		}
		if !reflect.DeepEqual(got, kept) {
			t.Fatalf("%q, the library reads %q", got, kept)
		}
	})
}
