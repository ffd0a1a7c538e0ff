package csvfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// Record is one row of a file (RFC 4180): the line on which it begins, counted from 1, and its fields or its fault.
type Record struct {
	Line   int64
	Fields []string // valid until the next row is read
	Fault  string   // not empty: Fields is nil
}

// Reader reads rows of separated values one by one from files of any size. A malformed row is returned with its fault
// and ends with its first line, so that an open quote does not swallow the rows behind it. Lines end with LF, CRLF or
// CR. Empty lines are skipped, and so are rows with only empty fields, which spreadsheets write below a table.
type Reader struct {
	in        *bufio.Reader
	separator byte
	stops     *[256]bool // see stopBytes
	Offset    int64      // at which the next row begins, in bytes
	Line      int64      // on which the next row begins
	fields    []string   // of the last row, reused to avoid an allocation per row
}

// maxRecord is the most bytes of a row, and the size of the buffer of a Reader.
const maxRecord = 64 << 10

var byteOrderMark = []byte("\xef\xbb\xbf")

// NewReader returns a reader of a file from its beginning. It skips a byte order mark and a line sep= as the dialect
// says.
func NewReader(in io.Reader, d Dialect) *Reader {
	r := Resume(in, d, 0, 1)
	n, _ := r.in.Discard(int(d.offset)) // an error of the source returns with the next read
	r.Offset, r.Line = int64(n), d.line
	return r
}

// Resume returns a reader that goes on where another stopped: at its Offset and Line. in begins at that offset.
func Resume(in io.Reader, d Dialect, offset, line int64) *Reader {
	return &Reader{
		in: bufio.NewReaderSize(in, maxRecord), separator: d.Separator, stops: stopBytes(d.Separator),
		Offset: offset, Line: line,
	}
}

// stopBytes marks the bytes that end an unquoted field or may not occur in one.
func stopBytes(separator byte) *[256]bool {
	stops := [256]bool{'\n': true, '\r': true, '"': true}
	stops[separator] = true
	return &stops
}

// Next returns the next row that is not blank. A malformed row is no error: it is returned with a Fault and without
// fields. Errors: io.EOF after the last row; those of the source.
func (r *Reader) Next() (Record, error) {
	for {
		window, isLast, err := r.window(0) // 0: what is buffered
		if err != nil {
			return Record{}, err
		}
		if n := blankPrefix(window, isLast); n > 0 {
			r.skip(window[:n])
			continue
		}
		fields, size, fault := r.scan(window, isLast)
		for size == 0 && !isLast && len(window) < maxRecord { // the row goes on behind the window: widen it
			if window, isLast, err = r.window(min(2*len(window), maxRecord)); err != nil {
				return Record{}, err
			}
			fields, size, fault = r.scan(window, isLast)
		}
		out := Record{Line: r.Line, Fields: fields, Fault: fault}
		switch {
		case size == 0:
			out.Fields, out.Fault = nil, "the row is too long, or a quote is not closed"
			err = r.skipLine(window, isLast)
		case fault != "":
			out.Fields = nil
			err = r.skipLine(window, isLast)
		default:
			r.skip(window[:size])
		}
		if err != nil {
			return Record{}, err
		}
		if out.Fault == "" && isBlankRow(fields) {
			continue
		}
		return out, nil
	}
}

// isBlankRow reports whether all fields are empty or white space.
func isBlankRow(fields []string) bool {
	for _, field := range fields {
		if field != "" && strings.TrimSpace(field) != "" {
			return false
		}
	}
	return true
}

// blankPrefix returns the length of the blank lines at the beginning of a window, which must not be empty. isLast says
// that the file ends with the window. Files may have millions of blank lines.
func blankPrefix(window []byte, isLast bool) int {
	if window[0] > ' ' {
		return 0
	}
	n := len(window) - len(bytes.TrimLeft(window, " \t\r\n"))
	if n == len(window) && n > 0 && window[n-1] == '\r' && !isLast {
		n-- // an LF may follow
	}
	return bytes.LastIndexAny(window[:n], "\r\n") + 1
}

// window returns the bytes that are buffered next, without consuming them: at least one, and n if the file has as many.
// It reports whether the file ends with them. Errors: io.EOF at the end; those of the source.
func (r *Reader) window(n int) ([]byte, bool, error) {
	if r.in.Buffered() == 0 {
		_, _ = r.in.Peek(1) // an error returns from the Peek below
	}
	window, err := r.in.Peek(max(n, r.in.Buffered(), 1))
	if errors.Is(err, io.EOF) && len(window) > 0 {
		return window, true, nil
	}
	return window, false, err
}

// skip consumes b, the first bytes of the window, and counts its lines. b must not end between a CR and its LF.
func (r *Reader) skip(b []byte) {
	n := len(b)
	r.Line += int64(bytes.Count(b, []byte{'\n'}))
	if bytes.IndexByte(b, '\r') >= 0 {
		r.Line += int64(bytes.Count(b, []byte{'\r'}) - bytes.Count(b, []byte("\r\n")))
	}
	_, _ = r.in.Discard(n) // it cannot fail: the bytes are buffered
	r.Offset += int64(n)
}

// skipLine consumes the first line of the window, of any length, with what follows of it behind the window.
func (r *Reader) skipLine(window []byte, isLast bool) error {
	for {
		if n := lineLength(window, isLast); n > 0 {
			r.skip(window[:n])
			return nil
		}
		if n := len(window); window[n-1] == '\r' {
			window = window[:n-1] // an LF may follow
		}
		r.skip(window)
		var err error
		if window, isLast, err = r.window(maxRecord); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// lineLength returns the length of the first line of a window, with its line end, or 0 if it does not end within the
// window.
func lineLength(window []byte, isLast bool) int {
	if i := bytes.IndexAny(window, "\r\n"); i >= 0 {
		return lineEnd(window, i, isLast)
	}
	if isLast {
		return len(window)
	}
	return 0
}

// lineEnd returns the index behind the line end (LF, CRLF or CR) at i, or 0 if an LF may follow behind the window.
func lineEnd(window []byte, i int, isLast bool) int {
	switch {
	case window[i] == '\n':
		return i + 1
	case i+1 < len(window) && window[i+1] == '\n':
		return i + 2
	case i+1 < len(window) || isLast:
		return i + 1
	}
	return 0
}

// The faults of rows.
const (
	faultQuote = "a quote may stand only around a whole field"
	// FaultText is the fault of a row that is not valid text.
	FaultText = "the row is not valid UTF-8, or holds a NUL character"
)

// scan returns the fields and the size of the row at the beginning of the window. isLast says that the file ends with
// the window. The size is 0 if the row does not end within the window. For a malformed row scan returns the fault; the
// size is then 1 and says only that no more bytes are needed.
func (r *Reader) scan(window []byte, isLast bool) (fields []string, size int, fault string) {
	row := r.fields[:0]
	defer func() { r.fields = row }()
	for at := 0; ; {
		field, next, fault := r.scanField(window[at:], isLast)
		if fault != "" {
			return nil, 1, fault
		}
		if next == 0 {
			return nil, 0, ""
		}
		if !utf8.Valid(field) || bytes.IndexByte(field, 0) >= 0 {
			return nil, 1, FaultText
		}
		row = append(row, string(field))
		at += next
		if window[at-1] != r.separator {
			return row, at, ""
		}
		if at == len(window) {
			if !isLast {
				return nil, 0, ""
			}
			row = append(row, "") // the file ends with a separator
			return row, at, ""
		}
	}
}

// scanField returns the field at the beginning of b, and next, the index behind the separator or line end that follows
// it. next is 0 if the field does not end within b, or if there is a fault.
func (r *Reader) scanField(b []byte, isLast bool) (field []byte, next int, fault string) {
	if len(b) > 0 && b[0] == '"' {
		return r.scanQuoted(b, isLast)
	}
	for i, c := range b {
		switch {
		case !r.stops[c]: // an ordinary byte of the field
		case c == '"':
			return nil, 0, faultQuote
		case c == r.separator:
			return b[:i], i + 1, ""
		default:
			return b[:i], lineEnd(b, i, isLast), ""
		}
	}
	if !isLast {
		return nil, 0, ""
	}
	return b, len(b), ""
}

// scanQuoted is scanField for a field that begins with a quote. Two quotes within it stand for one. If the quote is not
// closed within b, next is 0, even if the file ends there.
func (r *Reader) scanQuoted(b []byte, isLast bool) (field []byte, next int, fault string) {
	for at := 1; ; {
		i := bytes.IndexByte(b[at:], '"')
		if i < 0 {
			return nil, 0, ""
		}
		field = append(field, b[at:at+i]...)
		at += i + 1
		switch {
		case at == len(b) && !isLast:
			return nil, 0, ""
		case at == len(b):
			return field, at, ""
		case b[at] == '"':
			field = append(field, '"')
			at++
		case b[at] == r.separator:
			return field, at + 1, ""
		case b[at] == '\n' || b[at] == '\r':
			return field, lineEnd(b, at, isLast), ""
		default:
			return nil, 0, faultQuote
		}
	}
}
