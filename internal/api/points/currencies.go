package points

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/points/ledger"
)

// currency is contract 3.8.
type currency struct {
	ID                        laurel.ID            `json:"id"`
	OrganizationID            laurel.ID            `json:"organizationId"`
	WebsiteID                 laurel.ID            `json:"websiteId"`
	Name                      string               `json:"name"`
	Symbol                    string               `json:"symbol"`
	Decimals                  int64                `json:"decimals"`
	ImageURL                  *string              `json:"imageUrl"`
	SortID                    *int64               `json:"sortId"`
	APIAuthType               *string              `json:"apiAuthType"`
	APIAuthKey                *string              `json:"apiAuthKey"`
	APIAuthValue              *string              `json:"apiAuthValue"`
	APIGetURL                 *string              `json:"apiGetUrl"`
	APIPostURL                *string              `json:"apiPostUrl"`
	APIGetTransactionEntryURL *string              `json:"apiGetTransactionEntryUrl"`
	PointsExpireAfterDays     *int64               `json:"pointsExpireAfterDays"`
	PointsWaitHours           *int64               `json:"pointsWaitHours"`
	IsTokenRewardCurrency     bool                 `json:"isTokenRewardCurrency"`
	CreatedByID               laurel.NullID        `json:"createdById"`
	CreatedAt                 laurel.Timestamp     `json:"createdAt"`
	UpdatedAt                 laurel.Timestamp     `json:"updatedAt"`
	DeletedAt                 laurel.NullTimestamp `json:"deletedAt"`
}

// currencyShaper returns the function that converts one currency for responses. Only secret keys see the credentials
// and addresses of external ledgers (contract 3.8).
func (h *handlers) currencyShaper(scope laurel.Scope) func(ledger.Currency) currency {
	return func(c ledger.Currency) currency {
		out := currency{
			ID:                    c.ID,
			OrganizationID:        c.OrganizationID,
			WebsiteID:             c.WebsiteID,
			Name:                  c.Name,
			Symbol:                c.Symbol,
			Decimals:              c.Decimals,
			ImageURL:              c.ImageURL,
			SortID:                c.SortID,
			APIAuthType:           c.API.AuthType,
			PointsExpireAfterDays: c.ExpireAfterDays,
			PointsWaitHours:       c.WaitHours,
			IsTokenRewardCurrency: c.IsTokenRewardCurrency,
			CreatedByID:           c.CreatedByID,
			CreatedAt:             c.CreatedAt,
			UpdatedAt:             c.UpdatedAt,
			DeletedAt:             c.DeletedAt,
		}
		if scope.HasSecretKey() {
			out.APIAuthKey, out.APIAuthValue = c.API.AuthKey, h.Secrets.Reveal(c.AuthValue())
			out.APIGetURL, out.APIPostURL, out.APIGetTransactionEntryURL =
				c.API.GetURL, c.API.PostURL, c.API.GetTransactionEntryURL
		}
		return out
	}
}

type listCurrenciesInput struct {
	rest.Paging
	ExcludeTokenRewardCurrencies rest.Bool `query:"excludeTokenRewardCurrencies" doc:"Default true"`
	IncludeDeleted               rest.Bool `query:"includeDeleted"`
}

// listCurrencies returns a page of currencies.
func (h *handlers) listCurrencies(ctx context.Context, in *listCurrenciesInput) (*rest.Page[currency], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	f := ledger.CurrencyFilter{
		WithTokenRewards: !in.ExcludeTokenRewardCurrencies.Or(true),
		WithDeleted:      in.IncludeDeleted.Value,
	}
	page, err := h.Ledger.ListCurrencies(ctx, scope, f, in.Page())
	return rest.ListOf(page, err, h.currencyShaper(scope))
}

// currencyResponse returns the response with one currency. If err is not nil, it only returns err.
func (h *handlers) currencyResponse(
	_ context.Context, scope laurel.Scope, c ledger.Currency, err error,
) (*rest.Response[currency], error) {
	return rest.ResponseOf(c, err, h.currencyShaper(scope))
}

type writeCurrencyBody struct {
	rest.RecordBody[ledger.CurrencyInput]
	rest.TenantBody
}

type createCurrencyBody writeCurrencyBody

func (createCurrencyBody) Creates() {}

type createCurrencyInput struct {
	Body createCurrencyBody
}

// createCurrency creates a currency in a website.
func (h *handlers) createCurrency(ctx context.Context, in *createCurrencyInput) (*rest.Response[currency], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	c, err := h.Ledger.CreateCurrency(ctx, scope, in.Body.Patch)
	return h.currencyResponse(ctx, scope, c, err)
}

type updateCurrencyInput struct {
	rest.PathID
	Body writeCurrencyBody
}

// updateCurrency changes the properties of a currency that the body sets.
func (h *handlers) updateCurrency(ctx context.Context, in *updateCurrencyInput) (*rest.Response[currency], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	c, err := h.Ledger.UpdateCurrency(ctx, scope, in.ID.ID, in.Body.Patch)
	return rest.ResponseOf(c, err, h.currencyShaper(scope))
}
