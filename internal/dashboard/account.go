package dashboard

import (
	"cmp"
	"strings"
	"time"

	"laurel"
	"laurel/internal/admins"
)

// accountRoutes are of the admin's own account.
var accountRoutes = []route{
	adminsGet("/account", "account", accountPage),
	adminsPost("/account/profile", "account", changeProfile),
	adminsPost("/account/password", "account", changePassword),
	adminsPost("/account/second/offer", "account", offerSecondFactor),
	adminsPost("/account/second", "account", activateSecondFactor),
	adminsPost("/account/second/end", "account", removeSecondFactor),
	adminsPost("/account/second/codes", "account", renewRecoveryCodes),
	adminsPost("/account/sessions/{session}/end", "account", endSession),
	adminsPost("/account/sessions/end", "account", endSessions),
}

// accountData is the data of an admin's own page.
type accountData struct {
	Sessions          []admins.Session
	RecoveryCodesLeft int                // recovery codes
	Offer             *secondFactorOffer // a second factor that is offered
	Codes             []string           // recovery codes, shown once
	Faults            map[string]string
	Error             string
}

// browserNames and systemNames map a part of a User-Agent header to a name. The first match counts, as headers mention
// several.
var (
	browserNames = choicesOf(
		"Edg", "Edge", "OPR/", "Opera", "Firefox/", "Firefox",
		"FxiOS", "Firefox", "CriOS", "Chrome", "HeadlessChrome", "Chromium", "Chromium", "Chromium",
		"Chrome/", "Chromium", "Safari/", "Safari", "curl/", "curl",
	)
	systemNames = choicesOf(
		"Android", "Android", "iPhone", "iOS", "iPad", "iPadOS", "Windows", "Windows", "Mac OS X", "macOS",
		"CrOS", "ChromeOS", "Linux", "Linux",
	)
)

// maxAgentLength bounds the User-Agent header of an unknown browser as it is shown.
const maxAgentLength = 60

// agentName names the browser and system of a User-Agent header, such as "Chromium on Linux". If the browser is
// unknown, it returns the header, shortened, or "Unknown browser" for an empty one.
func agentName(userAgent string) string {
	name, system := "", ""
	for _, a := range browserNames {
		if strings.Contains(userAgent, a.Value) {
			name = a.Label
			break
		}
	}
	for _, s := range systemNames {
		if strings.Contains(userAgent, s.Value) {
			system = " on " + s.Label
			break
		}
	}
	if name != "" {
		return name + system
	}
	if letters := []rune(userAgent); len(letters) > maxAgentLength {
		return string(letters[:maxAgentLength]) + "…"
	}
	return cmp.Or(userAgent, "Unknown browser")
}

func accountPage(c *request) (view, error) { return c.showAccount(accountData{}, nil) }

// showAccount shows the account page with data, to which it adds the sessions and the number of recovery codes. If err
// says that the input was invalid or refused, the page shows its faults, with status 400. Any other error is returned.
func (c *request) showAccount(data accountData, err error) (view, error) {
	problem := asRefusal(err)
	if problem == nil && err != nil {
		return view{}, err
	}
	if data.Sessions, err = c.d.Admins.Sessions().List(c.Context(), c.admin.ID, c.hashedToken()); err != nil {
		return view{}, err
	}
	if data.RecoveryCodesLeft, err = c.d.Admins.CountRecoveryCodes(c.Context(), c.admin.ID); err != nil {
		return view{}, err
	}
	if problem != nil {
		data.Faults, data.Error = faultTexts(problem), problem.Message
		return refusedView("account", "Your account", data), nil
	}
	return pageView("account", "Your account", data)
}

// currentSession returns the id of the session that sent the request, or the zero id if that session is not stored.
func (c *request) currentSession() (laurel.ID, error) {
	sessions, err := c.d.Admins.Sessions().List(c.Context(), c.admin.ID, c.hashedToken())
	for _, s := range sessions {
		if s.IsCurrent {
			return s.ID, nil
		}
	}
	return laurel.ID{}, err
}

// changeProfile saves the admin's name and time zone.
func changeProfile(c *request) (view, error) {
	_, err := c.d.Admins.ChangeProfile(c.Context(), c.admin.ID, admins.Profile{
		Name: c.PostFormValue("name"), TimeZone: c.PostFormValue("timeZone"),
	})
	if err != nil {
		return c.showAccount(accountData{}, err)
	}
	return c.redirect(c.d.path("account"), "Profile saved.")
}

// changePassword sets a new password, which ends every other session of the admin. This session goes on.
func changePassword(c *request) (view, error) {
	current, err := c.currentSession()
	if err != nil {
		return view{}, err
	}
	old, password := c.PostFormValue("old"), c.PostFormValue("password")
	admin, err := c.d.Admins.ChangePassword(c.Context(), c.admin.ID, old, password, current)
	if err != nil {
		return c.showAccount(accountData{}, err)
	}
	c.bindToCredentials(admin)
	return c.redirect(c.d.path("account"), "Password changed. All other sessions were signed out.")
}

// offerSecondFactor checks the password and shows a new secret as a QR code. Only the session stores the secret, until
// a code proves it or offerLifetime is over.
func offerSecondFactor(c *request) (view, error) {
	if err := c.d.Admins.CheckPassword(c.Context(), c.admin.ID, c.PostFormValue("confirm")); err != nil {
		return c.showAccount(accountData{}, err)
	}
	enrolment, err := c.d.Admins.Enrol(c.Context(), c.admin.ID)
	if err != nil {
		return view{}, err
	}
	offer, err := drawOffer(enrolment)
	if err != nil {
		return view{}, err
	}
	c.d.sessions.Put(c.session, offerSecretKey, enrolment.Secret)
	c.d.sessions.Put(c.session, offerAddressKey, enrolment.Address)
	c.d.sessions.Put(c.session, offerExpiryKey, c.d.Now().Add(offerLifetime).Format(time.RFC3339))
	return c.showAccount(accountData{Offer: &offer}, nil)
}

// activateSecondFactor turns the second factor on if the code matches the secret that the session holds, and shows the
// recovery codes once. An offer that has expired is refused.
func activateSecondFactor(c *request) (view, error) {
	offered := admins.Enrolment{
		Secret:  c.d.sessions.GetString(c.session, offerSecretKey),
		Address: c.d.sessions.GetString(c.session, offerAddressKey),
	}
	expiry, err := time.Parse(time.RFC3339, c.d.sessions.GetString(c.session, offerExpiryKey))
	if err != nil || !expiry.After(c.d.Now()) {
		c.d.sessions.Remove(c.session, offerSecretKey)
		return c.showAccount(accountData{}, laurel.Errorf(laurel.Refused, "This setup has expired. Start setting up two-factor authentication again."))
	}
	offer, err := drawOffer(offered)
	if err != nil {
		return view{}, err
	}
	current, err := c.currentSession()
	if err != nil {
		return view{}, err
	}
	admin, codes, err := c.d.Admins.Activate(c.Context(), c.admin.ID, offer.Secret, c.PostFormValue("code"), current)
	if err != nil {
		return c.showAccount(accountData{Offer: &offer}, err)
	}
	c.d.sessions.Remove(c.session, offerSecretKey)
	c.bindToCredentials(admin)
	c.admin.SecondFactor = true
	return c.showAccount(accountData{Codes: codes}, nil)
}

// removeSecondFactor turns the second factor off after the password was confirmed.
func removeSecondFactor(c *request) (view, error) {
	err := c.d.Admins.CheckPassword(c.Context(), c.admin.ID, c.PostFormValue("confirm"))
	if err == nil {
		err = c.d.Admins.Deactivate(c.Context(), c.admin.ID)
	}
	if err != nil {
		return c.showAccount(accountData{}, err)
	}
	return c.redirect(c.d.path("account"), "Two-factor authentication is off.")
}

// renewRecoveryCodes replaces the recovery codes after the password was confirmed, and shows the new ones once.
func renewRecoveryCodes(c *request) (view, error) {
	err := c.d.Admins.CheckPassword(c.Context(), c.admin.ID, c.PostFormValue("confirm"))
	if err != nil {
		return c.showAccount(accountData{}, err)
	}
	codes, err := c.d.Admins.RenewCodes(c.Context(), c.admin.ID)
	return c.showAccount(accountData{Codes: codes}, err)
}

// endSession signs out one session of the admin: the one whose id is in the path.
func endSession(c *request) (view, error) {
	id, err := c.pathID("session", "Session")
	if err != nil {
		return view{}, err
	}
	if err := c.d.Admins.Sessions().End(c.Context(), c.admin.ID, id); err != nil {
		return view{}, err
	}
	return c.redirect(c.d.path("account"), "Session signed out.")
}

// endSessions ends every session of the admin except this one.
func endSessions(c *request) (view, error) {
	current, err := c.currentSession()
	if err != nil {
		return view{}, err
	}
	admin, err := c.d.Admins.EndSessions(c.Context(), c.admin.ID, current)
	if err != nil {
		return view{}, err
	}
	c.bindToCredentials(admin)
	return c.redirect(c.d.path("account"), "All other sessions were signed out.")
}
