package rest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// hosted sends a request with a Host header as it is and returns the status and the body.
func (s *server) hosted(path, host string) (status int, body string) {
	s.Helper()
	var dialer net.Dialer
	conn, err := dialer.DialContext(s.Context(), "tcp", strings.TrimPrefix(s.address, "http://"))
	must(s.T, err)
	defer func() { _ = conn.Close() }()
	must(s.T, conn.SetDeadline(time.Now().Add(20*time.Second)))
	_, err = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nX-API-KEY: %s\r\n\r\n", path, host, s.keys["O"])
	must(s.T, err)
	got, err := http.ReadResponse(bufio.NewReader(conn), nil)
	must(s.T, err)
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	must(s.T, err)
	return got.StatusCode, string(text)
}

func TestAHostMustBeANameOrAnAddress(t *testing.T) {
	t.Parallel()
	eachServer(t, nil, func(s *server) {
		for _, good := range []string{"localhost", "points.example", "points.example.", "Points.Example:8080",
			"my_service:80", "127.0.0.1:1", "[::1]", "[2001:db8::1]:65535", "",
			strings.Repeat("a.", 127) + "a"} {
			if status, message := s.hosted("/healthz", good); status != 200 {
				s.Errorf("%q: %d %s", good, status, message)
			}
		}
		const problem = "Host header must be a name or an address with an optional port, at most 255 characters"
		const early = "malformed Host header" // net/http refuses some by itself
		for _, bad := range []string{strings.Repeat("a", 256), strings.Repeat("a", 40_000), "a,b", "a/b",
			"user@a", "a:b", "a:99999", "a:1:2", "::1", "[::1", "[::g]", "[127.0.0.1]",
			"[fe80::1%25eth0]", "a%20b", "(a)", "a;b", "'", ":80", "."} {
			for _, path := range []string{"/healthz", "/readyz", "/api/websites", "/files/a", "/nowhere"} {
				status, body := s.hosted(path, bad)
				if status != 400 || !strings.Contains(body, problem) && !strings.Contains(body, early) {
					s.Errorf("%s of %.40q: %d %s", path, bad, status, body)
				}
			}
		}
	})
}
