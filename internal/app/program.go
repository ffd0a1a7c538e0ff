package app

import (
	"context"
	"errors"
	"strings"
	"time"

	"laurel"
	"laurel/internal/points/ledger"
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
	organization, err := a.Tenancy.CreateOrganization(ctx, in.Organization)
	if err != nil {
		return Program{}, err
	}
	scope := laurel.Scope{OrganizationID: organization.ID, Role: laurel.RoleOrganization}
	site, err := a.Tenancy.CreateWebsite(ctx, scope, tenancy.CreateWebsiteInput{Name: in.Website})
	if err != nil {
		return Program{}, err
	}
	scope = scope.At(site.ID)
	currency, err := a.Ledger.CreateCurrency(
		ctx,
		scope,
		ledger.CurrencyInput{
			Name:     laurel.Some(in.Currency),
			Symbol:   laurel.Some(in.symbol()),
			Decimals: laurel.Some(in.Decimals),
		},
	)
	if err != nil {
		return Program{}, err
	}
	p := Program{OrganizationID: organization.ID, WebsiteID: site.ID, LoyaltyCurrencyID: currency.ID}
	err = a.createKeys(ctx, scope, in, &p)
	return p, err
}

// createKeys makes one key of each kind and notes it in the program.
func (a *App) createKeys(ctx context.Context, scope laurel.Scope, in ProgramInput, p *Program) error {
	for _, k := range []struct {
		role laurel.Role
		to   *string
	}{
		{laurel.RoleOrganization, &p.OrganizationAPIKey},
		{laurel.RoleWebsite, &p.WebsiteAPIKey},
		{laurel.RoleReadOnly, &p.ReadOnlyAPIKey},
		{laurel.RoleClient, &p.ClientAPIKey},
		{laurel.RoleFunction, &p.FunctionAPIKey},
	} {
		key := tenancy.CreateKeyInput{Role: k.role, Name: in.Organization}
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

// Limits of the records in characters (contract 3.1, 3.2 and 3.8).
const (
	maxName         = 1000
	maxCurrency     = 255
	maxSymbol       = 32
	maxDecimals     = 18
	maxSymbolLetter = 4
)

// Validate returns nil or an Invalid error with every fault, in the words and the order of the flags, so that nothing
// is written that another record would refuse.
func (in ProgramInput) Validate() error {
	var f laurel.Faults
	f.Text("--name", in.Organization, 1, maxName)
	f.Text("--website", in.Website, 1, maxName)
	f.Text("--currency", in.Currency, 1, maxCurrency)
	if in.Symbol != "" {
		f.Text("--symbol", in.Symbol, 1, maxSymbol)
	}
	if in.Decimals < 0 || in.Decimals > maxDecimals {
		f.Add("--decimals", "must be between 0 and %d", maxDecimals)
	}
	var origins *laurel.Error
	if errors.As(toOperator(tenancy.CreateKeyInput{Role: laurel.RoleClient, Name: "client",
		AllowedOrigins: in.Origins}.Validate(time.Time{})), &origins) {
		f = append(f, origins.Faults...)
	}
	return f.Err()
}

// symbol is the given one, else the first letters of the name. A name that passed Validate has at least one.
func (in ProgramInput) symbol() string {
	if in.Symbol != "" {
		return in.Symbol
	}
	letters := []rune(strings.ToUpper(strings.Join(strings.Fields(in.Currency), "")))
	return string(letters[:min(len(letters), maxSymbolLetter)])
}
