package account

import (
	"cmp"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
)

// accountRoutes are of the admin's own account.
var accountRoutes = []route{
	web.AdminsGet("/account", "account", accountPage),
	web.AdminsPost("/account/profile", "account", changeProfile),
	web.AdminsPost("/account/password", "account", changePassword),
	web.AdminsPost("/account/second/offer", "account", offerSecondFactor),
	web.AdminsPost("/account/second", "account", activateSecondFactor),
	web.AdminsPost("/account/second/end", "account", removeSecondFactor),
	web.AdminsPost("/account/second/codes", "account", renewRecoveryCodes),
	web.AdminsPost("/account/sessions/{session}/end", "account", endSession),
	web.AdminsPost("/account/sessions/end", "account", endSessions),
}

// linkedIdentity is an account at an identity provider.
type linkedIdentity struct {
	admins.LinkedIdentity
	IsFormer bool // admins no longer sign in at its provider
}

// accountData is the data of an admin's own page.
type accountData struct {
	web.Refusal
	Sessions          []admins.Session
	Identities        []linkedIdentity
	IsLinked          bool               // to an account at the provider that is configured
	RecoveryCodesLeft int                // recovery codes
	Offer             *secondFactorOffer // a second factor that is offered
	Codes             []string           // recovery codes, shown once
}

// browserNames and systemNames map a part of a User-Agent header to a name. The first match counts, as headers mention
// several.
var (
	browserNames = web.Choices(
		"Edg", "Edge", "OPR/", "Opera", "Firefox/", "Firefox",
		"FxiOS", "Firefox", "CriOS", "Chrome", "HeadlessChrome", "Chromium", "Chromium", "Chromium",
		"Chrome/", "Chromium", "Safari/", "Safari", "curl/", "curl",
	)
	systemNames = web.Choices(
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

func accountPage(c *call) (web.View, error) { return c.showAccount(accountData{}, nil) }

// showAccount shows the account page with data, to which it adds the sessions and the number of recovery codes. If err
// says that the input was invalid or refused, the page shows its faults, with status 400. Any other error is returned.
func (c *call) showAccount(data accountData, err error) (web.View, error) {
	problem := web.AsRefusal(err)
	if problem == nil && err != nil {
		return web.View{}, err
	}
	if data.Sessions, err = c.Admins.Sessions().List(c.Context(), c.Admin.ID, c.HashedToken()); err != nil {
		return web.View{}, err
	}
	identities, err := c.Admins.Identities(c.Context(), c.Admin.ID)
	if err != nil {
		return web.View{}, err
	}
	for _, i := range identities {
		isFormer := i.Issuer != c.ProviderIssuer()
		data.Identities = append(data.Identities, linkedIdentity{i, isFormer})
		data.IsLinked = data.IsLinked || !isFormer
	}
	if data.RecoveryCodesLeft, err = c.Admins.CountRecoveryCodes(c.Context(), c.Admin.ID); err != nil {
		return web.View{}, err
	}
	if problem != nil {
		data.Faults, data.Error = web.FaultTexts(problem), problem.Message
		return web.Refused("account", "Your account", data), nil
	}
	return web.Show("account", "Your account", data)
}

// currentSession returns the id of the session that sent the request, or the zero id if that session is not stored.
func (c *call) currentSession() (laurel.ID, error) {
	sessions, err := c.Admins.Sessions().List(c.Context(), c.Admin.ID, c.HashedToken())
	for _, s := range sessions {
		if s.IsCurrent {
			return s.ID, nil
		}
	}
	return laurel.ID{}, err
}

// changeProfile saves the admin's name and time zone.
func changeProfile(c *call) (web.View, error) {
	_, err := c.Admins.ChangeProfile(c.Context(), c.Admin.ID, admins.Profile{
		Name: c.PostFormValue("name"), TimeZone: c.PostFormValue("timeZone"),
	})
	if err != nil {
		return c.showAccount(accountData{}, err)
	}
	return c.Redirect(c.Path("account"), "Profile saved.")
}

// changePassword sets a new password, which ends every other session of the admin. This session goes on.
func changePassword(c *call) (web.View, error) {
	if c.PasswordsOff() {
		return c.showAccount(accountData{}, errPasswordsOff())
	}
	current, err := c.currentSession()
	if err != nil {
		return web.View{}, err
	}
	old, password := c.PostFormValue("old"), c.PostFormValue("password")
	admin, err := c.Admins.ChangePassword(c.Context(), c.Admin.ID, old, password, current)
	if err != nil {
		return c.showAccount(accountData{}, err)
	}
	c.bindToCredentials(admin)
	return c.Redirect(c.Path("account"), "Password changed. All other sessions were signed out.")
}

// offerSecondFactor checks that the admin is there and shows a new secret as a QR code. Only the session stores the
// secret, until a code proves it or offerLifetime is over.
func offerSecondFactor(c *call) (web.View, error) {
	if err := c.Confirm(); err != nil {
		return c.showAccount(accountData{}, err)
	}
	enrolment, err := c.Admins.Enrol(c.Context(), c.Admin.ID)
	if err != nil {
		return web.View{}, err
	}
	offer, err := drawOffer(enrolment)
	if err != nil {
		return web.View{}, err
	}
	c.Sessions.Put(c.Session, offerSecretKey, enrolment.Secret)
	c.Sessions.Put(c.Session, offerAddressKey, enrolment.Address)
	c.Sessions.Put(c.Session, offerExpiryKey, c.Now().Add(offerLifetime).Format(time.RFC3339))
	return c.showAccount(accountData{Offer: &offer}, nil)
}

// activateSecondFactor turns the second factor on if the code matches the secret that the session holds, and shows the
// recovery codes once. An offer that has expired is refused.
func activateSecondFactor(c *call) (web.View, error) {
	offered := admins.Enrolment{
		Secret:  c.Sessions.GetString(c.Session, offerSecretKey),
		Address: c.Sessions.GetString(c.Session, offerAddressKey),
	}
	expiry, err := time.Parse(time.RFC3339, c.Sessions.GetString(c.Session, offerExpiryKey))
	if err != nil || !expiry.After(c.Now()) {
		c.Sessions.Remove(c.Session, offerSecretKey)
		return c.showAccount(accountData{}, laurel.Errorf(laurel.Refused, "This setup has expired. Start setting up two-factor authentication again."))
	}
	offer, err := drawOffer(offered)
	if err != nil {
		return web.View{}, err
	}
	current, err := c.currentSession()
	if err != nil {
		return web.View{}, err
	}
	admin, codes, err := c.Admins.Activate(c.Context(), c.Admin.ID, offer.Secret, c.PostFormValue("code"), current)
	if err != nil {
		return c.showAccount(accountData{Offer: &offer}, err)
	}
	c.Sessions.Remove(c.Session, offerSecretKey)
	c.bindToCredentials(admin)
	c.Admin.SecondFactor = true
	return c.showAccount(accountData{Codes: codes}, nil)
}

// removeSecondFactor turns the second factor off after the admin has confirmed to be there.
func removeSecondFactor(c *call) (web.View, error) {
	err := c.Confirm()
	if err == nil {
		err = c.Admins.Deactivate(c.Context(), c.Admin.ID)
	}
	if err != nil {
		return c.showAccount(accountData{}, err)
	}
	return c.Redirect(c.Path("account"), "Two-factor authentication is off.")
}

// renewRecoveryCodes replaces the recovery codes after the admin has confirmed to be there, and shows the new ones
// once.
func renewRecoveryCodes(c *call) (web.View, error) {
	err := c.Confirm()
	if err != nil {
		return c.showAccount(accountData{}, err)
	}
	codes, err := c.Admins.RenewCodes(c.Context(), c.Admin.ID)
	return c.showAccount(accountData{Codes: codes}, err)
}

// endSession signs out one session of the admin: the one whose id is in the path.
func endSession(c *call) (web.View, error) {
	id, err := c.PathID("session", "Session")
	if err != nil {
		return web.View{}, err
	}
	if err := c.Admins.Sessions().End(c.Context(), c.Admin.ID, id); err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.Path("account"), "Session signed out.")
}

// endSessions ends every session of the admin except this one.
func endSessions(c *call) (web.View, error) {
	current, err := c.currentSession()
	if err != nil {
		return web.View{}, err
	}
	admin, err := c.Admins.EndSessions(c.Context(), c.Admin.ID, current)
	if err != nil {
		return web.View{}, err
	}
	c.bindToCredentials(admin)
	return c.Redirect(c.Path("account"), "All other sessions were signed out.")
}
