package csvfile_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"laurel.example/laurel/internal/csvfile"
)

func all(t testing.TB, r *csvfile.Reader) []csvfile.Record {
	t.Helper()
	var out []csvfile.Record
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

// dialect finds the dialect of a text for a list of wallets.
func dialect(t testing.TB, text string) csvfile.Dialect {
	t.Helper()
	d, err := csvfile.Detect(strings.NewReader(text), "walletAddress", "amount")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func row(line int64, fields ...string) csvfile.Record {
	return csvfile.Record{Line: line, Fields: fields}
}

func bad(line int64, fault string) csvfile.Record { return csvfile.Record{Line: line, Fault: fault} }

func TestRowsOfAFile(t *testing.T) {
	t.Parallel()
	const quote, open = "a quote may stand only around a whole field", "the row is too long, or a quote is not closed"
	const text = "the row is not valid UTF-8, or holds a NUL character"
	long := strings.Repeat("x", 70_000)
	for name, c := range map[string]struct {
		text string
		want []csvfile.Record
	}{
		"nothing":                {"", nil},
		"only empty lines":       {"\n\r\n \n\r\r\t\n", nil},
		"one without end":        {"a", []csvfile.Record{row(1, "a")}},
		"LF and CRLF":            {"a,1\nb,2\r\nc,3", []csvfile.Record{row(1, "a", "1"), row(2, "b", "2"), row(3, "c", "3")}},
		"CR alone":               {"a,1\rb,2\rc,3\r", []csvfile.Record{row(1, "a", "1"), row(2, "b", "2"), row(3, "c", "3")}},
		"all line ends":          {"a\rb\nc\r\nd\r\re\n\rf", []csvfile.Record{row(1, "a"), row(2, "b"), row(3, "c"), row(4, "d"), row(6, "e"), row(8, "f")}},
		"empty lines count":      {"a\n\n\nb\n", []csvfile.Record{row(1, "a"), row(4, "b")}},
		"empty fields":           {",a,\n", []csvfile.Record{row(1, "", "a", "")}},
		"rows of empty fields":   {"a,1\n,\n\"\", ,\nb,2\n,,,", []csvfile.Record{row(1, "a", "1"), row(4, "b", "2")}},
		"a comma at the end":     {"a,", []csvfile.Record{row(1, "a", "")}},
		"a byte order mark":      {"\xef\xbb\xbfcode\nA\n", []csvfile.Record{row(1, "code"), row(2, "A")}},
		"two marks":              {"\xef\xbb\xbf\xef\xbb\xbfcode\n", []csvfile.Record{row(1, "\ufeffcode")}},
		"a mark later on":        {"a\n\xef\xbb\xbfb\n", []csvfile.Record{row(1, "a"), row(2, "\ufeffb")}},
		"a mark and a quote":     {"\xef\xbb\xbf\"a\"\n", []csvfile.Record{row(1, "a")}},
		"quotes":                 {"\"a,b\",\"say \"\"hi\"\"\"\n\"\"\nc", []csvfile.Record{row(1, "a,b", `say "hi"`), row(3, "c")}},
		"a quoted end":           {"a,\"b\"", []csvfile.Record{row(1, "a", "b")}},
		"a quoted end with CR":   {"a,\"b\"\r\"c\"\r", []csvfile.Record{row(1, "a", "b"), row(2, "c")}},
		"lines in quotes":        {"\"a\nb\rc\r\nd\",1\nc,2\n", []csvfile.Record{row(1, "a\nb\rc\r\nd", "1"), row(5, "c", "2")}},
		"a bare quote":           {"a\"b\nc\n", []csvfile.Record{bad(1, quote), row(2, "c")}},
		"text after a quote":     {"\"a\"b,1\rc\n", []csvfile.Record{bad(1, quote), row(2, "c")}},
		"a quote left open":      {"a\n\"b\nc\nd", []csvfile.Record{row(1, "a"), bad(2, open), row(3, "c"), row(4, "d")}},
		"one left open, by CR":   {"a\r\"b\rc\r\nd", []csvfile.Record{row(1, "a"), bad(2, open), row(3, "c"), row(4, "d")}},
		"a long row":             {"a\n" + long + "\nc\n", []csvfile.Record{row(1, "a"), bad(2, open), row(3, "c")}},
		"a long row at the end":  {"a\n" + long, []csvfile.Record{row(1, "a"), bad(2, open)}},
		"a long row in quotes":   {"\"" + long + "\"\r\nb\n", []csvfile.Record{bad(1, open), row(2, "b")}},
		"no UTF-8":               {"a\n\xff\nb", []csvfile.Record{row(1, "a"), bad(2, text), row(3, "b")}},
		"a NUL":                  {"a\x00\nb", []csvfile.Record{bad(1, text), row(2, "b")}},
		"letters of other kinds": {"тест,名\n", []csvfile.Record{row(1, "тест", "名")}},
		"semicolons":             {"walletAddress;amount\na;1,5\n", []csvfile.Record{row(1, "walletAddress", "amount"), row(2, "a", "1,5")}},
		"semicolons in quotes":   {"\"a;b\";\"1\"\"2\";\n", []csvfile.Record{row(1, "a;b", `1"2`, "")}},
		"tabs":                   {"a\t1,5\t\n\t\t\nb\t2;\n", []csvfile.Record{row(1, "a", "1,5", ""), row(3, "b", "2;")}},
		"a separator by name":    {"sep=;\r\na,b;1\r\n", []csvfile.Record{row(2, "a,b", "1")}},
		"a tab by name":          {"\xef\xbb\xbfSEP=\t\na,b;\t1\n", []csvfile.Record{row(2, "a,b;", "1")}},
		"one in quotes":          {"\"sep=,\"\ra;b,1\n", []csvfile.Record{row(2, "a;b", "1")}},
		"a header by semicolon":  {"note, or so;Amount;WALLETADDRESS\n", []csvfile.Record{row(1, "note, or so", "Amount", "WALLETADDRESS")}},
		"a header by comma":      {"a;b,walletaddress\n", []csvfile.Record{row(1, "a;b", "walletaddress")}},
		"the first separator":    {"\n\na;1,5\n", []csvfile.Record{row(3, "a", "1,5")}},
		"the first one, a comma": {"a,1;5\n", []csvfile.Record{row(1, "a", "1;5")}},
		"one in quotes alone":    {"\"a;b\",1\n", []csvfile.Record{row(1, "a;b", "1")}},
	} {
		d := dialect(t, c.text)
		if got := all(t, csvfile.NewReader(strings.NewReader(c.text), d)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %.300v\nwant %.300v", name, got, c.want)
		}
		slow := all(t, csvfile.NewReader(iotest.OneByteReader(strings.NewReader(c.text)), d))
		if !reflect.DeepEqual(slow, c.want) {
			t.Errorf("%s, byte by byte: %.300v", name, slow)
		}
	}
}

func TestAFileThatIsNoCSVIsRefused(t *testing.T) {
	t.Parallel()
	utf16 := func(text string) (little, big string) {
		for _, c := range text {
			little, big = little+string([]byte{byte(c), 0}), big+string([]byte{0, byte(c)})
		}
		return little, big
	}
	little, big := utf16("walletAddress\r\n")
	for text, want := range map[string]string{
		"\xff\xfe" + little: "UTF-16", "\xfe\xff" + big: "UTF-16", little: "UTF-16", big: "UTF-16",
		"PK\x03\x04rest": "spreadsheet", "\xd0\xcf\x11\xe0rest": "spreadsheet", " \n<!DOCTYPE html>": "page",
		"{\"error\": \"none\"}\n": "JSON", "\xef\xbb\xbf[]": "JSON", "sep=|\na|1": "separator", "SEP=;;\n": "separator",
	} {
		_, err := csvfile.Detect(strings.NewReader(text), "walletAddress")
		var refused *csvfile.FileError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"", "sep=", "sep", "[a]\n", "{x}\n", "a\x00b\n"} {
		if _, err := csvfile.Detect(strings.NewReader(text), "code"); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAFaultOfTheSourceIsNoRow(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	source := func() io.Reader { return io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)) }
	if _, err := csvfile.Detect(source()); !errors.Is(err, broken) {
		t.Error(err)
	}
	r := csvfile.NewReader(source(), csvfile.Comma)
	if row, err := r.Next(); err != nil || row.Fields[0] != "a" {
		t.Fatal(row, err)
	}
	if row, err := r.Next(); !errors.Is(err, broken) {
		t.Fatal(row, err)
	}
}

func TestOnlySemicolonsMakeACommaADecimalSign(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a;b": "1.5 1.5 1.2,3 1.234,5 1", "a,b": "1,5 1.5 1,2,3 1.234,5 1", "a\tb": "1,5 1.5 1,2,3 1.234,5 1",
	} {
		d, got := dialect(t, text), []string{}
		for _, amount := range strings.Fields("1,5 1.5 1,2,3 1.234,5 1") {
			got = append(got, d.Decimal(amount))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", text, got, want)
		}
	}
}

// FuzzReader reads on from every row's place, holds the reader against that of the standard library where the latter
// reads the whole file, and holds the rows to be the same with any line end.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{
		"a,b\nc,d\n", "\"a\"\"b\",c\r\n", "\"open\nx\n", "a\n\n\"b\nc\"\n", "\xef\xbb\xbfx,y", ",,\n\"\",",
		strings.Repeat("a,\"b\"\n", 100), "a;1,5\rb;2\r", "sep=;\na;b", "walletAddress\tamount\r\rx\t1", "\"a\rb\";c",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := csvfile.Detect(strings.NewReader(text), "walletAddress", "amount")
		if err != nil {
			d = csvfile.Comma
		}
		r := csvfile.NewReader(strings.NewReader(text), d)
		begin, line := r.Offset, int64(0)
		type place struct{ offset, line int64 }
		var rows []csvfile.Record
		var places []place
		for {
			row, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if (row.Fields == nil) == (row.Fault == "") || row.Line <= line {
				t.Fatalf("%v behind line %d", row, line)
			}
			line, row.Fields = row.Line, slices.Clone(row.Fields)
			rows, places = append(rows, row), append(places, place{r.Offset, r.Line})
		}
		if r.Offset != int64(len(text)) {
			t.Fatalf("read %d of %d bytes", r.Offset, len(text))
		}
		for i, p := range places[:min(len(places), 20)] {
			rest := all(t, csvfile.Resume(strings.NewReader(text[p.offset:]), d, p.offset, p.line))
			if len(rest) != len(rows)-i-1 || len(rest) > 0 && !reflect.DeepEqual(rest, rows[i+1:]) {
				t.Fatalf("from row %d on: %v, want %v", i+1, rest, rows[i+1:])
			}
		}
		plain := strings.ReplaceAll(text[begin:], "\r\n", "\n")
		if len(text) > 60_000 || !utf8.ValidString(text) || strings.ContainsAny(plain, "\x00\r") ||
			strings.HasPrefix(plain, "\xef\xbb\xbf") {
			return
		}
		byLibrary(t, plain, d, rows)
		for _, isLast := range []string{"\n", "\r\n", "\r"} {
			source := text[:begin] + strings.ReplaceAll(plain, "\n", isLast)
			if got := all(t, csvfile.NewReader(strings.NewReader(source), d)); !sameRows(got, rows) {
				t.Fatalf("with lines that end with %q: %v, want %v", isLast, got, rows)
			}
		}
	})
}

// sameRows compares rows with every line end in a field written as LF.
func sameRows(a, b []csvfile.Record) bool {
	return slices.EqualFunc(a, b, func(a, b csvfile.Record) bool {
		return a.Line == b.Line && a.Fault == b.Fault && slices.Equal(lineFeeds(a.Fields), lineFeeds(b.Fields))
	})
}

func lineFeeds(fields []string) []string {
	out := slices.Clone(fields)
	for i := range out {
		out[i] = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(out[i])
	}
	return out
}

// byLibrary compares rows with what the standard library reads.
func byLibrary(t *testing.T, plain string, d csvfile.Dialect, rows []csvfile.Record) {
	t.Helper()
	library := csv.NewReader(strings.NewReader(plain))
	library.FieldsPerRecord, library.Comma = -1, rune(d.Separator)
	want, err := library.ReadAll()
	if err != nil {
		return
	}
	want = slices.DeleteFunc(want, func(row []string) bool { return strings.TrimSpace(strings.Join(row, "")) == "" })
	var got [][]string
	for _, row := range rows {
		got = append(got, lineFeeds(row.Fields))
	}
	if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
		t.Fatalf("%q, the library reads %q", got, want)
	}
}

func BenchmarkReader(b *testing.B) {
	var text bytes.Buffer
	for i := range 200_000 {
		_, _ = fmt.Fprintf(&text, "0x%040x,%d.25\n", i, i%1000)
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r := csvfile.NewReader(bytes.NewReader(text.Bytes()), csvfile.Comma)
		for {
			if _, err := r.Next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
}
