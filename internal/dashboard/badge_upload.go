package dashboard

import (
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/rules/lists"
)

// pictureKinds are the media types of pictures that are kept, and how their names may end.
var pictureKinds = map[string][]string{
	"image/png": {".png"}, "image/jpeg": {".jpg", ".jpeg"}, "image/gif": {".gif"}, "image/webp": {".webp"},
}

// maxPicture is how large a picture may be. Larger ones at outside addresses are not shown, either.
const maxPicture = 5 << 20

// uploadForBadge keeps a picture, or a list of members, and puts its address into the form of a new badge.
func uploadForBadge(c *call) (view, error) {
	kept, note, err := c.keepForBadge()
	if err != nil {
		return c.uploadRefused(err, "New badge")
	}
	return c.redirect(c.at("badges", "new", kept), "The file is kept. The badge names it when you make it."+note)
}

// uploadToBadge does the same for the settings of a badge: nothing changes before they are saved.
func uploadToBadge(c *call) (view, error) {
	b, err := c.badge()
	if err != nil {
		return view{}, err
	}
	kept, note, err := c.keepForBadge()
	if err != nil {
		return c.uploadRefused(err, b.Name+", settings")
	}
	return c.redirect(c.at("badges", b.ID, "settings", kept), "The file is kept. Save the changes to use it."+note)
}

// keepForBadge keeps the file of a form and returns the query by which a form of a badge names it. note says what is
// odd about a list.
func (c *call) keepForBadge() (kept, note string, err error) {
	f, err := c.file("file")
	if err != nil {
		return "", "", err
	}
	defer func() { _ = f.Close() }()
	query := url.Values{}
	for _, name := range []string{"picture", "list"} { // what was uploaded before
		if text := c.PostFormValue(name); text != "" {
			query.Set(name, text)
		}
	}
	what, folder, ending := "picture", "images", strings.ToLower(path.Ext(f.Name))
	if ending == ".csv" || ending == ".txt" {
		what, folder, ending = "list", "loyalty", ".csv"
		note, err = f.oddities()
	} else {
		err = f.picture("file", ending, " or a CSV file")
	}
	if err != nil {
		return "", "", err
	}
	address, err := c.keepFile(f, ending, folder)
	query.Set(what, address)
	return "?" + query.Encode(), note, err
}

// oddities says what is odd about a list of wallets, from its first rows.
func (f *file) oddities() (note string, err error) {
	head, err := headOf(lists.Condition, f)
	if err != nil {
		return "", err
	}
	if !head.Header {
		note += " Its first line names no column of wallets, so it is read as its first row."
	}
	if head.Odd {
		note += " Some of the first rows do not look like wallets: look it over."
	}
	return note, nil
}

// picture refuses what is no picture, by its first bytes. or is what else the field takes, in words.
func (f *file) picture(field, ending, or string) error {
	var faults laurel.Faults
	first := make([]byte, 512) // as many as are looked at
	n, err := io.ReadFull(f, first)
	if err != nil && n == 0 {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	switch {
	case !slices.Contains(pictureKinds[http.DetectContentType(first[:n])], ending):
		faults.Add(field, "must be a picture (PNG, JPEG, GIF or WebP)%s", or)
	case f.Size > maxPicture:
		faults.Add(field, "must have at most %d MiB, as a picture", maxPicture>>20)
	}
	return faults.Err()
}

// keepPicture keeps the picture of an upload and returns the query by which a form names it.
func (c *call) keepPicture() (query string, err error) {
	f, err := c.file("picture")
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	ending := strings.ToLower(path.Ext(f.Name))
	if err := f.picture("picture", ending, ""); err != nil {
		return "", err
	}
	address, err := c.keepFile(f, ending, "images")
	return "?picture=" + url.QueryEscape(address), err
}

// uploadRefused shows the form of the badge with why the file was not kept.
func (c *call) uploadRefused(err error, title string) (view, error) {
	f, unread := c.blankOrBadge()
	if unread != nil {
		return view{}, unread
	}
	return f.again(c, err, "badge-form", title)
}
