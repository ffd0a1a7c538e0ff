package dashboard

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/admins"
)

// signInRoutes are open to anyone.
var signInRoutes = []route{
	publicGet("/sign-in", signInPage),
	publicPost("/sign-in", signIn),
	publicGet("/sign-in/second", secondFactorPage),
	publicPost("/sign-in/second", checkSecondFactor),
	publicPost("/sign-out", signOut),
	publicPost("/theme", changeTheme),
	publicGet("/link/{token}", linkPage),
	publicPost("/link/{token}", useLink),
}

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
	IsSignedIn          bool // the visitor is signed in
}

// signInPage shows the form that signs in. Admins who are signed in go to their start page.
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

// signIn checks e-mail address and password. If the admin has a second factor, the sign-in waits for its code;
// otherwise the session starts. Refused input shows the form again.
func signIn(c *request) (view, error) {
	email := c.PostFormValue("email")
	admin, err := c.d.Admins.SignIn(c.Context(), email, c.PostFormValue("password"), admins.Caller{
		Network: c.d.ClientNetwork(c.Request), Browser: c.browserToken(),
	})
	if hasCode(err, laurel.Refused) {
		return refusedView("sign-in", "Sign in", signInData{Email: email, Error: err.Error(), To: c.PostFormValue("to")}), nil
	}
	if err != nil {
		return view{}, err
	}
	if returnPath := c.PostFormValue("to"); isLocalPath(returnPath) {
		c.d.sessions.Put(c.session, returnPathKey, returnPath)
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

// pending returns the sign-in of this session that waits for a second factor, and false if there is none.
func (c *request) pending() (waiting admins.PendingSignIn, ok bool) {
	text := c.d.sessions.GetString(c.session, pendingSignInKey)
	return waiting, text != "" && json.Unmarshal([]byte(text), &waiting) == nil
}

// secondFactorPage shows the form for a code of the second factor. Without a sign-in that waits for one, it leads back
// to the sign-in page.
func secondFactorPage(c *request) (view, error) {
	if _, ok := c.pending(); !ok {
		return view{redirectTo: c.d.path("sign-in")}, nil
	}
	return pageView("second", "Two-factor authentication", signInData{})
}

// checkSecondFactor checks a code of the second factor and starts the session. A wrong code shows the form again; a
// sign-in that took too long has to begin again.
func checkSecondFactor(c *request) (view, error) {
	pending, isPending := c.pending()
	if !isPending {
		return view{redirectTo: c.d.path("sign-in")}, nil
	}
	admin, err := c.d.Admins.CompleteSignIn(c.Context(), pending, c.PostFormValue("code"))
	switch {
	case errors.Is(err, admins.ErrPendingExpired):
		c.d.sessions.Remove(c.session, pendingSignInKey)
		return refusedView("sign-in", "Sign in", signInData{Error: "Your sign-in took too long, or your password was changed. Sign in again."}), nil
	case hasCode(err, laurel.Refused):
		return refusedView("second", "Two-factor authentication", signInData{Error: err.Error()}), nil
	case err != nil:
		return view{}, err
	}
	return c.startSession(admin)
}

// bindToCredentials binds the session to the admin's present credentials. It ends once they change.
func (c *request) bindToCredentials(admin admins.Admin) {
	c.d.sessions.Put(c.session, admins.SessionValueVersion, strconv.FormatInt(admin.Credentials, 10))
}

// startSession signs the admin in under a new session token, and leads to the page that was requested before signing
// in.
func (c *request) startSession(admin admins.Admin) (view, error) {
	sessions := c.d.sessions
	if err := c.renewSession(); err != nil {
		return view{}, err
	}
	sessions.Remove(c.session, pendingSignInKey)
	if err := c.noteDrafts(admin); err != nil {
		return view{}, err
	}
	sessions.Put(c.session, admins.SessionValueAdmin, admin.ID.String())
	c.bindToCredentials(admin)
	sessions.Put(c.session, admins.SessionValueAddress, c.d.ClientAddress(c.Request))
	userAgent := []rune(strings.ToValidUTF8(c.UserAgent(), ""))
	sessions.Put(c.session, admins.SessionValueAgent, string(userAgent[:min(len(userAgent), 200)]))
	returnPath := sessions.PopString(c.session, returnPathKey)
	if !isLocalPath(returnPath) {
		returnPath = "/"
	}
	return view{redirectTo: c.d.base + returnPath}, nil
}

// signOut destroys the session and clears the browser's cache.
func signOut(c *request) (view, error) {
	if err := c.d.sessions.Destroy(c.session); err != nil {
		return view{}, err
	}
	c.writer.Header().Set("Clear-Site-Data", `"cache"`) // Back shows nothing of the session
	return view{redirectTo: c.d.path("sign-in")}, nil
}

// changeTheme stores the choice of light or dark in a cookie, and leads back to the page where it was made.
func changeTheme(c *request) (view, error) {
	returnPath := c.PostFormValue("to")
	if !isLocalPath(returnPath) {
		returnPath = "/"
	}
	return view{redirectTo: c.d.base + returnPath, theme: c.PostFormValue("theme")}, nil
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

// showLink returns the page of a one-time link. email is what was typed before; empty for the address of the link.
func (c *request) showLink(link admins.Link, token, email string) (view, error) {
	data := signInData{Token: token, Link: link, Email: email, IsSignedIn: !c.admin.ID.IsZero()}
	if data.Email == "" {
		data.Email = link.Email
	}
	if !link.OrganizationID.IsZero() {
		organization, err := c.d.Tenancy.GetOrganization(c.Context(), laurel.Scope{OrganizationID: link.OrganizationID})
		if err != nil {
			return view{}, err
		}
		data.Organization = organization.Name
	}
	titles := map[admins.LinkKind]string{
		admins.SetupLink: "Your account", admins.InviteLink: "Join " + data.Organization, admins.RecoverLink: "New password",
		admins.SignInLink: "Sign in",
	}
	return pageView("link", titles[link.Kind], data)
}

// useLink does what a one-time link is for: it signs in, sets a new password, accepts an invitation for the admin who
// is signed in, or creates an account. Then the session starts. A refusal shows the page of the link again.
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
		page, err := c.showLink(link, token, account.Email)
		if err != nil {
			return view{}, err
		}
		data, _ := page.data.(signInData)
		data.Error, data.Fields = refused.Message, faultTexts(refused)
		return refusedView(page.template, page.title, data), nil
	}
	if err != nil {
		return view{}, err
	}
	return c.startSession(admin)
}
