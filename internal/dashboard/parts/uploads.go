package parts

import (
	"errors"
	"io"
	"path"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/content"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/rules/lists"
)

// ListWarning returns a warning if the first rows of a list of wallets look wrong; otherwise an empty text.
func (c *Call) ListWarning(f *web.UploadedFile) (warning string, err error) {
	head, err := c.ReadListHead(lists.KindCondition, f)
	if err != nil {
		return "", err
	}
	if !head.Header {
		warning += " Its first line doesn’t name a wallet column, so it is read as data."
	}
	if head.Problem != "" {
		warning += " Some of the first rows don’t look like wallets, such as " + head.Problem + "."
	}
	return warning, nil
}

// StorePicture stores the picture in the posted field "picture" and returns its address.
func (c *Call) StorePicture() (address string, err error) {
	f, err := c.ReceiveFile("picture")
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	ending := strings.ToLower(path.Ext(f.Name))
	if err := f.CheckPicture("picture", ending, ""); err != nil {
		return "", err
	}
	return c.StoreFile(f, ending, "images")
}

// ReceiveFile reads a posted form with a file of at most the size of a list. See ReceiveFileUpTo.
func (c *Call) ReceiveFile(name string) (*web.UploadedFile, error) {
	return c.ReceiveFileUpTo(name, lists.MaxBytes)
}

// StoreFile stores an uploaded file in a folder of the website's files and returns its address. The file keeps its
// name, but with ending instead of its own.
func (c *Call) StoreFile(f *web.UploadedFile, ending, folder string) (string, error) {
	name := strings.TrimSuffix(path.Base(strings.ReplaceAll(f.Name, `\`, "/")), path.Ext(f.Name)) + ending
	// like other clients, announce the file first; then upload it to the address that this returns
	announced, err := c.Content.Create(c.Context(), c.Scope.At(c.Site.ID), content.CreateInput{
		FileName: name, FileSize: laurel.Some(f.Size), FilePath: folder,
	})
	if err != nil {
		return "", err
	}
	return c.Content.Upload(c.Context(), path.Base(announced.SignedURL), f.Size, io.Reader(f))
}

// ReadListHead reads the first rows of an uploaded file. If a list of the kind cannot have such rows, the service
// refuses the file; the refusal is then returned as a fault of the field "file".
func (c *Call) ReadListHead(kind lists.Kind, f *web.UploadedFile) (lists.Head, error) {
	head, err := c.Lists.ReadHead(c.Context(), c.Scope, kind, f.File)
	var refused *laurel.Error
	if errors.As(err, &refused) && len(refused.Faults) == 0 {
		var faults laurel.Faults
		// the form shows the fault behind its label, "File", which the message begins with as well
		faults.AddText("file", strings.TrimPrefix(refused.Message, "File ")+". The list was not changed.")
		err = faults.Err()
	}
	return head, err
}
