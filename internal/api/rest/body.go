package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/jsontext"
)

// maxBody is the most bytes that a request body may have (contract 1.1).
const maxBody = 1 << 20

// The bodies being read share a limited amount of memory, and each address may use a part of it, so that a few slow
// callers leave room for others. The first bytes of a body are not counted: most requests need no more.
const (
	bodyMemory        = 128 << 20
	bodyMemoryAddress = 16 << 20
	unmeteredBody     = 16 << 10
)

var errBodiesFull = &laurel.Error{
	Code:    laurel.Unavailable,
	Message: "bodies under way take the memory that is for them",
}

// readWithinMemory reads a body, and fails with errBodiesFull when the memory for bodies is used up. The buffer doubles
// as it fills. Before it grows, the growth beyond unmeteredBody is reserved; releaseBody gives it back.
func (a *API) readWithinMemory(req *request, from io.Reader) ([]byte, error) {
	body := make([]byte, 0, 512)
	for {
		if len(body) == cap(body) {
			if growth := 2*cap(body) - max(unmeteredBody, req.bodySize); growth > 0 {
				if !a.bodies.Reserve(req.remote, growth) {
					return nil, errBodiesFull
				}
				req.bodySize = 2 * cap(body)
			}
			body = append(make([]byte, 0, 2*cap(body)), body...)
		}
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			return body, nil
		case err != nil:
			return nil, err
		}
	}
}

// releaseBody gives back the memory that readWithinMemory has reserved for the request's body.
func (r *request) releaseBody(bodies *Tally) {
	if r.bodySize > 0 {
		bodies.Release(r.remote, r.bodySize-unmeteredBody)
	}
}

// readBody reads the body of a request, which must be one JSON object of at most one MiB, not compressed, and in UTF-8.
// An empty body stands for {}. Lone halves of surrogate pairs are replaced.
func (a *API) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > maxBody {
		w.Header().Set("Connection", "close") // the body is not read
		return nil, errTooLarge
	}
	body, err := a.readWithinMemory(requestOf(r.Context()), http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, errBodiesFull):
		w.Header().Set("Connection", "close")
		return nil, err
	case errors.As(err, &large):
		return nil, errTooLarge
	case err != nil: // cut short, or too slow
		return nil, errMalformed
	case len(body) == 0:
		return []byte("{}"), nil
	}
	if !isPlain(r.Header["Content-Encoding"]) {
		w.Header().Set("Accept-Encoding", identityCoding)
		return nil, errEncoding
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return nil, errMediaType
	}
	if trimmed := bytes.TrimLeft(
		body,
		" \t\r\n",
	); len(trimmed) == 0 || trimmed[0] != '{' || !utf8.Valid(body) ||
		!json.Valid(body) || jsontext.IsTooDeep(body) {
		return nil, errMalformed
	}
	return jsontext.ReplaceLoneSurrogates(body), nil
}

const identityCoding = "identity"

// isPlain reports whether a body with these Content-Encoding headers is not encoded.
func isPlain(codings []string) bool {
	for _, line := range codings {
		for coding := range strings.SplitSeq(line, ",") {
			if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, identityCoding) {
				return false
			}
		}
	}
	return true
}

func asBody(body []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }
