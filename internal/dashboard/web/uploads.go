package web

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"slices"
	"time"

	"laurel.example/laurel"
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

// limitBody limits the body of a request to maxFormBytes. Only ReceiveFile allows more, once the right to upload is
// checked.
func (c *Call) limitBody(w http.ResponseWriter) {
	c.Writer, c.rawBody = w, c.Body
	c.Body = http.MaxBytesReader(w, c.rawBody, maxFormBytes)
}

// UploadedFile is a file of a form, which waits in a temporary file. Close removes it.
type UploadedFile struct {
	*os.File
	Name string
	Size int64
}

// Close ends reading and removes the temporary file.
func (f *UploadedFile) Close() error { return errors.Join(f.File.Close(), os.Remove(f.File.Name())) }

// ReceiveFileUpTo reads a posted form with a file in the field name, of at most maxBytes. It allows a larger body and
// more time than other forms have, so it is called only after the admin's right is checked. The caller closes the file.
// A missing, empty, too large or interrupted file is Invalid.
func (c *Call) ReceiveFileUpTo(name string, maxBytes int64) (*UploadedFile, error) {
	var faults laurel.Faults
	mediaType, _, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err != nil || mediaType != "multipart/form-data" {
		faults.Add(name, "must be a file: choose one")
		return nil, faults.Err()
	}
	// without a connection to a browser, as in tests, there are no deadlines to move
	connection := http.NewResponseController(c.Writer)
	_ = connection.SetReadDeadline(c.Deadline(uploadTimeout))
	_ = connection.SetWriteDeadline(c.Deadline(uploadTimeout + storeTimeout))
	c.Body = http.MaxBytesReader(c.Writer, c.rawBody, maxBytes+maxFieldsOfUpload)
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
func (c *Call) readMultipart(name string) (file *UploadedFile, err error) {
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
func writeTempFile(part *multipart.Part) (*UploadedFile, error) {
	temp, err := os.CreateTemp("", "laurel-upload-")
	if err != nil {
		return nil, errors.Join(errNoTempFile, err)
	}
	file := &UploadedFile{File: temp, Name: part.FileName()}
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

// pictureKinds are the media types of accepted pictures, with the endings of their names.
var pictureKinds = map[string][]string{
	"image/png": {".png"}, "image/jpeg": {".jpg", ".jpeg"}, "image/gif": {".gif"}, "image/webp": {".webp"},
}

// MaxPictureBytes is how large a picture may be. Larger ones at outside addresses are not shown, either.
const MaxPictureBytes = 5 << 20

// CheckPicture refuses a file that is too large, or whose first bytes are not those of a picture with the ending.
// alternative says, for the refusal, which other files the field accepts, such as " or a CSV file".
func (f *UploadedFile) CheckPicture(field, ending, alternative string) error {
	var faults laurel.Faults
	start := make([]byte, 512) // as many as DetectContentType looks at
	n, err := io.ReadFull(f, start)
	if err != nil && n == 0 {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	switch {
	case !slices.Contains(pictureKinds[http.DetectContentType(start[:n])], ending):
		faults.Add(field, "must be a picture (PNG, JPEG, GIF or WebP)%s", alternative)
	case f.Size > MaxPictureBytes:
		faults.Add(field, "must be at most %d MiB for a picture", MaxPictureBytes>>20)
	}
	return faults.Err()
}
