package connect

import (
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/url"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/store"
)

// StartInput starts a flow. The caller has checked that the key may act for the user.
type StartInput struct {
	Platform       string
	User           identity.Ref
	Redirect       string   // where the browser goes in the end; "": the website's homeUrl
	AllowedOrigins []string // of a client key
	SkipsChannel   bool     // of web_account: leave the video channel alone
	BindsBrowser   bool     // only the browser that gets Started.Browser may end the flow
}

// Started is a flow that has begun.
type Started struct {
	URL     string       // where the member goes
	State   string       // of a profile proof (jwtState)
	Code    string       // of a profile proof: what the profile must contain
	Browser *BrowserMark // nil: any browser may end the flow
}

// BrowserMark is a secret of one browser, for a cookie.
type BrowserMark struct {
	Name, Value string
	Path        string // of the callback
	IsSecure    bool   // it travels over https alone
	Lifetime    time.Duration
}

// secretLength is the random bytes of a state, a PKCE verifier, a nonce and the mark of a browser.
const secretLength = 32

// newSecret returns 32 random bytes as 43 characters of base64url.
func (s *Flows) newSecret() string {
	b := make([]byte, secretLength)
	s.DB.Random(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// Start begins a flow for a user (contract 8.1). For a secret key, an unknown wallet becomes a user. Errors: Invalid;
// NotFound "User"; Refused "<PLATFORM> is not configured" and "redirect is not allowed"; Unanswered if the provider
// cannot be asked for its addresses.
func (s *Flows) Start(ctx context.Context, scope laurel.Scope, in StartInput) (Started, error) {
	var f laurel.Faults
	in.User.Validate(&f)
	parseRedirect(&f, in.Redirect)
	if err := f.Err(); err != nil {
		return Started{}, err
	}
	person, err := s.Identity.Resolve(ctx, s.DB, scope, in.User)
	if err != nil {
		return Started{}, err
	}
	driver, err := s.driver(scope, in.Platform)
	if err != nil {
		return Started{}, err
	}
	site, err := s.Tenancy.Website(ctx, scope, scope.WebsiteID)
	if err != nil {
		return Started{}, err
	}
	home := ""
	if site.HomeURL != nil {
		home = *site.HomeURL
	}
	redirect, err := chooseRedirect(scope, in.Redirect, home, in.AllowedOrigins)
	if err != nil {
		return Started{}, err
	}
	a := attempt{scope: scope, driver: driver, person: person}
	if driver.Kind == platforms.ProfileProof {
		return s.startProof(ctx, a, home, redirect)
	}
	row := stateRow{
		OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, UserID: person.UserID, Platform: in.Platform,
		Role: scope.Role, Redirect: redirect, SkipsChannel: in.SkipsChannel,
	}
	return s.startRedirect(ctx, a, row, in.BindsBrowser)
}

// attempt is the attempt of a user to connect an account by a driver.
type attempt struct {
	scope  laurel.Scope
	driver *platforms.Driver
	person identity.Person // once the flow has begun, its UserID alone
}

// driver returns the driver by which members of the scope's website connect accounts of a platform. Errors: Refused
// "<PLATFORM> is not configured".
func (s *Flows) driver(scope laurel.Scope, platform string) (*platforms.Driver, error) {
	d := s.Drivers.Find(platform, scope.WebsiteID)
	if d == nil || d.Kind == "" {
		return nil, laurel.Errorf(laurel.Refused, "%s is not configured", s.Label(d, platform))
	}
	return d, nil
}

// Label returns the display name of a platform, by its driver or nil.
func (s *Flows) Label(d *platforms.Driver, platform string) string {
	if d != nil && d.Label != "" {
		return d.Label
	}
	return s.Identity.Label(platform)
}

// startRedirect stores the state of a flow and returns the address of the provider.
func (s *Flows) startRedirect(
	ctx context.Context, a attempt, row stateRow, bindsBrowser bool,
) (Started, error) {
	d := a.driver
	flow := platforms.Flow{
		Website: a.scope.WebsiteID, Callback: s.Callback(d.Platform),
		State: s.newSecret(), Verifier: s.newSecret(), Nonce: s.newSecret(),
	}
	address, err := s.Connector.AuthorizeURL(ctx, d, flow)
	if err != nil {
		s.logProvider(ctx, a, err)
		return Started{}, unanswered(err)
	}
	out := Started{URL: address}
	row.ID, row.Hash = s.DB.NewID(), hashOf(flow.State)
	row.Sealed = s.Vault.Seal(store.JSON(proof{flow.Verifier, flow.Nonce}), proofPlace(row.ID))
	if bindsBrowser {
		out.Browser = s.newBrowserMark(flow)
		row.BrowserHash = hashOf(out.Browser.Value)
	}
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		if a.person.NewUser {
			if row.UserID, err = s.Identity.FindOrCreateWallet(ctx, tx, a.scope, a.person.Wallet); err != nil {
				return err
			}
		}
		row.CreatedAt, row.ExpiresAt = store.Micros(tx.Now()), store.Micros(tx.Now().Add(s.Lifetimes.State))
		_, err := states.Insert(ctx, tx, &row, "")
		return err
	})
	return out, err
}

// newBrowserMark returns a mark for the browser that starts a flow.
func (s *Flows) newBrowserMark(f platforms.Flow) *BrowserMark {
	m := &BrowserMark{Name: BrowserMarkName(f.State), Value: s.newSecret(), Lifetime: s.Lifetimes.State}
	if u, err := url.Parse(f.Callback); err == nil {
		m.Path, m.IsSecure = u.Path, u.Scheme == "https"
	}
	return m
}

// BrowserMarkName returns the name of the cookie that holds the mark of the browser of a flow. Each flow has a cookie
// of its own, so that a member may run several at once.
func BrowserMarkName(state string) string { return "laurel_connect_" + hashOf(state)[:16] }

// unanswered returns the refusal of a call for which the provider had to be asked. The cause is in the log.
func unanswered(cause error) error {
	message := outbound.ProviderInvalid
	var fault *outbound.Fault
	if errors.As(cause, &fault) {
		message = outbound.PlatformMessage(fault)
	}
	return &laurel.Error{Code: laurel.Unanswered, Message: message, RetryAfter: retryAfterSeconds}
}

const retryAfterSeconds = 5

// logProvider logs why a provider could not be used. The errors of platforms contain no secrets.
func (s *Flows) logProvider(ctx context.Context, a attempt, cause error) {
	s.Logger.WarnContext(ctx, "a provider has not confirmed an account", slog.String("platform", a.driver.Platform),
		slog.String("website", a.scope.WebsiteID.String()), slog.String("cause", cause.Error()))
}
