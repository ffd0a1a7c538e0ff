package connect

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/store"
)

// videoPlatform is the platform whose account a web account brings with it (contract 8.1).
const videoPlatform = "video_platform"

// Return is the return of a browser from a provider.
type Return struct {
	Platform string     // whose callback it has come to
	Query    url.Values // of the callback
	// BrowserMark returns the value of the browser's cookie of a name; "" if it has none.
	BrowserMark func(name string) string
}

// Finish ends a flow with what the provider has returned, and connects the account (contract 8.1). The state names the
// tenant and the user, and is used up. redirect is where the browser goes; "" if that is not known. Errors: faults
// alone.
func (s *Flows) Finish(ctx context.Context, r Return) (out Outcome, redirect string, err error) {
	out.Platform = r.Platform
	var row stateRow
	var p proof
	err = s.DB.InTx(ctx, func(tx *store.Tx) error {
		out.Error = ""
		row, err = lockState(ctx, tx, hashOf(r.Query.Get("state")))
		if laurel.CodeOf(err) == laurel.NotFound || err == nil && row.Platform != r.Platform {
			row, out.Error = stateRow{}, InvalidState
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case row.UsedAt != nil, !row.isFor(r):
			out.Error = InvalidState
			return nil
		case row.ExpiresAt <= store.Micros(tx.Now()):
			out.Error = StateExpired
			return nil
		}
		if p, err = s.openProof(row); err != nil {
			return err
		}
		return useState(ctx, tx, row.ID)
	})
	if err == nil && out.Error == "" {
		err = s.finish(ctx, row, p, r.Query, &out)
	}
	s.describe(row.scope(), &out)
	return out, row.Redirect, err
}

// isFor reports whether the browser that has returned may end the flow.
func (r stateRow) isFor(back Return) bool {
	if r.BrowserHash == "" {
		return true
	}
	mark := back.BrowserMark(BrowserMarkName(back.Query.Get("state")))
	return subtle.ConstantTimeCompare([]byte(hashOf(mark)), []byte(r.BrowserHash)) == 1
}

// scope returns the tenant for which the flow was started.
func (r stateRow) scope() laurel.Scope {
	return laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Role: r.Role}
}

// openProof opens the sealed proof of a state.
func (s *Flows) openProof(row stateRow) (p proof, err error) {
	plain, err := s.Vault.Open(row.Sealed, proofPlace(row.ID))
	if err == nil {
		err = json.Unmarshal(plain, &p)
	}
	if err != nil {
		return p, fmt.Errorf("connect state %s: %w", row.ID, err)
	}
	return p, nil
}

// finish asks the provider for the account and connects it. What fails for the member is in out; errors are faults.
func (s *Flows) finish(ctx context.Context, row stateRow, p proof, query url.Values, out *Outcome) error {
	d := s.Drivers.Find(row.Platform, row.WebsiteID)
	if d == nil || d.Kind == "" || d.Kind == platforms.ProfileProof { // the operator has changed it meanwhile
		out.Error = ProviderError
		return nil
	}
	flow := platforms.Flow{
		Website: row.WebsiteID, Callback: s.Callback(row.Platform), State: query.Get("state"), Verifier: p.Verifier, Nonce: p.Nonce,
	}
	a := attempt{scope: row.scope(), driver: d, person: identity.Person{UserID: row.UserID}}
	found, err := s.Connector.Identify(ctx, d, flow, query)
	switch {
	case errors.Is(err, platforms.ErrDenied):
		out.Error = AccessDenied
		return nil
	case err != nil:
		s.logProvider(ctx, a, err)
		out.Error = ProviderError
		return nil
	}
	if found.Once != "" {
		if isNew, err := s.useAnswer(ctx, row, found); err != nil || !isNew {
			out.Error = InvalidState
			return err
		}
	}
	if err := s.connect(ctx, a, row.Platform, found.Account, out); err != nil || out.Error != "" {
		return err
	}
	if d.Channel == nil || row.SkipsChannel {
		return nil
	}
	return s.connectChannel(ctx, a, found.AccessToken, out)
}

// connect connects an account to a user. If other users hold it, out has the account link.
func (s *Flows) connect(
	ctx context.Context, a attempt, platform string, account platforms.Account, out *Outcome,
) error {
	user := identity.Ref{UserID: a.person.UserID}
	link, err := s.Identity.ConnectAccount(ctx, a.scope, user, identity.VerifiedAccount{
		Platform: platform, ID: account.ID, Name: account.Name, Followers: account.Followers,
		HasVerifiedMark: account.HasVerifiedMark,
	})
	if link != "" {
		out.Platform, out.Error, out.AccountLink = platform, MaximumAccountLinked, link
	}
	return err
}

// connectChannel connects the video channel of a web account. The web account itself stays connected if there is none.
func (s *Flows) connectChannel(ctx context.Context, a attempt, accessToken string, out *Outcome) error {
	id, found, err := s.Connector.ChannelOf(ctx, a.driver, a.scope.WebsiteID, accessToken)
	switch {
	case err != nil:
		s.logProvider(ctx, a, err)
		out.Error = ProviderError
		return nil
	case !found:
		out.Error = ChannelNotFound
		return nil
	}
	return s.connect(ctx, a, videoPlatform, platforms.Account{ID: id}, out)
}

// describe sets the message of a failed flow.
func (s *Flows) describe(scope laurel.Scope, out *Outcome) {
	label := s.Label(s.Drivers.Find(out.Platform, scope.WebsiteID), out.Platform)
	switch out.Error {
	case MaximumAccountLinked:
		out.Message = label + " account is already connected to another user"
	case ChannelNotFound:
		out.Message = "The account has no video channel"
	case AccessDenied:
		out.Message = label + " did not grant access"
	case InvalidState:
		out.Message = "The link is not valid or was used already, please start again"
	case StateExpired:
		out.Message = "It took too long, please start again"
	case ProviderError:
		out.Message = label + " did not confirm the account, please try again later"
	case ProfileCodeNotFound:
		out.Message = "The code is not in the profile"
	case InvalidCode, CodeExpired, TooManyAttempts: // of e-mail and phone
	}
}
