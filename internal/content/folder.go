package content

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"laurel.example/laurel/internal/durable"
)

// fileStore holds the bytes of files: the data folder, or a bucket. Uploads are received as parts in the data folder,
// whatever holds the files.
type fileStore interface {
	// upload copies a part from the folder to its place, if that must happen before the transaction that accepts the file,
	// as with a bucket. takeBack removes the copy again. It returns errUploadUnderWay if another upload is there.
	upload(ctx context.Context, root *os.Root, part string, p filePlace) (takeBack func(), err error)
	// commit moves a part to its place, within the transaction that accepts the file, unless upload has done so. The
	// transaction may run again, and its commit may fail: then the file is at its place already.
	commit(root *os.Root, part, to string) error
	// open opens the file at a place. It returns fs.ErrNotExist if there is none.
	open(ctx context.Context, name string) (*File, error)
	// remove removes the file at a place for good, if there is one.
	remove(ctx context.Context, name string) error
}

// folder is a path on this machine, or on one that all nodes see.
type folder string

// root opens the folder, so that no name can lead out of it, and makes it if it is missing.
func (f folder) root() (*os.Root, error) {
	root, err := os.OpenRoot(string(f))
	if errors.Is(err, os.ErrNotExist) {
		if err := os.MkdirAll(string(f), 0o700); err != nil {
			return nil, fmt.Errorf("data folder: %w", err)
		}
		root, err = os.OpenRoot(string(f))
	}
	return root, err
}

func (f folder) upload(context.Context, *os.Root, string, filePlace) (takeBack func(), err error) {
	return func() {}, nil
}

// commit moves a part, a received file, to its final place and makes that durable. It returns nil if the file is there
// already: the caller's transaction runs again after a failed commit.
func (f folder) commit(root *os.Root, from, to string) error {
	parent := filepath.Dir(to)
	if err := root.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	if err := root.Rename(from, to); err != nil {
		if _, statErr := root.Stat(to); statErr == nil && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return flush(root, parent)
}

// open opens a file of the folder. It returns fs.ErrNotExist if there is none.
func (f folder) open(_ context.Context, name string) (*File, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &File{ReadSeekCloser: file, Size: info.Size(), Modified: info.ModTime()}, nil
}

// remove removes a file and its parent folder, which holds nothing else, if they exist. It makes that durable, so that
// a power failure does not bring the file back.
func (f folder) remove(_ context.Context, name string) error {
	root, err := os.OpenRoot(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was ever sent
	}
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	parent := filepath.Dir(name) // of this file alone
	for _, path := range []string{name, parent} {
		switch err := root.Remove(path); {
		case errors.Is(err, fs.ErrNotExist) && path == parent:
			return nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	return flush(root, filepath.Dir(parent))
}

// flush makes changes of a folder durable.
func flush(root *os.Root, folder string) error {
	d, err := root.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(durable.Sync(d), d.Close())
}

// removeOldParts removes the parts of uploads that were last written before a time.
func (f folder) removeOldParts(before time.Time) error {
	root, err := os.OpenRoot(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was ever sent
	}
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	parts, err := fs.ReadDir(root.FS(), uploadsFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range parts {
		if info, infoErr := entry.Info(); infoErr == nil && info.ModTime().Before(before) {
			err = errors.Join(err, root.Remove(filepath.Join(uploadsFolder, entry.Name())))
		}
	}
	return err
}
