package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"laurel"
)

// maxBody is the size of a request body in bytes (contract 1.1).
const maxBody = 1 << 20

// bodyWithin is how long a caller may send a body: one that never ends would hold its connection for ever.
const bodyWithin = 30 * time.Second

// readBody reads the one JSON object of a request; an empty body stands for {}.
func (a *API) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	defer a.readWithin(w, cmp.Or(a.cfg.BodyWithin, bodyWithin))()
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

// readWithin makes reading fail when the time of a body is over. The function that it answers takes the limit away.
func (a *API) readWithin(w http.ResponseWriter, limit time.Duration) (stop func()) {
	connection := http.NewResponseController(w)
	past := time.Unix(1, 0) // a deadline is of the system's clock, which nobody reads here: the timer sets one that has passed
	timer := time.AfterFunc(limit, func() { _ = connection.SetReadDeadline(past) })
	return func() {
		if !timer.Stop() {
			w.Header().Set("Connection", "close") // what is left of the body will never be read
		}
	}
}

func asBody(body []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }

// refuseNUL notes every text of the body that holds a NUL, which no text of the service may (contract 1.7).
func refuseNUL(body []byte, f *laurel.Faults) {
	if !bytes.Contains(body, []byte(`\u0000`)) {
		return
	}
	var v any
	if json.Unmarshal(body, &v) == nil {
		refuseNULIn("", v, f)
	}
}

func refuseNULIn(path string, v any, f *laurel.Faults) {
	switch v := v.(type) {
	case string:
		if strings.ContainsRune(v, 0) {
			f.Add(path, "must not contain NUL characters")
		}
	case []any:
		for i, item := range v {
			refuseNULIn(join(path, strconv.Itoa(i)), item, f)
		}
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if strings.ContainsRune(name, 0) {
				f.AddText(path, "names must not contain NUL characters")
				continue
			}
			refuseNULIn(join(path, name), v[name], f)
		}
	}
}
