package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/tenancy"
)

// APIKeyInput describes an API key that the operator creates.
type APIKeyInput struct {
	Organization, Website laurel.ID
	Role, Name            string
	Origins               []string       // that may use a client key; none: every origin
	ExpiresIn             *time.Duration // nil: for ever
}

// APIKeyRecord is an API key as the command line prints it (contract 3.35), with its text only when it is created.
type APIKeyRecord = tenancy.NewAPIKey

// operatorScope returns the scope with which the command line works in an organization, which must exist: a user who
// can open the database may do everything. Errors: NotFound "Organization".
func (a *App) operatorScope(ctx context.Context, organization laurel.ID) (laurel.Scope, error) {
	scope := laurel.Scope{OrganizationID: organization, Role: laurel.RoleOrganization}
	_, err := a.Tenancy.GetOrganization(ctx, scope)
	return scope, err
}

// CreateKey creates an API key. Only this result contains the key itself. Errors: Invalid, in the names of flags;
// NotFound.
func (a *App) CreateKey(ctx context.Context, in APIKeyInput) (APIKeyRecord, error) {
	scope, err := a.operatorScope(ctx, in.Organization)
	if err != nil {
		return APIKeyRecord{}, err
	}
	key := tenancy.CreateKeyInput{
		Role:           laurel.Role(in.Role),
		WebsiteID:      in.Website,
		Name:           in.Name,
		AllowedOrigins: in.Origins,
	}
	if in.ExpiresIn != nil {
		at := a.db.Now().Add(*in.ExpiresIn)
		key.ExpiresAt = &at
	}
	made, err := a.Tenancy.CreateKey(ctx, scope, key)
	if err != nil {
		return APIKeyRecord{}, inFlagTerms(err)
	}
	return made, nil
}

// flagNames maps the fields of services to the flags of the command line.
var flagNames = map[string]string{
	"websiteId":      "--website",
	"roleType":       "--role",
	"name":           "--name",
	"allowedOrigins": "--origins",
	"expiresAt":      "--expires-in",
}

// inFlagTerms rewrites an error of a service for the command line: faults name flags instead of fields, and a website
// of another organization is not found.
func inFlagTerms(err error) error {
	var e *laurel.Error
	switch {
	case !errors.As(err, &e):
		return err
	case e.Code == laurel.Forbidden:
		return laurel.Missing("Website")
	case len(e.Faults) == 0:
		return err
	}
	var f laurel.Faults
	for _, fault := range e.Faults {
		field, _, _ := strings.Cut(fault.Path, ".")
		problem, beginsWithPath := strings.CutPrefix(fault.Message, fault.Path+" ")
		if flag := flagNames[field]; beginsWithPath && flag != "" {
			f.Add(flag, "%s", problem)
		} else {
			f.AddText(fault.Path, fault.Message)
		}
	}
	return f.Err()
}

// ListKeys returns every key of an organization, newest first.
func (a *App) ListKeys(ctx context.Context, organization laurel.ID) ([]APIKeyRecord, error) {
	scope, err := a.operatorScope(ctx, organization)
	if err != nil {
		return nil, err
	}
	records := []APIKeyRecord{}
	page := laurel.PageRequest{Limit: operatorPage}
	for {
		keys, err := a.Tenancy.ListKeys(ctx, scope, page)
		if err != nil {
			return nil, err
		}
		for _, k := range keys.Data {
			records = append(records, APIKeyRecord{APIKey: k})
			page.StartingAfter = k.ID
		}
		if !keys.HasNextPage {
			return records, nil
		}
	}
}

// RevokeKey revokes an API key of any organization. wasRevoked reports whether it was revoked before.
func (a *App) RevokeKey(ctx context.Context, id laurel.ID) (key APIKeyRecord, wasRevoked bool, err error) {
	scope, err := a.Tenancy.ScopeOfKey(ctx, id)
	if err != nil {
		return APIKeyRecord{}, false, err
	}
	revoked, wasRevoked, err := a.Tenancy.RevokeKey(ctx, scope, id)
	return APIKeyRecord{APIKey: revoked}, wasRevoked, err
}

// RotateSecrets creates a new signing secret for the member tokens of a website. The one before stays valid until the
// next rotation.
func (a *App) RotateSecrets(ctx context.Context, organization, website laurel.ID) error {
	lock, err := lockProcess(ctx, a.db, lockShared) // so that no command moves secrets to another key meanwhile
	if err != nil {
		return err
	}
	defer func() { _ = lock.release() }()
	if err := a.checkKeys(ctx); err != nil {
		return err
	}
	scope, err := a.operatorScope(ctx, organization)
	if err != nil {
		return err
	}
	if scope, err = a.Tenancy.Narrow(ctx, scope, organization, website, tenancy.WebsiteRequired); err != nil {
		return inFlagTerms(err)
	}
	return a.Identity.RotateSecrets(ctx, scope)
}

// SystemClock returns the present time, for programs that change the service's clock.
func SystemClock() time.Time { return time.Now() }
