// Package content owns files that callers upload: the addresses to which they are sent, their bytes in the data folder
// or a bucket, and reading them. It does not own the meaning of lists in files, nor the records that show files.
package content

import (
	"errors"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Config holds the dependencies and settings of a Service.
type Config struct {
	DB *store.DB
	// Folder holds the files, and what is received of files. Nodes of one PostgreSQL share it, unless there is a bucket.
	Folder string
	// Bucket is the address of a bucket that holds the files in place of the folder (OpenBucket); nil: there is none.
	Bucket *Bucket
	// Base begins every address that is given out: the public address of the service, such as
	// https://loyalty.example/api, or, if it has none, its path prefix or nothing.
	Base   string
	Quotas Quotas
}

// Service manages files.
type Service struct {
	db     *store.DB
	folder folder
	files  fileStore
	base   string
	host   string // of base; empty: addresses are paths
	quotas Quotas
	// uploads holds the keys of the files that this node receives: a file is received once at a time, so that its size
	// bounds what it takes meanwhile.
	uploads   uploadSet
	usageSlot chan struct{} // held by who changes what is counted
}

// uploadSet is the set of files that this node receives at the moment, by key. It is no sync.Map, which is generic:
// every package that uses Service would compile it again.
type uploadSet struct {
	mu   sync.Mutex
	keys map[string]bool
}

// add adds a key, and reports whether it was not in the set.
func (r *uploadSet) add(key string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys[key] {
		return false
	}
	if r.keys == nil {
		r.keys = map[string]bool{}
	}
	r.keys[key] = true
	return true
}

// remove removes a key, if it is in the set.
func (r *uploadSet) remove(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.keys, key)
}

// New makes the service. The folder is made when the first file is received.
func New(c Config) *Service {
	s := &Service{db: c.DB, folder: folder(c.Folder), base: strings.TrimSuffix(c.Base, "/"), quotas: c.Quotas}
	s.files = s.folder
	if c.Bucket != nil {
		s.files = c.Bucket
	}
	s.usageSlot = make(chan struct{}, 1)
	if u, err := url.Parse(c.Base); err == nil {
		s.host = u.Host
	}
	return s
}

// Limits and life of an upload (contract 3.31).
const (
	MaxSize        = 100 << 20 // bytes
	UploadLifetime = 15 * time.Minute
	maxFileName    = 255
)

// Paths lists what a file may be for (contract 2, asset filePath); the first is the default.
func Paths() []string {
	return []string{
		"images",
		"videos",
		"banners",
		"fonts",
		"posts",
		"profiles",
		"minting",
		"loyalty",
		"tokenClaims",
		"dapps",
	}
}

// mediaTypes are the media types of the allowed extensions. A type is never guessed from the bytes.
var mediaTypes = map[string]string{
	"png":   "image/png",
	"jpg":   "image/jpeg",
	"jpeg":  "image/jpeg",
	"gif":   "image/gif",
	"webp":  "image/webp",
	"mp4":   "video/mp4",
	"webm":  "video/webm",
	"woff":  "font/woff",
	"woff2": "font/woff2",
	"ttf":   "font/ttf",
	"otf":   "font/otf",
	"csv":   "text/csv; charset=utf-8",
	"json":  "application/json",
	"glb":   "model/gltf-binary",
}

const extensions = "png, jpg, jpeg, gif, webp, mp4, webm, woff, woff2, ttf, otf, csv, json, glb"

// extension returns the extension of a name in lower case.
func extension(name string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
}

// filePlace is the location of a file: the three parts of its public address and of its path in the folder or bucket.
type filePlace struct {
	Path string `db:"file_path"`
	Key  string `db:"file_key"` // 32 hex digits of chance: who does not know the address does not find the file
	Name string `db:"file_name"`
}

// PublicPath returns the path of the file's public address.
func (p filePlace) PublicPath() string { return "/files/" + p.Path + "/" + p.Key + "/" + p.Name }

// storagePath returns the path of the file within the folder or the bucket.
func (p filePlace) storagePath() string {
	return path.Join(FolderOfFiles, p.Path, p.Key[:2], p.Key, p.Name)
}

// errUnavailable returns the error that callers get when files cannot be written, for example on a full disk.
func errUnavailable(err error) error {
	return errors.Join(&laurel.Error{Code: laurel.Unavailable, Message: "Service unavailable", RetryAfter: 5}, err)
}
