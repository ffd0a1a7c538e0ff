package httpapi_test

import (
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"laurel/internal/httpapi"
)

func TestABodyThatNeverEndsIsGivenUp(t *testing.T) {
	t.Parallel()
	soon := func(c *httpapi.Config) { c.BodyWithin = 100 * time.Millisecond }
	eachServer(t, soon, func(s *server) {
		for _, framing := range []string{"Content-Length: 100", "Transfer-Encoding: chunked"} {
			var dialer net.Dialer
			conn, err := dialer.DialContext(s.Context(), "tcp", strings.TrimPrefix(s.address, "http://"))
			must(s.T, err)
			must(s.T, conn.SetDeadline(time.Now().Add(20*time.Second)))
			_, err = fmt.Fprintf(conn, "POST /api/test/write HTTP/1.1\r\nHost: a\r\nX-API-KEY: %s\r\nContent-Type: application/json\r\n%s\r\n\r\n", s.keys["O"], framing)
			must(s.T, err)
			answer, err := io.ReadAll(conn) // the connection ends with the answer
			if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") || !strings.HasSuffix(strings.TrimSpace(string(answer)), `{"message":"Malformed JSON body","errors":[]}`) {
				s.Errorf("%s: %v %s", framing, err, answer)
			}
			must(s.T, conn.Close())
		}
		if r := s.post("O", "/api/test/write", `{"name":"a"}`); r.status != 200 {
			s.Error(r)
		}
	})
}

func TestWritersWithoutDeadlinesServeBodies(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		r := httptest.NewRequestWithContext(s.Context(), "POST", "/api/test/write", strings.NewReader(`{"name":"a"}`))
		r.Header.Set("X-API-KEY", s.keys["O"])
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		if w.Code != 200 {
			s.Error(w.Code, w.Body)
		}
	})
}
