package content

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"laurel"
	"laurel/internal/store"
)

// incoming holds what is being sent, within the folder: a file appears at its place whole or not at all.
const incoming = "uploads"

// Upload takes the bytes of an announced file; announced is the length that the request tells, or -1. The token is used up by the first upload that is
// whole. It answers the path of the file's public address. Errors: NotFound "Upload"; Refused where the token was used, is too old, or the size is another.
func (s *Service) Upload(ctx context.Context, token string, announced int64, body io.Reader) (string, error) {
	a, err := findUpload(ctx, s.db, hashOf(token))
	if err != nil {
		return "", err
	}
	now := store.Micros(s.db.Now())
	switch {
	case a.UploadedAt != nil:
		return "", errUsed()
	case now >= a.ExpiresAt:
		return "", laurel.Errorf(laurel.Refused, "Upload address has expired")
	case announced >= 0 && announced != a.Size:
		return "", errSize(a)
	}
	root, err := s.root()
	if err != nil {
		return "", unavailable(err)
	}
	defer func() { _ = root.Close() }()
	part := path.Join(incoming, a.Key+"."+s.db.NewID().String())
	defer func() { _ = root.Remove(part) }()
	if err := receive(root, part, a, body); err != nil {
		return "", err
	}
	return a.Public(), s.db.InTx(ctx, func(tx *store.Tx) error {
		first, err := markUploaded(ctx, tx, a.ID)
		if err != nil {
			return err
		}
		if !first {
			return errUsed()
		}
		return settle(root, part, a.inFolder())
	})
}

func errUsed() error { return laurel.Errorf(laurel.Refused, "Upload address was already used") }

func errSize(a asset) error {
	return laurel.Errorf(laurel.Refused, "File must have exactly %d bytes", a.Size)
}

// receive writes the body into a file of its own, flushed to the disk.
func receive(root *os.Root, part string, a asset, body io.Reader) error {
	if err := root.MkdirAll(incoming, 0o700); err != nil {
		return unavailable(err)
	}
	file, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return unavailable(err)
	}
	source := &reader{from: io.LimitReader(body, a.Size+1)}
	n, err := io.Copy(file, source)
	if source.err != nil { // cut off
		return errors.Join(errSize(a), file.Close())
	}
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return unavailable(err)
	}
	if n != a.Size {
		return errSize(a)
	}
	return nil
}

// reader keeps apart the faults of who sends from those of the disk.
type reader struct {
	from io.Reader
	err  error
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// settle moves a file to its place for good. The transaction may run again, and its commit may fail: then the file is there already.
func settle(root *os.Root, from, to string) error {
	folder := filepath.Dir(to)
	if err := root.MkdirAll(folder, 0o700); err != nil {
		return unavailable(err)
	}
	if err := root.Rename(from, to); err != nil {
		if _, there := root.Stat(to); there == nil && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return unavailable(err)
	}
	d, err := root.Open(folder)
	if err != nil {
		return unavailable(err)
	}
	return errors.Join(d.Sync(), d.Close())
}

// sweep removes what is left of uploads that ended before a moment.
func (s *Service) sweep(before time.Time) error {
	root, err := os.OpenRoot(s.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was ever sent
	}
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	left, err := fs.ReadDir(root.FS(), incoming)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range left {
		if info, gone := entry.Info(); gone == nil && info.ModTime().Before(before) {
			err = errors.Join(err, root.Remove(path.Join(incoming, entry.Name())))
		}
	}
	return err
}
