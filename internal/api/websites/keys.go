package websites

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/tenancy"
)

// apiKey is contract 3.35.
type apiKey struct{ tenancy.APIKey }

// shapeKey returns an API key as responses show it, without the secret.
func shapeKey(k tenancy.APIKey) apiKey { return apiKey{k} }

// newKey is a key with its secret, which is shown only once.
type newKey struct {
	tenancy.APIKey
	Key string `json:"key" doc:"Shown once: only its hash is stored"`
}

func shapeNewKey(k tenancy.NewAPIKey) newKey { return newKey{k.APIKey, k.Key} }

type createKeyInput struct {
	Body createKeyInputBody
}

type createKeyInputBody struct {
	rest.TenantBody
	RoleType       laurel.Role       `json:"roleType"`
	Name           string            `json:"name"`
	AllowedOrigins []string          `json:"allowedOrigins,omitempty" maxItems:"100" doc:"For client keys; empty: all origins"`
	ExpiresAt      *laurel.Timestamp `json:"expiresAt,omitempty"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (createKeyInputBody) Bounds() laurel.Bounds { return tenancy.CreateKeyInput{}.Bounds() }

// createKey creates an API key and returns its secret, once.
func (h *handlers) createKey(ctx context.Context, in *createKeyInput) (*rest.Response[newKey], error) {
	b := in.Body
	scope, err := h.Caller.Narrow(ctx, b.Tenant())
	if err != nil {
		return nil, err
	}
	input := tenancy.CreateKeyInput{
		Role: b.RoleType, WebsiteID: b.WebsiteID, Name: b.Name, AllowedOrigins: b.AllowedOrigins,
	}
	if b.ExpiresAt != nil {
		input.ExpiresAt = &b.ExpiresAt.Time
	}
	created, err := h.Tenancy.CreateKey(ctx, scope, input)
	return rest.ResponseOf(created, err, shapeNewKey)
}

type listKeysInput struct{ rest.Paging }

// listKeys returns a page of API keys, including revoked ones.
func (h *handlers) listKeys(ctx context.Context, in *listKeysInput) (*rest.Page[apiKey], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Tenancy.ListKeys(ctx, scope, in.Page())
	return rest.ListOf(page, err, shapeKey)
}

type revokeKeyInput struct {
	rest.PathID
	rest.Tenant
}

// revokeKey revokes an API key and returns it.
func (h *handlers) revokeKey(ctx context.Context, in *revokeKeyInput) (*rest.Response[apiKey], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	key, _, err := h.Tenancy.RevokeKey(ctx, scope, in.ID.ID)
	return rest.ResponseOf(key, err, shapeKey)
}
