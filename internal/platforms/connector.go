package platforms

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/outbound"
)

// Connector finds out from the providers of drivers which account a member has. It may be used by many goroutines. It
// calls no provider before a member connects an account.
type Connector struct {
	outbound *outbound.Client
	now      func() time.Time
	mu       sync.Mutex
	issuers  map[string]issuer // by address, for oidc
	health   *outbound.Health
}

// NewConnector returns a connector whose calls go through c, which trusts addresses of the operator. now is the clock.
func NewConnector(c *outbound.Client, now func() time.Time) *Connector {
	return &Connector{outbound: c, now: now, issuers: map[string]issuer{}, health: outbound.NewHealth(now)}
}

// Flow is one attempt of a member to connect an account: what the provider is sent, and must return. All but Website
// and Callback are secrets.
type Flow struct {
	Website  laurel.ID // of the member
	Callback string    // the address to which the provider returns the browser (redirect_uri)
	State    string
	Verifier string // of PKCE (RFC 7636), 43 to 128 characters
	Nonce    string // that the id_token must contain (OpenID Connect Core, 3.1.2.1)
	// AsksLogin makes a provider of kind oidc ask who is there, even if it knows the browser (prompt=login and max_age=0
	// of OpenID Connect Core, 3.1.2.1). The browser can remove that from the address: LoginSince tells.
	AsksLogin bool
	// LoginSince is the earliest time at which the account has logged in, by auth_time of the id_token; zero: any.
	LoginSince time.Time
}

// Identity is what a provider says of the member that a flow has led to it.
type Identity struct {
	Account Account
	// Email is what a provider of kind oidc says the e-mail address is, and IsEmailVerified whether it has checked that.
	Email           string
	IsEmailVerified bool
	// AccessToken lets ChannelOf read more of the account; "" for kinds without tokens. It is not stored.
	AccessToken string
	// Once identifies an answer that is not bound to the state of the flow, so that the caller must see to it that it
	// counts once; "" if it is bound. After OnceUntil the answer counts no more.
	Once      string
	OnceUntil time.Time
}

// ErrDenied says that the provider returned the member with an error: the member declined, or the provider did.
var ErrDenied = errors.New("the provider returned an error instead of an account")

// ErrOldLogin says that a provider of kind oidc does not tell that the account has logged in since LoginSince.
var ErrOldLogin = errors.New("the id_token does not tell by auth_time that the login is new")

// AuthorizeURL returns the address at the provider to which the member's browser goes.
func (c *Connector) AuthorizeURL(ctx context.Context, d *Driver, f Flow) (string, error) {
	address, err := c.authorizeURL(ctx, d, f)
	if err != nil { // most kinds need no call, so that nothing is known of the provider yet
		c.record(d, f.Website, err)
	}
	return address, err
}

// authorizeURL is AuthorizeURL without its record in the driver's health.
func (c *Connector) authorizeURL(ctx context.Context, d *Driver, f Flow) (string, error) {
	switch d.Kind {
	case OAuth2:
		return c.oauth2URL(d, f)
	case OIDC:
		return c.oidcURL(ctx, d, f)
	case OpenID2:
		return openID2URL(d, f)
	case SignedWidget:
		return signedWidgetURL(d, f)
	}
	return "", fmt.Errorf("platforms: drivers of kind %s have no redirect", d.Kind)
}

// Identify returns the account of the member whose browser the provider has returned with a query. Errors: ErrDenied;
// ErrOldLogin; *outbound.Fault if the provider does not respond; others if what it says is not valid. No error contains
// a code, a token or a secret.
func (c *Connector) Identify(ctx context.Context, d *Driver, f Flow, query url.Values) (Identity, error) {
	for _, values := range query {
		if len(values) > 1 { // RFC 6749, 3.1: parameters must not be repeated
			return Identity{}, errors.New("the provider returned a parameter twice")
		}
	}
	var found Identity
	var err error
	switch d.Kind {
	case OAuth2:
		found, err = c.oauth2Identity(ctx, d, f, query)
	case OIDC:
		found, err = c.oidcIdentity(ctx, d, f, query)
	case OpenID2:
		found.Account, err = c.openID2Account(ctx, d, f, query)
	case SignedWidget:
		found, err = c.signedWidgetAccount(d, query)
	default:
		err = fmt.Errorf("platforms: drivers of kind %s have no redirect", d.Kind)
	}
	if err == nil {
		err = found.Account.normalize()
	}
	c.record(d, f.Website, err)
	return found, err
}

// tenantOf returns the name under which the circuit breakers of a driver's calls are kept.
func tenantOf(d *Driver) string { return "platform " + d.Platform }

// withQuery returns an address with further query parameters. Those that it has already are kept, unless they have the
// same names.
func withQuery(address string, add map[string]string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("the driver's authorizeUrl is no url") // ReadDrivers has checked it
	}
	q := u.Query()
	for name, value := range add {
		q.Set(name, value)
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// publicError returns an error whose text is short and contains no queries, for errors of libraries.
func publicError(step string, err error) error {
	var fault *outbound.Fault
	if errors.As(err, &fault) {
		return fault
	}
	return fmt.Errorf("%s: %.300s", step, outbound.Redact(err).Error())
}
