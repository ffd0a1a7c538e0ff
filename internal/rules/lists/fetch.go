package lists

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
)

// How a file is downloaded (contract 5.11).
const (
	tries      = 3
	maxSilence = 30 * time.Second // between two bytes, and before the first one
	maxTryTime = 2 * time.Minute  // per try: a file of the largest size needs half a megabyte per second
	pause      = time.Second
)

// listFile is a file that was uploaded to this service, or a downloaded copy of a file from elsewhere.
type listFile struct {
	io.ReadSeeker
	io.Closer
	copyPath string // the path of the copy, or ""
}

// removeCopy removes the downloaded copy. Until then, an import that resumes after a stop uses it.
func (f *listFile) removeCopy() {
	if f.copyPath != "" {
		_ = os.Remove(f.copyPath)
	}
}

// openFile opens the file of an import. A file that was not uploaded to this service is downloaded first, unless the
// import has a copy from before an interruption. The copy can be read twice, and resumed at any offset, even if the
// address becomes unavailable. openFile returns a listFault if the file cannot be read.
func (s *Service) openFile(ctx context.Context, imp *importRow) (*listFile, error) {
	uploaded, err := s.files.FindOwn(ctx, imp.scope(), imp.URL)
	if err == nil {
		if uploaded.Size > MaxBytes {
			return nil, errors.Join(errTooLarge(), uploaded.Close())
		}
		return &listFile{uploaded, uploaded, ""}, nil
	}
	if laurel.CodeOf(err) != laurel.NotFound {
		return nil, err
	}
	path := filepath.Join(s.folder, imp.ID.String()+".csv")
	file, err := os.Open(path) //nolint:gosec // the name is an id
	if errors.Is(err, fs.ErrNotExist) {
		if err := s.fetch(ctx, imp, path); err != nil {
			return nil, err
		}
		file, err = os.Open(path) //nolint:gosec // the name is an id
	}
	if err != nil {
		return nil, err
	}
	return &listFile{file, file, path}, nil
}

// fetch downloads the file of an import to a path. The path holds the complete file or none. It returns a listFault if
// the address cannot be read.
func (s *Service) fetch(ctx context.Context, imp *importRow, path string) error {
	call := outbound.Call{
		URL:             imp.URL,
		Timeout:         s.maxTryTime,
		IdleTimeout:     maxSilence,
		MaxBytes:        MaxBytes,
		Tries:           tries,
		Pause:           pause,
		FollowRedirects: true,
		Tenant:          imp.WebsiteID.String(),
	}
	remote, err := s.download(ctx, call, path)
	switch {
	case err != nil:
		return err // a fault of the disk, not of the list
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case remote != nil:
		return &listFault{ownerMessage(remote), remote}
	}
	return nil
}

// download stores the response of a request at a path, completely or not at all. remote is an error of the address,
// such as another status than 200; local is an error of this node.
func (s *Service) download(ctx context.Context, call outbound.Call, path string) (remote, local error) {
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return nil, err
	}
	part := path + ".part"
	defer func() { _ = os.Remove(part) }()
	remote = s.outbound.Read(ctx, call, func(status int, body io.Reader) error {
		if status != 200 {
			return &statusFault{status}
		}
		var sender error
		sender, local = copyTo(part, body)
		return errors.Join(sender, local)
	})
	switch {
	case local != nil:
		return nil, local
	case remote != nil:
		return remote, nil
	}
	return nil, os.Rename(part, path)
}

// copyTo copies the body of a response to a file. remote is an error of the sender of the body, local one of the disk.
func copyTo(path string, body io.Reader) (remote, local error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // the name is an id
	if err != nil {
		return nil, err
	}
	source := &errorReader{from: body}
	_, err = io.Copy(file, source)
	if source.err != nil {
		_ = file.Close()
		return source.err, nil
	}
	return nil, errors.Join(err, file.Close())
}

// errorReader remembers the error of a reader.
type errorReader struct {
	from io.Reader
	err  error
}

func (w *errorReader) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}

// statusFault is a response with another status than 200.
type statusFault struct{ status int }

func (f *statusFault) Error() string { return fmt.Sprintf("answered with status %d", f.status) }

// ownerMessage returns the message about a failed download for the owner of a list: what the owner can act on, and
// nothing about the network of this server.
func ownerMessage(err error) string {
	var answered *statusFault
	var fault *outbound.Fault
	switch {
	case errors.Is(err, outbound.ErrTooLarge):
		return errTooLarge().Error()
	case errors.Is(err, outbound.ErrAddressNotAllowed):
		return "File could not be read: the address must not point to a private address"
	case errors.As(err, &answered):
		return fmt.Sprintf("File could not be read: the address answered with status %d", answered.status)
	case errors.As(err, &fault) && fault.Status != 0:
		return fmt.Sprintf("File could not be read: the address answered with status %d", fault.Status)
	case errors.As(err, &fault) && fault.Sent:
		return "File could not be read: the address did not answer"
	}
	return "File could not be read: the address could not be reached"
}

// removeOldCopies removes the downloaded copies that were last written before a moment.
func (s *Service) removeOldCopies(before time.Time) error {
	entries, err := os.ReadDir(s.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if info, infoErr := entry.Info(); infoErr == nil && info.ModTime().Before(before) {
			err = errors.Join(err, os.Remove(filepath.Join(s.folder, entry.Name())))
		}
	}
	return err
}
