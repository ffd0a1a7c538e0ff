package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/tenancy"
)

// Call is one HTTP request to the dashboard with its session, admin, website and role. Handlers take a call, or the
// call of their room, and return a view.
type Call struct {
	*http.Request
	*Server
	Session context.Context // holds the session's data
	isNew   bool            // the session's token was made in this request

	Admin            admins.Admin         // zero before signing in
	Organizations    []OrganizationAccess // the organizations in which the admin has a role
	SiteOrganization OrganizationAccess   // that of the website
	Site             tenancy.Website
	Role             laurel.Role
	Scope            laurel.Scope // tenant and role that services act for
	requestID        string       // under which the log knows the request
	route            string       // the pattern of its path, which itself may hold a secret
	notice           string       // result of the last action, shown once

	hasFormID bool // the page holds an id by which its form counts once
	isLastRun bool // the handler is not run again if others are faster

	timeZone        *time.Location
	newBrowserToken string    // to set as a cookie: drafts are stored under it
	draftID         laurel.ID // draft that the posted form was filled from

	Writer  http.ResponseWriter
	rawBody io.ReadCloser // the body before it was bounded
}

// OrganizationAccess is an organization in which the admin has a role, with the websites that the admin may see.
type OrganizationAccess struct {
	admins.Membership
	Organization tenancy.Organization
	Sites        []tenancy.Website // the newest ones
	HasMoreSites bool              // there are more
}

// View is what a handler returns: a template with its data, an address to redirect to, or a file to stream.
type View struct {
	Template string // name of the template
	Title    string
	menuItem string // the item of the menu; empty: as in routes.go
	Data     any
	Status   int // 0: 200

	OutcomeUnknown bool // whether the change was made is not known yet

	RedirectTo string // 303 to this address
	Theme      string // light or dark, to store in a cookie
	FormDone   bool   // the page shows a created secret: the form must not count as shown again

	FileName    string // name of a file that is sent
	ContentType string // of the file: its Content-Type
	Stream      func(w io.Writer) error
}

// Keys of a session's data.
const (
	noticeKey     = "say"  // result of the last action, for the next page
	lastActiveKey = "seen" // when the session was last used, to five minutes
)

// Show returns the view of a page: the template's name, the title and the data.
func Show(page, title string, data any) (View, error) {
	return View{Template: page, Title: title, Data: data}, nil
}

// Redirect returns a view that redirects the browser after a change. The next page shows the notice once; none if it is
// empty.
func (c *Call) Redirect(address, notice string) (View, error) {
	if notice != "" {
		c.Sessions.Put(c.Session, noticeKey, notice)
	}
	return View{RedirectTo: address}, nil
}

// IsPost reports whether a form was posted.
func (c *Call) IsPost() bool { return c.Method == http.MethodPost }

// May reports whether the admin's role on the website has a right.
func (c *Call) May(right admins.Right) bool { return admins.May(c.Role, right) }

// Visibility returns what the admin sees of points that hidden bids hold: all of them where the role adjusts balances,
// or makes the keys that see them.
func (c *Call) Visibility() laurel.Visibility {
	return laurel.Visibility{All: c.May(admins.AdjustMembers) || c.May(admins.ChangeKeys)}
}

// SitePath returns the path of a page of this website: SitePath("rules", id) is /admin/{website}/rules/{id}. A part
// that begins with "?" is a query.
func (c *Call) SitePath(parts ...any) string {
	return c.Path(append([]any{c.Site.ID}, parts...)...)
}

// PathID parses the id in the part of the path that a route calls name. A malformed id is refused as a missing record,
// which record names.
func (c *Call) PathID(name, record string) (laurel.ID, error) {
	id, err := laurel.ParseID(c.PathValue(name))
	if err != nil {
		return laurel.ID{}, laurel.Missing(record)
	}
	return id, nil
}

// maxFormBytes bounds the body of a form without a file.
const maxFormBytes = 1 << 20

// serve returns the HTTP handler of a route: it authorizes the request, runs the route's handler, saves the session and
// writes the view. Errors become a page that explains them.
func (s *Server) serve(served Route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := &Call{Request: r, Server: s, requestID: s.RequestID(r), route: served.Pattern(), timeZone: time.UTC}
		c.limitBody(w)
		response, err := s.authorizeAndRun(c, served) //nolint:contextcheck // a call holds its request
		if err != nil {
			response = c.errorView(err)
		}
		isPart := c.Header.Get("Hx-Request") != "" && c.Header.Get("Hx-Target") != "main"
		if c.Session != nil && response.Template != "" && !isPart { // a part of a page does not show the notice
			c.notice = s.Sessions.PopString(c.Session, noticeKey) //nolint:contextcheck // it is of the request
		}
		if err := c.saveSession(w); err != nil { //nolint:contextcheck // a call holds its request
			response = c.errorView(err)
		}
		c.writeView(w, served, response) //nolint:contextcheck // a call holds its request
	}
}

// authorizeAndRun reads the form, loads the session, the admin and the website, checks the right of the route and runs
// its handler. If the route needs an admin and the visitor is not signed in, it leads to the sign-in page. A panic
// becomes an error.
func (s *Server) authorizeAndRun(c *Call, r Route) (v View, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v\n%s", panicked, debug.Stack())
		}
	}()
	// The form is read before the session, so that a session that ends while a slow form arrives does not count.
	if c.Method == http.MethodPost {
		if encoding := c.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
			return View{}, errCompressedForm
		}
		if err := c.ParseForm(); err != nil {
			return View{}, laurel.Errorf(laurel.Invalid, "the form could not be read")
		}
		c.takeDraftID()
	}
	token := ""
	if cookie, missing := c.Cookie(s.cookie().Name); missing == nil {
		token = cookie.Value
	}
	if c.Session, err = s.Sessions.Load(c.Context(), token); err != nil {
		return View{}, err
	}
	c.isNew = s.Sessions.Token(c.Session) == "" // the session has no token until it is saved
	if err := c.loadAdmin(); err != nil {
		return View{}, err
	}
	if r.Access == Anyone {
		return r.Page(c)
	}
	if c.Admin.ID.IsZero() {
		return c.redirectToSignIn(r)
	}
	if r.Access == OnWebsite {
		if err := c.loadWebsite(); err != nil {
			return View{}, err
		}
		if !c.May(r.Right) {
			return View{}, laurel.Errorf(laurel.Forbidden, "The %s role can’t %s.", RoleNames[c.Role], r.Right.Words())
		}
	}
	if v, err = c.runRecorded(r); err == nil {
		c.dropSentDraft(v)
	}
	return v, err
}

// maxRuns bounds how often a handler runs for one form.
const maxRuns = 5

// run runs a handler. A handler that saves a form reads the record, compares what is saved with what the form was
// opened with, and saves under the precondition that the record is still the one that it has read. If others were
// faster, on any node or over the API, it runs again, and shows their change as a conflict if there is one. In its last
// run ShowRefused shows the form with what was typed. A handler that receives a file cannot run twice: see Retry.
func (c *Call) run(page func(*Call) (View, error)) (v View, err error) {
	for n := range maxRuns {
		c.isLastRun = n == maxRuns-1
		if v, err = page(c); !errors.Is(err, laurel.ErrChanged) {
			break
		}
	}
	return v, err
}

// errOutrun is the refusal of a form that others were faster than in each run.
var errOutrun = laurel.Errorf(laurel.Refused, "Others changed the same thing in this moment. Save again")

// Retry saves as run does, for a handler that cannot run twice. Errors: those of save; a refusal if others were faster
// each time.
func Retry(save func() error) error {
	for range maxRuns {
		if err := save(); !errors.Is(err, laurel.ErrChanged) {
			return err
		}
	}
	return errOutrun
}

// loadAdmin loads the session's admin, with time zone and organizations. Without a session of an admin it loads
// nothing. It destroys a session whose admin is deleted, or that began before the admin's credentials were last
// changed. It notes in the session when the admin was last active, to 5 minutes.
func (c *Call) loadAdmin() error {
	adminID := c.Sessions.GetString(c.Session, admins.SessionValueAdmin)
	if adminID == "" {
		return nil
	}
	id, err := laurel.ParseID(adminID)
	if err != nil {
		return err
	}
	admin, err := c.Admins.Admin(c.Context(), id)
	if err != nil && laurel.CodeOf(err) != laurel.NotFound {
		return err
	}
	sessionVersion := c.Sessions.GetString(c.Session, admins.SessionValueVersion)
	if err != nil || sessionVersion != strconv.FormatInt(admin.Credentials, 10) {
		return c.Sessions.Destroy(c.Session)
	}
	c.Admin = admin
	if zone, err := time.LoadLocation(admin.TimeZone); err == nil {
		c.timeZone = zone
	}
	now := c.Now().Truncate(5 * time.Minute).Format(time.RFC3339)
	if c.Sessions.GetString(c.Session, lastActiveKey) != now {
		c.Sessions.Put(c.Session, lastActiveKey, now)
	}
	return c.readOrganizations()
}

// readOrganizations reads the organizations in which the admin has a role, each with its newest websites, at most
// maxSwitchSites.
func (c *Call) readOrganizations() error {
	memberships, err := c.Admins.Memberships(c.Context(), c.Admin.ID)
	if err != nil {
		return err
	}
	for _, membership := range memberships {
		scope := laurel.Scope{
			OrganizationID: membership.OrganizationID, Role: laurel.RoleOrganization, ActorID: membership.UserID,
		}
		access := OrganizationAccess{Membership: membership}
		if access.Organization, err = c.Tenancy.GetOrganization(c.Context(), scope); err != nil {
			return err
		}
		page := laurel.PageRequest{Limit: maxSwitchSites}
		if access.Sites, page, err = c.ListSites(membership, tenancy.WebsiteFilter{}, page); err != nil {
			return err
		}
		access.HasMoreSites = !page.StartingAfter.IsZero()
		c.Organizations = append(c.Organizations, access)
	}
	return nil
}

// loadWebsite loads the website whose id is in the path, with the admin's role and scope there, and notes it as the
// last one visited. A website on which the admin has no role is not found.
func (c *Call) loadWebsite() error {
	id, err := c.PathID("website", "Website")
	if err != nil {
		return err
	}
	for _, access := range c.Organizations {
		if access.RoleOn(id) == "" {
			continue
		}
		scope := laurel.Scope{OrganizationID: access.OrganizationID, Role: laurel.RoleOrganization, ActorID: access.UserID}
		site, err := c.Tenancy.Website(c.Context(), scope, id)
		if laurel.CodeOf(err) == laurel.NotFound && err != nil {
			continue // it is of another organization in which the admin has a role
		}
		if err != nil {
			return err
		}
		c.SiteOrganization, c.Site, c.Role, c.Scope = access, site, access.RoleOn(id), access.Scope(id)
		if c.Sessions.GetString(c.Session, lastSiteKey) != id.String() {
			c.Sessions.Put(c.Session, lastSiteKey, id.String())
		}
		return nil
	}
	return laurel.Missing("Website")
}

// redirectToSignIn leads the browser to the sign-in page and back to this page afterwards. A posted form is saved as a
// draft first. A request by a script gets a page with a header instead: the script keeps what was typed and asks to
// sign in.
func (c *Call) redirectToSignIn(r Route) (View, error) {
	if c.Header.Get("Hx-Request") == "true" {
		return View{Template: "problem", Title: "Signed out", Status: http.StatusForbidden, menuItem: signedOut}, nil
	}
	back := ""
	if c.Method == http.MethodPost {
		page, err := c.saveDraft(r)
		if err != nil {
			return View{}, err
		}
		if page != "" {
			back = "?to=" + url.QueryEscape(page)
		}
	}
	if c.Method == http.MethodGet && c.URL.Path != RootPath {
		back = "?to=" + url.QueryEscape(strings.TrimPrefix(c.URL.RequestURI(), RootPath))
	}
	return View{RedirectTo: c.Path("sign-in") + back}, nil
}

// problem is the data of the page that says why something did not work.
type problem struct {
	Heading, Text, ID string
}

// errCompressedForm refuses a form with a Content-Encoding: browsers send none.
var errCompressedForm = errors.New("dashboard: a compressed form")

// errorView returns the page that explains an error, with the status that fits it. A refusal is explained by its own
// text. Any other error is logged, unless the browser has disconnected, and the page shows only the request's id.
func (c *Call) errorView(err error) View {
	explained, status := problem{Heading: "Nothing was saved", ID: c.requestID}, http.StatusInternalServerError
	var refused *laurel.Error
	switch {
	case errors.As(err, &refused):
		explained.Text = refused.Message
		switch refused.Code {
		case laurel.NotFound:
			explained.Heading, status = "Not found", http.StatusNotFound
		case laurel.Forbidden:
			explained.Heading, status = "Not allowed", http.StatusForbidden
		case laurel.RateLimited:
			explained.Heading, status = "Too many attempts", http.StatusTooManyRequests
		case laurel.Unavailable:
			explained.Heading, status = "Try again", http.StatusServiceUnavailable
		case laurel.Internal:
			// keeps its status, 500
		default:
			status = http.StatusBadRequest
			if c.Method == http.MethodGet {
				explained.Heading = "This page can’t be shown"
			}
		}
	case errors.Is(err, errCompressedForm):
		explained.Text, status = "Forms must be sent uncompressed", http.StatusUnsupportedMediaType
	case errors.Is(err, context.Canceled):
		status = 499 // the browser has disconnected
	}
	if status == http.StatusInternalServerError {
		c.Logger.Error("a page failed", slog.String("request", c.requestID), slog.String("route", c.Method+" "+c.route), slog.Any("error", err))
		explained.Text = "Something went wrong on our side. Your changes were not saved. Give this ID to your server’s operator:"
	}
	return View{Template: "problem", Title: explained.Heading, Data: explained, Status: status}
}

// cookie returns the session cookie without its value.
func (s *Server) cookie() http.Cookie {
	return http.Cookie{
		Name: "laurel_admin", Path: s.Base, HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.Secure,
	}
}

// saveSession stores the session if it has changed, and sets or removes its cookie. It runs before the page is written,
// as cookies are headers.
func (c *Call) saveSession(w http.ResponseWriter) error {
	if c.Session == nil {
		return nil
	}
	if c.newBrowserToken != "" {
		http.SetCookie(w, c.browserCookie(c.newBrowserToken))
	}
	cookie := c.cookie()
	switch c.Sessions.Status(c.Session) {
	case scs.Modified:
		session := c.Session
		if c.isNew {
			session = admins.NewToken(session) // the store has no session of this token yet
		}
		token, expires, err := c.Sessions.Commit(session)
		if err != nil {
			return err
		}
		cookie.Value, cookie.Expires = token, expires
	case scs.Destroyed:
		cookie.MaxAge = -1
	default:
		return nil
	}
	http.SetCookie(w, &cookie)
	return nil
}

// RenewSession gives the session a new token, so that a token known from before signing in is useless.
func (c *Call) RenewSession() error {
	c.isNew = true
	return c.Sessions.RenewToken(c.Session)
}

// HashedToken returns the session token's hash, as the database stores it.
func (c *Call) HashedToken() string { return admins.HashedToken(c.Sessions.Token(c.Session)) }
