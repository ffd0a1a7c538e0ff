package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

// assetFiles are the assets: our own style and script, and those of others with their licences
// (assets/vendor/vendor.json).
//
//go:embed assets/laurel.css assets/laurel.js assets/laurel.svg assets/manual.css assets/order.js
//go:embed assets/code.js assets/vendor
var assetFiles embed.FS

// asset is a file as it is sent. Its name contains a hash of its content, so browsers may cache it forever.
type asset struct {
	kind       string // Content-Type
	body       []byte
	compressed func() []byte // gzip, made when it is first asked for; nil if it saves nothing
}

// assets are the files by the names under which they are sent, and those names by the names of the files.
type assets struct {
	served map[string]asset
	names  map[string]string
}

const (
	hashDigits   = 10 // of a name; collisions would only cost a reload
	cacheForever = "public, max-age=31536000, immutable"
)

// embeddedAssets are the files as they are sent: the same for every server of a process, of which tests start many.
var embeddedAssets = sync.OnceValues(loadAssets)

// AssetPath returns the path below the prefix at which a file of the dashboard is served, for pages beside it; "" if
// there is no such file.
func AssetPath(name string) string {
	a, err := embeddedAssets()
	if err != nil || a.names[name] == "" {
		return ""
	}
	return RootPath + "/assets/" + a.names[name]
}

// loadAssets reads the embedded files that browsers get. It skips .mjs files, which are tools of the developers.
// Stylesheets come last, as they contain the hashed names of fonts.
func loadAssets() (*assets, error) {
	a := &assets{served: map[string]asset{}, names: map[string]string{}}
	for _, stylesheets := range []bool{false, true} {
		err := fs.WalkDir(assetFiles, "assets", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || (path.Ext(name) == ".css") != stylesheets || path.Ext(name) == ".mjs" {
				return err
			}
			body, err := assetFiles.ReadFile(name)
			if err == nil {
				a.add(path.Base(name), body)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return a, nil
}

// add registers a file under a name with a hash of its content, so that browsers may cache it forever. In stylesheets,
// the names of other files are replaced by their hashed names, so those files must be added before.
func (a *assets) add(name string, body []byte) {
	extension := path.Ext(name)
	if extension == ".css" {
		for plain, hashed := range a.names {
			body = bytes.ReplaceAll(body, []byte(`url("`+plain+`")`), []byte(`url("`+hashed+`")`))
		}
	}
	sum := sha256.Sum256(body)
	hashed := strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(sum[:])[:hashDigits] + extension
	contentType := mime.TypeByExtension(extension)
	switch extension {
	case ".woff2":
		contentType = "font/woff2"
	case ".js":
		contentType = "text/javascript; charset=utf-8"
	}
	compressed := sync.OnceValue(func() []byte { return compress(body) })
	a.served[hashed], a.names[name] = asset{kind: contentType, body: body, compressed: compressed}, hashed
}

// compress returns a file as gzip, or nil if that saves less than a tenth or fails.
func compress(body []byte) []byte {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(body)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil || packed.Len() >= len(body)*9/10 {
		return nil
	}
	return packed.Bytes()
}

// ServeHTTP sends the file whose hashed name is the last part of the path, compressed if the browser accepts that. An
// unknown name gets status 404.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	file, ok := a.served[path.Base(r.URL.Path)]
	if !ok {
		http.NotFound(w, r)
		return
	}
	head := w.Header()
	head.Set("Content-Type", file.kind)
	head.Set("Cache-Control", cacheForever)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Vary", "Accept-Encoding")
	body := file.body
	if acceptsGzip(r) {
		if packed := file.compressed(); packed != nil {
			head.Set("Content-Encoding", "gzip")
			body = packed
		}
	}
	_, _ = w.Write(body) // a disconnected browser needs no response
}

// acceptsGzip reports whether the Accept-Encoding header names gzip with a weight other than 0.
func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if coding == "gzip" && !strings.HasSuffix(strings.ReplaceAll(weight, " ", ""), "q=0") {
			return true
		}
	}
	return false
}
