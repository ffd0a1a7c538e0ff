package dashboard

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/admins"
)

// Further session keys; package admins has the others.
const (
	pendingSignInKey = "pending" // an admins.Pending as JSON
	returnPathKey    = "to"      // path that was requested before signing in
)

// signInData is the data of the pages before signing in: sign-in, second factor and one-time links.
type signInData struct {
	Email, Error, Token string
	To                  string            // path that was requested before signing in
	Fields              map[string]string // faults by field
	Link                admins.Link
	Organization        string
	Known               bool // the visitor is signed in
}

// signInPage shows the form that signs in.
func signInPage(c *request) (view, error) {
	if !c.admin.ID.IsZero() {
		return view{redirectTo: c.d.base + "/"}, nil
	}
	return pageView("sign-in", "Sign in", signInData{To: c.URL.Query().Get("to")})
}

// isLocalPath reports whether a path to return to stays on this host. Two slashes at its start would name another one.
func isLocalPath(to string) bool {
	return strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") && !strings.ContainsAny(to, "\\\r\n\t")
}

// signIn checks e-mail address and password. With a second factor, the sign-in waits for a code; else the session
// starts.
func signIn(c *request) (view, error) {
	email := c.PostFormValue("email")
	admin, err := c.d.Admins.SignIn(c.Context(), email, c.PostFormValue("password"), admins.Caller{
		Network: c.d.ClientNetwork(c.Request), Browser: c.browserToken(),
	})
	if hasCode(err, laurel.Refused) {
		return view{
			template: "sign-in", title: "Error: Sign in", status: http.StatusBadRequest,
			data: signInData{Email: email, Error: err.Error(), To: c.PostFormValue("to")},
		}, nil
	}
	if err != nil {
		return view{}, err
	}
	if to := c.PostFormValue("to"); isLocalPath(to) {
		c.d.sessions.Put(c.session, returnPathKey, to)
	}
	if admin.SecondFactor {
		if err := c.renewSession(); err != nil {
			return view{}, err
		}
		c.d.sessions.Put(c.session, pendingSignInKey, string(mustEncode(c.d.Admins.PendingSignIn(admin))))
		return view{redirectTo: c.d.path("sign-in", "second")}, nil
	}
	return c.startSession(admin)
}

// pending returns the sign-in of this session that waits for a second factor; false if there is none.
func (c *request) pending() (in admins.PendingSignIn, ok bool) {
	text := c.d.sessions.GetString(c.session, pendingSignInKey)
	return in, text != "" && json.Unmarshal([]byte(text), &in) == nil
}

// secondFactorPage asks for a code of the second factor.
func secondFactorPage(c *request) (view, error) {
	if _, ok := c.pending(); !ok {
		return view{redirectTo: c.d.path("sign-in")}, nil
	}
	return pageView("second", "Two-factor authentication", signInData{})
}

// checkSecondFactor checks a code of the second factor and starts the session.
func checkSecondFactor(c *request) (view, error) {
	pending, ok := c.pending()
	if !ok {
		return view{redirectTo: c.d.path("sign-in")}, nil
	}
	admin, err := c.d.Admins.CompleteSignIn(c.Context(), pending, c.PostFormValue("code"))
	switch {
	case errors.Is(err, admins.ErrPendingExpired):
		c.d.sessions.Remove(c.session, pendingSignInKey)
		return view{
			template: "sign-in", title: "Error: Sign in", status: http.StatusBadRequest,
			data: signInData{Error: "Your sign-in took too long, or your password was changed. Sign in again."},
		}, nil
	case hasCode(err, laurel.Refused):
		return view{
			template: "second", title: "Error: Two-factor authentication", status: http.StatusBadRequest, data: signInData{Error: err.Error()},
		}, nil
	case err != nil:
		return view{}, err
	}
	return c.startSession(admin)
}

// bindToCredentials binds the session to the admin's present credentials. It ends once they change.
func (c *request) bindToCredentials(admin admins.Admin) {
	c.d.sessions.Put(c.session, admins.SessionValueVersion, strconv.FormatInt(admin.Credentials, 10))
}

// startSession signs the admin in under a new session token, and redirects to the page that was requested before.
func (c *request) startSession(admin admins.Admin) (view, error) {
	s := c.d.sessions
	if err := c.renewSession(); err != nil {
		return view{}, err
	}
	s.Remove(c.session, pendingSignInKey)
	if err := c.noteDrafts(admin); err != nil {
		return view{}, err
	}
	s.Put(c.session, admins.SessionValueAdmin, admin.ID.String())
	c.bindToCredentials(admin)
	s.Put(c.session, admins.SessionValueAddress, c.d.ClientAddress(c.Request))
	agent := []rune(strings.ToValidUTF8(c.UserAgent(), ""))
	s.Put(c.session, admins.SessionValueAgent, string(agent[:min(len(agent), 200)]))
	to := s.PopString(c.session, returnPathKey)
	if !isLocalPath(to) {
		to = "/"
	}
	return view{redirectTo: c.d.base + to}, nil
}

// signOut destroys the session and clears the browser's cache.
func signOut(c *request) (view, error) {
	if err := c.d.sessions.Destroy(c.session); err != nil {
		return view{}, err
	}
	c.writer.Header().Set("Clear-Site-Data", `"cache"`) // Back shows nothing of the session
	return view{redirectTo: c.d.path("sign-in")}, nil
}

// changeTheme stores the choice of light or dark in a cookie.
func changeTheme(c *request) (view, error) {
	to := c.PostFormValue("to")
	if !isLocalPath(to) {
		to = "/"
	}
	return view{redirectTo: c.d.base + to, theme: c.PostFormValue("theme")}, nil
}

// linkPage shows what a one-time link does. Opening it does not use it up, as mail scanners open links.
func linkPage(c *request) (view, error) {
	token := c.PathValue("token")
	link, err := c.d.Admins.FindLink(c.Context(), token)
	if err != nil {
		return view{}, err
	}
	return c.showLink(link, token, "")
}

// showLink returns the page of a one-time link.
func (c *request) showLink(link admins.Link, token, email string) (view, error) {
	data := signInData{Token: token, Link: link, Email: email, Known: !c.admin.ID.IsZero()}
	if data.Email == "" {
		data.Email = link.Email
	}
	if !link.OrganizationID.IsZero() {
		o, err := c.d.Tenancy.GetOrganization(c.Context(), laurel.Scope{OrganizationID: link.OrganizationID})
		if err != nil {
			return view{}, err
		}
		data.Organization = o.Name
	}
	titles := map[admins.LinkKind]string{
		admins.SetupLink: "Your account", admins.InviteLink: "Join " + data.Organization, admins.RecoverLink: "New password",
		admins.SignInLink: "Sign in",
	}
	return pageView("link", titles[link.Kind], data)
}

// useLink does what a one-time link is for: it signs in, sets a new password, accepts an invitation or creates an
// account.
func useLink(c *request) (view, error) {
	token, ctx := c.PathValue("token"), c.Context()
	link, err := c.d.Admins.FindLink(ctx, token)
	if err != nil {
		return view{}, err
	}
	account := admins.Account{
		Email: c.PostFormValue("email"), Name: c.PostFormValue("name"), Password: c.PostFormValue("password"),
	}
	var admin admins.Admin
	switch {
	case link.Kind == admins.SignInLink:
		admin, err = c.d.Admins.SignInByLink(ctx, token)
	case link.Kind == admins.RecoverLink:
		admin, err = c.d.Admins.ResetPassword(ctx, token, account.Password)
	case link.Kind == admins.InviteLink && !c.admin.ID.IsZero():
		admin, err = c.admin, c.d.Admins.Accept(ctx, token, c.admin)
	default:
		admin, err = c.d.Admins.JoinByLink(ctx, token, account)
	}
	var refused *laurel.Error
	if errors.As(err, &refused) && (refused.Code == laurel.Invalid || refused.Code == laurel.Refused) {
		v, err := c.showLink(link, token, account.Email)
		if err != nil {
			return view{}, err
		}
		data, _ := v.data.(signInData)
		data.Error, data.Fields = refused.Message, faultTexts(refused)
		v.data, v.status, v.title = data, http.StatusBadRequest, "Error: "+v.title
		return v, nil
	}
	if err != nil {
		return view{}, err
	}
	return c.startSession(admin)
}
