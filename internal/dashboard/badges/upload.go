package badges

import (
	"cmp"
	"path"
	"strings"

	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/badges"
)

// uploadBadgeFile stores an uploaded picture or list of members and puts its address into the form of a badge, with
// everything else as it was typed. A form that is full stays without the list. Without a badge in the path, the form is
// that of a new badge. The badge changes only when the form is saved.
func uploadBadgeFile(c *call) (web.View, error) {
	var b badges.Badge
	title := "New badge"
	if c.PathValue("badge") != "" {
		var err error
		if b, err = c.getBadge(); err != nil {
			return web.View{}, err
		}
		title = b.Name + ", settings"
	}
	kind, address, warning, uploadErr := c.receiveBadgeFile()
	f, err := c.buildBadgeForm(b)
	if err != nil {
		return web.View{}, err
	}
	baseVersion := f.BaseVersion
	f.readPosted(c)
	// as when the form was opened, so that saving it later finds what others have changed since
	f.BaseVersion = cmp.Or(c.PostFormValue(form.BaseVersionField), baseVersion)
	if uploadErr != nil {
		return f.showRefused(c, uploadErr, "badge-form", title)
	}
	switch {
	case kind == "picture":
		f.Input["imageUrl"] = address
	case f.New():
		f.Conditions.AddList(address)
	case !f.FullOf("files"):
		f.Files = append(f.Files, fileLine{At: len(f.Files), Src: address})
	}
	f.UploadNotice = "File uploaded. Save the form to use it." + warning
	return web.Show("badge-form", title, f)
}

// receiveBadgeFile stores the posted file and returns its kind, "picture" or "list", and its address. warning says that
// a list looks wrong; it is empty for others.
func (c *call) receiveBadgeFile() (kind, address, warning string, err error) {
	f, err := c.ReceiveFile("file")
	if err != nil {
		return "", "", "", err
	}
	defer func() { _ = f.Close() }()
	folder, ending := "images", strings.ToLower(path.Ext(f.Name))
	if kind = "picture"; ending == ".csv" || ending == ".txt" {
		kind, folder, ending = "list", "loyalty", ".csv"
		warning, err = c.ListWarning(f)
	} else {
		err = f.CheckPicture("file", ending, " or a CSV file")
	}
	if err != nil {
		return "", "", "", err
	}
	address, err = c.StoreFile(f, ending, folder)
	return kind, address, warning, err
}
