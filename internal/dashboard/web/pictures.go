package web

import (
	"io"
	"log/slog"
	"net/url"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/pictures"
	"laurel.example/laurel/internal/weburl"
)

// PictureRoutes show pictures on pages of every room.
var PictureRoutes = []Route{
	Get("/picture", admins.SeeProgram, "", picturePage),
}

// placeholderPicture is shown if a picture cannot be loaded.
const placeholderPicture = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 24 24" fill="none" ` +
	`stroke="#8a958d" stroke-width="1.5"><rect x="3" y="3" width="18" height="18" rx="3"/><circle cx="9" cy="9" r="2"/>` +
	`<path d="m21 15-3.1-3.1a2 2 0 0 0-2.8 0L6 21"/></svg>`

// picturePage sends the picture at an external address, or a placeholder if it cannot be loaded. The query has the
// address as Picture encrypted it, so that nobody can make the server fetch another one.
func picturePage(c *Call) (View, error) {
	address, err := c.Admins.Vault.Open(c.URL.Query().Get("of"), c.pictureSealContext())
	if err != nil {
		return View{}, laurel.Missing("Picture")
	}
	picture, err := c.Pictures.Get(c.Context(), string(address), c.Site.OrganizationID.String())
	if err != nil {
		c.Logger.Debug("a picture cannot be shown", slog.Any("error", err))
	}
	if len(picture.Body) == 0 {
		picture = pictures.Picture{Kind: "image/svg+xml", Body: []byte(placeholderPicture)}
	}
	return View{FileName: "picture", ContentType: picture.Kind, Stream: func(w io.Writer) error {
		_, err := w.Write(picture.Body)
		return err
	}}, nil
}

func (c *Call) pictureSealContext() string { return "dashboard picture " + c.Site.ID.String() }

// Picture returns the address under which pages show a picture, uploaded or external. An external one is loaded through
// picturePage, with its address encrypted. The result is empty if there is no picture, or if its address is malformed.
func (s Screen) Picture(address *string) string {
	switch {
	case address == nil:
		return ""
	case weburl.IsFilePath(*address):
		return *address
	}
	parsed, err := url.Parse(*address)
	if err != nil || parsed.Scheme != "https" && parsed.Scheme != "http" || parsed.Host == "" {
		return ""
	}
	return s.SitePath("picture") + "?of=" + url.QueryEscape(s.Admins.Vault.Seal([]byte(*address), s.pictureSealContext()))
}

// PictureAt is Picture for an address that is always there.
func (s Screen) PictureAt(address string) string { return s.Picture(&address) }
