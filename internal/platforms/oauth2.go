package platforms

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"golang.org/x/oauth2"
)

// oauth2URL returns the authorization address of RFC 6749, 4.1.1, with PKCE (RFC 7636, S256).
func (c *Connector) oauth2URL(d *Driver, f Flow) (string, error) {
	return d.oauth2(oauth2.Endpoint{}, f).AuthCodeURL(f.State, oauth2.S256ChallengeOption(f.Verifier)), nil
}

// oauth2 returns the driver's configuration in the form of the library. Addresses of the driver take precedence over
// those that the provider has announced.
func (d *Driver) oauth2(announced oauth2.Endpoint, f Flow) *oauth2.Config {
	style := oauth2.AuthStyleInHeader
	if d.TokenAuth == "post" || d.ClientSecret == "" { // without a secret the client names itself in the body
		style = oauth2.AuthStyleInParams
	}
	return &oauth2.Config{
		ClientID: d.ClientID, ClientSecret: d.ClientSecret, RedirectURL: f.Callback, Scopes: slices.Clone(d.Scopes),
		Endpoint: oauth2.Endpoint{
			AuthURL: cmp.Or(d.AuthorizeURL, announced.AuthURL), TokenURL: cmp.Or(d.TokenURL, announced.TokenURL),
			AuthStyle: style,
		},
	}
}

// oauth2Identity exchanges the code for a token and reads the account from the driver's userInfoUrl.
func (c *Connector) oauth2Identity(ctx context.Context, d *Driver, f Flow, query url.Values) (Identity, error) {
	token, err := c.exchange(ctx, d, d.oauth2(oauth2.Endpoint{}, f), f, query)
	if err != nil {
		return Identity{}, err
	}
	answer, err := c.getJSON(ctx, d, d.UserInfoURL, token.AccessToken)
	if err != nil {
		return Identity{}, fmt.Errorf("userInfoUrl: %w", err)
	}
	return Identity{Account: d.accountOf(answer), AccessToken: token.AccessToken}, nil
}

// exchange exchanges the code that the provider has returned for a token (RFC 6749, 4.1.3). Errors: ErrDenied,
// *outbound.Fault, or one that names the error code of the provider.
func (c *Connector) exchange(
	ctx context.Context, d *Driver, config *oauth2.Config, f Flow, query url.Values,
) (*oauth2.Token, error) {
	if query.Has("error") {
		return nil, ErrDenied
	}
	code := query.Get("code")
	if code == "" {
		return nil, errors.New("the provider returned no code")
	}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, c.outbound.HTTPClient(tenantOf(d)))
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(f.Verifier))
	var refused *oauth2.RetrieveError
	switch {
	case errors.As(err, &refused): // its text has the body of the answer
		return nil, &refusedCodeError{knownTokenError(refused.ErrorCode)}
	case err != nil:
		return nil, publicError("the token endpoint", err)
	}
	return token, nil
}

// knownTokenError returns an error code of RFC 6749, 5.2, and a general text for others, which could be of any kind.
func knownTokenError(code string) string {
	known := []string{
		"invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
	}
	if slices.Contains(known, code) {
		return code
	}
	return "without an error code of OAuth 2.0"
}
