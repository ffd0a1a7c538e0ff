package identity

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// The lifetime of a member token (contract 4.6).
const (
	MinTokenLife     = 60 * time.Second
	MaxTokenLife     = 24 * time.Hour
	DefaultTokenLife = time.Hour
)

const (
	tokenVersion  = 1
	maxTokenBytes = 1024
)

// Token proves to this service that its bearer is a user of a website (contract 1.2). It is not stored.
type Token struct {
	Token     string           `json:"token"`
	UserID    laurel.ID        `json:"userId"`
	WebsiteID laurel.ID        `json:"websiteId"`
	ExpiresAt laurel.Timestamp `json:"expiresAt"`
}

// claims is the payload of a token. Times are microseconds since 1970, so that a revocation can tell tokens of the
// same second apart.
type claims struct {
	Version   int       `json:"v"`
	KeyID     laurel.ID `json:"kid"`
	WebsiteID laurel.ID `json:"websiteId"`
	UserID    laurel.ID `json:"userId"`
	IssuedAt  int64     `json:"iat"`
	ExpiresAt int64     `json:"exp"`
}

// IssueToken creates a member token for a user; a new wallet gets a user. A zero ttl means DefaultTokenLife. Errors:
// Forbidden unless the caller has a secret key, Invalid for a ttl out of range, NotFound "User".
func (s *Service) IssueToken(ctx context.Context, scope laurel.Scope, ref Ref, ttl time.Duration) (Token, error) {
	if !scope.HasSecretKey() {
		return Token{}, laurel.Errorf(laurel.Forbidden, "API key is not allowed to perform this operation")
	}
	if ttl == 0 {
		ttl = DefaultTokenLife
	}
	var f laurel.Faults
	ref.Validate(&f)
	if ttl < MinTokenLife || ttl > MaxTokenLife {
		f.Add("expiresInSeconds", "must be between %d and %d", int(MinTokenLife.Seconds()), int(MaxTokenLife.Seconds()))
	}
	if err := f.Err(); err != nil {
		return Token{}, err
	}
	p, err := s.Resolve(ctx, s.db, scope, ref)
	if err == nil && (p.NewUser || p.NewMember) {
		err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
			p, err = s.resolveOrCreate(ctx, tx, scope, ref, true)
			return err
		})
	}
	if err != nil {
		return Token{}, err
	}
	return s.newToken(ctx, scope, p.UserID, ttl)
}

// TokenOf creates a member token for a user that has just proved its wallet, whatever the caller's key (contract 8.5).
func (s *Service) TokenOf(ctx context.Context, scope laurel.Scope, user laurel.ID) (Token, error) {
	return s.newToken(ctx, scope, user, DefaultTokenLife)
}

// newToken returns a signed token that proves the user to the scope's website for ttl.
func (s *Service) newToken(ctx context.Context, scope laurel.Scope, user laurel.ID, ttl time.Duration) (Token, error) {
	key, err := s.signingSecret(ctx, scope)
	if err != nil {
		return Token{}, err
	}
	validFrom, err := selectTokensValidFrom(ctx, s.db, scope, user)
	if err != nil {
		return Token{}, err
	}
	// A token issued after a revocation must be valid even if this node's clock is behind that of the node that revoked.
	issued := max(store.Micros(s.db.Now()), validFrom)
	expires := issued + ttl.Microseconds()
	payload := store.JSON(claims{tokenVersion, key.ID, scope.WebsiteID, user, issued, expires})
	body := base64.RawURLEncoding.EncodeToString(payload)
	return Token{
		Token:     body + "." + base64.RawURLEncoding.EncodeToString(sign(key.plain, body)),
		UserID:    user,
		WebsiteID: scope.WebsiteID,
		ExpiresAt: laurel.Timestamp{Time: store.Time(expires)},
	}, nil
}

func sign(secret []byte, body string) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write([]byte(body))
	return h.Sum(nil)
}

// CheckToken returns the user that a token proves to the scope's website. A token that is malformed, forged, expired,
// revoked or of another website is treated like none: Forbidden "Member token is required", so that an attacker learns
// nothing.
func (s *Service) CheckToken(ctx context.Context, scope laurel.Scope, token string) (laurel.ID, error) {
	required := laurel.Errorf(laurel.Forbidden, "Member token is required")
	body, sum, ok := strings.Cut(token, ".")
	if !ok || len(token) > maxTokenBytes || scope.WebsiteID.IsZero() {
		return laurel.ID{}, required
	}
	signature, err := base64.RawURLEncoding.DecodeString(sum)
	if err != nil {
		return laurel.ID{}, required
	}
	payload, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return laurel.ID{}, required
	}
	var c claims
	if json.Unmarshal(payload, &c) != nil || c.Version != tokenVersion || c.WebsiteID != scope.WebsiteID ||
		c.UserID.IsZero() {
		return laurel.ID{}, required
	}
	key, known, err := s.findSecret(ctx, scope, c.KeyID)
	if err != nil {
		return laurel.ID{}, err
	}
	if !known || !hmac.Equal(signature, sign(key.plain, body)) || store.Micros(s.db.Now()) >= c.ExpiresAt {
		return laurel.ID{}, required
	}
	validFrom, err := selectTokensValidFrom(ctx, s.db, scope, c.UserID)
	if store.IsNoRows(err) || err == nil && c.IssuedAt < validFrom {
		return laurel.ID{}, required
	}
	return c.UserID, err
}

// RevokeTokens invalidates every token that was issued to the user so far (contract 1.2). Errors: Forbidden unless the
// caller has a secret key, NotFound "User".
func (s *Service) RevokeTokens(ctx context.Context, scope laurel.Scope, user laurel.ID) error {
	if !scope.HasSecretKey() {
		return laurel.Errorf(laurel.Forbidden, "API key is not allowed to perform this operation")
	}
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		n, err := raiseTokensValidFrom(ctx, tx, scope, user)
		if err == nil && n == 0 {
			err = laurel.Missing("User")
		}
		return err
	})
}

// CheckTokenUser returns Forbidden unless the reference names member, the user that a token has proved (contract 1.2).
// It looks up nothing by the reference, so that the response is the same for an unknown user and for another one.
func (s *Service) CheckTokenUser(ctx context.Context, scope laurel.Scope, member laurel.ID, ref Ref) error {
	errForeign := laurel.Errorf(laurel.Forbidden, "Member token does not belong to this user")
	ref = normalizeRef(ref)
	if ref.Wallet == "" {
		if ref.UserID != member {
			return errForeign
		}
		return nil
	}
	wallets, err := s.Wallets(ctx, s.db, scope, []laurel.ID{member})
	if err != nil {
		return err
	}
	if wallets[member] != ref.Wallet {
		return errForeign
	}
	return nil
}
