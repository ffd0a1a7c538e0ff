// Package pictures fetches pictures from addresses that tenants have named and scales them down for pages. It does not
// decide who may see which.
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

	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/panics"
)

// The limits of pictures at outside addresses.
const (
	maxPictureBytes = 5 << 20 // bytes
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

// Service fetches pictures for pages, so that an admin's browser does not call addresses that others have named.
type Service struct {
	client      *outbound.Client
	now         func() time.Time
	flights     singleflight.Group
	decodeSlots chan struct{} // of decoding
	timeout     time.Duration // of one picture, including the wait for slots
	cache       budget.Cache[string, Picture]

	mu      sync.Mutex
	tenants map[string]*tenantSlots
}

// tenantSlots bounds the pictures of one tenant that are fetched at once.
type tenantSlots struct {
	slots chan struct{}
	users int // fetches that have a slot or wait for one; at 0 the tenant's entry is removed
}

// Picture is a scaled picture; without a body it cannot be shown.
type Picture struct {
	Kind  string // its Content-Type
	Body  []byte
	until time.Time
}

// New returns a service that fetches pictures with a client. now is the clock by which cached pictures expire.
func New(client *outbound.Client, now func() time.Time) *Service {
	size := func(key string, p Picture) int { return len(key) + len(p.Kind) + len(p.Body) }
	return &Service{
		client: client, now: now, decodeSlots: make(chan struct{}, maxConcurrentDecodes), timeout: 2 * fetchTimeout,
		cache: budget.NewCache(maxCacheBytes, size), tenants: map[string]*tenantSlots{},
	}
}

// Get returns the picture at an address, scaled down, for a tenant. Calls for the same picture at the same time share
// one fetch. A fetch that fails is cached too, for cacheLifetime, so that the address is not fetched for every page:
// the calls that share the fetch get its error, and later ones a picture without a body and no error. A fetch that ran
// out of time is not cached.
func (p *Service) Get(ctx context.Context, address, tenant string) (Picture, error) {
	key := tenant + " " + address
	if found, ok := p.find(key); ok {
		return found, nil
	}
	flight := p.flights.DoChan(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.timeout)
		defer cancel()
		fetched, err := panics.Try(func() (Picture, error) { // a panic over a foreign file must not end the server
			kind, body, err := p.fetch(ctx, address, tenant)
			if err != nil {
				err = outbound.Redact(err)
			}
			return Picture{Kind: kind, Body: body}, err
		})
		if err == nil || ctx.Err() == nil {
			fetched.until = p.now().Add(cacheLifetime)
			p.cache.Set(key, fetched)
		}
		return fetched, err
	})
	select {
	case <-ctx.Done():
		return Picture{}, ctx.Err()
	case result := <-flight:
		fetched, _ := result.Val.(Picture)
		return fetched, result.Err
	}
}

// find returns a cached picture, and false if there is none or it has expired.
func (p *Service) find(key string) (Picture, bool) {
	found, ok := p.cache.GetIfPresent(key)
	return found, ok && p.now().Before(found.until)
}

// acquireTenantSlot waits until the tenant has fewer than maxPerTenant fetches under way, and counts one more. The
// caller calls done when its fetch has ended. If ctx ends first, it returns the error of ctx and no done.
func (p *Service) acquireTenantSlot(ctx context.Context, tenant string) (done func(), err error) {
	p.mu.Lock()
	tenantFetches := p.tenants[tenant]
	if tenantFetches == nil {
		tenantFetches = &tenantSlots{slots: make(chan struct{}, maxPerTenant)}
		p.tenants[tenant] = tenantFetches
	}
	tenantFetches.users++
	p.mu.Unlock()
	forget := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		tenantFetches.users--
		if tenantFetches.users == 0 {
			delete(p.tenants, tenant)
		}
	}
	select {
	case tenantFetches.slots <- struct{}{}:
		return func() { <-tenantFetches.slots; forget() }, nil
	case <-ctx.Done():
		forget()
		return nil, ctx.Err()
	}
}

var errNoPicture = errors.New("no picture that can be shown")

// fetch reads the picture at an address, scales it down, and returns its Content-Type and content.
func (p *Service) fetch(ctx context.Context, address, tenant string) (kind string, body []byte, err error) {
	done, err := p.acquireTenantSlot(ctx, tenant)
	if err != nil {
		return "", nil, err
	}
	defer done()
	response, err := p.client.Do(ctx, outbound.Call{
		URL: address, Timeout: fetchTimeout, MaxBytes: maxPictureBytes, FollowRedirects: true, Tenant: tenant,
		Header: map[string]string{"Accept": "image/png, image/jpeg, image/webp, image/gif"},
	})
	if err != nil {
		return "", nil, err
	}
	if response.Status != 200 {
		return "", nil, fmt.Errorf("%w: status %d", errNoPicture, response.Status)
	}
	select { // only after the file was read, so that a slow host does not occupy a slot
	case p.decodeSlots <- struct{}{}:
		defer func() { <-p.decodeSlots }()
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	ctx, cancel := context.WithTimeout(ctx, decodeTimeout)
	defer cancel()
	return shrink(ctx, response.Body)
}

// contextReader reads a file until its context ends. Decoders cannot be cancelled, and a few bytes can cause minutes
// of work, so they get a few bytes at a time.
type contextReader struct {
	ctx  context.Context //nolint:containedctx // a reader's methods take none
	file io.Reader
}

// readChunk is the most bytes that a decoder gets at once: less than two scans of a progressive JPEG.
const readChunk = 16

func (w contextReader) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.file.Read(p[:min(len(p), readChunk)])
}

// roundToBlocks rounds a side up to whole blocks.
func roundToBlocks(side int) int { return (side + blockSide - 1) / blockSide * blockSide }

// shrink decodes a picture and encodes it as a square of pictureSide by pictureSide, with its proportions; everything
// else in the file is dropped. Before it decodes, it refuses a picture of more than maxPixels. A square with
// transparent parts is a PNG, any other a JPEG.
func shrink(ctx context.Context, file []byte) (kind string, body []byte, err error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return "", nil, err
	}
	if config.Width < 1 || config.Height < 1 || config.Width > maxPixels || config.Height > maxPixels ||
		roundToBlocks(config.Width) > maxPixels/roundToBlocks(config.Height) {
		return "", nil, fmt.Errorf("%w: %d by %d pixels", errNoPicture, config.Width, config.Height)
	}
	picture, _, err := image.Decode(contextReader{ctx, bytes.NewReader(file)})
	if ended := ctx.Err(); err != nil && ended != nil {
		return "", nil, ended
	}
	if err != nil {
		return "", nil, err
	}
	width, height := picture.Bounds().Dx(), picture.Bounds().Dy()
	if width < 1 || height < 1 {
		return "", nil, errNoPicture
	}
	side := max(width, height)
	place := image.Rect(0, 0, max(1, width*pictureSide/side), max(1, height*pictureSide/side))
	place = place.Add(image.Pt((pictureSide-place.Dx())/2, (pictureSide-place.Dy())/2))
	square := image.NewNRGBA(image.Rect(0, 0, pictureSide, pictureSide))
	draw.ApproxBiLinear.Scale(square, place, picture, picture.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	if square.Opaque() {
		err = jpeg.Encode(&out, square, &jpeg.Options{Quality: 85})
		return "image/jpeg", out.Bytes(), err
	}
	err = png.Encode(&out, square)
	return "image/png", out.Bytes(), err
}
