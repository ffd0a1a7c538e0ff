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
	// maxFieldsOfUpload bounds everything in a form except its file.
	maxFieldsOfUpload = 1 << 20
	// maxFieldBytes bounds the fields that come with a file, together.
	maxFieldBytes = 512 << 10
	// uploadTimeout is how long such a form may take to arrive, storeTimeout how long until it is answered after that.
	uploadTimeout = 10 * time.Minute
	storeTimeout  = 2 * time.Minute
)

// limitBody limits the body of a request to maxFormBytes. Only receiveFile allows more, once the right to upload is
// checked.
func (c *request) limitBody(w http.ResponseWriter) {
	c.writer, c.rawBody = w, c.Body
	c.Body = http.MaxBytesReader(w, c.rawBody, maxFormBytes)
}

// uploadedFile is a file of a form, which waits in a temporary file. Close removes it.
type uploadedFile struct {
	*os.File
	Name string
	Size int64
}

// Close ends reading and removes the temporary file.
func (f *uploadedFile) Close() error { return errors.Join(f.File.Close(), os.Remove(f.File.Name())) }

// receiveFile reads a posted form with a file of at most the size of a list. See receiveFileUpTo.
func (c *request) receiveFile(name string) (*uploadedFile, error) {
	return c.receiveFileUpTo(name, lists.MaxBytes)
}

// receiveFileUpTo reads a posted form with a file in the field name, of at most maxBytes. It allows a larger body and
// more time than other forms have, so it is called only after the admin's right is checked. The caller closes the file.
// A missing, empty, too large or interrupted file is Invalid.
func (c *request) receiveFileUpTo(name string, maxBytes int64) (*uploadedFile, error) {
	var faults laurel.Faults
	mediaType, _, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err != nil || mediaType != "multipart/form-data" {
		faults.Add(name, "must be a file: choose one")
		return nil, faults.Err()
	}
	// without a connection to a browser, as in tests, there are no deadlines to move
	connection := http.NewResponseController(c.writer)
	_ = connection.SetReadDeadline(c.d.Deadline(uploadTimeout))
	_ = connection.SetWriteDeadline(c.d.Deadline(uploadTimeout + storeTimeout))
	c.Body = http.MaxBytesReader(c.writer, c.rawBody, maxBytes+maxFieldsOfUpload)
	file, err := c.readMultipart(name)
	var tooLong *http.MaxBytesError
	var refused *laurel.Error
	switch {
	case errors.As(err, &tooLong):
		faults.Add(name, "must be at most %d MiB", maxBytes>>20)
		return nil, faults.Err()
	case errors.As(err, &refused), errors.Is(err, errNoTempFile):
		return nil, err
	case err != nil:
		return nil, laurel.Errorf(laurel.Invalid, "the upload was interrupted: submit the form again")
	case file == nil || file.Size == 0:
		faults.Add(name, "must not be empty: choose another file")
		if file != nil {
			err = file.Close()
		}
		return nil, errors.Join(faults.Err(), err)
	}
	return file, nil
}

// errNoTempFile is the error of a file that cannot be written here.
var errNoTempFile = errors.New("no temporary file can be written")

// readMultipart reads a multipart form part by part, so that little of it is in memory: the file in the field name goes
// into a temporary file, other fields go into PostForm. file is nil if the form has none in that field. Files in other
// fields are skipped.
func (c *request) readMultipart(name string) (file *uploadedFile, err error) {
	defer func() {
		if err != nil && file != nil {
			err = errors.Join(err, file.Close())
			file = nil
		}
	}()
	form, err := c.MultipartReader()
	if err != nil {
		return nil, err
	}
	fieldBytes := 0
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return file, nil
		}
		if err != nil {
			return file, err
		}
		switch {
		case part.FileName() == "" && part.FormName() != name:
			text, err := io.ReadAll(io.LimitReader(part, maxFieldBytes+1))
			if err != nil {
				return file, err
			}
			if fieldBytes += len(text); fieldBytes > maxFieldBytes || len(c.PostForm) >= maxFields {
				return file, laurel.Errorf(laurel.Invalid, "the form has unexpected parts: submit it again")
			}
			c.PostForm.Add(part.FormName(), string(text))
		case part.FormName() == name && file == nil:
			if file, err = writeTempFile(part); err != nil {
				return file, err
			}
		}
	}
}

// maxFields is how many fields may come with a file.
const maxFields = 1000

// writeTempFile copies the file in a part of a form into a temporary file and seeks to its start. If it fails after
// creating the temporary file, it returns that, too, so that the caller removes it.
func writeTempFile(part *multipart.Part) (*uploadedFile, error) {
	temp, err := os.CreateTemp("", "laurel-upload-")
	if err != nil {
		return nil, errors.Join(errNoTempFile, err)
	}
	file := &uploadedFile{File: temp, Name: part.FileName()}
	if file.Size, err = io.Copy(tempFileWriter{temp}, part); err == nil {
		_, err = temp.Seek(0, io.SeekStart)
	}
	return file, err
}

// tempFileWriter marks errors of writing with errNoTempFile, to tell them from errors of the connection.
type tempFileWriter struct{ to io.Writer }

func (s tempFileWriter) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	if err != nil {
		err = errors.Join(errNoTempFile, err)
	}
	return n, err
}

// storeFile stores an uploaded file in a folder of the website's files and returns its address. The file keeps its
// name, but with ending instead of its own.
func (c *request) storeFile(f *uploadedFile, ending, folder string) (string, error) {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(f.Name, `\`, "/")), path.Ext(f.Name)) + ending
	// like other clients, announce the file first; then upload it to the address that this returns
	announced, err := c.d.Content.Create(c.Context(), c.scope.At(c.site.ID), content.CreateInput{
		FileName: name, FileSize: laurel.Some(f.Size), FilePath: folder,
	})
	if err != nil {
		return "", err
	}
	return c.d.Content.Upload(c.Context(), path.Base(announced.SignedURL), f.Size, io.Reader(f))
}
