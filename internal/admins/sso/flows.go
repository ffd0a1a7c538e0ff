package sso

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

// Config holds what a Service needs.
type Config struct {
	DB        *store.DB // its clock and its chance; nothing is stored here
	Vault     *vault.Vault
	Admins    *admins.Service
	Connector *platforms.Connector
	Provider  *Provider
	Base      string // public address of the service, with its prefix and without a slash at the end
	Logger    *slog.Logger
}

// Service runs the flows in which admins sign in at the provider. It may be used by many goroutines.
type Service struct {
	Config
}

// New returns the service.
func New(c Config) *Service { return &Service{c} }

// CallbackPath is the path to which the provider returns browsers, below the prefix.
const CallbackPath = "/admin/sign-in/callback"

// lifetime is how long a flow may take.
const lifetime = 10 * time.Minute

// maxReturnTo is the most bytes of the path to which a flow leads in the end: it travels in a cookie.
const maxReturnTo = 1000

// Flow is what a browser goes to the provider for.
type Flow struct {
	ReturnTo  string    `json:"to,omitempty"`      // path of the page that was requested before
	LinkToken string    `json:"link,omitempty"`    // of the setup link or invitation by which the person joins
	Confirms  laurel.ID `json:"confirms,omitzero"` // the admin who is signed in, and proves that again
}

// proof is a flow with what the provider must confirm. It is sealed in a cookie of the browser.
type proof struct {
	Flow
	Verifier  string    `json:"verifier"`
	Nonce     string    `json:"nonce"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// Cookie binds a flow to the browser that has started it.
type Cookie struct {
	Name, Value string
	Path        string // of the callback
	Lifetime    time.Duration
}

// secretLength is the random bytes of a state, a PKCE verifier and a nonce.
const secretLength = 32

func (s *Service) newSecret() string {
	b := make([]byte, secretLength)
	s.DB.Random(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// Start begins a flow. It returns the address to which the browser goes, and the cookie with which it must come back.
// Errors: Unavailable if the provider does not respond.
func (s *Service) Start(ctx context.Context, f Flow) (address string, c Cookie, err error) {
	if len(f.ReturnTo) > maxReturnTo {
		f.ReturnTo = ""
	}
	p := proof{Flow: f, Verifier: s.newSecret(), Nonce: s.newSecret(), ExpiresAt: s.DB.Now().Add(lifetime)}
	state := s.newSecret()
	address, err = s.Connector.AuthorizeURL(ctx, &s.Provider.driver, s.flow(p, state))
	if err != nil {
		return "", Cookie{}, s.unavailable(ctx, err)
	}
	return address, Cookie{
		Name: cookieName(state), Value: s.Vault.Seal(store.JSON(p), place(state)), Path: s.CookiePath(), Lifetime: lifetime,
	}, nil
}

// flow returns a flow as the connector takes it.
func (s *Service) flow(p proof, state string) platforms.Flow {
	f := platforms.Flow{Callback: s.Base + CallbackPath, State: state, Verifier: p.Verifier, Nonce: p.Nonce}
	if !p.Confirms.IsZero() {
		f.AsksLogin = true
		if !s.Provider.TrustsPrompt {
			f.LoginSince = p.ExpiresAt.Add(-lifetime - clockSkew)
		}
	}
	return f
}

// clockSkew is how far the clock of the provider may be behind.
const clockSkew = time.Minute

// CookiePath returns the path of cookies of flows: browsers send them to the callback alone.
func (s *Service) CookiePath() string {
	if u, err := url.Parse(s.Base); err == nil {
		return strings.TrimSuffix(u.Path, "/") + CallbackPath
	}
	return CallbackPath
}

// cookieName returns the name of a flow's cookie. Each flow has one of its own, so that several tabs do not disturb
// each other.
func cookieName(state string) string { return "laurel_sign_in_" + hashOf(state)[:16] }

// place binds a sealed proof to its state.
func place(state string) string { return "admin sign-in " + hashOf(state) }

func hashOf(state string) string {
	sum := sha256.Sum256([]byte(state))
	return hex.EncodeToString(sum[:])
}

// Return is the return of a browser from the provider.
type Return struct {
	Query  url.Values
	Cookie func(name string) string // "" if the browser has none of that name
}

// CookieName returns the name of the cookie of the flow that has returned.
func (r Return) CookieName() string { return cookieName(r.Query.Get("state")) }

// Opened is a flow whose browser has returned, with the cookie that it was given.
type Opened struct {
	Flow
	proof proof
	query url.Values
}

// Open opens the cookie of the flow of a browser that has returned. It costs next to nothing and stores nothing, as any
// website can make browsers ask for it, without the cookie. Errors: Refused.
func (s *Service) Open(r Return) (Opened, error) {
	var p proof
	state := r.Query.Get("state")
	plain, err := s.Vault.Open(r.Cookie(cookieName(state)), place(state))
	if err != nil || json.Unmarshal(plain, &p) != nil {
		return Opened{}, errUnknown()
	}
	if !p.ExpiresAt.After(s.DB.Now()) {
		return Opened{}, laurel.Errorf(laurel.Refused, "Your sign-in took too long. Sign in again")
	}
	return Opened{p.Flow, p, r.Query}, nil
}

func errUnknown() error {
	return laurel.Errorf(laurel.Refused, "This sign-in is not from this browser, or was used already. Sign in again")
}

// Finish ends a flow and returns what the provider says of the person. The state is used up before the provider is
// asked. Errors: Refused, also if what the provider says is not valid; Unavailable if it does not respond.
func (s *Service) Finish(ctx context.Context, o Opened) (admins.Identity, error) {
	state := o.query.Get("state")
	if isFirst, err := s.Admins.UseState(ctx, state, o.proof.ExpiresAt); err != nil || !isFirst {
		return admins.Identity{}, cmp.Or(err, errUnknown())
	}
	found, err := s.Connector.Identify(ctx, &s.Provider.driver, s.flow(o.proof, state), o.query)
	var fault *outbound.Fault
	switch {
	case errors.Is(err, platforms.ErrDenied):
		return admins.Identity{}, laurel.Errorf(laurel.Refused, "%s did not sign you in", s.name())
	case errors.As(err, &fault), err != nil && ctx.Err() != nil:
		return admins.Identity{}, s.unavailable(ctx, err)
	case errors.Is(err, platforms.ErrOldLogin):
		s.logUnconfirmed(ctx, err)
		return admins.Identity{}, laurel.Errorf(laurel.Refused, "%s did not ask you to sign in again", s.name())
	case err != nil:
		s.logUnconfirmed(ctx, err)
		return admins.Identity{}, laurel.Errorf(laurel.Refused, "%s did not confirm who you are. Sign in again", s.name())
	}
	identity := admins.Identity{Issuer: s.Provider.driver.Issuer, Subject: found.Account.ID, Name: found.Account.Name}
	if found.IsEmailVerified {
		identity.Email = found.Email
	}
	return identity, nil
}

// name returns the label as the first word of a sentence.
func (s *Service) name() string {
	if s.Provider.Label == defaultLabel {
		return "The identity provider"
	}
	return s.Provider.Label
}

// logUnconfirmed logs why the provider confirms nothing. The errors of platforms contain no secrets.
func (s *Service) logUnconfirmed(ctx context.Context, cause error) {
	s.Logger.WarnContext(ctx, "the identity provider of admins has not confirmed a sign-in",
		slog.String("cause", cause.Error()))
}

// unavailable logs why the provider does not respond, and returns the refusal.
func (s *Service) unavailable(ctx context.Context, cause error) error {
	s.logUnconfirmed(ctx, cause)
	return laurel.Errorf(laurel.Unavailable, "%s did not confirm who you are. Try again later", s.name())
}
