package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/program"
	"laurel.example/laurel/internal/tenancy"
)

// ProgramInput names the records that CreateProgram creates.
type ProgramInput struct {
	Organization, Website, Currency string
	Symbol                          string   // of the currency; empty: made from its name
	Decimals                        int64    // of the currency as pages show it
	Origins                         []string // that may use the client key; none: every origin
}

// Program is a new organization with a website, a currency and keys. Only this result contains the keys themselves.
type Program struct {
	OrganizationID     laurel.ID `json:"organizationId"`
	WebsiteID          laurel.ID `json:"websiteId"`
	LoyaltyCurrencyID  laurel.ID `json:"loyaltyCurrencyId"`
	OrganizationAPIKey string    `json:"organizationApiKey"`
	WebsiteAPIKey      string    `json:"websiteApiKey"`
	ReadOnlyAPIKey     string    `json:"readOnlyApiKey"`
	ClientAPIKey       string    `json:"clientApiKey"`
	FunctionAPIKey     string    `json:"functionApiKey"`
}

// CreateProgram creates an organization, a website, a currency and one key of each kind. The input is checked before
// anything is written.
func (a *App) CreateProgram(ctx context.Context, in ProgramInput) (Program, error) {
	if err := in.Validate(); err != nil {
		return Program{}, err
	}
	if err := a.warnOfNamesake(ctx, in.Organization); err != nil {
		return Program{}, err
	}
	made, err := program.CreateProgram(ctx, a.Tenancy, a.Ledger, in.program(), nil) // nil: it gets no owner
	if err != nil {
		return Program{}, err
	}
	scope := laurel.Scope{OrganizationID: made.OrganizationID, WebsiteID: made.WebsiteID, Role: laurel.RoleOrganization}
	p := Program{OrganizationID: made.OrganizationID, WebsiteID: made.WebsiteID, LoyaltyCurrencyID: made.CurrencyID}
	err = a.createKeys(ctx, scope, in, &p)
	return p, err
}

// program returns the part of the input that package program creates.
func (in ProgramInput) program() program.Input {
	return program.Input{
		Organization: in.Organization, Website: in.Website, Currency: in.Currency, Symbol: in.Symbol, Decimals: in.Decimals,
	}
}

// createKeys creates one key of each kind and stores the keys in p. All but the organization key are restricted to the
// website.
func (a *App) createKeys(ctx context.Context, scope laurel.Scope, in ProgramInput, p *Program) error {
	for _, k := range []struct {
		role laurel.Role
		name string
		to   *string // where to store the key
	}{
		{laurel.RoleOrganization, "Organization key", &p.OrganizationAPIKey},
		{laurel.RoleWebsite, "Website key", &p.WebsiteAPIKey},
		{laurel.RoleReadOnly, "Read-only key", &p.ReadOnlyAPIKey},
		{laurel.RoleClient, "Client key", &p.ClientAPIKey},
		{laurel.RoleFunction, "Function key", &p.FunctionAPIKey},
	} {
		key := tenancy.CreateKeyInput{Role: k.role, Name: k.name}
		if k.role != laurel.RoleOrganization {
			key.WebsiteID = scope.WebsiteID
		}
		if k.role == laurel.RoleClient {
			key.AllowedOrigins = in.Origins
		}
		made, err := a.Tenancy.CreateKey(ctx, scope.At(laurel.ID{}), key) // in the scope of the organization
		if err != nil {
			return err
		}
		*k.to = made.Key
	}
	return nil
}

// ScopeOf returns the scope of an API key. Errors: Forbidden for a key that is not valid.
func (a *App) ScopeOf(ctx context.Context, key string) (laurel.Scope, error) {
	k, err := a.Tenancy.Authenticate(ctx, key)
	return k.Scope, err
}

// MemberToken issues a token for a member, which is good for an hour. Errors: Forbidden for a key that is not valid or
// not secret.
func (a *App) MemberToken(ctx context.Context, key, walletAddress string) (string, error) {
	scope, err := a.ScopeOf(ctx, key)
	if err != nil {
		return "", err
	}
	token, err := a.Identity.IssueToken(ctx, scope, identity.Ref{Wallet: walletAddress}, time.Hour)
	return token.Token, err
}

// Validate returns all faults of the input as one error, named by the flags of the command line and in their order, so
// that no later step can refuse it.
func (in ProgramInput) Validate() error {
	var f laurel.Faults
	var refused *laurel.Error
	if errors.As(in.program().Validate(), &refused) {
		for _, fault := range refused.Faults {
			flag := "--" + fault.Path
			if fault.Path == "organization" {
				flag = "--name"
			}
			f.AddText(flag, flag+strings.TrimPrefix(fault.Message, fault.Path))
		}
	}
	// The client key has the only origins. The zero time is before every expiry, and this key has none.
	if errors.As(inFlagTerms(tenancy.CreateKeyInput{Role: laurel.RoleClient, Name: "client",
		AllowedOrigins: in.Origins}.Validate(time.Time{})), &refused) {
		f = append(f, refused.Faults...)
	}
	return f.Err()
}
