package tenancy

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const maxOrigins = 100

// APIKey is the record of a key (contract 3.35): a row of api_keys, and what the API returns. The key itself is not
// stored.
type APIKey struct {
	ID             laurel.ID            `db:"id" json:"id"`
	OrganizationID laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.NullID        `db:"website_id" json:"websiteId"` // none for organization keys
	Role           laurel.Role          `db:"role_type" json:"roleType"`
	Name           string               `db:"name" json:"name"`
	Prefix         string               `db:"prefix" json:"prefix"` // its first 12 characters
	Hash           string               `db:"hash" json:"-"`        // of the key
	AllowedOrigins laurel.List[string]  `db:"allowed_origins" json:"allowedOrigins"`
	UserID         laurel.ID            `db:"user_id" json:"userId"` // the service user it acts as
	ExpiresAt      laurel.NullTimestamp `db:"expires_at" json:"expiresAt"`
	LastUsedAt     laurel.NullTimestamp `db:"last_used_at" json:"lastUsedAt"` // exact to a minute
	RevokedAt      laurel.NullTimestamp `db:"revoked_at" json:"revokedAt"`
	CreatedAt      laurel.Timestamp     `db:"created_at" json:"createdAt"`
}

// NewAPIKey is a new key with its secret text, which is shown only once.
type NewAPIKey struct {
	APIKey
	Key string `json:"key,omitempty"` // "lrl_<kind>_…"
}

// CreateKeyInput is a new key (contract 4.6).
type CreateKeyInput struct {
	Role           laurel.Role
	WebsiteID      laurel.ID // zero: see Narrow; organization keys have none
	Name           string
	AllowedOrigins []string // of client keys; empty: every origin
	ExpiresAt      *time.Time
}

var roles = []laurel.Role{
	laurel.RoleOrganization,
	laurel.RoleWebsite,
	laurel.RoleReadOnly,
	laurel.RoleClient,
	laurel.RoleFunction,
}

// Validate returns nil or an Invalid error that names every fault. now is the time after which the key may expire.
func (in CreateKeyInput) Validate(now time.Time) error {
	var f laurel.Faults
	if in.Role == "" {
		f.Add("roleType", "is required")
	} else if !slices.Contains(roles, in.Role) {
		f.Add("roleType", "%s", mustBeOneOf(roles))
	}
	f.Text("name", in.Name, 1, maxName)
	if len(in.AllowedOrigins) > maxOrigins {
		f.Add("allowedOrigins", "must have at most %d items", maxOrigins)
	}
	for i, text := range in.AllowedOrigins {
		if _, ok := normalizeOrigin(text); !ok {
			f.Add(fmt.Sprintf("allowedOrigins.%d", i), "must be an origin, such as https://shop.example")
		}
	}
	if in.ExpiresAt != nil && !in.ExpiresAt.After(now) {
		f.Add("expiresAt", "must be in the future")
	}
	return f.Err()
}

// mustBeOneOf returns the message of a fault that lists the allowed roles.
func mustBeOneOf(roles []laurel.Role) string {
	names := make([]string, len(roles))
	for i, r := range roles {
		names[i] = string(r)
	}
	return "must be one of: " + strings.Join(names, ", ")
}

// CreateKey creates a key and the service user that it acts as. Only its result contains the text of the key, which
// cannot be read later. A website key may create keys of its own website, but no organization keys (contract 1.2). A
// key other than an organization key belongs to one website: that in the input, or the only one there is (see Narrow).
// The command line calls it with a scope of the organization and RoleOrganization. Errors: Invalid, Forbidden.
func (s *Service) CreateKey(ctx context.Context, scope laurel.Scope, in CreateKeyInput) (NewAPIKey, error) {
	if !scope.HasSecretKey() {
		return NewAPIKey{}, errNotAllowed()
	}
	if err := in.Validate(s.db.Now()); err != nil {
		return NewAPIKey{}, err
	}
	if in.Role == laurel.RoleOrganization {
		if scope.Role != laurel.RoleOrganization {
			return NewAPIKey{}, errNotAllowed()
		}
		if !in.WebsiteID.IsZero() {
			var f laurel.Faults
			f.Add("websiteId", "does not go with %s: such a key is good for every website of its organization", in.Role)
			return NewAPIKey{}, f.Err()
		}
	} else {
		narrowed, err := s.Narrow(ctx, scope, laurel.ID{}, in.WebsiteID, WebsiteRequired)
		if err != nil {
			return NewAPIKey{}, err
		}
		in.WebsiteID = narrowed.WebsiteID
	}
	var created NewAPIKey
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		user, err := s.users.CreateServiceUser(ctx, tx, scope.OrganizationID)
		if err != nil {
			return err
		}
		created = in.newKeyRecord(tx, scope.OrganizationID, user)
		_, err = apiKeys.Insert(ctx, tx, &created.APIKey, "")
		return err
	})
	if err != nil {
		return NewAPIKey{}, err
	}
	return created, nil
}

// newKeyRecord returns a new key of the organization with a random text. It brings the allowed origins into their
// normal form, each once. user is the key's service user.
func (in CreateKeyInput) newKeyRecord(tx *store.Tx, org, user laurel.ID) NewAPIKey {
	token := newKey(in.Role, tx.Random)
	k := APIKey{
		ID:             tx.NewID(),
		OrganizationID: org,
		WebsiteID:      laurel.NullableID(in.WebsiteID),
		Role:           in.Role,
		Name:           in.Name,
		Prefix:         token[:prefixLetters],
		Hash:           hashKey(token),
		UserID:         user,
		CreatedAt:      laurel.Timestamp{Time: tx.Now()},
	}
	for _, text := range in.AllowedOrigins {
		if o, ok := normalizeOrigin(text); ok && !slices.Contains(k.AllowedOrigins, o) {
			k.AllowedOrigins = append(k.AllowedOrigins, o)
		}
	}
	if in.ExpiresAt != nil {
		k.ExpiresAt.Time = in.ExpiresAt.UTC().Truncate(time.Microsecond)
	}
	return NewAPIKey{APIKey: k, Key: token}
}

// ListKeys returns a page of the keys of the organization, or of the scope's website, revoked ones too, newest first.
// Errors: Forbidden; Invalid for a cursor that is no key of the scope.
func (s *Service) ListKeys(
	ctx context.Context,
	scope laurel.Scope,
	page laurel.PageRequest,
) (laurel.Page[APIKey], error) {
	if !scope.HasSecretKey() {
		return laurel.Page[APIKey]{}, errNotAllowed()
	}
	return apiKeys.Page(ctx, s.db, newest(store.OfTenant(scope), store.OfTenant(scope)), page)
}

// RevokeKey ends a key: at once in this process, within half a second in others. A website key revokes keys of its own
// website. A key that is revoked already stays as it is, and wasRevoked is true (contract 3.35). Errors: Forbidden,
// NotFound "API key".
func (s *Service) RevokeKey(
	ctx context.Context, scope laurel.Scope, id laurel.ID,
) (k APIKey, wasRevoked bool, err error) {
	if !scope.HasSecretKey() {
		return APIKey{}, false, errNotAllowed()
	}
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		k, err = revokeKey(ctx, tx, scope, id)
		wasRevoked = err == nil && store.Micros(k.RevokedAt.Time) != store.Micros(tx.Now())
		return err
	})
	if store.IsNoRows(err) {
		return APIKey{}, false, laurel.Missing("API key")
	}
	if err != nil {
		return APIKey{}, false, err
	}
	s.keys.invalidate(k.Hash)
	s.validKeys.invalidate(k.Hash)
	return k, wasRevoked, nil
}

// ScopeOfKey returns a scope of the organization that owns the key with this id, for the command line, which gets only
// the key's id. Errors: NotFound "API key".
func (s *Service) ScopeOfKey(ctx context.Context, id laurel.ID) (laurel.Scope, error) {
	org, err := organizationOfKey(ctx, s.db, id)
	if store.IsNoRows(err) {
		return laurel.Scope{}, laurel.Missing("API key")
	}
	return laurel.Scope{OrganizationID: org, Role: laurel.RoleOrganization}, err
}
