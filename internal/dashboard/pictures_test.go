package dashboard_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"html"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// gallery is a server outside with pictures, and with what is none.
func gallery(t *testing.T) (address string, calls *atomic.Int64) {
	t.Helper()
	wide := image.NewNRGBA(image.Rect(0, 0, 600, 300))
	for i := range wide.Pix {
		wide.Pix[i] = 200
	}
	plain := image.NewPaletted(image.Rect(0, 0, 10, 10), color.Palette{color.White, color.Black})
	var asPNG, asJPEG, asGIF bytes.Buffer
	for _, err := range []error{png.Encode(&asPNG, wide), jpeg.Encode(&asJPEG, plain, nil), gif.Encode(&asGIF, plain, nil)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	bomb := bytes.Clone(asPNG.Bytes()) // says that it has 50,000 by 50,000 pixels
	binary.BigEndian.PutUint32(bomb[16:], 50_000)
	binary.BigEndian.PutUint32(bomb[20:], 50_000)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	files := map[string][]byte{
		"/wide.png": asPNG.Bytes(), "/plain.jpg": asJPEG.Bytes(), "/plain.gif": asGIF.Bytes(), "/bomb.png": bomb,
		"/bad.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), "/page.html": []byte("<script>1</script>"),
		"/large.png": append(asPNG.Bytes(), make([]byte, 6<<20)...),
	}
	calls = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if files[r.URL.Path] == nil {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write(files[r.URL.Path])
	}))
	t.Cleanup(s.Close)
	return s.URL, calls
}

var shownPicture = regexp.MustCompile(`<img src="([^"]*/picture[?]of=[^"]+)"`)

func TestPicturesComeThroughTheServer(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, s *apptest.Server) {
		outside, calls := gallery(t)
		b := s.SignInAdmin(tenancy.RoleAdmin)
		currency := b.Site("/currencies/" + s.LoyaltyCurrencyID.String())
		shown := func(path string) apptest.Page {
			t.Helper()
			baseVersion := hidden(b.Get(currency), "seen")
			page := b.Post(currency, "seen", baseVersion, "name", "Nuts", "symbol", "N", "imageUrl", outside+path).FollowsTo(currency)
			found := shownPicture.FindStringSubmatch(page.Body)
			if found == nil || strings.Contains(page.Body, `src="`+outside) {
				t.Fatalf("no picture in %s", page.Body)
			}
			p := b.Get(html.UnescapeString(found[1])).Shows(200)
			if p.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Error("browsers may guess what it is")
			}
			return p
		}
		for _, path := range []string{"/wide.png", "/plain.jpg", "/plain.gif"} {
			p := shown(path)
			is, _, err := image.DecodeConfig(strings.NewReader(p.Body))
			if err != nil || is.Width != 256 || is.Height != 256 || !strings.HasPrefix(p.Header.Get("Content-Type"), "image/") {
				t.Errorf("%s: %v, %v, %v", path, is, err, p.Header)
			}
		}
		for _, path := range []string{"/bomb.png", "/bad.svg", "/page.html", "/large.png", "/nothing"} {
			p := shown(path)
			if p.Header.Get("Content-Type") != "image/svg+xml" || strings.Contains(p.Body, "script") ||
				strings.Contains(p.Body, "onload") {
				t.Errorf("%s: %v %s", path, p.Header, p.Body)
			}
		}
		before := calls.Load()
		sealed := shownPicture.FindStringSubmatch(b.Get(currency).Body)[1]
		b.Get(html.UnescapeString(sealed)).Shows(200)
		if calls.Load() != before {
			t.Error("what cannot be shown is asked for again")
		}
		for _, of := range []string{"", outside + "/wide.png", "v1.x.y"} {
			b.Get(b.Site("/picture?of="+of)).Shows(404, "Picture not found")
		}
		other := s.NewProgram("Other")
		_, query, _ := strings.Cut(html.UnescapeString(sealed), "?")
		s.SignInOwner(other.OrganizationID).Get("/admin/" + other.WebsiteID.String() + "/picture?" + query).Shows(404)
		s.NewBrowser().Get(html.UnescapeString(sealed)).FollowsTo("/admin/sign-in")
	})
}

func TestPicturesAreNotFetchedFromInside(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		outside, calls := gallery(t)
		maren := s.User("maren-1", apptest.Object{"displayName": "Maren", "logoUrl": "https://192.168.0.1/a.png"})
		b := s.SignInAdmin(tenancy.RoleViewer)
		found := shownPicture.FindStringSubmatch(b.Get(b.Site("/members/"+maren)).Shows(200, "Picture of Maren").Body)
		p := b.Get(html.UnescapeString(found[1])).Shows(200)
		if p.Header.Get("Content-Type") != "image/svg+xml" || calls.Load() != 0 {
			t.Errorf("%v from %s", p.Header, outside)
		}
	})
}
