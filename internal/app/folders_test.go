package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// A folder that takes no file is as good as one on a full disk, which tests cannot make.
func TestAFullDiskIsNotReady(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		files := filepath.Join(t.TempDir(), "files")
		s := apptest.Open(t, address, app.Config{NoRateLimits: true, DataDir: files})
		ready := func() string { return s.Call("", "GET", "/readyz", nil).Body }
		if body := ready(); !strings.HasPrefix(body, `{"status":"ok","checks":{"database":"ok","files":"ok"`) {
			t.Fatalf("a new server: %s", body)
		}
		if left, err := filepath.Glob(filepath.Join(filepath.Dir(files), "**", ".readyz-*")); len(left) > 0 || err != nil {
			t.Errorf("looks leave files behind: %v %v", left, err)
		}
		if err := os.RemoveAll(files); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(1100 * time.Millisecond) // a look is good for a second
		if body := ready(); !strings.HasPrefix(body, `{"status":"degraded","checks":{"database":"ok","files":"not writable"`) {
			t.Errorf("no room for files: %s", body)
		}
		if err := os.Remove(files); err != nil {
			t.Fatal(err)
		}
		s.WaitUntil(func() bool { return strings.Contains(ready(), `"files":"ok"`) })
	})
}
