package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"unicode/utf8"
)

// maxBody is the size of a request body in bytes (contract 1.1).
const maxBody = 1 << 20

// readBody reads the one JSON object of a request; an empty body stands for {}.
func (a *API) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, errTooLarge
	case err != nil: // cut short, or too slow
		return nil, errMalformed
	case len(body) == 0:
		return []byte("{}"), nil
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return nil, errMediaType
	}
	if trimmed := bytes.TrimLeft(body, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '{' || !utf8.Valid(body) || !json.Valid(body) {
		return nil, errMalformed
	}
	return body, nil
}

func asBody(body []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }
