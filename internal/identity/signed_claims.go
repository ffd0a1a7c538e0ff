package identity

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"laurel.example/laurel"
)

// Purpose says what signed claims are for; claims that are signed for one purpose are invalid for any other.
type Purpose string

// The purposes of signed claims.
const (
	ForAccountLink  Purpose = "account-link"  // accountLinkData (contract 8.6)
	ForProfileProof Purpose = "profile-proof" // jwtState (contract 8.2)
)

// ErrClaimsExpired and ErrClaimsInvalid say why signed claims do not count.
var (
	ErrClaimsExpired = errors.New("the signed claims have expired")
	ErrClaimsInvalid = errors.New("the signed claims are invalid")
)

// maxClaimsBytes is the length of the longest signed claims that are looked at.
const maxClaimsBytes = 8192

// signedClaims are claims with what every token of this service has (RFC 7519).
type signedClaims struct {
	jwt.RegisteredClaims
	WebsiteID laurel.ID `json:"websiteId"`
	Data      any       `json:"data"`
}

// SignedID identifies signed claims, so that they can be used once.
type SignedID struct {
	ID        laurel.ID
	ExpiresAt time.Time
}

// SignClaims returns data as a JSON Web Token that is signed with HS256 by the secret of the scope's website and valid
// for life (RFC 7519). Everybody who has the token can read data.
func (s *Service) SignClaims(
	ctx context.Context, scope laurel.Scope, purpose Purpose, life time.Duration, data any,
) (string, error) {
	key, err := s.signingSecret(ctx, scope)
	if err != nil {
		return "", err
	}
	now := s.db.Now()
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, signedClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			ID: s.db.NewID().String(), Audience: jwt.ClaimStrings{string(purpose)},
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(life)),
		},
		WebsiteID: scope.WebsiteID, Data: data,
	})
	token.Header["kid"] = key.ID.String()
	return token.SignedString(key.plain)
}

// ReadClaims decodes the data of SignClaims into data. Errors: ErrClaimsExpired, and ErrClaimsInvalid for claims that
// are malformed, forged, or of another website or purpose.
func (s *Service) ReadClaims(
	ctx context.Context, scope laurel.Scope, purpose Purpose, token string, data any,
) (SignedID, error) {
	if len(token) > maxClaimsBytes {
		return SignedID{}, ErrClaimsInvalid
	}
	var fault error          // of the database, rather than of the token
	var text json.RawMessage // is decoded once the signature is right
	claims := signedClaims{Data: &text}
	_, err := jwt.ParseWithClaims(token, &claims, func(t *jwt.Token) (any, error) {
		kid, _ := t.Header["kid"].(string)
		id, err := laurel.ParseID(kid)
		if err != nil {
			return nil, ErrClaimsInvalid
		}
		key, isKnown, err := s.findSecret(ctx, scope, id)
		if fault = err; err != nil || !isKnown {
			return nil, ErrClaimsInvalid
		}
		return key.plain, nil
	}, jwt.WithValidMethods([]string{"HS256"}), jwt.WithAudience(string(purpose)), jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(s.db.Now))
	id, idErr := laurel.ParseID(claims.ID)
	switch {
	case fault != nil:
		return SignedID{}, fault
	case errors.Is(err, jwt.ErrTokenExpired) && !errors.Is(err, jwt.ErrTokenInvalidAudience):
		_ = json.Unmarshal(text, data) // the signature is right: only the time is over
		return SignedID{}, ErrClaimsExpired
	case err != nil, idErr != nil, claims.WebsiteID != scope.WebsiteID, json.Unmarshal(text, data) != nil:
		return SignedID{}, ErrClaimsInvalid
	}
	return SignedID{id, claims.ExpiresAt.Time}, nil
}
