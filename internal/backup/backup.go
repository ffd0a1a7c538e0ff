// Package backup owns the form of a backup: one tar file with a copy of a SQLite database, the uploaded files that it
// names, their SHA-256 sums and a manifest. It writes such files while a server runs, and restores them. It holds no
// key and no configuration: those stay with the operator. It does not back up PostgreSQL, which has tools of its own.
package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"laurel.example/laurel/internal/store"
)

// Format is the version of the form of backups that this program writes and restores.
const Format = 1

// The entries of a backup, in this order; uploaded files stand between the first and the second. The manifest comes
// last: a file without it was cut off.
const (
	databaseEntry = "laurel.db"
	sumsEntry     = "SHA256SUMS" // in the form of sha256sum
	manifestEntry = "manifest.json"
)

// ModeOfFiles says where the uploaded files of a database are.
type ModeOfFiles string

// The modes of files.
const (
	FilesIncluded ModeOfFiles = "included" // in the backup
	FilesInBucket ModeOfFiles = "bucket"   // in a bucket, which is backed up by itself
	FilesLeftOut  ModeOfFiles = "left out" // in the data folder, but not in the backup
)

// Manifest describes a backup.
type Manifest struct {
	Format        int         `json:"format"`
	Laurel        string      `json:"laurel"` // the version that wrote it, as laurel version prints it
	SchemaVersion int64       `json:"schemaVersion"`
	CreatedAt     time.Time   `json:"createdAt"`
	Files         ModeOfFiles `json:"files"`
	FileCount     int         `json:"fileCount"`
	MissingFiles  int         `json:"missingFiles"` // files that the database names and the folder did not have
	SumsSHA256    string      `json:"sumsSha256"`   // of the entry SHA256SUMS, in hex
}

// ErrNotWhole means that a file is no backup, was cut off, or was changed.
var ErrNotWhole = errors.New("is not a whole backup")

// lockPath takes the lock file beside a path that is written to. Errors: one that says what else is under way.
func lockPath(path, underWay string, isTemporary bool) (release func() error, err error) {
	release, isLocked, err := store.TryLock(path, isTemporary)
	if err == nil && !isLocked {
		err = errors.New(underWay)
	}
	return release, err
}

// newTemporary makes a folder beside a path, readable by its owner only, after removing what an interrupted run has
// left. Only the holder of the path's lock may call it.
func newTemporary(path string) (string, error) {
	pattern := "." + filepath.Base(path) + ".partial-"
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.IsDir() && len(e.Name()) > len(pattern) && e.Name()[:len(pattern)] == pattern {
			if err := os.RemoveAll(filepath.Join(filepath.Dir(path), e.Name())); err != nil {
				return "", err
			}
		}
	}
	return os.MkdirTemp(filepath.Dir(path), pattern)
}

// refuseExisting returns an error if there is a file at a path.
func refuseExisting(path, hint string) error {
	switch _, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%s exists already; %s", path, hint)
}

// notWhole returns an ErrNotWhole with what is wrong.
func notWhole(path, format string, args ...any) error {
	return fmt.Errorf("%s %w: %s", path, ErrNotWhole, fmt.Sprintf(format, args...))
}
