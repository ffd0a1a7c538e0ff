package dashboard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // pictures are decoded by what they are
	"image/jpeg"
	"image/png"
	"io"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
	"golang.org/x/sync/singleflight"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/outbound"
	"laurel/internal/panics"
)

var pictureRoutes = []route{
	{ofWebsite, admins.SeeProgram, "", get, "/picture", picturePage},
}

// The limits of pictures at outside addresses.
const (
	maxPicture    = 5 << 20         // bytes
	maxPixels     = 10_000_000      // decoded they take up to eight bytes each
	pictureSide   = 256             // what is shown is a square of this
	pictureWithin = 8 * time.Second // of the whole answer
	pictureLives  = 5 * time.Minute
	picturesKept  = 200
	decodesAtOnce = 2
)

// pictures fetches pictures for pages, so that no browser of an admin calls an address that somebody else has named.
type pictures struct {
	outside *outbound.Client
	now     func() time.Time
	flights singleflight.Group
	turns   chan struct{}

	mu   sync.Mutex
	kept map[string]keptPicture
}

// keptPicture is a picture as it is shown; without a body, one that cannot be.
type keptPicture struct {
	kind  string
	body  []byte
	until time.Time
}

func newPictures(outside *outbound.Client, now func() time.Time) *pictures {
	turns := make(chan struct{}, decodesAtOnce)
	return &pictures{outside: outside, now: now, turns: turns, kept: map[string]keptPicture{}}
}

// of returns the picture at an address, made small. What cannot be shown is remembered, too: nobody asks for it again
// with every page.
func (p *pictures) of(ctx context.Context, address, tenant string) (keptPicture, error) {
	key := tenant + " " + address
	if found, ok := p.find(key); ok {
		return found, nil
	}
	flight := p.flights.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*pictureWithin)
		defer cancel()
		made, err := panics.Try(func() (keptPicture, error) { // a file of somebody else must not end the server
			kind, body, err := p.fetch(ctx, address, tenant)
			return keptPicture{kind: kind, body: body}, err
		})
		made.until = p.now().Add(pictureLives)
		p.keep(key, made)
		return made, err
	})
	select {
	case <-ctx.Done():
		return keptPicture{}, ctx.Err()
	case r := <-flight:
		made, _ := r.Val.(keptPicture)
		return made, r.Err
	}
}

func (p *pictures) find(key string) (keptPicture, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, ok := p.kept[key]
	return found, ok && p.now().Before(found.until)
}

// keep remembers a picture. Where there are too many, those that are over go, and else any.
func (p *pictures) keep(key string, made keptPicture) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kept) >= picturesKept {
		for old, held := range p.kept {
			if !p.now().Before(held.until) {
				delete(p.kept, old)
			}
		}
		for old := range p.kept {
			if len(p.kept) < picturesKept {
				break
			}
			delete(p.kept, old)
		}
	}
	p.kept[key] = made
}

var errNoPicture = errors.New("no picture that can be shown")

// fetch reads a picture and makes a small one of it.
func (p *pictures) fetch(ctx context.Context, address, tenant string) (kind string, body []byte, err error) {
	select {
	case p.turns <- struct{}{}:
		defer func() { <-p.turns }()
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	answer, err := p.outside.Do(ctx, outbound.Call{
		URL: address, Within: pictureWithin, Limit: maxPicture, Follow: true, For: tenant,
		Header: map[string]string{"Accept": "image/png, image/jpeg, image/webp, image/gif"},
	})
	if err != nil {
		return "", nil, err
	}
	if answer.Status != 200 {
		return "", nil, fmt.Errorf("%w: status %d", errNoPicture, answer.Status)
	}
	return small(answer.Body)
}

// small decodes a picture of a type of pixels and writes it anew into a square: what else the file holds is left out.
// The size is looked at before anything is decoded.
func small(file []byte) (kind string, body []byte, err error) {
	head, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return "", nil, err
	}
	if head.Width < 1 || head.Height < 1 || head.Width > maxPixels/head.Height {
		return "", nil, fmt.Errorf("%w: %d by %d pixels", errNoPicture, head.Width, head.Height)
	}
	from, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return "", nil, err
	}
	width, height := from.Bounds().Dx(), from.Bounds().Dy()
	if width < 1 || height < 1 {
		return "", nil, errNoPicture
	}
	side := max(width, height)
	place := image.Rect(0, 0, max(1, width*pictureSide/side), max(1, height*pictureSide/side))
	place = place.Add(image.Pt((pictureSide-place.Dx())/2, (pictureSide-place.Dy())/2))
	to := image.NewNRGBA(image.Rect(0, 0, pictureSide, pictureSide))
	draw.ApproxBiLinear.Scale(to, place, from, from.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	if to.Opaque() {
		err = jpeg.Encode(&out, to, &jpeg.Options{Quality: 85})
		return "image/jpeg", out.Bytes(), err
	}
	err = png.Encode(&out, to)
	return "image/png", out.Bytes(), err
}

// noPicture stands where a picture cannot be shown.
const noPicture = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 24 24" fill="none" ` +
	`stroke="#8a958d" stroke-width="1.5"><rect x="3" y="3" width="18" height="18" rx="3"/><circle cx="9" cy="9" r="2"/>` +
	`<path d="m21 15-3.1-3.1a2 2 0 0 0-2.8 0L6 21"/></svg>`

// picturePage sends the picture of an address that a page of this website has sealed: nobody else can name one.
func picturePage(c *call) (view, error) {
	address, err := c.d.Admins.Vault.Open(c.URL.Query().Get("of"), c.picturePlace())
	if err != nil {
		return view{}, laurel.Missing("Picture")
	}
	found, err := c.d.pictures.of(c.Context(), string(address), c.site.OrganizationID.String())
	if err != nil {
		c.d.Logger.Debug("a picture cannot be shown", slog.Any("error", outbound.Redact(err)))
	}
	if len(found.body) == 0 {
		found = keptPicture{kind: "image/svg+xml", body: []byte(noPicture)}
	}
	return view{file: "picture", kind: found.kind, stream: func(w io.Writer) error {
		_, err := w.Write(found.body)
		return err
	}}, nil
}

func (c *call) picturePlace() string { return "dashboard picture " + c.site.ID.String() }

// Picture is the address under which a page shows the picture at an outside address; empty for none.
func (s screen) Picture(address *string) string {
	if address == nil {
		return ""
	}
	u, err := url.Parse(*address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	return s.at("picture") + "?of=" + url.QueryEscape(s.d.Admins.Vault.Seal([]byte(*address), s.picturePlace()))
}
