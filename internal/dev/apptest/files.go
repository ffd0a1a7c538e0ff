package apptest

import (
	"context"
	"io"
	"net/http"
	"strings"
)

// RequestUpload requests an upload of a file, and returns the signed address to send it to and its public address.
func (s *Server) RequestUpload(name string, size int, path string) (signed, public string) {
	s.T.Helper()
	made := s.Post("/api/assets", Object{"fileName": name, "fileSize": size, "filePath": path}).OK()
	return made["signedUrl"].(string), made["url"].(string)
}

// Upload uploads a file and returns its public address.
func (s *Server) Upload(name, content string) string {
	s.T.Helper()
	signed, public := s.RequestUpload(name, len(content), "loyalty")
	s.Put(signed, strings.NewReader(content)).OK()
	return public
}

// Put sends bytes to an address, which may be a path of the server.
func (s *Server) Put(address string, body io.Reader) Response {
	s.T.Helper()
	return s.Send(http.MethodPut, address, body)
}

// Send sends a request without a key. An address without a host is a path of the server. headers are names and values
// in turn.
func (s *Server) Send(method, address string, body io.Reader, headers ...string) Response {
	s.T.Helper()
	if strings.HasPrefix(address, "/") {
		address = s.HTTP.URL + address
	}
	r, err := http.NewRequestWithContext(context.Background(), method, address, body)
	if err != nil {
		s.T.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := s.HTTP.Client().Do(r)
	if err != nil {
		s.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.T.Fatal(err)
	}
	return Response{s.T, res.StatusCode, res.Header, string(text)}
}

// Fetch sends a GET request without a key.
func (s *Server) Fetch(address string, headers ...string) Response {
	s.T.Helper()
	return s.Send(http.MethodGet, address, nil, headers...)
}
