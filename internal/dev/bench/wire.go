package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
)

// wire is one connection that stays open and speaks just enough HTTP/1.1 (RFC 9112) to a server of this program. The
// client shares the machine with the server, so it sends prepared bytes and reads responses without building objects: a
// tenth of net/http's work.
type wire struct {
	conn   net.Conn
	reader *bufio.Reader
	body   []byte // of the last response
}

// dial connects to a server.
func dial(ctx context.Context, address string) (*wire, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &wire{conn: conn, reader: bufio.NewReaderSize(conn, 16<<10)}, nil
}

func (w *wire) close() { _ = w.conn.Close() }

// sendOK sends a request and reads the response, whose status must be 200.
func (w *wire) sendOK(request []byte) error {
	status, err := w.send(request)
	if err != nil {
		return err
	}
	if status != 200 {
		return fmt.Errorf("the server answered %d: %s", status, w.body)
	}
	return nil
}

// send sends a request, reads the whole response into w.body and returns its status.
func (w *wire) send(request []byte) (int, error) {
	if _, err := w.conn.Write(request); err != nil {
		return 0, err
	}
	line, err := w.reader.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, fmt.Errorf("not an answer of HTTP/1.1: %.40q", line)
	}
	status, err := strconv.Atoi(string(line[9:12]))
	if err != nil {
		return 0, err
	}
	length, err := w.readHeader()
	if err != nil {
		return 0, err
	}
	if length < 0 {
		return status, w.readChunks()
	}
	w.body = w.body[:0]
	return status, w.readBody(length)
}

// readHeader reads the header up to the empty line and returns the length of the body; -1 for a body in chunks, 0 for
// none.
func (w *wire) readHeader() (int, error) {
	length := 0
	for {
		line, err := w.reader.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(line) <= 2 {
			return length, nil
		}
		if value, ok := headerValue(line, "content-length:"); ok {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, err
			}
		} else if value, ok := headerValue(line, "transfer-encoding:"); ok && string(value) == "chunked" {
			length = -1
		}
	}
}

// headerValue returns the value of a header line, if the line has the name, which is given in small letters with its
// colon.
func headerValue(line []byte, name string) ([]byte, bool) {
	if len(line) < len(name) || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return nil, false
	}
	return bytes.TrimSpace(line[len(name):]), true
}

// readChunks reads a body in chunks.
func (w *wire) readChunks() error {
	w.body = w.body[:0]
	for {
		line, err := w.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		size, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 16, 31)
		if err != nil {
			return err
		}
		if err := w.readBody(int(size)); err != nil {
			return err
		}
		if end, err := w.reader.ReadSlice('\n'); err != nil || len(end) != 2 {
			return errors.Join(err, errors.New("a chunk ends without a line's end"))
		}
		if size == 0 {
			return nil
		}
	}
}

// readBody appends the next n bytes of the connection to the body.
func (w *wire) readBody(n int) error {
	at := len(w.body)
	if cap(w.body)-at < n {
		w.body = append(make([]byte, 0, 2*(at+n)), w.body...)
	}
	w.body = w.body[:at+n]
	_, err := io.ReadFull(w.reader, w.body[at:])
	return err
}
