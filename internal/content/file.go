package content

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/weburl"
)

// File is an uploaded file, open for reading.
type File struct {
	io.ReadSeekCloser
	Size     int64
	Type     string // its media type, by its extension
	Tag      string // names the bytes: an address never gets others
	Modified time.Time
	Inline   bool // pages may show it; other files are for downloading
}

var keyPattern = regexp.MustCompile(`^[0-9a-f]{32}$`)

// Open opens the file at a public path, without the leading /files/: one of Paths, the file's key and its name. Anyone
// who knows the address may read the file. Errors: NotFound "File".
func (s *Service) Open(ctx context.Context, public string) (*File, error) {
	parts := strings.Split(public, "/")
	if len(parts) != 3 || !slices.Contains(Paths(), parts[0]) || !keyPattern.MatchString(parts[1]) {
		return nil, laurel.Missing("File")
	}
	p := filePlace{Path: parts[0], Key: parts[1], Name: parts[2]}
	kind, known := mediaTypes[extension(p.Name)]
	if !known || p.Name != safeName(p.Name) {
		return nil, laurel.Missing("File")
	}
	f, err := s.files.open(ctx, p.storagePath())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, laurel.Missing("File")
	}
	if err != nil {
		return nil, err
	}
	f.Type, f.Tag = kind, p.Key
	f.Inline = strings.HasPrefix(kind, "image/") || strings.HasPrefix(kind, "video/") || strings.HasPrefix(kind, "font/")
	return f, nil
}

// FindOwn opens the file at an address of this service, if it was uploaded for the scope's website. The address is a
// path, or a URL whose host is that of the service, or the one under which the file's address was given out. Errors:
// NotFound "File" for every other address.
func (s *Service) FindOwn(ctx context.Context, scope laurel.Scope, address string) (*File, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" && !weburl.IsFilePath(address) {
		return nil, laurel.Missing("File")
	}
	_, public, found := strings.Cut(u.Path, "/files/")
	parts := strings.Split(public, "/")
	if !found || len(parts) != 3 {
		return nil, laurel.Missing("File")
	}
	a, err := findFile(ctx, s.db, scope, filePlace{Path: parts[0], Key: parts[1], Name: parts[2]})
	if err != nil {
		return nil, err
	}
	if u.Host != "" && !strings.EqualFold(s.host, u.Host) && !strings.EqualFold(a.Host, u.Host) {
		return nil, laurel.Missing("File")
	}
	return s.Open(ctx, public)
}
