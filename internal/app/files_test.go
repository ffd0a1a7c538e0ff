package app_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel/internal/app"
)

// announce asks for an upload address.
func (s *server) announce(name string, size int, path string) (signed, public string) {
	s.t.Helper()
	made := s.post("/api/assets", object{"fileName": name, "fileSize": size, "filePath": path}).ok()
	return made["signedUrl"].(string), made["url"].(string)
}

// upload sends a file and returns its public address.
func (s *server) upload(name, content string) string {
	s.t.Helper()
	signed, public := s.announce(name, len(content), "loyalty")
	s.put(signed, strings.NewReader(content)).ok()
	return public
}

// put sends bytes to an address, which may lie under the server or be whole.
func (s *server) put(address string, body io.Reader) answer {
	s.t.Helper()
	return s.send(http.MethodPut, address, body)
}

// send makes a request without a key. An address without a host is one of this server.
func (s *server) send(method, address string, body io.Reader, headers ...string) answer {
	s.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = s.http.URL + address
	}
	r, err := http.NewRequestWithContext(context.Background(), method, address, body)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := s.http.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{s.t, res.StatusCode, res.Header, string(text)}
}

func (s *server) fetch(address string, headers ...string) answer {
	s.t.Helper()
	return s.send(http.MethodGet, address, nil, headers...)
}

func TestAFileIsUploadedOnceAndReadByEverybody(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		signed, public := s.announce("Profile Bild (1).PNG", 11, "profiles")
		if !strings.HasPrefix(signed, "/uploads/") || !strings.HasPrefix(public, "/files/profiles/") ||
			!strings.HasSuffix(public, "/Profile-Bild--1.png") {
			t.Fatalf("%s and %s", signed, public)
		}
		s.fetch(public).refused(404, "File not found")
		sent := s.put(signed, strings.NewReader("hello world")).ok()
		if sent["url"] != public {
			t.Errorf("the upload answered %v", sent)
		}
		got := s.fetch(public)
		if got.status != 200 || got.body != "hello world" {
			t.Fatalf("%d %q", got.status, got.body)
		}
		for name, want := range map[string]string{"Content-Type": "image/png", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'; sandbox",
			"Cache-Control": "public, max-age=31536000, immutable", "Content-Disposition": "", "Access-Control-Allow-Origin": "*", "Accept-Ranges": "bytes"} {
			if got.header.Get(name) != want {
				t.Errorf("%s: %q, want %q", name, got.header.Get(name), want)
			}
		}
		if head := s.send(
			"HEAD",
			public,
			nil,
		); head.status != 200 || head.header.Get("Content-Length") != "11" ||
			head.body != "" {
			t.Errorf("HEAD: %d %v", head.status, head.header)
		}
		if part := s.fetch(public, "Range", "bytes=6-"); part.status != 206 || part.body != "world" {
			t.Errorf("a part: %d %q", part.status, part.body)
		}
		if same := s.fetch(public, "If-None-Match", got.header.Get("ETag")); same.status != 304 {
			t.Errorf("unchanged: %d", same.status)
		}
		s.put(signed, strings.NewReader("other bytes")).refused(400, "Upload address was already used")
		if again := s.fetch(public); again.body != "hello world" {
			t.Errorf("after a second upload: %q", again.body)
		}
		for _, other := range []string{strings.Replace(public, "/profiles/", "/posts/", 1), strings.Replace(public, ".png", ".csv", 1), strings.Replace(public, "Profile", "profile", 1),
			s.http.URL + "/files/", s.http.URL + "/files/profiles", s.http.URL + "/files/profiles/%2e%2e/%2e%2e/test.db", s.http.URL + "/files/../uploads"} {
			if got := s.fetch(other); got.status != 404 {
				t.Errorf("%s: %d", other, got.status)
			}
		}
	})
}

func TestAnUploadHasExactlyItsSize(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		signed, public := s.announce("list.csv", 5, "loyalty")
		const refusal = "File must have exactly 5 bytes"
		for _, wrong := range []string{"", "1234", "123456"} {
			s.put(signed, strings.NewReader(wrong)).refused(400, refusal)
			if wrong != "" {
				s.put(signed, io.MultiReader(strings.NewReader(wrong))).refused(400, refusal) // of a length that is not told
			}
			s.fetch(public).refused(404, "File not found")
		}
		s.put(signed, io.MultiReader(strings.NewReader("12345"))).ok()
		got := s.fetch(public)
		if got.body != "12345" || got.header.Get("Content-Type") != "text/csv; charset=utf-8" ||
			got.header.Get("Content-Disposition") != "attachment; filename=list.csv" {
			t.Errorf("%q %v", got.body, got.header)
		}
	})
}

func TestAnUploadAddressLivesFifteenMinutes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		early, _ := s.announce("a.json", 2, "loyalty")
		s.clock.advance(14*time.Minute + 59*time.Second)
		s.put(early, strings.NewReader("{}")).ok()
		late, public := s.announce("a.json", 2, "loyalty")
		s.clock.advance(15 * time.Minute)
		s.put(late, strings.NewReader("{}")).refused(400, "Upload address has expired")
		s.fetch(public).refused(404, "File not found")
		s.put(s.http.URL+"/uploads/nothing", strings.NewReader("{}")).refused(404, "Upload not found")
		s.fetch(late).refused(405, "Method not allowed")
	})
}

func TestOfManyUploadsAtOnceOneCounts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		signed, public := s.announce("a.csv", 1000, "loyalty")
		var all sync.WaitGroup
		answers := make([]answer, 8)
		for i := range answers {
			all.Go(func() { answers[i] = s.put(signed, bytes.NewReader(bytes.Repeat([]byte{byte('a' + i)}, 1000))) })
		}
		all.Wait()
		var winner string
		for i, a := range answers {
			switch a.status {
			case 200:
				winner += string(rune('a' + i))
			case 429:
				a.refused(429, "Another upload to this address is under way")
			default:
				a.refused(400, "Upload address was already used")
			}
		}
		if got := s.fetch(public); len(winner) != 1 || got.body != strings.Repeat(winner, 1000) {
			t.Fatalf("won by %q, holds %.10q", winner, got.body)
		}
	})
}

func TestFilesThatAreNotTaken(t *testing.T) {
	t.Parallel()
	const endings = "fileName must end with one of: png, jpg, jpeg, gif, webp, mp4, webm, woff, woff2, ttf, otf, csv, json, glb"
	each(t, func(t *testing.T, s *server) {
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
			s.post("/api/assets", c.body).refused(400, c.message)
		}
		s.post("/api/assets", with(object{"fileSize": 104857600})).ok()
		s.post("/api/assets", with(object{"userId": nobody})).refused(404, "User not found")
		user := s.post("/api/users/metadatas", object{"walletAddress": alice}).ok()["userId"].(string)
		other := s.post("/api/users/metadatas", object{"walletAddress": bob}).ok()["userId"].(string)
		client := func(body object, headers ...string) answer {
			return s.call(s.ClientAPIKey, "POST", "/api/assets", body, headers...)
		}
		bearer := "Bearer " + s.post("/api/users/tokens", object{"userId": user}).ok()["token"].(string)
		const kind = "API key is not allowed to perform this operation"
		for _, path := range []any{"images", "videos", "loyalty", "dapps", nil} {
			client(with(object{"filePath": path}), "Authorization", bearer).refused(403, kind)
		}
		for _, path := range []string{"posts", "profiles"} {
			client(with(object{"filePath": path})).refused(403, "Member token is required")
			client(with(object{"filePath": path, "userId": user})).refused(403, "Member token is required")
			client(with(object{"filePath": path, "userId": other}), "Authorization", bearer).
				refused(403, "Member token does not belong to this user")
			client(with(object{"filePath": path, "userId": user}), "Authorization", bearer).ok()
			id := client(with(object{"filePath": path}), "Authorization", bearer).ok()["id"] // the token tells whose it is
			if newest := s.get("/api/assets?limit=1").data()[0]; newest["id"] != id || newest["userId"] != user {
				t.Errorf("%v, want %v of %s", newest, id, user)
			}
		}
		client(object{"filePath": "posts"}).refused(403, "Member token is required") // before its form
	})
}

func TestAnUploadAddressIsNotToldTwice(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		ask := func() object {
			return s.call(s.WebsiteAPIKey, "POST", "/api/assets", object{"fileName": "a.png", "fileSize": 1}, "Idempotency-Key", "k1").
				ok()
		}
		first, second := ask(), ask()
		if first["url"] != second["url"] || first["signedUrl"] == nil || second["signedUrl"] != nil {
			t.Fatalf("%v, then %v", first, second)
		}
	})
}

func TestFilesHaveThePublicAddressOfTheService(t *testing.T) {
	t.Parallel()
	eachWith(
		t,
		app.Config{NoRateLimits: true, Prefix: "/loyalty", PublicURL: "https://points.example/loyalty/"},
		func(t *testing.T, s *server) {
			made := s.post("/loyalty/api/assets", object{"fileName": "a.png", "fileSize": 1}).ok()
			signed, public := made["signedUrl"].(string), made["url"].(string)
			if !strings.HasPrefix(signed, "https://points.example/loyalty/uploads/") ||
				!strings.HasPrefix(public, "https://points.example/loyalty/files/images/") {
				t.Fatalf("%s and %s", signed, public)
			}
			s.put(strings.Replace(signed, "https://points.example", s.http.URL, 1), strings.NewReader("x")).ok()
			if got := s.fetch(strings.Replace(public, "https://points.example", s.http.URL, 1)); got.body != "x" {
				t.Errorf("%d %s", got.status, got.body)
			}
		},
	)
}

func TestABrowserMayUpload(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		signed, _ := s.announce("a.png", 1, "posts")
		asked := s.send("OPTIONS", signed, nil, "Origin", "https://shop.example", "Access-Control-Request-Method", "PUT")
		if asked.status != 204 || asked.header.Get("Access-Control-Allow-Methods") != "PUT" ||
			asked.header.Get("Access-Control-Allow-Origin") != "https://shop.example" {
			t.Errorf("preflight: %d %v", asked.status, asked.header)
		}
		if sent := s.send(
			"PUT",
			signed,
			strings.NewReader("x"),
			"Origin",
			"https://shop.example",
		); sent.status != 200 ||
			sent.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%d %v", sent.status, sent.header)
		}
	})
}

func TestAnUploadWithoutAGoodAddressIsRefusedBeforeItsBody(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		used, _ := s.announce("a.png", 1, "posts")
		s.put(used, strings.NewReader("x")).ok()
		expired, _ := s.announce("a.png", 100<<20, "posts")
		s.clock.advance(15 * time.Minute)
		for _, c := range []struct{ address, status, message string }{
			{"/uploads/nothing", "404 Not Found", "Upload not found"},
			{"/uploads/" + strings.Repeat("0", 64), "404 Not Found", "Upload not found"},
			{used, "400 Bad Request", "Upload address was already used"},
			{expired, "400 Bad Request", "Upload address has expired"},
		} {
			var dialer net.Dialer
			conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(s.http.URL, "http://"))
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
