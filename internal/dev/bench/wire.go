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

// wire is one kept connection that speaks just enough HTTP/1.1 (RFC 9112) to a server of this program. The client
// shares the machine with the server, so it sends prepared bytes and reads answers without building objects: a
// tenth of net/http's work.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
	body []byte // of the last answer
}

func dial(ctx context.Context, address string) (*wire, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return &wire{conn: conn, in: bufio.NewReaderSize(conn, 16<<10)}, nil
}

func (w *wire) close() { _ = w.conn.Close() }

// ok sends a request and demands 200.
func (w *wire) ok(request []byte) error {
	status, err := w.do(request)
	if err != nil {
		return err
	}
	if status != 200 {
		return fmt.Errorf("the server answered %d: %s", status, w.body)
	}
	return nil
}

// do sends a request, reads the whole answer and tells its status.
func (w *wire) do(request []byte) (int, error) {
	if _, err := w.conn.Write(request); err != nil {
		return 0, err
	}
	line, err := w.in.ReadSlice('\n')
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
	length, err := w.header()
	if err != nil {
		return 0, err
	}
	if length < 0 {
		return status, w.chunks()
	}
	w.body = w.body[:0]
	return status, w.take(length)
}

// header reads up to the empty line and returns the length of the body, -1 for one in chunks.
func (w *wire) header() (int, error) {
	length := 0
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(line) <= 2 {
			return length, nil
		}
		if value, ok := field(line, "content-length:"); ok {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, err
			}
		} else if value, ok := field(line, "transfer-encoding:"); ok && string(value) == "chunked" {
			length = -1
		}
	}
}

// field returns the value of a header line with the name, which is given in small letters.
func field(line []byte, name string) ([]byte, bool) {
	if len(line) < len(name) || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return nil, false
	}
	return bytes.TrimSpace(line[len(name):]), true
}

func (w *wire) chunks() error {
	w.body = w.body[:0]
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return err
		}
		size, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 16, 31)
		if err != nil {
			return err
		}
		if err := w.take(int(size)); err != nil {
			return err
		}
		if end, err := w.in.ReadSlice('\n'); err != nil || len(end) != 2 {
			return errors.Join(err, errors.New("a chunk ends without a line's end"))
		}
		if size == 0 {
			return nil
		}
	}
}

// take adds the next n bytes to the body.
func (w *wire) take(n int) error {
	at := len(w.body)
	if cap(w.body)-at < n {
		w.body = append(make([]byte, 0, 2*(at+n)), w.body...)
	}
	w.body = w.body[:at+n]
	_, err := io.ReadFull(w.in, w.body[at:])
	return err
}
