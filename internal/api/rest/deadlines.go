package rest

import (
	"cmp"
	"io"
	"net/http"
	"time"
)

const (
	// stallWithin is how long a caller may take nothing of an answer, or send nothing of a file.
	stallWithin = 30 * time.Second
	// piece is how much of an answer is written under one deadline: who takes that much in time may go on.
	piece = 64 << 10
)

func (a *API) stall() time.Time { return a.cfg.Deadline(cmp.Or(a.cfg.StallWithin, stallWithin)) }

// arriving reads a body that may take longer than the server gives others.
type arriving struct {
	io.Reader
	connection *http.ResponseController
	stall      func() time.Time
	end        time.Time
}

func (r *arriving) Read(p []byte) (int, error) {
	deadline := r.stall()
	if r.end.Before(deadline) {
		deadline = r.end
	}
	_ = r.connection.SetReadDeadline(deadline)
	return r.Reader.Read(p)
}

// writer knows whether the answer has begun, and ends the connection of a caller who does not take it.
type writer struct {
	http.ResponseWriter
	connection *http.ResponseController
	stall      func() time.Time
	began      bool
}

func (a *API) writer(w http.ResponseWriter) *writer {
	return &writer{ResponseWriter: w, connection: http.NewResponseController(w), stall: a.stall}
}

func (w *writer) WriteHeader(status int) {
	w.began = true
	w.ResponseWriter.WriteHeader(status)
}

func (w *writer) Write(b []byte) (int, error) {
	w.began = true
	written := 0
	for {
		_ = w.connection.SetWriteDeadline(w.stall())
		n, err := w.ResponseWriter.Write(b[written:min(len(b), written+piece)])
		if written += n; err != nil || written >= len(b) {
			return written, err
		}
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
