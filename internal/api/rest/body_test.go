package rest_test

import (
	"net/http/httptest"
	"strings"
	"testing"
)

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
