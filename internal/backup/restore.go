package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/durable"
	"laurel.example/laurel/internal/store"
)

// Target is where a backup is restored to.
type Target struct {
	Database string // path of the SQLite file
	Folder   string // the data folder
	Force    bool   // replace a database and files that are there; they are kept under other names
	Logger   *slog.Logger
}

// Restored is what Restore has done.
type Restored struct {
	Manifest
	Kept []string // what was there before, under its new names
}

// Restore checks a backup as a whole, and then moves its database and files to their places, the database last. No
// server may use the database meanwhile. If it fails before that, nothing has changed. What root restores belongs to
// the owner of the former ones, or else of their folder, so that a server of another user can open it. Errors:
// ErrNotWhole; Refused for a backup of a newer version, a database in use, and, without force, one that exists.
func Restore(ctx context.Context, path string, to Target) (out Restored, err error) {
	const hint = "use --force to replace it; it is kept under another name"
	if err := makeFolder(filepath.Dir(to.Database)); err != nil {
		return out, err
	}
	if !to.Force {
		if err := refuseExisting(to.Database, hint); err != nil {
			return out, err
		}
	}
	release, err := lockPath(to.Database, to.Database+" is already served by another process", false)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, release()) }()
	_, statErr := os.Lstat(to.Database)
	exists := statErr == nil
	if exists {
		if err := store.FoldLog(ctx, to.Database); err != nil && !store.IsDamaged(err) {
			return out, fmt.Errorf("%s: %w", to.Database, err)
		}
	}
	r := restoring{Target: to, owner: ownerOf(to.Database, filepath.Dir(to.Database))}
	if err := r.owner.give(to.Database + store.LockSuffix); err != nil {
		return out, err
	}
	if r.nextToIt, err = newTemporary(to.Database); err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, r.removeTemporary()) }()
	if out.Manifest, err = readArchive(ctx, path, &r); err != nil {
		return out, err
	}
	now, err := r.checkDatabase(ctx, path, out.Manifest)
	if err != nil {
		return out, err
	}
	suffix := ".replaced-" + now.Format("20060102T150405.000000Z")
	if out.Files == FilesIncluded && out.FileCount > 0 {
		if err := r.placeFiles(suffix, &out); err != nil {
			return out, err
		}
	}
	err = r.placeDatabase(exists, suffix, &out)
	return out, err
}

// restoring is a restore under way: what it extracts, and where.
type restoring struct {
	Target
	nextToIt string // temporary folder next to the database
	inFolder string // temporary folder within the data folder, on the same file system as the files; "": none yet
	owner    *owner // of the database; nil: who runs this
}

func (r *restoring) removeTemporary() error {
	err := os.RemoveAll(r.nextToIt)
	if r.inFolder != "" {
		err = errors.Join(err, os.RemoveAll(r.inFolder))
	}
	return err
}

// folderFor returns the folder into which an entry is extracted.
func (r *restoring) folderFor(entry string) (string, error) {
	if entry == databaseEntry {
		return r.nextToIt, nil
	}
	if r.inFolder != "" {
		return r.inFolder, nil
	}
	files := filepath.Join(r.Folder, content.FolderOfFiles)
	if !r.Force {
		if err := refuseExisting(files, "use --force to replace it; it is kept under another name"); err != nil {
			return "", err
		}
	}
	if err := makeFolder(r.Folder); err != nil {
		return "", err
	}
	var err error
	r.inFolder, err = newTemporary(files)
	return r.inFolder, err
}

// checkDatabase opens the extracted database and checks that this program can serve it. It returns the present time.
func (r *restoring) checkDatabase(ctx context.Context, path string, m Manifest) (now time.Time, err error) {
	newest, err := store.NewestSchema()
	if err != nil {
		return now, err
	}
	db, err := store.Open(ctx, store.Options{
		URL: "sqlite:" + filepath.Join(r.nextToIt, databaseEntry), Logger: r.Logger, MustExist: true,
	})
	if err != nil {
		return now, err
	}
	version, err := db.SchemaVersion(ctx)
	switch {
	case err != nil:
	case version != m.SchemaVersion:
		err = notWhole(path, "its manifest names schema %d, its database has %d", m.SchemaVersion, version)
	case version > newest:
		err = newer(path, m, newest)
	}
	return db.Now(), errors.Join(err, db.Close())
}

// newer returns the error for a backup of a newer version.
func newer(path string, m Manifest, newest int64) error {
	return fmt.Errorf(
		"%s has schema %d, written by %s; this version knows schemas up to %d: restore it with the newer version",
		path, m.SchemaVersion, m.Laurel, newest)
}

// placeFiles moves the extracted files to the data folder, and what was there to another name.
func (r *restoring) placeFiles(suffix string, out *Restored) error {
	files, extracted := filepath.Join(r.Folder, content.FolderOfFiles), filepath.Join(r.inFolder, content.FolderOfFiles)
	if err := ownerOf(files, r.Folder).give(extracted); err != nil {
		return err
	}
	switch err := os.Rename(files, files+suffix); {
	case err == nil:
		out.Kept = append(out.Kept, files+suffix)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.Rename(extracted, files); err != nil {
		return err
	}
	return durable.SyncFolder(r.Folder)
}

// placeDatabase moves the extracted database to its place. What was there stays under another name, and at its own
// until it is replaced, so that a server never finds the place empty.
func (r *restoring) placeDatabase(exists bool, suffix string, out *Restored) error {
	extracted := filepath.Join(r.nextToIt, databaseEntry)
	if err := r.owner.give(extracted); err != nil {
		return err
	}
	if exists {
		if err := r.keepDatabase(suffix); err != nil {
			return err
		}
		out.Kept = append(out.Kept, r.Database+suffix)
	}
	if err := os.Rename(extracted, r.Database); err != nil {
		return err
	}
	return durable.SyncFolder(filepath.Dir(r.Database))
}

// makeFolder makes a folder that is missing, with its parents, for the owner of the nearest one that exists.
func makeFolder(path string) error {
	var missing []string // the innermost first
	at := filepath.Clean(path)
	for ; at != filepath.Dir(at); at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, at)
	}
	if err := os.MkdirAll(path, 0o700); err != nil || len(missing) == 0 {
		return err
	}
	return ownerOf(at).give(missing[len(missing)-1])
}

// keepDatabase gives the present database a second name, with its log if a damaged one has left it.
func (r *restoring) keepDatabase(suffix string) error {
	for _, part := range []string{"-wal", "-shm"} { // the log would be applied to the new database
		if err := os.Rename(r.Database+part, r.Database+suffix+part); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := os.Link(r.Database, r.Database+suffix); err != nil { // a file system without links
		return os.Rename(r.Database, r.Database+suffix)
	}
	return nil
}

// isEntry reports whether a backup may have an entry of this name.
func isEntry(name string) bool {
	switch name {
	case databaseEntry, sumsEntry, manifestEntry:
		return true
	}
	return filepath.IsLocal(name) && strings.HasPrefix(name, content.FolderOfFiles+"/") &&
		!strings.Contains(name, `\`)
}
