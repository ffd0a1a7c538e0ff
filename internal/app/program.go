package app

import (
	"context"
	"log/slog"
	"strings"

	"laurel"
	"laurel/internal/ledger"
	"laurel/internal/store"
	"laurel/internal/tenancy"
)

// ProgramInput names what CreateProgram makes.
type ProgramInput struct {
	Organization, Website, Currency string
	Symbol                          string // of the currency; empty: made from its name
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

// CreateProgram makes an organization, a website, a currency and one key of each kind. Input is checked before anything is written.
func (a *App) CreateProgram(ctx context.Context, in ProgramInput) (Program, error) {
	if err := in.validate(); err != nil {
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
	currency, err := a.Ledger.CreateCurrency(ctx, scope, ledger.CurrencyInput{Name: laurel.Some(in.Currency), Symbol: laurel.Some(in.symbol()), Decimals: laurel.Some(int64(0))})
	if err != nil {
		return Program{}, err
	}
	p := Program{OrganizationID: organization.ID, WebsiteID: site.ID, LoyaltyCurrencyID: currency.ID}
	for role, to := range map[laurel.Role]*string{
		laurel.RoleOrganization: &p.OrganizationAPIKey, laurel.RoleWebsite: &p.WebsiteAPIKey, laurel.RoleReadOnly: &p.ReadOnlyAPIKey,
		laurel.RoleClient: &p.ClientAPIKey, laurel.RoleFunction: &p.FunctionAPIKey,
	} {
		key := tenancy.CreateKeyInput{Role: role, Name: in.Organization}
		if role != laurel.RoleOrganization {
			key.WebsiteID = site.ID
		}
		made, err := a.Tenancy.CreateKey(ctx, scope.At(laurel.ID{}), key)
		if err != nil {
			return Program{}, err
		}
		*to = made.Key
	}
	return p, nil
}

// ScopeOf answers for whom a key acts.
func (a *App) ScopeOf(ctx context.Context, key string) (laurel.Scope, error) {
	k, err := a.Tenancy.Authenticate(ctx, key)
	return k.Scope, err
}

const (
	maxProgramName  = 255
	maxSymbolLetter = 4
)

func (in ProgramInput) validate() error {
	var f laurel.Faults
	for name, value := range map[string]string{"name": in.Organization, "website": in.Website, "currency": in.Currency} {
		if value == "" {
			f.Add(name, "is required")
		}
		if len(value) > maxProgramName || strings.ContainsRune(value, 0) {
			f.Add(name, "must be at most %d characters", maxProgramName)
		}
	}
	if len(in.Symbol) > maxSymbolLetter*8 {
		f.Add("symbol", "must be at most %d characters", maxSymbolLetter*8)
	}
	return f.Err()
}

func (in ProgramInput) symbol() string {
	if in.Symbol != "" {
		return in.Symbol
	}
	letters := []rune(strings.ToUpper(strings.ReplaceAll(in.Currency, " ", "")))
	return string(letters[:min(len(letters), maxSymbolLetter)])
}

// Migrate brings the schema of a database up to date without serving it.
func Migrate(ctx context.Context, database string, log *slog.Logger) error {
	db, err := store.Open(ctx, store.Options{URL: database, Logger: log})
	if err != nil {
		return err
	}
	if err := db.Migrate(ctx); err != nil {
		_ = db.Close()
		return err
	}
	return db.Close()
}

// MigrationStatus lists the migrations of a database.
func MigrationStatus(ctx context.Context, database string, log *slog.Logger) ([]store.MigrationState, error) {
	db, err := store.Open(ctx, store.Options{URL: database, Logger: log})
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	return db.MigrationStatus(ctx)
}
