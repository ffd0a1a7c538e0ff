package lists

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// Record is one row of a file (RFC 4180): the line that it begins on, counted from 1, and its fields, or what is wrong
// with it.
type Record struct {
	Line   int64
	Fields []string // until the next row is read
	Fault  string   // not empty: Fields is nil
}

// Reader reads rows of comma-separated values one after the other, whatever the size of the file. A row that is
// malformed is told and ends with its first line, so that an open quote does not swallow the rows behind it. Lines end
// with LF or CRLF; empty ones are no rows. A byte order mark is passed over.
type Reader struct {
	in     *bufio.Reader
	Offset int64    // where the next row begins, in bytes
	Line   int64    // and its line
	fields []string // of the last row: a file of millions of rows would leave a list of each behind
}

// maxRecord bounds a row, and with it what a Reader keeps in memory.
const maxRecord = 64 << 10

var mark = []byte("\xef\xbb\xbf")

// NewReader reads from a place between two rows: a file's beginning is Offset 0, Line 1.
func NewReader(in io.Reader, offset, line int64) *Reader {
	r := &Reader{in: bufio.NewReaderSize(in, maxRecord), Offset: offset, Line: line}
	if start, _ := r.in.Peek(len(mark)); offset == 0 && bytes.Equal(start, mark) {
		r.skip(start)
	}
	return r
}

// Next returns the next row. io.EOF: there is none; any other error is one of the source.
func (r *Reader) Next() (Record, error) {
	for {
		window, end, err := r.window(0)
		if err != nil {
			return Record{}, err
		}
		if n := empty(window); n > 0 {
			r.skip(window[:n])
			continue
		}
		fields, size, fault := r.scan(window, end)
		for size == 0 && !end && len(window) < maxRecord { // the row may go on behind the window
			if window, end, err = r.window(min(2*len(window), maxRecord)); err != nil {
				return Record{}, err
			}
			fields, size, fault = r.scan(window, end)
		}
		out := Record{Line: r.Line, Fields: fields, Fault: fault}
		switch {
		case size == 0:
			out.Fields, out.Fault = nil, "the row is too long, or a quote is not closed"
			err = r.skipLine(window)
		case fault != "":
			out.Fields = nil
			err = r.skipLine(window)
		default:
			r.skip(window[:size])
		}
		if err != nil {
			return Record{}, err
		}
		if len(out.Fields) == 1 && strings.TrimSpace(out.Fields[0]) == "" {
			continue // an empty line
		}
		return out, nil
	}
}

// empty returns how many bytes of lines without anything in them a window begins with: there may be millions.
func empty(window []byte) int {
	rest := bytes.TrimLeft(window, " \t\r\n")
	return bytes.LastIndexByte(window[:len(window)-len(rest)], '\n') + 1
}

// window returns at least one byte, n where there are as many, and whether the file ends with them.
func (r *Reader) window(n int) ([]byte, bool, error) {
	if r.in.Buffered() == 0 {
		_, _ = r.in.Peek(1) // its error comes again
	}
	window, err := r.in.Peek(max(n, r.in.Buffered(), 1))
	if errors.Is(err, io.EOF) && len(window) > 0 {
		return window, true, nil
	}
	return window, false, err
}

// skip passes over what the window shows.
func (r *Reader) skip(b []byte) {
	n, lines := len(b), int64(bytes.Count(b, []byte{'\n'}))
	_, _ = r.in.Discard(n) // it is in the buffer
	r.Offset += int64(n)
	r.Line += lines
}

// skipLine passes over the rest of the line, however long it is.
func (r *Reader) skipLine(window []byte) error {
	for {
		if i := bytes.IndexByte(window, '\n'); i >= 0 {
			r.skip(window[:i+1])
			return nil
		}
		r.skip(window)
		var err error
		if window, _, err = r.window(maxRecord); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// What may be wrong with a row.
const (
	faultQuote = "a quote may stand only around a whole field"
	faultText  = "the row is not valid UTF-8, or holds a NUL character"
)

// scan reads the row at the beginning of the window. Size 0: it does not end within the window.
func (r *Reader) scan(window []byte, end bool) (fields []string, size int, fault string) {
	row := r.fields[:0]
	defer func() { r.fields = row }()
	for at := 0; ; {
		field, next, fault := scanField(window[at:], end)
		if fault != "" {
			return nil, 1, fault
		}
		if next == 0 {
			return nil, 0, ""
		}
		if !utf8.Valid(field) || bytes.IndexByte(field, 0) >= 0 {
			return nil, 1, faultText
		}
		row = append(row, string(field))
		at += next
		if window[at-1] != ',' {
			return row, at, ""
		}
		if at == len(window) {
			if !end {
				return nil, 0, ""
			}
			row = append(row, "") // the file ends with a comma
			return row, at, ""
		}
	}
}

// scanField reads a field with what ends it. Next 0: it does not end within the window.
func scanField(b []byte, end bool) (field []byte, next int, fault string) {
	if len(b) > 0 && b[0] == '"' {
		return scanQuoted(b, end)
	}
	i := bytes.IndexAny(b, ",\n\"")
	switch {
	case i < 0 && !end:
		return nil, 0, ""
	case i < 0:
		return bytes.TrimSuffix(b, []byte{'\r'}), len(b), ""
	case b[i] == '"':
		return nil, 0, faultQuote
	case b[i] == '\n':
		return bytes.TrimSuffix(b[:i], []byte{'\r'}), i + 1, ""
	}
	return b[:i], i + 1, ""
}

func scanQuoted(b []byte, end bool) (field []byte, next int, fault string) {
	for at := 1; ; {
		i := bytes.IndexByte(b[at:], '"')
		if i < 0 {
			return nil, 0, ""
		}
		field = append(field, b[at:at+i]...)
		at += i + 1
		rest := b[at:]
		switch {
		case len(rest) == 0 && !end || len(rest) == 1 && rest[0] == '\r' && !end:
			return nil, 0, ""
		case len(rest) == 0:
			return field, at, ""
		case rest[0] == '"':
			field = append(field, '"')
			at++
		case rest[0] == ',' || rest[0] == '\n':
			return field, at + 1, ""
		case rest[0] == '\r' && (len(rest) == 1 || rest[1] == '\n'):
			return field, at + min(len(rest), 2), ""
		default:
			return nil, 0, faultQuote
		}
	}
}
