package pictures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"laurel.example/laurel/internal/outbound"
)

// bomb is a small progressive JPEG of 1440 by 1440 pixels: each of its scans has a decoder go through all blocks.
func bomb(scans int) []byte {
	out := []byte{0xff, 0xd8}
	segment := func(marker byte, body ...byte) {
		out = append(out, 0xff, marker, 0, byte(len(body)+2))
		out = append(out, body...)
	}
	segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	segment(0xc2, 8, 1440>>8, 1440&255, 1440>>8, 1440&255, 1, 1, 0x11, 0)
	segment(0xc4, append(append([]byte{0x10, 1}, make([]byte, 15)...), 0xe0)...)
	for range scans {
		segment(0xda, 1, 1, 0, 1, 1, 0)
		out = append(out, 0x7f, 0xff, 0x00) // an end of blocks that holds for 32,767 of them
	}
	return append(out, 0xff, 0xd9)
}

// host answers each path with what of holds for it, and lets others wait until the test is over.
func host(t *testing.T, of map[string][]byte) (address string, calls *atomic.Int64) {
	t.Helper()
	over := make(chan struct{})
	calls = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		body, known := of[r.URL.Path]
		if !known {
			select {
			case <-over:
			case <-r.Context().Done():
			}
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(over) })
	return s.URL, calls
}

func asPNG(t *testing.T, side int) []byte {
	t.Helper()
	from := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range from.Pix {
		from.Pix[i] = byte(rand.Uint32()) //nolint:gosec // noise that does not get smaller
	}
	var out bytes.Buffer
	if err := png.Encode(&out, from); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func service() *Service { return New(outbound.New(outbound.Options{Dev: true}), time.Now) }

func TestDecodingEnds(t *testing.T) {
	t.Parallel()
	if _, _, err := shrink(t.Context(), bomb(3)); err != nil {
		t.Fatalf("three scans: %v", err)
	}
	address, calls := host(t, map[string][]byte{"/bomb.jpg": bomb(300_000)})
	p := service()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := p.Get(ctx, address+"/bomb.jpg", "acme"); err == nil || ctx.Err() != nil {
		t.Fatalf("decoding does not end: %v", err)
	}
	if _, err := p.Get(ctx, address+"/bomb.jpg", "acme"); err != nil || calls.Load() != 1 {
		t.Errorf("it is decoded again: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := shrink(ended, bomb(3)); !errors.Is(err, context.Canceled) {
		t.Errorf("who has gone waits: %v", err)
	}
}

func TestPicturesOfTooManyPixelsAreNotDecoded(t *testing.T) {
	t.Parallel()
	for _, side := range [][2]int{{1500, 1500}, {1, 70_000}, {70_000, 1}} {
		var file bytes.Buffer
		if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, side[0], side[1]))); err != nil {
			t.Fatal(err)
		}
		if _, _, err := shrink(t.Context(), file.Bytes()); !errors.Is(err, errNoPicture) {
			t.Errorf("%v: %v", side, err)
		}
	}
}

func TestASlowHostStopsNoOtherTenant(t *testing.T) {
	t.Parallel()
	address, calls := host(t, map[string][]byte{"/a.png": asPNG(t, 8)})
	p := service()
	for i := range 2 * maxPerTenant {
		go func() { _, _ = p.Get(t.Context(), fmt.Sprint(address, "/slow/", i), "acme") }()
	}
	for calls.Load() < maxConcurrentDecodes {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(t.Context(), fetchTimeout/2)
	defer cancel()
	if made, err := p.Get(ctx, address+"/a.png", "other"); err != nil || made.Body == nil {
		t.Errorf("another tenant waits: %v", err)
	}
}

func TestWantOfTimeIsNotRemembered(t *testing.T) {
	t.Parallel()
	address, _ := host(t, map[string][]byte{"/a.png": asPNG(t, 8)})
	p := service()
	p.timeout = 20 * time.Millisecond
	p.decodeSlots <- struct{}{}
	p.decodeSlots <- struct{}{}
	if made, err := p.Get(t.Context(), address+"/a.png", "acme"); err == nil {
		t.Fatalf("decoded without a turn: %v", made.Kind)
	}
	p.timeout = fetchTimeout
	<-p.decodeSlots
	if made, err := p.Get(t.Context(), address+"/a.png", "acme"); err != nil || made.Body == nil {
		t.Errorf("nobody asks again: %v", err)
	}
	if len(p.tenants) != 0 {
		t.Errorf("%d tenants are remembered", len(p.tenants))
	}
}

func TestPicturesAreRememberedWithinABound(t *testing.T) {
	t.Parallel()
	address, calls := host(t, map[string][]byte{"/a.png": asPNG(t, pictureSide)})
	p := service()
	var made Picture
	for range 2 {
		var err error
		if made, err = p.Get(t.Context(), address+"/a.png", "acme"); err != nil {
			t.Fatal(err)
		}
	}
	if calls.Load() != 1 {
		t.Errorf("fetched %d times", calls.Load())
	}
	for i := range 100 + maxCacheBytes/len(made.Body) {
		p.cache.Set(fmt.Sprint(i), made)
	}
	held := 0
	for one := range p.cache.Values() {
		held += len(one.Body)
	}
	if held > maxCacheBytes || held < maxCacheBytes/2 {
		t.Errorf("%d bytes are held", held)
	}
}
