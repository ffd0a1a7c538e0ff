package app_test

import (
	"net/http"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/widget"
)

func TestPagesOfEverySiteLoadTheWidget(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		got := s.Call("", "GET", "/widget.js", nil, "Origin", "https://shop.example")
		if got.Status != http.StatusOK || got.Body != strings.TrimSpace(string(widget.Script)) {
			t.Fatalf("%d with %d bytes", got.Status, len(got.Body))
		}
		for name, want := range map[string]string{
			"Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "public, max-age=300",
			"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin",
		} {
			if value := got.Header.Get(name); value != want {
				t.Errorf("%s is %q, want %q", name, value, want)
			}
		}
		again := s.Call("", "GET", "/widget.js", nil, "If-None-Match", got.Header.Get("ETag"))
		if again.Status != http.StatusNotModified || again.Body != "" {
			t.Errorf("a browser that has it gets %d with %d bytes", again.Status, len(again.Body))
		}
		if page := s.Call("", "GET", "/demo", nil); page.Status != http.StatusNotFound || strings.Contains(page.Body, "lrl_") {
			t.Errorf("a server that is no demo has its page: %d %s", page.Status, page.Body)
		}
	})
}
