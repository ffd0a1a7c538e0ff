package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// What the tests of banks, treasuries and partners share: systems outside that the service asks.

// tell returns a call with a status and a body. -1 cuts the connection: nobody learns what became of the call.
func tell(w http.ResponseWriter, status int, body string) {
	if status < 0 {
		conn, _, _ := w.(http.Hijacker).Hijack()
		_ = conn.Close()
		return
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

// configured writes a file that tells the service whom to ask, and returns its path.
func configured(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "outside.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
