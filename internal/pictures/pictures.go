// Package pictures fetches pictures at addresses that others have named, and makes small ones of them for pages. It
// decides nothing about who may ask for which.
package pictures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // pictures are decoded by what they are
	"image/jpeg"
	"image/png"
	"sync"
	"time"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // likewise
	"golang.org/x/sync/singleflight"

	"laurel/internal/outbound"
	"laurel/internal/panics"
)

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

// Service fetches pictures for pages, so that no browser of an admin calls an address that somebody else has named.
type Service struct {
	outside *outbound.Client
	now     func() time.Time
	flights singleflight.Group
	turns   chan struct{}

	mu   sync.Mutex
	kept map[string]Picture
}

// Picture is a picture as it is shown; without a body, one that cannot be.
type Picture struct {
	Kind  string // its Content-Type
	Body  []byte
	until time.Time
}

// New makes the service.
func New(outside *outbound.Client, now func() time.Time) *Service {
	turns := make(chan struct{}, decodesAtOnce)
	return &Service{outside: outside, now: now, turns: turns, kept: map[string]Picture{}}
}

// Of returns the picture at an address, made small. What cannot be shown is remembered, too: nobody asks for it again
// with every page.
func (p *Service) Of(ctx context.Context, address, tenant string) (Picture, error) {
	key := tenant + " " + address
	if found, ok := p.find(key); ok {
		return found, nil
	}
	flight := p.flights.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*pictureWithin)
		defer cancel()
		made, err := panics.Try(func() (Picture, error) { // a file of somebody else must not end the server
			kind, body, err := p.fetch(ctx, address, tenant)
			if err != nil {
				err = outbound.Redact(err)
			}
			return Picture{Kind: kind, Body: body}, err
		})
		made.until = p.now().Add(pictureLives)
		p.keep(key, made)
		return made, err
	})
	select {
	case <-ctx.Done():
		return Picture{}, ctx.Err()
	case r := <-flight:
		made, _ := r.Val.(Picture)
		return made, r.Err
	}
}

func (p *Service) find(key string) (Picture, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found, ok := p.kept[key]
	return found, ok && p.now().Before(found.until)
}

// keep remembers a picture. Where there are too many, those that are over go, and else any.
func (p *Service) keep(key string, made Picture) {
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
func (p *Service) fetch(ctx context.Context, address, tenant string) (kind string, body []byte, err error) {
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
