package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"laurel.example/laurel/internal/store"
)

// probeSize is how many bytes a probe of a folder writes: a disk with less space counts as full.
const probeSize = 1 << 20

// folders are the folders that the server writes to.
type folders struct {
	db       *store.DB
	database folder // of SQLite
	files    folder
}

// folder is probed by writing to it: the free space that a file system reports ignores quotas, limits of the process
// and read-only mounts.
type folder struct {
	path string // "": none
	data []byte
	busy sync.Mutex // a write is under way
}

// newFolders returns the folders that a server writes to: that of uploaded files, and that of the database if it is
// SQLite.
func newFolders(c Config, db *store.DB, files string) *folders {
	data := make([]byte, probeSize)
	db.Random(data) // a compressing file system would have space for zeros
	out := &folders{db: db, files: folder{path: files, data: data}}
	if path, ok := strings.CutPrefix(c.Database, "sqlite:"); ok {
		path, _, _ = strings.Cut(strings.TrimPrefix(path, "//"), "?")
		out.database = folder{path: filepath.Dir(path), data: data}
	}
	return out
}

// writable returns why the database and the folder of files cannot be written; nil if they can. It never writes to the
// database itself, so it delays no write: it probes the folder and considers the results of recent writes.
func (f *folders) writable(ctx context.Context) (database, files error) {
	if database = f.db.RecentWriteRefusal(); database == nil {
		database = f.database.probe(ctx)
	}
	return database, f.files.probe(ctx)
}

// probe writes a file into the folder and removes it. A write that hangs is awaited until ctx ends; until the write
// ends, further probes fail at once. A folder without a path is never probed.
func (f *folder) probe(ctx context.Context) error {
	if f.path == "" {
		return nil
	}
	if !f.busy.TryLock() {
		return errors.New("an earlier write has not ended yet")
	}
	done := make(chan error, 1)
	go func() {
		defer f.busy.Unlock()
		done <- f.write()
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// write writes a file into the folder, or into the nearest folder above it that exists, and removes it.
func (f *folder) write() error {
	draft, err := os.CreateTemp(nearestExisting(f.path), ".readyz-")
	if err != nil {
		return err
	}
	_, writing := draft.Write(f.data)
	return errors.Join(writing, draft.Close(), os.Remove(draft.Name()))
}

// nearestExisting returns the path, or the nearest folder above it that exists. A folder that cannot be looked at
// counts as existing.
func nearestExisting(path string) string {
	for above := filepath.Dir(path); above != path; path, above = above, filepath.Dir(above) {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			return path
		}
	}
	return path
}
