package connect

import (
	"cmp"
	"context"
	"encoding/base32"
	"errors"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/platforms"
	"laurel.example/laurel/internal/store"
)

// codeAlphabet has no characters that look alike: no I, O, 0 and 1.
var codeAlphabet = base32.NewEncoding("ABCDEFGHJKLMNPQRSTUVWXYZ23456789").WithPadding(base32.NoPadding)

const (
	codePrefix = "LRL-"
	codeLength = 5 // random bytes, which are 8 characters
)

// proofClaims are the claims of jwtState: which user proves an account of which platform, by which code (contract 8.2).
type proofClaims struct {
	UserID   laurel.ID `json:"sub"`
	Platform string    `json:"authType"`
	Code     string    `json:"code"`
	Redirect string    `json:"redirect"`
}

// startProof returns a code that the member puts into a public profile, and the signed state that names it.
func (s *Flows) startProof(ctx context.Context, a attempt, home, redirect string) (Started, error) {
	user := a.person.UserID
	if a.person.NewUser {
		err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
			user, err = s.Identity.FindOrCreateWallet(ctx, tx, a.scope, a.person.Wallet)
			return err
		})
		if err != nil {
			return Started{}, err
		}
	}
	random := make([]byte, codeLength)
	s.DB.Random(random)
	out := Started{URL: cmp.Or(a.driver.AuthorizeURL, home), Code: codePrefix + codeAlphabet.EncodeToString(random)}
	var err error
	out.State, err = s.Identity.SignClaims(ctx, a.scope, identity.ForProfileProof, s.Lifetimes.ProfileProof,
		proofClaims{user, a.driver.Platform, out.Code, redirect})
	return out, err
}

// ProofInput asks whether the code of a profile proof is in the profile.
type ProofInput struct {
	Platform string
	State    string    // jwtState
	Code     string    // must be that of the state; "": not named
	Account  string    // the name of the account, or the address of its profile
	Member   laurel.ID // of a client key's member token; zero: the key may act for all users
}

// IsProvenByProfile reports whether accounts of a platform are connected by a profile proof (contract 2).
func (s *Flows) IsProvenByProfile(scope laurel.Scope, platform string) bool {
	d := s.Drivers.Find(platform, scope.WebsiteID)
	return platforms.IsProvenByProfile(platform) && (d == nil || d.Kind == "" || d.Kind == platforms.ProfileProof)
}

// CheckProof looks for the code in the public profile of the account, and connects the account (contract 8.2). Errors:
// Refused "<PLATFORM> connects by redirect" and "<PLATFORM> is not configured"; Invalid for an account that cannot be
// one; Forbidden if the state is of another user than the member. redirect is where the flow leads in the end; "" if
// that is not known.
func (s *Flows) CheckProof(
	ctx context.Context, scope laurel.Scope, in ProofInput,
) (out Outcome, redirect string, err error) {
	out.Platform = in.Platform
	if !s.IsProvenByProfile(scope, in.Platform) {
		return out, "", laurel.Errorf(laurel.Refused, "%s connects by redirect",
			s.Label(s.Drivers.Find(in.Platform, scope.WebsiteID), in.Platform))
	}
	d, err := s.driver(scope, in.Platform)
	if err != nil {
		return out, "", err
	}
	var claims proofClaims
	_, readErr := s.Identity.ReadClaims(ctx, scope, identity.ForProfileProof, in.State, &claims)
	switch {
	case errors.Is(readErr, identity.ErrClaimsExpired):
		out.Error = StateExpired
	case errors.Is(readErr, identity.ErrClaimsInvalid), readErr == nil && claims.Platform != in.Platform:
		out.Error = InvalidState
	case readErr != nil:
		return out, "", readErr
	case !in.Member.IsZero() && in.Member != claims.UserID:
		return out, "", laurel.Errorf(laurel.Forbidden, "Member token does not belong to this user")
	case in.Code != "" && in.Code != claims.Code:
		out.Error = InvalidCode
	default:
		a := attempt{scope: scope, driver: d, person: identity.Person{UserID: claims.UserID}}
		err = s.checkProfile(ctx, a, in.Account, claims.Code, &out)
	}
	s.describe(scope, &out)
	return out, claims.Redirect, err
}

// checkProfile reads the profile, looks for the code and connects the account.
func (s *Flows) checkProfile(
	ctx context.Context, a attempt, account, code string, out *Outcome,
) error {
	name, ok := platforms.ProfileName(account)
	if !ok {
		out.Error = ProfileCodeNotFound
		return nil
	}
	profile, found, err := s.Connector.Profile(ctx, a.driver, a.scope.WebsiteID, name)
	switch {
	case err != nil:
		s.logProvider(ctx, a, err)
		out.Error = ProviderError
		return nil
	case !found || !strings.Contains(strings.ToUpper(profile.Text), code):
		out.Error = ProfileCodeNotFound
		return nil
	}
	return s.connect(ctx, a, a.driver.Platform, profile.Account, out)
}

// Disconnect removes the account of a platform from a user (contract 8.1). Errors: Invalid, NotFound "User".
func (s *Flows) Disconnect(ctx context.Context, scope laurel.Scope, user identity.Ref, platform string) error {
	var f laurel.Faults
	user.Validate(&f)
	if err := f.Err(); err != nil {
		return err
	}
	return s.Identity.DisconnectAccount(ctx, scope, user, platform)
}
