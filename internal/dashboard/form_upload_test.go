package dashboard_test

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// stalledReader reads a little, waits, and reads the rest.
type stalledReader struct {
	io.Reader
	wait  time.Duration
	reads int
}

func (l *stalledReader) Read(p []byte) (int, error) {
	l.reads++
	if l.reads == 2 {
		time.Sleep(l.wait)
	}
	return l.Reader.Read(p[:min(len(p), 64)])
}

// serveWithShortDeadlines serves a program over connections that may take a second each way, and a browser of its own.
func serveWithShortDeadlines(t *testing.T, s *apptest.Server) (address string, browser *http.Client) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: s.App.Handler, ReadTimeout: time.Second, WriteTimeout: time.Second}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return "http://" + l.Addr().String(), &http.Client{Jar: jar, CheckRedirect: stay}
}

func post(t *testing.T, browser *http.Client, address, kind string, body io.Reader) (*http.Response, error) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, body)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", kind)
	r, err := browser.Do(q)
	if err == nil {
		err = r.Body.Close()
	}
	return r, err
}

const urlencoded = "application/x-www-form-urlencoded"

func TestALongUploadIsReadAndAnswered(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b, rule := s.SignInAdmin(tenancy.RoleSuperAdmin), s.CreateSideCheckInRule(nil)
		address, browser := serveWithShortDeadlines(t, s)
		who := url.Values{"email": {b.Email}, "password": {apptest.Password}}
		if _, err := post(t, browser, s.HTTP.URL+"/admin/sign-in", urlencoded, strings.NewReader(who.Encode())); err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		part, err := form.CreateFormFile("file", "m.csv")
		if err == nil {
			_, err = io.WriteString(part, "walletAddress\n"+apptest.Alice+"\n")
		}
		// the kind comes behind the file
		if err = errors.Join(err, form.WriteField("kind", "allotment"), form.Close()); err != nil {
			t.Fatal(err)
		}
		path := b.Site("/rules/" + rule + "/lists")
		slow := &stalledReader{Reader: &body, wait: 2 * time.Second}
		r, err := post(t, browser, address+path+"/upload", form.FormDataContentType(), slow)
		if err != nil || r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != path {
			t.Errorf("%v, %v", r, err)
		}
		if list, _ := getRule(s, rule)[apptest.OnList].(string); !strings.HasSuffix(list, ".csv") {
			t.Errorf("the list is %q", list)
		}
	})
}

func TestFormsAreLongOnlyWhereAFileMayCome(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b, rule := s.SignInAdmin(tenancy.RoleAdmin), s.Rule("points_airdrop", nil)
		path := b.Site("/rules/" + rule + "/lists/upload")
		long := strings.Repeat("x", 2<<20)
		stranger := s.NewBrowser()
		for _, one := range []*apptest.Browser{stranger, b} {
			one.Post(path, "a", long).Shows(400, "could not be read")
		}
		b.PostFile(path, "file", "x.csv", "a", "kind", "allotment", "more", long).Shows(400, "unexpected parts")
		b.PostFile(path, "file", "x.csv", "walletAddress\n"+strings.Repeat(apptest.Alice+"\n", 50_000), "kind", "allotment").FollowsTo("/admin")

		address, browser := serveWithShortDeadlines(t, s)
		body := &stalledReader{Reader: strings.NewReader("a=" + strings.Repeat("b", 1000)), wait: 2 * time.Second}
		r, err := post(t, browser, address+path, urlencoded, body)
		if err == nil && r.StatusCode == http.StatusSeeOther {
			t.Error("a stranger may take longer than a second")
		}
	})
}
