package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"laurel"
	"laurel/internal/program"
	"laurel/internal/tenancy"
)

// ProgramInput names what CreateProgram makes.
type ProgramInput struct {
	Organization, Website, Currency string
	Symbol                          string   // of the currency; empty: made from its name
	Decimals                        int64    // of the currency as pages show it
	Origins                         []string // that may use the client key; none: every origin
}

// Program is a new organization with what it needs to begin. The keys can be read here and never again.
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

// CreateProgram makes an organization, a website, a currency and one key of each kind. Input is checked before anything
// is written.
func (a *App) CreateProgram(ctx context.Context, in ProgramInput) (Program, error) {
	if err := in.Validate(); err != nil {
		return Program{}, err
	}
	if err := a.warnOfNamesake(ctx, in.Organization); err != nil {
		return Program{}, err
	}
	made, err := program.CreateProgram(ctx, a.Tenancy, a.Ledger, in.program(), nil)
	if err != nil {
		return Program{}, err
	}
	scope := laurel.Scope{OrganizationID: made.OrganizationID, WebsiteID: made.WebsiteID, Role: laurel.RoleOrganization}
	p := Program{OrganizationID: made.OrganizationID, WebsiteID: made.WebsiteID, LoyaltyCurrencyID: made.CurrencyID}
	err = a.createKeys(ctx, scope, in, &p)
	return p, err
}

func (in ProgramInput) program() program.Input {
	return program.Input{
		Organization: in.Organization, Website: in.Website, Currency: in.Currency, Symbol: in.Symbol, Decimals: in.Decimals,
	}
}

// createKeys makes one key of each kind and notes it in the program.
func (a *App) createKeys(ctx context.Context, scope laurel.Scope, in ProgramInput, p *Program) error {
	for _, k := range []struct {
		role laurel.Role
		name string
		to   *string
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
		made, err := a.Tenancy.CreateKey(ctx, scope.At(laurel.ID{}), key)
		if err != nil {
			return err
		}
		*k.to = made.Key
	}
	return nil
}

// ScopeOf returns for whom a key acts.
func (a *App) ScopeOf(ctx context.Context, key string) (laurel.Scope, error) {
	k, err := a.Tenancy.Authenticate(ctx, key)
	return k.Scope, err
}

// Validate returns nil or an Invalid error with every fault, in the words and the order of the flags, so that nothing
// is written that another record would refuse.
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
	if errors.As(inFlagTerms(tenancy.CreateKeyInput{Role: laurel.RoleClient, Name: "client",
		AllowedOrigins: in.Origins}.Validate(time.Time{})), &refused) {
		f = append(f, refused.Faults...)
	}
	return f.Err()
}
