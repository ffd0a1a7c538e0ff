package rest

import (
	"io"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"laurel"
)

// Keyless is a route that needs no API key, such as the address of a file (contract 1.1).
type Keyless struct {
	Method, Path string
	Name         string                  // in the log
	Limited      bool                    // counts against Limits.Keyless
	Run          func(x *Exchange) error // writes the response; an error becomes an error response
}

// Exchange is a request to a keyless route, and its response.
type Exchange struct {
	Writer  http.ResponseWriter
	Request *http.Request
	api     *API
}

// addKeylessRoutes serves the routes of other packages that need no API key.
func (a *API) addKeylessRoutes(mux *chi.Mux, routes []Keyless) {
	for _, k := range routes {
		run := func(w http.ResponseWriter, r *http.Request) {
			requestOf(r.Context()).route = k.Method + " " + k.Name
			if k.Method != http.MethodGet && !isPlain(r.Header["Content-Encoding"]) {
				w.Header().Set("Accept-Encoding", identityCoding)
				w.Header().Set("Connection", "close") // the body is not read
				a.fail(w, r, errEncoding)
				return
			}
			if err := k.Run(&Exchange{Writer: w, Request: r, api: a}); err != nil {
				a.fail(w, r, err)
			}
		}
		if k.Limited {
			run = a.limitKeyless(run)
		}
		mux.MethodFunc(k.Method, k.Path, run)
	}
}

// WriteJSON writes a response as JSON.
func (x *Exchange) WriteJSON(status int, body any) { writeJSON(x.Writer, status, body) }

// AwaitBody returns a reader of the request's body, which fails after maxBytes. The whole body may take as long as
// timeout, unless the caller sends nothing for a while: then the read fails earlier.
func (x *Exchange) AwaitBody(maxBytes int64, timeout time.Duration) io.Reader {
	connection := http.NewResponseController(x.Writer)
	_ = connection.SetWriteDeadline(time.Time{}) // the response comes when the body is there
	body := http.MaxBytesReader(x.Writer, x.Request.Body, maxBytes)
	return &slowBody{
		Reader: body, connection: connection, stallDeadline: x.api.stallDeadline, end: x.api.cfg.Deadline(timeout),
	}
}

// LimitGuesses runs a lookup by a secret token, and returns its error. A lookup that fails with NotFound counts as a
// guess of the caller's address. After too many guesses the address gets RateLimited without a lookup.
func (x *Exchange) LimitGuesses(lookup func() error) error {
	ctx := x.Request.Context()
	name := limitKey(requestOf(ctx).remote)
	exhausted, err := x.api.limits.guesses.exhaustedState(ctx, name)
	if err != nil {
		return err
	}
	if exhausted != nil {
		return requestOf(ctx).refuseLimited(*exhausted)
	}
	if err = lookup(); laurel.CodeOf(err) == laurel.NotFound {
		err = x.api.limits.guesses.take(ctx, name, err)
	}
	return err
}
