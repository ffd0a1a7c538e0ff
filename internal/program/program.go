// Package program founds a loyalty program: an organization with a website and a currency. The command line and the
// dashboard both begin with it.
package program

import (
	"context"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/tenancy"
)

// Input is the input of CreateProgram and AddWebsite.
type Input struct {
	Organization, Website, Currency string
	Symbol                          string // of the currency; empty: derived from its name
	Decimals                        int64  // with which pages show the currency

	Request *laurel.RequestKey // claimed by the first thing that is made; nil: none
}

// Program holds the ids of the created records.
type Program struct {
	OrganizationID, WebsiteID, CurrencyID laurel.ID
}

// Limits of the records in characters (contract 3.1, 3.2 and 3.8).
const (
	maxName         = 1000
	maxCurrency     = 255
	maxSymbol       = 32
	maxDecimals     = 18
	maxSymbolLetter = 4
)

// Validate returns nil, or an Invalid error with every fault. It covers all three records, so that no organization is
// created whose website or currency would be refused.
func (in Input) Validate() error {
	var f laurel.Faults
	f.Text("organization", in.Organization, 1, maxName)
	f.Text("website", in.Website, 1, maxName)
	f.Text("currency", in.Currency, 1, maxCurrency)
	if in.Symbol != "" {
		f.Text("symbol", in.Symbol, 1, maxSymbol)
	}
	if in.Decimals < 0 || in.Decimals > maxDecimals {
		f.Add("decimals", "must be between 0 and %d", maxDecimals)
	}
	return f.Err()
}

// OnOrganization is called with the organization as soon as it exists, so that its founder owns it even if the next
// steps fail.
type OnOrganization func(ctx context.Context, organization laurel.ID) error

// CreateProgram creates an organization, a website and a currency. The input is validated before anything is written.
// onOrganization, unless nil, is called once the organization exists; its error ends the creation, but the organization
// stays. Errors: Invalid, and that of onOrganization.
func CreateProgram(
	ctx context.Context,
	sites *tenancy.Service,
	points *ledger.Service,
	in Input,
	onOrganization OnOrganization,
) (Program, error) {
	if err := in.Validate(); err != nil {
		return Program{}, err
	}
	organization, err := sites.CreateOrganization(ctx, in.Request, in.Organization)
	if err != nil {
		return Program{}, err
	}
	if onOrganization != nil {
		if err := onOrganization(ctx, organization.ID); err != nil {
			return Program{}, err
		}
	}
	return createWebsite(
		ctx, sites, points, laurel.Scope{OrganizationID: organization.ID, Role: laurel.RoleOrganization}, in,
	)
}

// AddWebsite creates a website with a currency in the scope's organization; it ignores the organization's name in the
// input. Errors: Invalid, Forbidden unless the caller acts for the whole organization.
func AddWebsite(
	ctx context.Context,
	sites *tenancy.Service,
	points *ledger.Service,
	scope laurel.Scope,
	in Input,
) (Program, error) {
	in.Organization = "exists" // Validate requires a name, which is not used
	if err := in.Validate(); err != nil {
		return Program{}, err
	}
	return createWebsite(ctx, sites, points, scope, in)
}

// createWebsite creates a website with a currency in the scope's organization. The input is valid.
func createWebsite(
	ctx context.Context,
	sites *tenancy.Service,
	points *ledger.Service,
	scope laurel.Scope,
	in Input,
) (Program, error) {
	site, err := sites.CreateWebsite(ctx, scope, tenancy.CreateWebsiteInput{Name: in.Website})
	if err != nil {
		return Program{}, err
	}
	currency, err := points.CreateCurrency(ctx, scope.At(site.ID), ledger.CurrencyPatch{}.
		With("name", in.Currency).With("symbol", in.currencySymbol()).With("decimals", in.Decimals))
	return Program{scope.OrganizationID, site.ID, currency.ID}, err
}

// currencySymbol returns the given symbol, else the first letters of the currency's name. A name that passed Validate
// has at least one letter.
func (in Input) currencySymbol() string {
	if in.Symbol != "" {
		return in.Symbol
	}
	letters := []rune(strings.ToUpper(strings.Join(strings.Fields(in.Currency), "")))
	return string(letters[:min(len(letters), maxSymbolLetter)])
}
