package dashboard

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path"
	"strings"
	"time"

	"laurel"
	"laurel/internal/content"
	"laurel/internal/rules/lists"
)

const (
	// maxAround bounds what stands around the file in a form.
	maxAround = 1 << 20
	// maxBeside bounds the fields that come with a file, together.
	maxBeside = 512 << 10
	// uploadWithin is how long such a form may take to arrive, storedWithin how long until it is answered after that.
	uploadWithin = 10 * time.Minute
	storedWithin = 2 * time.Minute
)

// bound limits the body of a request. Only a form with a file may be longer, once it is known who sends it: see file.
func (c *call) bound(w http.ResponseWriter) {
	c.out, c.sent = w, c.Body
	c.Body = http.MaxBytesReader(w, c.sent, maxForm)
}

// file is a file of a form, which waits in a temporary file. Close removes it.
type file struct {
	*os.File
	Name string
	Size int64
}

// Close ends reading and removes the temporary file.
func (f *file) Close() error { return errors.Join(f.File.Close(), os.Remove(f.File.Name())) }

// file reads the form of an upload with a list, or something smaller.
func (c *call) file(name string) (*file, error) { return c.fileUpTo(name, lists.MaxBytes) }

// fileUpTo reads the form of an upload with the file of the name, of at most so many bytes. It is called after the
// rights are known: nobody else's form may be long, or take long. Errors: Invalid.
func (c *call) fileUpTo(name string, most int64) (*file, error) {
	var f laurel.Faults
	kind, _, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/form-data" {
		f.Add(name, "must be a file: choose one")
		return nil, f.Err()
	}
	// without a connection to a browser, as in tests, there are no deadlines to move
	connection := http.NewResponseController(c.out)
	_ = connection.SetReadDeadline(c.d.Deadline(uploadWithin))
	_ = connection.SetWriteDeadline(c.d.Deadline(uploadWithin + storedWithin))
	c.Body = http.MaxBytesReader(c.out, c.sent, most+maxAround)
	found, err := c.parts(name)
	var long *http.MaxBytesError
	var refused *laurel.Error
	switch {
	case errors.As(err, &long):
		f.Add(name, "must have at most %d MiB", most>>20)
		return nil, f.Err()
	case errors.As(err, &refused), errors.Is(err, errNoRoom):
		return nil, err
	case err != nil:
		return nil, laurel.Errorf(laurel.Invalid, "the form did not arrive whole: send it again")
	case found == nil || found.Size == 0:
		f.Add(name, "must be a file that is not empty: choose one")
		if found != nil {
			err = found.Close()
		}
		return nil, errors.Join(f.Err(), err)
	}
	return found, nil
}

// errNoRoom is the error of a file that cannot be written here.
var errNoRoom = errors.New("no temporary file can be written")

// parts reads a form part by part, so that little of it is in memory at a time: the file of the name into a temporary
// file, fields among the others of the form. found is nil where no file of the name came.
func (c *call) parts(name string) (found *file, err error) {
	defer func() {
		if err != nil && found != nil {
			err = errors.Join(err, found.Close())
			found = nil
		}
	}()
	form, err := c.MultipartReader()
	if err != nil {
		return nil, err
	}
	beside := 0
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return found, err
		}
		switch {
		case part.FileName() == "" && part.FormName() != name:
			text, err := io.ReadAll(io.LimitReader(part, maxBeside+1))
			if err != nil {
				return found, err
			}
			if beside += len(text); beside > maxBeside || len(c.PostForm) >= maxFields {
				return found, laurel.Errorf(laurel.Invalid, "the form holds more than a file: send it again")
			}
			c.PostForm.Add(part.FormName(), string(text))
		case part.FormName() == name && found == nil:
			if found, err = spool(part); err != nil {
				return found, err
			}
		}
	}
}

// maxFields is how many fields may come with a file.
const maxFields = 1000

// spool writes a part into a temporary file and stands at its beginning.
func spool(part *multipart.Part) (*file, error) {
	to, err := os.CreateTemp("", "laurel-upload-")
	if err != nil {
		return nil, errors.Join(errNoRoom, err)
	}
	f := &file{File: to, Name: part.FileName()}
	if f.Size, err = io.Copy(spoolTo{to}, part); err == nil {
		_, err = to.Seek(0, io.SeekStart)
	}
	return f, err
}

// spoolTo tells faults of writing from those of the connection.
type spoolTo struct{ to io.Writer }

func (s spoolTo) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	if err != nil {
		err = errors.Join(errNoRoom, err)
	}
	return n, err
}

// keepFile keeps a file under a name that ends so among those of the website, and returns its address.
func (c *call) keepFile(f *file, ending, folder string) (string, error) {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(f.Name, `\`, "/")), path.Ext(f.Name)) + ending
	announced, err := c.d.Content.Create(c.Context(), c.scope.At(c.site.ID), content.CreateInput{
		FileName: name, FileSize: laurel.Some(f.Size), FilePath: folder,
	})
	if err != nil {
		return "", err
	}
	return c.d.Content.Upload(c.Context(), path.Base(announced.SignedURL), f.Size, io.Reader(f))
}
