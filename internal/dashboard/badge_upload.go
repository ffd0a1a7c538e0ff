package dashboard

import (
	"cmp"
	"io"
	"net/http"
	"path"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/engagement/conditions"
	"laurel/internal/rules/lists"
)

// pictureKinds are the media types of accepted pictures, with the endings of their names.
var pictureKinds = map[string][]string{
	"image/png": {".png"}, "image/jpeg": {".jpg", ".jpeg"}, "image/gif": {".gif"}, "image/webp": {".webp"},
}

// maxPictureBytes is how large a picture may be. Larger ones at outside addresses are not shown, either.
const maxPictureBytes = 5 << 20

// uploadBadgeFile stores an uploaded picture or list of members and puts its address into the form of a badge, with
// everything else as it was typed. A form that is full stays without the list. Without a badge in the path, the form is
// that of a new badge. The badge changes only when the form is saved.
func uploadBadgeFile(c *request) (view, error) {
	var b badges.Badge
	title := "New badge"
	if c.PathValue("badge") != "" {
		var err error
		if b, err = c.getBadge(); err != nil {
			return view{}, err
		}
		title = b.Name + ", settings"
	}
	kind, address, warning, uploadErr := c.receiveBadgeFile()
	f, err := c.buildBadgeForm(b)
	if err != nil {
		return view{}, err
	}
	baseVersion := f.BaseVersion
	f.readPosted(c)
	// as when the form was opened, so that saving it later finds what others have changed since
	f.BaseVersion = cmp.Or(c.PostFormValue(baseVersionField), baseVersion)
	if uploadErr != nil {
		return f.showRefused(c, uploadErr, "badge-form", title)
	}
	switch {
	case kind == "picture":
		f.Input["imageUrl"] = address
	case f.New():
		f.Conditions.addList(address)
	case !f.FullOf("files"):
		f.Files = append(f.Files, fileLine{At: len(f.Files), Src: address})
	}
	f.UploadNotice = "File uploaded. Save the form to use it." + warning
	return pageView("badge-form", title, f)
}

// addList adds a condition that members are on the list with this address. It first removes conditions for which
// nothing was chosen. If the form is full even then, it adds nothing.
func (f *conditionForm) addList(address string) {
	f.Lines = slices.DeleteFunc(f.Lines, func(line conditionLine) bool {
		return line.Type == conditions.TypeRule && len(line.Chosen) == 0 && line.Note == ""
	})
	for i := range f.Lines {
		f.Lines[i].At = i
	}
	if !f.Full() {
		f.add(conditions.TypeCSV)
		f.Lines[len(f.Lines)-1].URL = address
	}
}

// receiveBadgeFile stores the posted file and returns its kind, "picture" or "list", and its address. warning says that
// a list looks wrong; it is empty for others.
func (c *request) receiveBadgeFile() (kind, address, warning string, err error) {
	f, err := c.receiveFile("file")
	if err != nil {
		return "", "", "", err
	}
	defer func() { _ = f.Close() }()
	folder, ending := "images", strings.ToLower(path.Ext(f.Name))
	if kind = "picture"; ending == ".csv" || ending == ".txt" {
		kind, folder, ending = "list", "loyalty", ".csv"
		warning, err = c.listWarning(f)
	} else {
		err = f.checkPicture("file", ending, " or a CSV file")
	}
	if err != nil {
		return "", "", "", err
	}
	address, err = c.storeFile(f, ending, folder)
	return kind, address, warning, err
}

// listWarning returns a warning if the first rows of a list of wallets look wrong; otherwise an empty text.
func (c *request) listWarning(f *uploadedFile) (warning string, err error) {
	head, err := c.readListHead(lists.KindCondition, f)
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

// checkPicture refuses a file that is too large, or whose first bytes are not those of a picture with the ending.
// alternative says, for the refusal, which other files the field accepts, such as " or a CSV file".
func (f *uploadedFile) checkPicture(field, ending, alternative string) error {
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
	case f.Size > maxPictureBytes:
		faults.Add(field, "must be at most %d MiB for a picture", maxPictureBytes>>20)
	}
	return faults.Err()
}

// storePicture stores the picture in the posted field "picture" and returns its address.
func (c *request) storePicture() (address string, err error) {
	f, err := c.receiveFile("picture")
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	ending := strings.ToLower(path.Ext(f.Name))
	if err := f.checkPicture("picture", ending, ""); err != nil {
		return "", err
	}
	return c.storeFile(f, ending, "images")
}
