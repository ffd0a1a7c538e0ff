package main_test

import (
	"io/fs"
	"net/http"
	"path/filepath"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// TestKillWithinADeletionLeavesNoFile goes on from each state in which a kill can leave the deletion of a file:
// decided, and decided with its bytes gone.
func TestKillWithinADeletionLeavesNoFile(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		folder := t.TempDir()
		p := initProgram(t, database)
		s := serve(t, database, "--data-dir", folder)
		site := s.site(p)
		asset := site.post("/api/assets", object{"fileName": "a.png", "fileSize": 5}).ok(t)
		put(t, s.address+asset["signedUrl"].(string), "hello")
		s.kill()
		db := open(t, database)
		if _, err := db.ExecContext(t.Context(), "UPDATE assets SET removed_at = 1"); err != nil {
			t.Fatal(err)
		}
		s = serve(t, database, "--data-dir", folder)
		wait.Until(t, "the file is gone", func() bool {
			var left int
			err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM assets").Scan(&left)
			return err == nil && left == 0
		})
		if files := filesIn(t, folder); len(files) > 0 {
			t.Errorf("on the disk: %v", files)
		}
		if got := s.site(p).get(asset["url"].(string)); got.status != http.StatusNotFound {
			t.Errorf("status %d", got.status)
		}
	})
}

// filesIn lists the files in a folder and in those within.
func filesIn(t *testing.T, folder string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
