package dashboard

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
	"time"

	"laurel"
	"laurel/internal/admins"
)

// account is the data of an admin's own page.
type account struct {
	Sessions []admins.Session
	Left     int      // recovery codes
	Offer    *offer   // a second factor that is offered
	Codes    []string // recovery codes, shown once
	Faults   map[string]string
	Error    string
}

// agents and systems are parts of what browsers say of themselves, in the order in which they tell: some name others.
var (
	agents = []choice{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"},
		{"FxiOS", "Firefox"}, {"CriOS", "Chrome"}, {"HeadlessChrome", "Chromium"}, {"Chromium", "Chromium"},
		{"Chrome/", "Chromium"}, {"Safari/", "Safari"}, {"curl/", "curl"},
	}
	systems = []choice{
		{"Android", "Android"}, {"iPhone", "iOS"}, {"iPad", "iPadOS"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"},
		{"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	}
)

// longAgent bounds what stands of a browser that is not known.
const longAgent = 60

// agentName names a browser by what it said of itself: "Chromium on Linux".
func agentName(said string) string {
	name, system := "", ""
	for _, a := range agents {
		if strings.Contains(said, a.Value) {
			name = a.Label
			break
		}
	}
	for _, s := range systems {
		if strings.Contains(said, s.Value) {
			system = " on " + s.Label
			break
		}
	}
	if name != "" {
		return name + system
	}
	if letters := []rune(said); len(letters) > longAgent {
		return string(letters[:longAgent]) + "…"
	}
	return cmp.Or(said, "Unknown browser")
}

func accountPage(c *call) (view, error) { return c.showAccount(account{}, nil) }

// showAccount shows the page again, with what was refused or made.
func (c *call) showAccount(data account, err error) (view, error) {
	var refused *laurel.Error
	status, title := http.StatusOK, "Your account"
	if errors.As(err, &refused) && (refused.Code == laurel.Invalid || refused.Code == laurel.Refused) {
		data.Faults, data.Error = faultsOf(refused), refused.Message
		status, title = http.StatusBadRequest, "Error: "+title
	} else if err != nil {
		return view{}, err
	}
	if data.Sessions, err = c.d.Admins.Sessions().List(c.Context(), c.admin.ID, c.hashedToken()); err != nil {
		return view{}, err
	}
	if data.Left, err = c.d.Admins.RecoveryCodes(c.Context(), c.admin.ID); err != nil {
		return view{}, err
	}
	return view{page: "account", title: title, status: status, data: data}, nil
}

// here is the session of the request.
func (c *call) here() (laurel.ID, error) {
	list, err := c.d.Admins.Sessions().List(c.Context(), c.admin.ID, c.hashedToken())
	for _, s := range list {
		if s.Here {
			return s.ID, nil
		}
	}
	return laurel.ID{}, err
}

func changeProfile(c *call) (view, error) {
	_, err := c.d.Admins.ChangeProfile(c.Context(), c.admin.ID, admins.Profile{
		Name: c.PostFormValue("name"), TimeZone: c.PostFormValue("timeZone"),
	})
	if err != nil {
		return c.showAccount(account{}, err)
	}
	return c.redirect(c.d.address("account"), "Profile saved.")
}

func changePassword(c *call) (view, error) {
	here, err := c.here()
	if err != nil {
		return view{}, err
	}
	old, password := c.PostFormValue("old"), c.PostFormValue("password")
	changed, err := c.d.Admins.ChangePassword(c.Context(), c.admin.ID, old, password, here)
	if err != nil {
		return c.showAccount(account{}, err)
	}
	c.goOnAs(changed)
	return c.redirect(c.d.address("account"), "Password changed. Every other session has ended.")
}

// offerSecondFactor shows a new secret after the password. Until a code of it comes back, nothing is kept but the
// session's copy, for a while.
func offerSecondFactor(c *call) (view, error) {
	if err := c.d.Admins.Confirm(c.Context(), c.admin.ID, c.PostFormValue("confirm")); err != nil {
		return c.showAccount(account{}, err)
	}
	made, err := c.d.Admins.Enrol(c.Context(), c.admin.ID)
	if err != nil {
		return view{}, err
	}
	shown, err := newOffer(made)
	if err != nil {
		return view{}, err
	}
	c.d.sessions.Put(c.session, offeredKey, made.Secret)
	c.d.sessions.Put(c.session, offeredAt, made.Address)
	c.d.sessions.Put(c.session, offeredUntil, c.d.Now().Add(offerLives).Format(time.RFC3339))
	return c.showAccount(account{Offer: &shown}, nil)
}

func activateSecondFactor(c *call) (view, error) {
	offered := admins.Enrolment{
		Secret: c.d.sessions.GetString(c.session, offeredKey), Address: c.d.sessions.GetString(c.session, offeredAt),
	}
	until, err := time.Parse(time.RFC3339, c.d.sessions.GetString(c.session, offeredUntil))
	if err != nil || !until.After(c.d.Now()) {
		c.d.sessions.Remove(c.session, offeredKey)
		return c.showAccount(account{}, laurel.Errorf(laurel.Refused, "The offer is over. Set the second factor up again."))
	}
	shown, err := newOffer(offered)
	if err != nil {
		return view{}, err
	}
	here, err := c.here()
	if err != nil {
		return view{}, err
	}
	changed, codes, err := c.d.Admins.Activate(c.Context(), c.admin.ID, shown.Secret, c.PostFormValue("code"), here)
	if err != nil {
		return c.showAccount(account{Offer: &shown}, err)
	}
	c.d.sessions.Remove(c.session, offeredKey)
	c.goOnAs(changed)
	c.admin.SecondFactor = true
	return c.showAccount(account{Codes: codes}, nil)
}

func removeSecondFactor(c *call) (view, error) {
	err := c.d.Admins.Confirm(c.Context(), c.admin.ID, c.PostFormValue("confirm"))
	if err == nil {
		err = c.d.Admins.Deactivate(c.Context(), c.admin.ID)
	}
	if err != nil {
		return c.showAccount(account{}, err)
	}
	return c.redirect(c.d.address("account"), "The second factor is off.")
}

func renewRecoveryCodes(c *call) (view, error) {
	err := c.d.Admins.Confirm(c.Context(), c.admin.ID, c.PostFormValue("confirm"))
	if err != nil {
		return c.showAccount(account{}, err)
	}
	codes, err := c.d.Admins.RenewCodes(c.Context(), c.admin.ID)
	return c.showAccount(account{Codes: codes}, err)
}

func endSession(c *call) (view, error) {
	id, err := c.pathID("session", "Session")
	if err != nil {
		return view{}, err
	}
	if err := c.d.Admins.Sessions().End(c.Context(), c.admin.ID, id); err != nil {
		return view{}, err
	}
	return c.redirect(c.d.address("account"), "Session ended.")
}

func endSessions(c *call) (view, error) {
	here, err := c.here()
	if err != nil {
		return view{}, err
	}
	changed, err := c.d.Admins.EndAll(c.Context(), c.admin.ID, here)
	if err != nil {
		return view{}, err
	}
	c.goOnAs(changed)
	return c.redirect(c.d.address("account"), "Every other session has ended.")
}
