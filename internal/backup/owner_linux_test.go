package backup_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"laurel.example/laurel/internal/backup"
)

// TestWhatRootRestoresBelongsToTheOwnerOfTheFolder restores for a server that runs as another user.
func TestWhatRootRestoresBelongsToTheOwnerOfTheFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can give files to another user")
	}
	const server, earlier = 12345, 12346
	_, entries := newBackup(t, nil)
	path := pack(t, withFile(t, entries, "files/images/aa/a.png"))
	state := t.TempDir()
	own(t, server, state)
	to := backup.Target{
		Database: filepath.Join(state, "new", "laurel.db"), Folder: filepath.Join(state, "data"), Force: true, Logger: slog.Default(),
	}
	restore := func() {
		t.Helper()
		if _, err := backup.Restore(t.Context(), path, to); err != nil {
			t.Fatal(err)
		}
	}
	restore()
	wantOwner(t, server, state)
	own(t, earlier, to.Database, filepath.Join(to.Folder, "files"))
	restore()
	wantOwner(t, earlier, to.Database, filepath.Join(to.Folder, "files"))
}

// own gives paths to a user.
func own(t *testing.T, user int, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if err := os.Chown(path, user, user); err != nil {
			t.Fatal(err)
		}
	}
}

// wantOwner demands that a user owns paths, and all that they hold.
func wantOwner(t *testing.T, user int, paths ...string) {
	t.Helper()
	for _, path := range paths {
		err := filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			stat, ok := info.Sys().(*syscall.Stat_t)
			if !ok {
				return errors.ErrUnsupported
			}
			if int(stat.Uid) != user || int(stat.Gid) != user {
				t.Errorf("%s belongs to %d:%d, not to %d", path, stat.Uid, stat.Gid, user)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// withFile returns the entries of a backup with an uploaded file more.
func withFile(t *testing.T, entries []entry, name string) []entry {
	t.Helper()
	file := entry{name, []byte("a picture")}
	database, sums, manifest := entries[0], entries[1], entries[2]
	sums.text = fmt.Appendf(sums.text, "%x  %s\n", sha256.Sum256(file.text), name)
	var stated map[string]any
	if err := json.Unmarshal(manifest.text, &stated); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(sums.text)
	stated["fileCount"], stated["sumsSha256"] = 1, hex.EncodeToString(sum[:])
	var err error
	if manifest.text, err = json.Marshal(stated); err != nil {
		t.Fatal(err)
	}
	return []entry{database, file, sums, manifest}
}
