package web

import (
	"net/url"
	"strings"
	"time"

	"laurel.example/laurel"
)

// confirmedKey is the key of the session value that says until when an admin has proven again who is there: the admin's
// id and a time of RFC 3339.
const confirmedKey = "confirmed"

// confirmationLifetime is how long a confirmation at the identity provider counts.
const confirmationLifetime = 10 * time.Minute

// ProviderLabel returns the name of the identity provider at which admins sign in; "" if there is none.
func (s *Server) ProviderLabel() string {
	if s.SSO == nil {
		return ""
	}
	return s.SSO.Provider.Label
}

// ProviderIssuer returns the issuer of the identity provider at which admins sign in; "" if there is none.
func (s *Server) ProviderIssuer() string {
	if s.SSO == nil {
		return ""
	}
	return s.SSO.Provider.Issuer()
}

// PasswordsOff reports whether admins sign in at the identity provider alone.
func (s *Server) PasswordsOff() bool { return s.SSO != nil && s.SSO.Provider.PasswordsOff }

// TypesPassword reports whether the admin has a password that counts.
func (c *Call) TypesPassword() bool { return c.Admin.HasPassword && !c.PasswordsOff() }

// IsConfirmed reports whether the admin has just proven again, at the identity provider, who is there.
func (c *Call) IsConfirmed() bool {
	id, until, _ := strings.Cut(c.Sessions.GetString(c.Session, confirmedKey), " ")
	end, err := time.Parse(time.RFC3339, until)
	return err == nil && id == c.Admin.ID.String() && end.After(c.Now())
}

// NoteConfirmation notes in the session that the admin has proven at the identity provider who is there.
func (c *Call) NoteConfirmation() {
	until := c.Now().Add(confirmationLifetime).Format(time.RFC3339)
	c.Sessions.Put(c.Session, confirmedKey, c.Admin.ID.String()+" "+until)
}

// ConfirmPath returns the address at which the admin proves again who is there, and comes back to a page of the
// dashboard; "" without an identity provider.
func (c *Call) ConfirmPath(back string) string {
	if c.SSO == nil {
		return ""
	}
	return c.Path("account", "confirm", "?to="+url.QueryEscape(strings.TrimPrefix(back, c.Base)))
}

// Confirm checks before a sensitive action that the admin is still there: by a recent confirmation at the identity
// provider, or by the password in the field confirm. Errors: Refused; those of CheckPassword.
func (c *Call) Confirm() error {
	if c.IsConfirmed() {
		return nil
	}
	if !c.TypesPassword() {
		if c.SSO == nil {
			return laurel.Errorf(laurel.Refused, "You have no password. Ask the server’s operator for a link to set one")
		}
		return laurel.Errorf(laurel.Refused, "Confirm with %s first that it’s you", c.ProviderLabel())
	}
	return c.Admins.CheckPassword(c.Context(), c.Admin.ID, c.PostFormValue("confirm"))
}
