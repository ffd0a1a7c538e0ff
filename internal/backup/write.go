package backup

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// Source is what a backup is made of.
type Source struct {
	DB      *store.DB // of SQLite
	Folder  string    // the data folder
	Files   ModeOfFiles
	Version string // of this program
	Logger  *slog.Logger
}

// Write writes a backup to a path: the whole file, flushed to the disk, or none. A name that ends with .gz or .tgz is
// compressed. It replaces a file at that path only with force. A server may write to the database meanwhile. In the
// folder of the path it needs space for the database twice. Errors: Refused if the path exists, or if the folder has
// none of the files that the database names.
func Write(ctx context.Context, from Source, to string, force bool) (m Manifest, err error) {
	if !force {
		if err := refuseExisting(to, existsHint); err != nil {
			return m, err
		}
	}
	release, err := lockPath(to, "another backup to "+to+" is under way", true)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, release()) }()
	temporary, err := newTemporary(to)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temporary)) }()
	created := from.DB.Now()
	snapshot := filepath.Join(temporary, databaseEntry)
	if err := from.DB.CopyTo(ctx, snapshot); err != nil {
		return m, fmt.Errorf("copy of the database: %w", err)
	}
	archive := filepath.Join(temporary, "archive-"+filepath.Base(to))
	if m, err = writeArchive(ctx, from, snapshot, archive, created); err != nil {
		return m, err
	}
	if err := place(archive, to, force); err != nil {
		return m, err
	}
	return m, durable.SyncFolder(filepath.Dir(to))
}

// existsHint says what a caller can do about a file that is at the path of a new backup.
const existsHint = "choose another name, or use --force to replace it"

// place moves a complete backup to its path. Without force it replaces nothing, whatever others do meanwhile.
func place(archive, to string, force bool) error {
	if !force {
		err := os.Link(archive, to)
		if err == nil {
			return nil // the other name is removed with the temporary folder
		}
		if err := refuseExisting(to, existsHint); err != nil {
			return err
		}
		// The file system has no links.
	}
	return os.Rename(archive, to)
}

// writeArchive writes a backup of a copy of the database to a new file, and flushes it to the disk.
func writeArchive(ctx context.Context, from Source, snapshot, to string, created time.Time) (m Manifest, err error) {
	file, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // in a folder of our own
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var out io.Writer = file
	closeOut := func() error { return nil }
	if name := strings.ToLower(to); strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".tgz") {
		compressed := gzip.NewWriter(file)
		out, closeOut = compressed, compressed.Close
	}
	a := &archiver{ctx: ctx, out: tar.NewWriter(out), modified: created}
	if m, err = a.addAll(from, snapshot); err != nil {
		return m, err
	}
	return m, errors.Join(a.out.Close(), closeOut(), file.Sync())
}

// archiver writes the entries of a backup and collects their sums.
type archiver struct {
	ctx      context.Context //nolint:containedctx // of one call of Write
	out      *tar.Writer
	sums     bytes.Buffer
	modified time.Time
}

// addAll adds the database, its files, the sums and the manifest.
func (a *archiver) addAll(from Source, snapshot string) (Manifest, error) {
	m := Manifest{Format: Format, Laurel: from.Version, CreatedAt: a.modified, Files: from.Files}
	db, err := store.Open(a.ctx, store.Options{URL: "sqlite:" + snapshot, Logger: from.Logger, MustExist: true})
	if err != nil {
		return m, err
	}
	var files []string
	m.SchemaVersion, err = db.SchemaVersion(a.ctx)
	if err == nil && m.SchemaVersion == 0 {
		err = errors.New("the database is empty: there is nothing to back up")
	}
	if err == nil && from.Files == FilesIncluded {
		err = content.WalkUploaded(a.ctx, db, func(path string) error {
			files = append(files, path)
			return nil
		})
	}
	if err := errors.Join(err, db.Close()); err != nil { // Close leaves the copy in one file again
		return m, err
	}
	copied, err := os.Open(snapshot) //nolint:gosec // in a folder of our own
	if err != nil {
		return m, err
	}
	if err := errors.Join(a.add(databaseEntry, copied), copied.Close()); err != nil {
		return m, err
	}
	if err := a.addFiles(from.Folder, files, &m); err != nil {
		return m, err
	}
	sum := sha256.Sum256(a.sums.Bytes())
	m.SumsSHA256 = hex.EncodeToString(sum[:])
	if err := a.addText(sumsEntry, a.sums.Bytes()); err != nil {
		return m, err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, err
	}
	return m, a.addText(manifestEntry, append(text, '\n'))
}

// addFiles adds the uploaded files of the data folder. It counts those that are missing: they were deleted since the
// copy was made, or by hand. Errors: Refused if none of them is there.
func (a *archiver) addFiles(folder string, files []string, m *Manifest) error {
	if len(files) == 0 {
		return nil
	}
	root, err := os.OpenRoot(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, name := range files {
		if root == nil {
			m.MissingFiles = len(files)
			break
		}
		file, err := root.Open(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			m.MissingFiles++
			continue
		case err == nil:
			err = errors.Join(a.add(name, file), file.Close())
		}
		if err != nil {
			return errors.Join(err, root.Close())
		}
		m.FileCount++
	}
	if root != nil {
		err = root.Close()
	}
	if m.FileCount == 0 {
		return fmt.Errorf(
			"%s has none of the %d files that the database names; set --data-dir (LAUREL_DATA_DIR), "+
				"--files-bucket if they are in a bucket, or --without-files", folder, len(files))
	}
	return err
}

// add adds a file and its sum.
func (a *archiver) add(name string, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := a.begin(name, info.Size()); err != nil {
		return err
	}
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(a.out, sum), &contextReader{a.ctx, file}); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = fmt.Fprintf(&a.sums, "%x  %s\n", sum.Sum(nil), name)
	return err
}

// addText adds an entry that has no sum of its own.
func (a *archiver) addText(name string, text []byte) error {
	if err := a.begin(name, int64(len(text))); err != nil {
		return err
	}
	_, err := a.out.Write(text)
	return err
}

func (a *archiver) begin(name string, size int64) error {
	return a.out.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600, ModTime: a.modified.Truncate(time.Second),
	})
}

// contextReader reads until its context ends.
type contextReader struct {
	ctx  context.Context //nolint:containedctx // of one copy
	from io.Reader
}

func (r *contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}
