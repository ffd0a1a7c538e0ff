package main_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/dev/wait"
)

// dashboardLink is how the demo and serve print a one-time link.
var dashboardLink = regexp.MustCompile(`(http://\S+/admin/link/\S+)`)

const adminPassword = "a long enough password"

// visit uses a link in a browser of its own, with an e-mail address where it makes an account, and returns the page
// that it leads to.
func visit(t *testing.T, link, email string) string {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	form := url.Values{"email": {email}, "password": {adminPassword}}
	res, err := browser.PostForm(link, form)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%d, %v: %s", res.StatusCode, err, body)
	}
	return string(body)
}

func TestServePrintsTheLinkThatMakesTheFirstAdmin(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		initProgram(t, database)
		s := serve(t, database)
		wait.Until(t, "the link is printed", func() bool { return dashboardLink.MatchString(s.out.String()) })
		link := dashboardLink.FindString(s.out.String())
		if page := visit(t, link, "owner@acme.example"); !strings.Contains(page, "Overview") {
			t.Errorf("the first admin sees %s", page)
		}
		invitation := strings.TrimSpace(
			run(t, "admin", "invite", "--database", database, "--role", "viewer",
				"--email", "v@acme.example", "--public-url", s.address+"/").ok(),
		)
		if page := visit(t, invitation, "v@acme.example"); strings.Contains(page, "Create rule") {
			t.Errorf("a viewer may make rules: %s", page)
		}
		recovery := strings.TrimSpace(
			run(t, "admin", "link", "V@acme.example", "--database", database, "--public-url", s.address).ok(),
		)
		if page := visit(t, recovery, ""); !strings.Contains(page, "Overview") {
			t.Errorf("who was locked out sees %s", page)
		}
	})
}
