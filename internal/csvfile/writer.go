package csvfile

import (
	"bufio"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Writer writes a file that spreadsheets open as it is meant: it begins with a byte order mark, by which they know
// UTF-8, every cell stands in quotes, and none begins like a formula. Reader reads the same values back.
type Writer struct{ to *bufio.Writer }

// ContentType is the media type of the files that a Writer writes.
const ContentType = "text/csv; charset=utf-8"

// NewWriter begins a file.
func NewWriter(to io.Writer) *Writer {
	w := &Writer{bufio.NewWriter(to)}
	_, _ = w.to.Write(byteOrderMark) // its error comes again
	return w
}

// Write writes a row.
func (w *Writer) Write(cells ...string) error {
	for i, cell := range cells {
		if i > 0 {
			_ = w.to.WriteByte(',')
		}
		_ = w.to.WriteByte('"')
		_, _ = w.to.WriteString(strings.ReplaceAll(guardFormula(cell), `"`, `""`))
		_ = w.to.WriteByte('"')
	}
	_, err := w.to.WriteString("\r\n") // with the error of any write before
	return err
}

// Flush sends what was written.
func (w *Writer) Flush() error { return w.to.Flush() }

// guardFormula keeps a spreadsheet from taking a text for a formula by an apostrophe before it.
func guardFormula(cell string) string {
	if isFormula(cell) {
		return "'" + cell
	}
	return cell
}

// Unguard returns what a cell held before a Writer, or somebody at a spreadsheet, put an apostrophe before it so that
// it was no formula.
func Unguard(cell string) string {
	if cell != "" && cell[0] == '\'' && isFormula(cell) {
		return cell[1:]
	}
	return cell
}

// formulaSigns are what a formula may begin with, in the full and small widths too, which some spreadsheets read alike.
const formulaSigns = "=+-@＝＋－＠﹦﹢﹣﹫−"

// isFormula reports whether a spreadsheet may take a cell for a formula. Apostrophes before one do not count, so that
// the guard of a text that begins with one is known from it.
func isFormula(cell string) bool {
	cell = strings.TrimLeft(cell, "'")
	if cell == "" {
		return false
	}
	if strings.ContainsRune("\t\r\n", rune(cell[0])) {
		return true
	}
	cell = strings.TrimLeftFunc(cell, func(c rune) bool {
		return unicode.IsSpace(c) || unicode.IsControl(c) || unicode.Is(unicode.Cf, c)
	})
	first, _ := utf8.DecodeRuneInString(cell)
	return cell != "" && strings.ContainsRune(formulaSigns, first)
}
