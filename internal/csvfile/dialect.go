// Package csvfile reads and writes files of comma-separated values as spreadsheets save them (contract 5.11). It knows
// how rows are written, and nothing about what they mean.
package csvfile

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// Dialect says how a file writes its rows.
type Dialect struct {
	Separator byte
	offset    int64 // of the first row, in bytes: behind a byte order mark and a line sep=
	line      int64 // of the first row
}

// Comma is the default dialect, for files that were not passed to Detect.
var Comma = Dialect{Separator: ',', line: 1}

// separators are the bytes that may separate fields.
var separators = []byte{',', ';', '\t'}

// FileError is the error of a file that is not CSV at all. Its text is for the owner of the file.
type FileError struct{ message string }

func (e *FileError) Error() string { return e.message }

// The reasons for which a file is refused.
const (
	reasonUTF16     = "File is in UTF-16: save it as CSV UTF-8"
	reasonBinary    = "File is a spreadsheet or an archive, not CSV: save it as CSV UTF-8"
	reasonMarkup    = "File is a page, not a list"
	reasonJSON      = "File is JSON, not a list"
	reasonSeparator = "File names a separator that is none of comma, semicolon and tab"
)

// Detect returns the dialect of a file from its first 64 KiB. If the file begins with a line such as sep=; that line
// names the separator. Otherwise it is the one with which the first row, read as a header, has the most of the columns,
// and if several are equal, the one that occurs first in the row. Errors: *FileError if the file is not CSV.
func Detect(in io.Reader, columns ...string) (Dialect, error) {
	start, err := io.ReadAll(io.LimitReader(in, maxRecord))
	if err != nil {
		return Dialect{}, err
	}
	rest := bytes.TrimPrefix(start, byteOrderMark)
	if reason := reasonNotCSV(start, rest); reason != "" {
		return Dialect{}, &FileError{reason}
	}
	d := Dialect{Separator: ',', offset: int64(len(start) - len(rest)), line: 1}
	separator, size, declared := declaredSeparator(rest)
	switch {
	case declared && !bytes.Contains(separators, separator):
		return Dialect{}, &FileError{reasonSeparator}
	case declared:
		d.Separator, d.offset, d.line = separator[0], d.offset+int64(size), 2
	default:
		d.Separator = guessSeparator(rest, columns)
	}
	return d, nil
}

// reasonNotCSV returns why a file is not CSV, or "". start is the beginning of the file, text the same without a byte
// order mark. Servers may send an HTML page or a JSON error with status 200 in place of a file, and its lines would be
// read as rows. JSON is only recognized if start is the whole file.
func reasonNotCSV(start, text []byte) string {
	trimmed := bytes.TrimSpace(text)
	switch {
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("\xfe\xff")), looksLikeUTF16(text):
		return reasonUTF16
	// a ZIP archive, such as .xlsx, or an older spreadsheet, such as .xls
	case bytes.HasPrefix(start, []byte("PK\x03\x04")), bytes.HasPrefix(start, []byte("\xd0\xcf\x11\xe0")):
		return reasonBinary
	case bytes.HasPrefix(trimmed, []byte("<")):
		return reasonMarkup
	case bytes.HasPrefix(trimmed, []byte("{")), bytes.HasPrefix(trimmed, []byte("[")):
		if len(start) < maxRecord && json.Valid(trimmed) {
			return reasonJSON
		}
	}
	return ""
}

// looksLikeUTF16 reports whether every other byte at the beginning of a text is NUL, as in UTF-16 without a byte order
// mark.
func looksLikeUTF16(text []byte) bool {
	text = text[:min(len(text), 64)&^1] // an even number of bytes
	var zeros [2]int
	for i, c := range text {
		if c == 0 {
			zeros[i%2]++
		}
	}
	return len(text) >= 4 && max(zeros[0], zeros[1]) == len(text)/2
}

// declaredSeparator returns what a first line such as sep=; declares as the separator, and the length of that line. It
// returns false if the first line is no such line. Spreadsheets write such lines.
func declaredSeparator(text []byte) (separator []byte, size int, ok bool) {
	size = lineLength(text, true) // true: without a line end, all of the text is the line
	line := bytes.TrimRight(text[:size], "\r\n")
	if len(line) > 1 && line[0] == '"' && line[len(line)-1] == '"' {
		line = line[1 : len(line)-1]
	}
	const word = "sep="
	if len(line) <= len(word) || !strings.EqualFold(string(line[:len(word)]), word) {
		return nil, 0, false
	}
	return line[len(word):], size, true
}

// guessSeparator returns the separator that makes the most of the columns appear as fields of the first row. Among
// equals it takes the separator that occurs first: without a header the row begins with a wallet or code, which holds
// no separator.
func guessSeparator(text []byte, columns []string) byte {
	const isLast = true // the file is read as if it ended with the text
	if len(text) > 0 {
		text = text[blankPrefix(text, isLast):]
	}
	best, mostMatches := byte(','), -1
	for _, separator := range separatorsByPosition(text) {
		r := &Reader{stops: stopBytes(separator), separator: separator}
		fields, _, _ := r.scan(text, isLast)
		matches := 0
		for _, field := range fields {
			for _, column := range columns {
				if IsColumn(field, column) {
					matches++
				}
			}
		}
		if matches > mostMatches {
			best, mostMatches = separator, matches
		}
	}
	return best
}

// IsColumn reports whether a field of a header names a column, in any case.
func IsColumn(field, column string) bool { return strings.EqualFold(strings.TrimSpace(field), column) }

// separatorsByPosition returns the separators that occur outside of quotes in the first line, in order of occurrence.
func separatorsByPosition(text []byte) []byte {
	var found []byte
	inQuotes := false
	for _, c := range text {
		switch {
		case c == '"':
			inQuotes = !inQuotes
		case inQuotes: // a separator or line end within quotes is text
		case c == '\n' || c == '\r':
			return found
		case bytes.IndexByte(separators, c) >= 0 && bytes.IndexByte(found, c) < 0:
			found = append(found, c)
		}
	}
	return found
}

// Decimal returns an amount with a decimal point. Files separated by semicolons come from regions in which the comma is
// the decimal sign.
func (d Dialect) Decimal(amount string) string {
	if d.Separator == ';' && !strings.Contains(amount, ".") {
		return strings.Replace(amount, ",", ".", 1)
	}
	return amount
}
