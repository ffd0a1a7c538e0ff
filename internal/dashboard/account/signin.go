package account

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
)

// signInRoutes are open to anyone.
var signInRoutes = []route{
	web.PublicGet("/sign-in", signInPage),
	web.PublicPost("/sign-in", signIn),
	web.PublicGet("/sign-in/second", secondFactorPage),
	web.PublicPost("/sign-in/second", checkSecondFactor),
	web.PublicPost("/sign-out", signOut),
	web.PublicPost("/theme", changeTheme),
	web.PublicGet("/link/{token}", linkPage),
	web.PublicPost("/link/{token}", useLink),
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
func signInPage(c *call) (web.View, error) {
	if !c.Admin.ID.IsZero() {
		return web.View{RedirectTo: c.Base + "/"}, nil
	}
	return web.Show("sign-in", "Sign in", signInData{To: c.URL.Query().Get("to")})
}

// signIn checks e-mail address and password. If the admin has a second factor, the sign-in waits for its code;
// otherwise the session starts. Refused input shows the form again.
func signIn(c *call) (web.View, error) {
	if c.PasswordsOff() {
		return web.View{}, errPasswordsOff()
	}
	email := c.PostFormValue("email")
	admin, err := c.Admins.SignIn(c.Context(), email, c.PostFormValue("password"), admins.Caller{
		Network: c.ClientNetwork(c.Request), Browser: c.BrowserToken(),
	})
	if web.HasCode(err, laurel.Refused) {
		return web.Refused("sign-in", "Sign in", signInData{Email: email, Error: err.Error(), To: c.PostFormValue("to")}), nil
	}
	if err != nil {
		return web.View{}, err
	}
	if returnPath := c.PostFormValue("to"); web.IsLocalPath(returnPath) {
		c.Sessions.Put(c.Session, returnPathKey, returnPath)
	}
	return c.enter(admin, nil)
}

// enter starts the session of an admin who has proven the first factor, or asks for the second one, which links the
// identity unless that is nil.
func (c *call) enter(admin admins.Admin, unlinked *admins.Identity) (web.View, error) {
	if !admin.SecondFactor {
		return c.startSession(admin)
	}
	if err := c.RenewSession(); err != nil {
		return web.View{}, err
	}
	pending := c.Admins.PendingSignIn(admin)
	pending.Identity = unlinked
	c.Sessions.Put(c.Session, pendingSignInKey, string(web.MustEncode(pending)))
	return web.View{RedirectTo: c.Path("sign-in", "second")}, nil
}

// errPasswordsOff refuses passwords where admins sign in at the identity provider alone.
func errPasswordsOff() error {
	return laurel.Errorf(laurel.Refused, "Passwords are turned off on this server. Sign in with the identity provider")
}

// pending returns the sign-in of this session that waits for a second factor, and false if there is none.
func (c *call) pending() (waiting admins.PendingSignIn, ok bool) {
	text := c.Sessions.GetString(c.Session, pendingSignInKey)
	return waiting, text != "" && json.Unmarshal([]byte(text), &waiting) == nil
}

// secondFactorPage shows the form for a code of the second factor. Without a sign-in that waits for one, it leads back
// to the sign-in page.
func secondFactorPage(c *call) (web.View, error) {
	if _, ok := c.pending(); !ok {
		return web.View{RedirectTo: c.Path("sign-in")}, nil
	}
	return web.Show("second", "Two-factor authentication", signInData{})
}

// checkSecondFactor checks a code of the second factor and starts the session. A wrong code shows the form again; a
// sign-in that took too long has to begin again.
func checkSecondFactor(c *call) (web.View, error) {
	pending, isPending := c.pending()
	if !isPending {
		return web.View{RedirectTo: c.Path("sign-in")}, nil
	}
	admin, err := c.Admins.CompleteSignIn(c.Context(), pending, c.PostFormValue("code"))
	switch {
	case errors.Is(err, admins.ErrPendingExpired):
		c.Sessions.Remove(c.Session, pendingSignInKey)
		return web.Refused("sign-in", "Sign in", signInData{Error: "Your sign-in took too long, or your password was changed. Sign in again."}), nil
	case web.HasCode(err, laurel.Refused):
		return web.Refused("second", "Two-factor authentication", signInData{Error: err.Error()}), nil
	case err != nil:
		return web.View{}, err
	}
	return c.startSession(admin)
}

// bindToCredentials binds the session to the admin's present credentials. It ends once they change.
func (c *call) bindToCredentials(admin admins.Admin) {
	c.Sessions.Put(c.Session, admins.SessionValueVersion, strconv.FormatInt(admin.Credentials, 10))
}

// startSession signs the admin in under a new session token, and leads to the page that was requested before signing
// in.
func (c *call) startSession(admin admins.Admin) (web.View, error) {
	sessions := c.Sessions
	if err := c.RenewSession(); err != nil {
		return web.View{}, err
	}
	sessions.Remove(c.Session, pendingSignInKey)
	if err := c.NoteDrafts(admin); err != nil {
		return web.View{}, err
	}
	sessions.Put(c.Session, admins.SessionValueAdmin, admin.ID.String())
	c.bindToCredentials(admin)
	sessions.Put(c.Session, admins.SessionValueAddress, c.ClientAddress(c.Request))
	userAgent := []rune(strings.ToValidUTF8(c.UserAgent(), ""))
	sessions.Put(c.Session, admins.SessionValueAgent, string(userAgent[:min(len(userAgent), 200)]))
	returnPath := sessions.PopString(c.Session, returnPathKey)
	if !web.IsLocalPath(returnPath) {
		returnPath = "/"
	}
	return web.View{RedirectTo: c.Base + returnPath}, nil
}

// signOut destroys the session and clears the browser's cache.
func signOut(c *call) (web.View, error) {
	if err := c.Sessions.Destroy(c.Session); err != nil {
		return web.View{}, err
	}
	c.Writer.Header().Set("Clear-Site-Data", `"cache"`) // Back shows nothing of the session
	return web.View{RedirectTo: c.Path("sign-in")}, nil
}

// changeTheme stores the choice of light or dark in a cookie, and leads back to the page where it was made.
func changeTheme(c *call) (web.View, error) {
	returnPath := c.PostFormValue("to")
	if !web.IsLocalPath(returnPath) {
		returnPath = "/"
	}
	return web.View{RedirectTo: c.Base + returnPath, Theme: c.PostFormValue("theme")}, nil
}

// linkPage shows what a one-time link does. Opening it does not use it up, as mail scanners open links.
func linkPage(c *call) (web.View, error) {
	token := c.PathValue("token")
	link, err := c.Admins.FindLink(c.Context(), token)
	if err != nil {
		return web.View{}, err
	}
	return c.showLink(link, token, "")
}

// showLink returns the page of a one-time link. email is what was typed before; empty for the address of the link.
func (c *call) showLink(link admins.Link, token, email string) (web.View, error) {
	data := signInData{Token: token, Link: link, Email: email, IsSignedIn: !c.Admin.ID.IsZero()}
	if data.Email == "" {
		data.Email = link.Email
	}
	if !link.OrganizationID.IsZero() {
		organization, err := c.Tenancy.GetOrganization(c.Context(), laurel.Scope{OrganizationID: link.OrganizationID})
		if err != nil {
			return web.View{}, err
		}
		data.Organization = organization.Name
	}
	titles := map[admins.LinkKind]string{
		admins.SetupLink: "Your account", admins.InviteLink: "Join " + data.Organization, admins.RecoverLink: "New password",
		admins.SignInLink: "Sign in",
	}
	return web.Show("link", titles[link.Kind], data)
}

// useLink does what a one-time link is for: it signs in, sets a new password, accepts an invitation for the admin who
// is signed in, or creates an account. Then the session starts. A refusal shows the page of the link again.
func useLink(c *call) (web.View, error) {
	token, ctx := c.PathValue("token"), c.Context()
	link, err := c.Admins.FindLink(ctx, token)
	if err != nil {
		return web.View{}, err
	}
	account := admins.Account{
		Email: c.PostFormValue("email"), Name: c.PostFormValue("name"), Password: c.PostFormValue("password"),
	}
	var admin admins.Admin
	switch {
	case link.Kind == admins.SignInLink:
		admin, err = c.Admins.SignInByLink(ctx, token)
	case link.Kind == admins.RecoverLink && c.PasswordsOff():
		admin, err = c.Admins.Recover(ctx, token)
	case link.Kind == admins.RecoverLink:
		admin, err = c.Admins.ResetPassword(ctx, token, account.Password)
	case link.Kind == admins.InviteLink && !c.Admin.ID.IsZero():
		admin, err = c.Admin, c.Admins.Accept(ctx, token, c.Admin)
	case c.PasswordsOff():
		err = errPasswordsOff()
	default:
		admin, err = c.Admins.JoinByLink(ctx, token, account)
	}
	var refused *laurel.Error
	if errors.As(err, &refused) && (refused.Code == laurel.Invalid || refused.Code == laurel.Refused) {
		page, err := c.showLink(link, token, account.Email)
		if err != nil {
			return web.View{}, err
		}
		data, _ := page.Data.(signInData)
		data.Error, data.Fields = refused.Message, web.FaultTexts(refused)
		return web.Refused(page.Template, page.Title, data), nil
	}
	if err != nil {
		return web.View{}, err
	}
	return c.startSession(admin)
}
