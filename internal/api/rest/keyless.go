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
	Limited      bool                    // counts in Limits.Keyless
	Run          func(x *Exchange) error // writes the response; an error is written as every other
}

// Exchange is a request without API key, and the response to it.
type Exchange struct {
	Writer  http.ResponseWriter
	Request *http.Request
	api     *API
}

func (a *API) addRoutes(mux *chi.Mux, routes []Keyless) {
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
			run = a.limited(run)
		}
		mux.MethodFunc(k.Method, k.Path, run)
	}
}

// WriteJSON writes the response.
func (x *Exchange) WriteJSON(status int, body any) { writeJSON(x.Writer, status, body) }

// AwaitBody returns the body of the request, of at most so many bytes. It may take that long, unless nothing of it
// arrives for a while.
func (x *Exchange) AwaitBody(most int64, within time.Duration) io.Reader {
	connection := http.NewResponseController(x.Writer)
	_ = connection.SetWriteDeadline(time.Time{}) // the response comes when the body is there
	body := http.MaxBytesReader(x.Writer, x.Request.Body, most)
	return &arriving{Reader: body, connection: connection, stall: x.api.stall, end: x.api.cfg.Deadline(within)}
}

// Guess looks up something by a token that only those know who were told. A lookup that fails with NotFound counts as a
// guess of the address that asks. An address with too many of them is refused before anything is looked up.
func (x *Exchange) Guess(lookup func() error) error {
	ctx := x.Request.Context()
	name := countedAs(requestOf(ctx).remote)
	spent, err := x.api.limits.guesses.spent(ctx, name)
	if err != nil {
		return err
	}
	if spent != nil {
		return requestOf(ctx).refuse(*spent)
	}
	if err = lookup(); laurel.CodeOf(err) == laurel.NotFound {
		err = x.api.limits.guesses.take(ctx, name, err)
	}
	return err
}
