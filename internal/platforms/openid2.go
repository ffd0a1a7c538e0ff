package platforms

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"laurel.example/laurel/internal/outbound"
)

const (
	openID2Namespace  = "http://specs.openid.net/auth/2.0"
	openID2Identifier = openID2Namespace + "/identifier_select"
)

// openID2URL returns the authentication address of OpenID Authentication 2.0, 9.1, in which the member chooses the
// account.
func openID2URL(d *Driver, f Flow) (string, error) {
	returnTo, realm, err := f.returnTo()
	if err != nil {
		return "", err
	}
	return withQuery(d.AuthorizeURL, map[string]string{
		"openid.ns": openID2Namespace, "openid.mode": "checkid_setup", "openid.return_to": returnTo, "openid.realm": realm,
		"openid.claimed_id": openID2Identifier, "openid.identity": openID2Identifier,
	})
}

// returnTo returns the callback with the state in its query, and its origin.
func (f Flow) returnTo() (address, origin string, err error) {
	if address, err = withQuery(f.Callback, map[string]string{"state": f.State}); err != nil {
		return "", "", err
	}
	u, err := url.Parse(f.Callback)
	if err != nil {
		return "", "", errors.New("the callback is no url")
	}
	return address, u.Scheme + "://" + u.Host, nil
}

// openID2Account checks an assertion (OpenID Authentication 2.0, 11) and returns the account that it is about. The
// provider itself is asked whether it has signed the assertion, which it confirms once (11.4.2).
func (c *Connector) openID2Account(ctx context.Context, d *Driver, f Flow, query url.Values) (Account, error) {
	if query.Get("openid.mode") != "id_res" { // cancel, error, setup_needed
		return Account{}, ErrDenied
	}
	returnTo, _, err := f.returnTo()
	if err != nil {
		return Account{}, err
	}
	signed := strings.Split(query.Get("openid.signed"), ",")
	for _, name := range []string{"op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle"} {
		if !slices.Contains(signed, name) || query.Get("openid."+name) == "" {
			return Account{}, fmt.Errorf("the assertion does not sign %s", name)
		}
	}
	endpoint, _, _ := strings.Cut(d.AuthorizeURL, "?")
	switch {
	case query.Get("openid.ns") != openID2Namespace:
		return Account{}, errors.New("the answer is not of OpenID 2.0")
	case query.Get("openid.return_to") != returnTo:
		return Account{}, errors.New("the assertion is for another return_to")
	case query.Get("openid.op_endpoint") != endpoint:
		return Account{}, errors.New("the assertion is of another op_endpoint")
	case query.Get("openid.claimed_id") != query.Get("openid.identity"):
		return Account{}, errors.New("the assertion has two identities")
	}
	id, err := d.openID2ID(query.Get("openid.claimed_id"))
	if err != nil {
		return Account{}, err
	}
	return Account{ID: id}, c.checkAuthentication(ctx, d, endpoint, query)
}

// openID2ID returns the account's id: the last segment of a claimed id, which must be at the provider's own origin.
func (d *Driver) openID2ID(claimed string) (string, error) {
	endpoint, err := url.Parse(d.AuthorizeURL)
	if err != nil {
		return "", errors.New("the driver's authorizeUrl is no url") // ReadDrivers has checked it
	}
	u, err := url.Parse(claimed)
	if err != nil || u.Scheme != endpoint.Scheme || u.Host != endpoint.Host || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return "", errors.New("the claimed id is not at the provider's origin")
	}
	id := path.Base(u.Path)
	if id == "." || id == "/" {
		return "", errors.New("the claimed id has no last segment")
	}
	return id, nil
}

// checkAuthentication asks the provider whether it has made the assertion.
func (c *Connector) checkAuthentication(ctx context.Context, d *Driver, endpoint string, query url.Values) error {
	body := url.Values{}
	for name := range query {
		if strings.HasPrefix(name, "openid.") {
			body.Set(name, query.Get(name))
		}
	}
	body.Set("openid.mode", "check_authentication")
	answer, err := c.outbound.Do(ctx, outbound.Call{
		Method: "POST", URL: endpoint, Body: []byte(body.Encode()), Tenant: tenantOf(d),
		Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
	})
	if err != nil {
		return err
	}
	lines := strings.Split(strings.ReplaceAll(string(answer.Body), "\r\n", "\n"), "\n")
	if answer.Status != 200 || !slices.Contains(lines, "is_valid:true") {
		return errors.New("the provider has not made the assertion")
	}
	return nil
}
