package apptest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync/atomic"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
)

// Browser is a browser in which an admin is signed in to the dashboard. It follows no redirect by itself.
type Browser struct {
	*Server
	client *http.Client
	Email  string
	Host   string // what requests call the host; empty: the address of the server
}

// Password is the password of every admin of tests.
const Password = "a long enough password"

// Page is a response of the dashboard.
type Page struct {
	*Browser
	Status   int
	Location string // of a redirect, without the server's address
	Body     string
	Header   http.Header
}

// NewBrowser returns a browser in which no one is signed in.
func (s *Server) NewBrowser() *Browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.T.Fatal(err)
	}
	return &Browser{Server: s, client: &http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// invited counts the admins of tests, so that each has an address of its own.
var invited atomic.Int64

// SignInAdmin returns a browser in which a new admin is signed in, who has the role on every website of the server's
// organization.
func (s *Server) SignInAdmin(role laurel.Role) *Browser {
	s.T.Helper()
	b := s.NewBrowser()
	b.Email = fmt.Sprintf("%s-%d@acme.example", strings.ToLower(string(role)), invited.Add(1))
	token, _, err := s.App.Admins.NewLink(context.Background(), admins.Link{
		Kind: admins.InviteLink, OrganizationID: s.OrganizationID, Role: role, Email: b.Email,
	})
	if err != nil {
		s.T.Fatal(err)
	}
	b.Post("/admin/link/"+token, "email", b.Email, "name", "Ines "+string(role), "password", Password).FollowsTo("/admin/")
	return b
}

// SignInOwner returns a browser in which a new owner of an organization is signed in. The organization may be another
// one than the server's.
func (s *Server) SignInOwner(organization laurel.ID) *Browser {
	s.T.Helper()
	b := s.NewBrowser()
	b.Email = "owner-" + organization.String() + "@other.example"
	link, err := s.App.SignInLink(context.Background(), organization, b.Email, "Olga Other")
	if err != nil {
		s.T.Fatal(err)
	}
	b.Post(link).FollowsTo("/admin")
	return b
}

// Site returns the path of a page of the server's website.
func (b *Browser) Site(path string) string { return "/admin/" + b.WebsiteID.String() + path }

// Get opens a page.
func (b *Browser) Get(path string) Page {
	b.T.Helper()
	return b.do(http.MethodGet, path, nil)
}

// GetElement requests a page as the dashboard's script does, which replaces only the element with the id.
func (b *Browser) GetElement(path, id string) Page {
	b.T.Helper()
	return b.send(http.MethodGet, path, strings.NewReader(""), "Hx-Request", "true", "Hx-Target", id)
}

// Post sends a form. fields are names and values in turn.
func (b *Browser) Post(path string, fields ...string) Page {
	b.T.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return b.do(http.MethodPost, path, form)
}

// PostFile sends a form with a file in the given field. fields are names and values in turn.
func (b *Browser) PostFile(path, field, name, content string, fields ...string) Page {
	b.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i+1 < len(fields); i += 2 {
		if err := form.WriteField(fields[i], fields[i+1]); err != nil {
			b.T.Fatal(err)
		}
	}
	part, err := form.CreateFormFile(field, name)
	if err == nil {
		_, err = io.WriteString(part, content)
	}
	if err = errors.Join(err, form.Close()); err != nil {
		b.T.Fatal(err)
	}
	return b.send(http.MethodPost, path, &body, "Content-Type", form.FormDataContentType())
}

// do sends a request with a form, or without a body if form is nil.
func (b *Browser) do(method, path string, form url.Values) Page {
	b.T.Helper()
	if form == nil {
		return b.send(method, path, strings.NewReader(""))
	}
	return b.send(method, path, strings.NewReader(form.Encode()), "Content-Type", "application/x-www-form-urlencoded")
}

// send sends a request and returns the response. headers are names and values in turn.
func (b *Browser) send(method, path string, body io.Reader, headers ...string) Page {
	b.T.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, b.HTTP.URL+path, body)
	if err != nil {
		b.T.Fatal(err)
	}
	if b.Host != "" {
		r.Host = b.Host
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := b.client.Do(r)
	if err != nil {
		b.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.T.Fatal(err)
	}
	location := strings.TrimPrefix(res.Header.Get("Location"), b.HTTP.URL)
	return Page{Browser: b, Status: res.StatusCode, Location: location, Body: string(text), Header: res.Header}
}

// Shows fails unless the page has the status and shows all texts, and returns it.
func (p Page) Shows(status int, texts ...string) Page {
	p.T.Helper()
	if p.Status != status {
		p.T.Fatalf("got %d, want %d: %s", p.Status, status, p.main())
	}
	for _, text := range texts {
		if !strings.Contains(html.UnescapeString(p.Body), text) {
			p.T.Errorf("the page does not say %q: %s", text, p.main())
		}
	}
	return p
}

// main returns the main element of a page, or the whole page if it has none.
func (p Page) main() string {
	if _, rest, found := strings.Cut(p.Body, "<main"); found {
		rest, _, _ = strings.Cut(rest, "</main>")
		return rest
	}
	return p.Body
}

// Hides fails if the page shows any of the texts, and returns it.
func (p Page) Hides(texts ...string) Page {
	p.T.Helper()
	for _, text := range texts {
		if strings.Contains(html.UnescapeString(p.Body), text) {
			p.T.Errorf("the page says %q", text)
		}
	}
	return p
}

// FollowsTo fails unless the response redirects to an address that begins with the prefix, and returns the page there.
func (p Page) FollowsTo(prefix string) Page {
	p.T.Helper()
	if p.Status != http.StatusSeeOther || !strings.HasPrefix(p.Location, prefix) {
		p.T.Fatalf("got %d to %q, want 303 to %q: %s", p.Status, p.Location, prefix, p.main())
	}
	return p.Get(p.Location)
}
