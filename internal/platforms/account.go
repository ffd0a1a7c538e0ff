package platforms

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode"

	"laurel.example/laurel/internal/outbound"
)

// errNotFound says that an address was answered with 404.
var errNotFound error = &statusError{404}

// getJSON reads JSON from an address of the driver. bearer is the access token that it is called with; "" for none.
// Errors: *outbound.Fault, errNotFound, or one that says what is wrong with the answer without repeating it.
func (c *Connector) getJSON(ctx context.Context, d *Driver, address, bearer string) (json.RawMessage, error) {
	header := map[string]string{"Accept": "application/json"}
	if bearer != "" {
		header["Authorization"] = "Bearer " + bearer
	}
	answer, err := c.outbound.Do(ctx, outbound.Call{URL: address, Header: header, Tenant: tenantOf(d)})
	switch {
	case err != nil:
		return nil, err
	case answer.Status == 404:
		return nil, errNotFound
	case answer.Status < 200 || answer.Status > 299:
		return nil, &statusError{answer.Status}
	case !json.Valid(answer.Body):
		return nil, errors.New("the answer is no JSON")
	}
	return answer.Body, nil
}

// accountOf reads an account from a provider's answer by the driver's mapping.
func (d *Driver) accountOf(answer json.RawMessage) Account {
	at := func(path string) json.RawMessage {
		if path == "" {
			return nil
		}
		return valueAt(answer, path)
	}
	a := Account{
		ID: textOf(at(d.Mapping.ID)), Name: textOf(at(d.Mapping.Name)), HasVerifiedMark: isTruthy(at(d.Mapping.Verified)),
	}
	if n, err := strconv.ParseInt(textOf(at(d.Mapping.Followers)), 10, 64); err == nil && n >= 0 {
		a.Followers = &n
	}
	return a
}

// normalize brings the account into the form in which it is stored, or returns an error if it has no id.
func (a *Account) normalize() error {
	a.Name = strings.TrimPrefix(a.Name, "@")
	if a.ID == "" {
		return errors.New("the provider names no id of the account")
	}
	for _, text := range []string{a.ID, a.Name} {
		if len(text) > maxAccountText || strings.ToValidUTF8(text, "") != text ||
			strings.ContainsFunc(text, unicode.IsControl) {
			return errors.New("the provider names an id or a name that cannot be stored")
		}
	}
	return nil
}

// maxAccountText is the most bytes of an id or a name of an account.
const maxAccountText = 1000
