package dashboard

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"strings"
	"time"

	"laurel"
	"laurel/internal/content"
	"laurel/internal/rules/lists"
)

const (
	// maxUpload bounds a form with a file: the longest list, and what stands around it.
	maxUpload = lists.MaxBytes + 1<<20
	// uploadWithin is how long such a form may take to arrive.
	uploadWithin = 10 * time.Minute
	// uploadInMemory is how much of a file is held in memory; the rest waits in a temporary file.
	uploadInMemory = 1 << 20
)

// uploads reports whether the route takes a file.
func (r route) uploads() bool { return r.method == post && strings.HasSuffix(r.path, "/upload") }

// bound limits the body of a request to what its route takes.
func (d *Dashboard) bound(r route, w http.ResponseWriter, q *http.Request) {
	most := int64(maxForm)
	if r.uploads() {
		most = maxUpload
		// without a connection to a browser, as in tests, there is no deadline to move
		_ = http.NewResponseController(w).SetReadDeadline(d.Deadline(uploadWithin))
	}
	q.Body = http.MaxBytesReader(w, q.Body, most)
}

// file is a file of a form. Close removes what is kept of it.
type file struct {
	multipart.File
	Name string
	Size int64
	form *multipart.Form
}

// Close ends reading and removes temporary files.
func (f *file) Close() error { return errors.Join(f.File.Close(), f.form.RemoveAll()) }

// file reads the form of an upload with the file of the name. It is called after the rights are known, so that nobody
// else's file is taken. Errors: Invalid.
func (c *call) file(name string) (*file, error) {
	var f laurel.Faults
	kind, _, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		f.Add(name, "must be a file: choose one")
		return nil, f.Err()
	}
	err = c.ParseMultipartForm(uploadInMemory)
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		f.Add(name, "must have at most %d MiB", lists.MaxBytes>>20)
		return nil, f.Err()
	}
	if err != nil {
		return nil, laurel.Errorf(laurel.Invalid, "the form did not arrive whole: send it again")
	}
	opened, head, err := c.FormFile(name)
	if err != nil || head.Size == 0 {
		f.Add(name, "must be a file that is not empty: choose one")
		return nil, errors.Join(f.Err(), c.MultipartForm.RemoveAll())
	}
	return &file{File: opened, Name: head.Filename, Size: head.Size, form: c.MultipartForm}, nil
}

// keepFile keeps a list among the files of the website and returns its address.
func (c *call) keepFile(f *file) (string, error) {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(f.Name, `\`, "/")), path.Ext(f.Name)) + ".csv"
	announced, err := c.d.Content.Create(c.Context(), c.scope.At(c.site.ID), content.CreateInput{
		FileName: name, FileSize: laurel.Some(f.Size), FilePath: "loyalty",
	})
	if err != nil {
		return "", err
	}
	return c.d.Content.Upload(c.Context(), path.Base(announced.SignedURL), f.Size, io.Reader(f))
}
