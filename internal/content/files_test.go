package content_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestAFileIsUploadedOnceAndReadByEverybody(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		signed, public := s.RequestUpload("Profile Bild (1).PNG", 11, "profiles")
		if !strings.HasPrefix(signed, "/uploads/") || !strings.HasPrefix(public, "/files/profiles/") ||
			!strings.HasSuffix(public, "/Profile-Bild--1.png") {
			t.Fatalf("%s and %s", signed, public)
		}
		s.Fetch(public).Refused(404, "File not found")
		sent := s.Put(signed, strings.NewReader("hello world")).OK()
		if sent["url"] != public {
			t.Errorf("the upload answered %v", sent)
		}
		got := s.Fetch(public)
		if got.Status != 200 || got.Body != "hello world" {
			t.Fatalf("%d %q", got.Status, got.Body)
		}
		for name, want := range map[string]string{"Content-Type": "image/png", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
			"Cache-Control": "public, max-age=31536000, immutable", "Content-Disposition": "", "Access-Control-Allow-Origin": "*", "Accept-Ranges": "bytes"} {
			if got.Header.Get(name) != want {
				t.Errorf("%s: %q, want %q", name, got.Header.Get(name), want)
			}
		}
		if head := s.Send(
			"HEAD",
			public,
			nil,
		); head.Status != 200 || head.Header.Get("Content-Length") != "11" ||
			head.Body != "" {
			t.Errorf("HEAD: %d %v", head.Status, head.Header)
		}
		if part := s.Fetch(public, "Range", "bytes=6-"); part.Status != 206 || part.Body != "world" {
			t.Errorf("a part: %d %q", part.Status, part.Body)
		}
		if same := s.Fetch(public, "If-None-Match", got.Header.Get("ETag")); same.Status != 304 {
			t.Errorf("unchanged: %d", same.Status)
		}
		s.Put(signed, strings.NewReader("other bytes")).Refused(400, "Upload address was already used")
		if again := s.Fetch(public); again.Body != "hello world" {
			t.Errorf("after a second upload: %q", again.Body)
		}
		for _, other := range []string{strings.Replace(public, "/profiles/", "/posts/", 1), strings.Replace(public, ".png", ".csv", 1), strings.Replace(public, "Profile", "profile", 1),
			s.HTTP.URL + "/files/", s.HTTP.URL + "/files/profiles", s.HTTP.URL + "/files/profiles/%2e%2e/%2e%2e/test.db", s.HTTP.URL + "/files/../uploads"} {
			if got := s.Fetch(other); got.Status != 404 {
				t.Errorf("%s: %d", other, got.Status)
			}
		}
	})
}

func TestAnUploadHasExactlyItsSize(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		signed, public := s.RequestUpload("list.csv", 5, "loyalty")
		const refusal = "File must have exactly 5 bytes"
		for _, wrong := range []string{"", "1234", "123456"} {
			s.Put(signed, strings.NewReader(wrong)).Refused(400, refusal)
			if wrong != "" {
				s.Put(signed, io.MultiReader(strings.NewReader(wrong))).Refused(400, refusal) // without a Content-Length
			}
			s.Fetch(public).Refused(404, "File not found")
		}
		s.Put(signed, io.MultiReader(strings.NewReader("12345"))).OK()
		got := s.Fetch(public)
		if got.Body != "12345" || got.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
			got.Header.Get("Content-Disposition") != "attachment; filename=list.csv" {
			t.Errorf("%q %v", got.Body, got.Header)
		}
	})
}

// An upload creates a file: If-Match, which names a version of something that is there, never holds (RFC 9110, 13.1.1).
func TestAnUploadWithAPreconditionIsNotPerformed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		signed, public := s.RequestUpload("a.png", 4, "images")
		for _, ifMatch := range []string{"*", `"x"`, `"2026-01-15T12:00:00.000Z"`, ""} {
			s.Send("PUT", signed, strings.NewReader("data"), "If-Match", ifMatch).
				Refused(412, "If-Match names a version, and an upload creates a file")
		}
		if got := s.Fetch(public); got.Status != 404 {
			t.Errorf("the file is there: %d", got.Status)
		}
		s.Put(signed, strings.NewReader("data")).OK()
		tag := s.Fetch(public).Header.Get("ETag")
		for ifMatch, status := range map[string]int{tag: 200, "*": 200, `"x", ` + tag: 200, `"x"`: 412, "W/" + tag: 412} {
			if got := s.Fetch(public, "If-Match", ifMatch); got.Status != status {
				t.Errorf("%s: %d instead of %d", ifMatch, got.Status, status)
			}
		}
		for _, path := range []string{"/openapi.json", "/healthz"} {
			if got := s.Fetch(path, "If-Match", `"x"`); got.Status != 200 {
				t.Errorf("%s: %d", path, got.Status)
			}
		}
	})
}

func TestAnUploadAddressLivesFifteenMinutes(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		early, _ := s.RequestUpload("a.json", 2, "loyalty")
		s.Clock.Advance(14*time.Minute + 59*time.Second)
		s.Put(early, strings.NewReader("{}")).OK()
		late, public := s.RequestUpload("a.json", 2, "loyalty")
		s.Clock.Advance(15 * time.Minute)
		s.Put(late, strings.NewReader("{}")).Refused(400, "Upload address has expired")
		s.Fetch(public).Refused(404, "File not found")
		s.Put(s.HTTP.URL+"/uploads/nothing", strings.NewReader("{}")).Refused(404, "Upload not found")
		s.Fetch(late).Refused(405, "Method not allowed")
	})
}

func TestOfManyUploadsAtOnceOneCounts(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		signed, public := s.RequestUpload("a.csv", 1000, "loyalty")
		var all sync.WaitGroup
		answers := make([]apptest.Response, 8)
		for i := range answers {
			all.Go(func() { answers[i] = s.Put(signed, bytes.NewReader(bytes.Repeat([]byte{byte('a' + i)}, 1000))) })
		}
		all.Wait()
		var winner string
		for i, a := range answers {
			switch a.Status {
			case 200:
				winner += string(rune('a' + i))
			case 429:
				a.Refused(429, "Another upload to this address is under way")
			default:
				a.Refused(400, "Upload address was already used")
			}
		}
		if got := s.Fetch(public); len(winner) != 1 || got.Body != strings.Repeat(winner, 1000) {
			t.Fatalf("won by %q, holds %.10q", winner, got.Body)
		}
	})
}

func TestFilesThatAreNotTaken(t *testing.T) {
	t.Parallel()
	const endings = "fileName must end with one of: png, jpg, jpeg, gif, webp, mp4, webm, woff, woff2, ttf, otf, csv, json, glb"
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		with := func(changes object) object {
			body := object{"fileName": "a.png", "fileSize": 10}
			for k, v := range changes {
				body[k] = v
			}
			return body
		}
		for _, c := range []struct {
			body    object
			message string
		}{
			{object{}, "fileName is required"},
			{object{"fileName": "a.png"}, "fileSize is required"},
			{with(object{"fileName": " "}), "fileName is required"},
			{with(object{"fileName": strings.Repeat("a", 252) + ".png"}), "fileName must be at most 255 characters"},
			{with(object{"fileName": "a.svg"}), endings},
			{with(object{"fileName": "a.png.html"}), endings},
			{with(object{"fileName": "png"}), endings},
			{with(object{"fileName": "a.exe"}), endings},
			{with(object{"fileSize": 0}), "fileSize must be between 1 and 104857600"},
			{with(object{"fileSize": -1}), "fileSize must be between 1 and 104857600"},
			{with(object{"fileSize": 104857601}), "fileSize must be between 1 and 104857600"},
			{with(object{"fileSize": "ten"}), "fileSize must be an integer"},
			{with(object{"filePath": "attic"}), "filePath must be one of: images, videos, banners, fonts, posts, profiles, minting, loyalty, tokenClaims, dapps"},
		} {
			s.Post("/api/assets", c.body).Refused(400, c.message)
		}
		s.Post("/api/assets", with(object{"fileSize": 104857600})).OK()
		s.Post("/api/assets", with(object{"userId": apptest.SecondUnknownID})).Refused(404, "User not found")
		user := s.Post("/api/users/metadatas", object{"walletAddress": apptest.Alice}).OK()["userId"].(string)
		other := s.Post("/api/users/metadatas", object{"walletAddress": apptest.Bob}).OK()["userId"].(string)
		client := func(body object, headers ...string) apptest.Response {
			return s.Call(s.ClientAPIKey, "POST", "/api/assets", body, headers...)
		}
		bearer := "Bearer " + s.Post("/api/users/tokens", object{"userId": user}).OK()["token"].(string)
		const kind = "API key is not allowed to perform this operation"
		for _, path := range []any{"images", "videos", "loyalty", "dapps", nil} {
			client(with(object{"filePath": path}), "Authorization", bearer).Refused(403, kind)
		}
		for _, path := range []string{"posts", "profiles"} {
			client(with(object{"filePath": path})).Refused(403, "Member token is required")
			client(with(object{"filePath": path, "userId": user})).Refused(403, "Member token is required")
			client(with(object{"filePath": path, "userId": other}), "Authorization", bearer).
				Refused(403, "Member token does not belong to this user")
			client(with(object{"filePath": path, "userId": user}), "Authorization", bearer).OK()
			id := client(with(object{"filePath": path}), "Authorization", bearer).OK()["id"] // the token tells whose it is
			if newest := s.Get("/api/assets?limit=1").Data()[0]; newest["id"] != id || newest["userId"] != user {
				t.Errorf("%v, want %v of %s", newest, id, user)
			}
		}
		client(object{"filePath": "posts"}).Refused(403, "Member token is required") // before its form
	})
}

func TestAnUploadAddressIsNotToldTwice(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ask := func() object {
			return s.Call(s.WebsiteAPIKey, "POST", "/api/assets", object{"fileName": "a.png", "fileSize": 1}, "Idempotency-Key", "k1").
				OK()
		}
		first, second := ask(), ask()
		if first["url"] != second["url"] || first["signedUrl"] == nil || second["signedUrl"] != nil {
			t.Fatalf("%v, then %v", first, second)
		}
	})
}

func TestFilesHaveThePublicAddressOfTheService(t *testing.T) {
	t.Parallel()
	apptest.EachWith(
		t,
		app.Config{NoRateLimits: true, Prefix: "/loyalty", PublicURL: "https://points.example/loyalty/"},
		func(t *testing.T, s *apptest.Server) {
			made := s.Post("/loyalty/api/assets", object{"fileName": "a.png", "fileSize": 1}).OK()
			signed, public := made["signedUrl"].(string), made["url"].(string)
			if !strings.HasPrefix(signed, "https://points.example/loyalty/uploads/") ||
				!strings.HasPrefix(public, "https://points.example/loyalty/files/images/") {
				t.Fatalf("%s and %s", signed, public)
			}
			s.Put(strings.Replace(signed, "https://points.example", s.HTTP.URL, 1), strings.NewReader("x")).OK()
			if got := s.Fetch(strings.Replace(public, "https://points.example", s.HTTP.URL, 1)); got.Body != "x" {
				t.Errorf("%d %s", got.Status, got.Body)
			}
		},
	)
}

func TestABrowserMayUpload(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		signed, _ := s.RequestUpload("a.png", 1, "posts")
		asked := s.Send("OPTIONS", signed, nil, "Origin", "https://shop.example", "Access-Control-Request-Method", "PUT")
		if asked.Status != 204 || asked.Header.Get("Access-Control-Allow-Methods") != "PUT" ||
			asked.Header.Get("Access-Control-Allow-Origin") != "https://shop.example" {
			t.Errorf("preflight: %d %v", asked.Status, asked.Header)
		}
		if sent := s.Send(
			"PUT",
			signed,
			strings.NewReader("x"),
			"Origin",
			"https://shop.example",
		); sent.Status != 200 ||
			sent.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%d %v", sent.Status, sent.Header)
		}
	})
}

func TestAnUploadWithoutAGoodAddressIsRefusedBeforeItsBody(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		used, _ := s.RequestUpload("a.png", 1, "posts")
		s.Put(used, strings.NewReader("x")).OK()
		expired, _ := s.RequestUpload("a.png", 100<<20, "posts")
		s.Clock.Advance(15 * time.Minute)
		for _, c := range []struct{ address, status, message string }{
			{"/uploads/nothing", "404 Not Found", "Upload not found"},
			{"/uploads/" + strings.Repeat("0", 64), "404 Not Found", "Upload not found"},
			{used, "400 Bad Request", "Upload address was already used"},
			{expired, "400 Bad Request", "Upload address has expired"},
		} {
			var dialer net.Dialer
			conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(s.HTTP.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
			_, _ = fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n", c.address, 100<<20)
			got, err := io.ReadAll(conn) // no byte of the body is sent, and the connection ends with the answer
			if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 "+c.status) || !strings.Contains(string(got), c.message) {
				t.Errorf("%.20s: %v %s", c.address, err, got)
			}
			_ = conn.Close()
		}
	})
}

// TestScriptsInFilesStayAsleep uploads what a browser could run under the name of a picture: it is shown as a picture
// that is broken, and never as what it is.
func TestScriptsInFilesStayAsleep(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, text := range []string{
			`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, `<!doctype html><script>alert(1)</script>`,
		} {
			signed, public := s.RequestUpload("a.png", len(text), "images")
			s.Put(signed, strings.NewReader(text)).OK()
			got := s.Fetch(public)
			if got.Header.Get("Content-Type") != "image/png" || got.Header.Get("X-Content-Type-Options") != "nosniff" ||
				got.Header.Get("Content-Security-Policy") != "default-src 'none'; sandbox" {
				t.Errorf("%s comes with %v", text, got.Header)
			}
		}
		const endings = "fileName must end with one of: png, jpg, jpeg, gif, webp, mp4, webm, woff, woff2, ttf, otf, csv, json, glb"
		for _, name := range []string{"a.svg", "a.SVG", "a.png.svg", "a.svgz", "a.html", "a.js", "../a", "a.png/"} {
			s.Post("/api/assets", object{"fileName": name, "fileSize": 1}).Refused(400, endings)
		}
		for _, name := range []string{"../../etc/passwd.png", `..\..\a.png`, "/a.png", "%2e%2e%2fa.png", "..png"} {
			made := s.Post("/api/assets", object{"fileName": name, "fileSize": 1}).OK()["url"].(string)
			if last := made[strings.LastIndex(made, "/")+1:]; strings.ContainsAny(last, `\%`) || strings.Contains(made, "..") {
				t.Errorf("%s lies at %s", name, made)
			}
		}
	})
}
