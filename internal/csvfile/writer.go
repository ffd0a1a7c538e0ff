package csvfile

import (
	"bufio"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Writer writes CSV files that spreadsheets open correctly: a byte order mark announces UTF-8, every cell is quoted,
// and no cell can be taken for a formula. Reader reads the same values back, with Unguard.
type Writer struct{ to *bufio.Writer }

// ContentType is the media type of the files that a Writer writes.
const ContentType = "text/csv; charset=utf-8"

// NewWriter returns a writer and writes the byte order mark.
func NewWriter(to io.Writer) *Writer {
	w := &Writer{bufio.NewWriter(to)}
	_, _ = w.to.Write(byteOrderMark) // its error returns from Flush
	return w
}

// Write writes a row. Cells that a spreadsheet would take for formulas are guarded. Output is buffered, so an error may
// only be returned by a later call.
func (w *Writer) Write(cells ...string) error {
	for i, cell := range cells {
		if i > 0 {
			_ = w.to.WriteByte(',')
		}
		_ = w.to.WriteByte('"')
		_, _ = w.to.WriteString(strings.ReplaceAll(guardFormula(cell), `"`, `""`))
		_ = w.to.WriteByte('"')
	}
	_, err := w.to.WriteString("\r\n") // returns the first error of the writes before, too
	return err
}

// Flush writes out what is buffered.
func (w *Writer) Flush() error { return w.to.Flush() }

// guardFormula puts an apostrophe before a text that a spreadsheet may take for a formula.
func guardFormula(cell string) string {
	if isFormula(cell) {
		return "'" + cell
	}
	return cell
}

// Unguard returns a cell without the apostrophe that a Writer, or a person in a spreadsheet, put before a text that
// looks like a formula.
func Unguard(cell string) string {
	if cell != "" && cell[0] == '\'' && isFormula(cell) {
		return cell[1:]
	}
	return cell
}

// formulaSigns are the characters with which a formula may begin, with their full-width and small variants, which some
// spreadsheets accept.
const formulaSigns = "=+-@＝＋－＠﹦﹢﹣﹫−"

// isFormula reports whether a spreadsheet may take a cell for a formula. Leading apostrophes are ignored, so that a
// text that itself begins with one is guarded too, and Unguard restores it.
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
