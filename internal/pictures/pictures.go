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
	"io"
	"sync"
	"time"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // likewise
	"golang.org/x/sync/singleflight"

	"laurel/internal/budget"
	"laurel/internal/outbound"
	"laurel/internal/panics"
)

// The limits of pictures at outside addresses.
const (
	maxPicture = 5 << 20 // bytes
	// maxPixels bounds what a picture decodes to, in whole blocks of blockSide. A progressive JPEG of four colours takes
	// most: sixteen bytes of coefficients for each pixel, four of colours, and four of the colours inverted. So two
	// pictures that are decoded at once hold at most 100 MB.
	maxPixels            = 2_100_000
	blockSide            = 32
	pictureSide          = 256             // what is shown is a square of this
	fetchTimeout         = 8 * time.Second // until the whole file is there
	decodeTimeout        = 2 * time.Second
	cacheLifetime        = 5 * time.Minute
	maxCacheBytes        = 8 << 20 // bytes of all that are remembered
	maxConcurrentDecodes = 2
	// maxPerTenant is how many pictures of one tenant are on the way: each holds its file until it is decoded.
	maxPerTenant = 6
)

// Service fetches pictures for pages, so that no browser of an admin calls an address that somebody else has named.
type Service struct {
	client      *outbound.Client
	now         func() time.Time
	flights     singleflight.Group
	decodeSlots chan struct{} // of decoding
	timeout     time.Duration // of a picture on its way, with waiting for turns
	cache       budget.Cache[string, Picture]

	mu      sync.Mutex
	tenants map[string]*tenantSlots
}

// tenantSlots bounds the pictures of one tenant that are on the way.
type tenantSlots struct {
	slots chan struct{}
	users int // who hold a turn or wait for one; without any, nothing is kept of the tenant
}

// Picture is a picture as it is shown; without a body, one that cannot be.
type Picture struct {
	Kind  string // its Content-Type
	Body  []byte
	until time.Time
}

// New makes the service.
func New(outside *outbound.Client, now func() time.Time) *Service {
	size := func(key string, p Picture) int { return len(key) + len(p.Kind) + len(p.Body) }
	return &Service{
		client: outside, now: now, decodeSlots: make(chan struct{}, maxConcurrentDecodes), timeout: 2 * fetchTimeout,
		cache: budget.NewCache(maxCacheBytes, size), tenants: map[string]*tenantSlots{},
	}
}

// Get returns the picture at an address, made small. What cannot be shown is remembered, too: nobody asks for it again
// with every page. Where there was no time for it here, nothing is known of it.
func (p *Service) Get(ctx context.Context, address, tenant string) (Picture, error) {
	key := tenant + " " + address
	if found, ok := p.find(key); ok {
		return found, nil
	}
	flight := p.flights.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.timeout)
		defer cancel()
		made, err := panics.Try(func() (Picture, error) { // a file of somebody else must not end the server
			kind, body, err := p.fetch(ctx, address, tenant)
			if err != nil {
				err = outbound.Redact(err)
			}
			return Picture{Kind: kind, Body: body}, err
		})
		if err == nil || ctx.Err() == nil {
			made.until = p.now().Add(cacheLifetime)
			p.cache.Set(key, made)
		}
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
	found, ok := p.cache.GetIfPresent(key)
	return found, ok && p.now().Before(found.until)
}

// acquireTenantSlot waits for the turn of a tenant. done gives it back.
func (p *Service) acquireTenantSlot(ctx context.Context, tenant string) (done func(), err error) {
	p.mu.Lock()
	of := p.tenants[tenant]
	if of == nil {
		of = &tenantSlots{slots: make(chan struct{}, maxPerTenant)}
		p.tenants[tenant] = of
	}
	of.users++
	p.mu.Unlock()
	leave := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		of.users--
		if of.users == 0 {
			delete(p.tenants, tenant)
		}
	}
	select {
	case of.slots <- struct{}{}:
		return func() { <-of.slots; leave() }, nil
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
}

var errNoPicture = errors.New("no picture that can be shown")

// fetch reads a picture and makes a small one of it.
func (p *Service) fetch(ctx context.Context, address, tenant string) (kind string, body []byte, err error) {
	done, err := p.acquireTenantSlot(ctx, tenant)
	if err != nil {
		return "", nil, err
	}
	defer done()
	answer, err := p.client.Do(ctx, outbound.Call{
		URL: address, Timeout: fetchTimeout, MaxBytes: maxPicture, FollowRedirects: true, Tenant: tenant,
		Header: map[string]string{"Accept": "image/png, image/jpeg, image/webp, image/gif"},
	})
	if err != nil {
		return "", nil, err
	}
	if answer.Status != 200 {
		return "", nil, fmt.Errorf("%w: status %d", errNoPicture, answer.Status)
	}
	select { // after the file is there: a slow host makes nobody wait but those who ask it
	case p.decodeSlots <- struct{}{}:
		defer func() { <-p.decodeSlots }()
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, decodeTimeout)
	defer cancel()
	return shrink(ctx, answer.Body)
}

// contextReader reads a file until its context is over. Decoders cannot be told to stop: a few bytes can hold minutes
// of work, so they get a few at a time.
type contextReader struct {
	ctx  context.Context //nolint:containedctx // a reader's methods take none
	file io.Reader
}

// readChunk is how many bytes a decoder gets at once: less than two scans of a progressive JPEG.
const readChunk = 16

func (w contextReader) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.file.Read(p[:min(len(p), readChunk)])
}

// roundToBlocks rounds a side up to whole blocks.
func roundToBlocks(side int) int { return (side + blockSide - 1) / blockSide * blockSide }

// shrink decodes a picture of a type of pixels and writes it anew into a square: what else the file holds is left out.
// The size is looked at before anything is decoded.
func shrink(ctx context.Context, file []byte) (kind string, body []byte, err error) {
	head, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return "", nil, err
	}
	if head.Width < 1 || head.Height < 1 || head.Width > maxPixels || head.Height > maxPixels ||
		roundToBlocks(head.Width) > maxPixels/roundToBlocks(head.Height) {
		return "", nil, fmt.Errorf("%w: %d by %d pixels", errNoPicture, head.Width, head.Height)
	}
	from, _, err := image.Decode(contextReader{ctx, bytes.NewReader(file)})
	if over := ctx.Err(); err != nil && over != nil {
		return "", nil, over
	}
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
