package rest

import (
	"cmp"
	"io"
	"net/http"
	"time"
)

const (
	// stallTimeout is how long a caller may read nothing of a response, or send nothing of a file.
	stallTimeout = 30 * time.Second
	// writeChunk is how many bytes of a response share one deadline. A caller who reads that many in time may go on.
	writeChunk = 64 << 10
)

// stallDeadline returns the deadline of the next read or write.
func (a *API) stallDeadline() time.Time {
	return a.cfg.Deadline(cmp.Or(a.cfg.StallTimeout, stallTimeout))
}

// slowBody reads a body that may take longer than others: each read moves the deadline of the connection, but never
// past end.
type slowBody struct {
	io.Reader
	connection    *http.ResponseController
	stallDeadline func() time.Time
	end           time.Time
}

// Read reads the next part of the body. It fails if the caller sends nothing for too long, or if the time for the whole
// body is over.
func (r *slowBody) Read(p []byte) (int, error) {
	deadline := r.stallDeadline()
	if r.end.Before(deadline) {
		deadline = r.end
	}
	_ = r.connection.SetReadDeadline(deadline)
	return r.Reader.Read(p)
}

// responseWriter records whether the response has begun, its status and the bytes of its body, and breaks the
// connection of a caller who stops reading it.
type responseWriter struct {
	http.ResponseWriter
	connection    *http.ResponseController
	stallDeadline func() time.Time
	hasBegun      bool
	status        int // 0: not set, which is 200 once the handler returns
	bytes         int64
	isHead        bool // what is written is not sent
}

// newWriter returns the writer of the response to a request of a method.
func (a *API) newWriter(w http.ResponseWriter, method string) *responseWriter {
	return &responseWriter{
		ResponseWriter: w, connection: http.NewResponseController(w), stallDeadline: a.stallDeadline,
		isHead: method == http.MethodHead,
	}
}

func (w *responseWriter) WriteHeader(status int) {
	if !w.hasBegun {
		w.status = status
	}
	w.hasBegun = true
	w.ResponseWriter.WriteHeader(status)
}

// Write writes b in chunks. Before each chunk it moves the write deadline of the connection, so that only a caller who
// takes too long to read one chunk loses the connection.
func (w *responseWriter) Write(b []byte) (int, error) {
	w.hasBegun = true
	written := 0
	for {
		_ = w.connection.SetWriteDeadline(w.stallDeadline())
		n, err := w.ResponseWriter.Write(b[written:min(len(b), written+writeChunk)])
		if !w.isHead {
			w.bytes += int64(n)
		}
		if written += n; err != nil || written >= len(b) {
			return written, err
		}
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
