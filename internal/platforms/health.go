package platforms

import (
	"errors"
	"slices"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
)

// Status is how the latest calls of a provider have ended, as far as this process has seen them.
type Status = outbound.Status

// healthKey names a driver and the website for which its provider is called: no website learns of the calls for
// another one.
func (d *Driver) healthKey(website string) string {
	return d.Platform + " " + d.WebsiteID.String() + " " + website
}

// Status returns how the latest rule checks by a driver for a website have ended.
func (c *Client) Status(d *Driver, website laurel.ID) Status {
	return c.health.Of(d.healthKey(website.String()))
}

// Status returns how the latest attempts to confirm accounts by a driver for members of a website have ended.
func (c *Connector) Status(d *Driver, website laurel.ID) Status {
	return c.health.Of(d.healthKey(website.String()))
}

// record notes how a call for a member of a website has ended. A member who declines says nothing about the provider.
func (c *Connector) record(d *Driver, website laurel.ID, err error) {
	if !errors.Is(err, ErrDenied) {
		c.health.Record(d.healthKey(website.String()), err)
	}
}

// statusError says that an address was answered with a status that says nothing about the account.
type statusError struct{ status int }

func (e *statusError) Error() string { return "answered with status " + strconv.Itoa(e.status) }

// Problem returns the text for admins.
func (e *statusError) Problem() string { return e.Error() }

// Unwrap returns ErrNoAnswer.
func (e *statusError) Unwrap() error { return ErrNoAnswer }

// refusedCodeError says that the token endpoint has refused the code or the client, with an error code of RFC 6749.
type refusedCodeError struct{ code string }

func (e *refusedCodeError) Error() string { return "the token endpoint refused the code: " + e.code }

// Problem returns the text for admins.
func (e *refusedCodeError) Problem() string { return e.Error() }

// ForWebsite returns the drivers that serve a website, in the order of their platforms.
func (r *Registry) ForWebsite(website laurel.ID) []*Driver {
	var list []*Driver
	for _, platform := range IDs() {
		if d := r.Find(platform, website); d != nil {
			list = append(list, d)
		}
	}
	return list
}

// CanCheck reports whether the driver can be asked about rules of a type, given the metadata that it needs.
func (d *Driver) CanCheck(ruleType string) bool {
	if _, ok := d.Checks[ruleType]; ok {
		return true
	}
	if d.API == nil {
		return false
	}
	_, ok := apiDrivers[d.Platform].answers[ruleType]
	return ok
}

// HasRedirect reports whether drivers of the kind send members to the provider, which returns them to an address that
// is registered there.
func (k Kind) HasRedirect() bool {
	return slices.Contains([]Kind{OAuth2, OIDC, OpenID2, SignedWidget}, k)
}
