package api

import (
	"context"

	"laurel"
	"laurel/internal/points/ledger"
)

// currency is contract 3.8.
type currency struct {
	ID                        laurel.ID         `json:"id"`
	OrganizationID            laurel.ID         `json:"organizationId"`
	WebsiteID                 laurel.ID         `json:"websiteId"`
	Name                      string            `json:"name"`
	Symbol                    string            `json:"symbol"`
	Decimals                  int               `json:"decimals"`
	ImageURL                  *string           `json:"imageUrl"`
	SortID                    *int64            `json:"sortId"`
	APIAuthType               *string           `json:"apiAuthType"`
	APIAuthKey                *string           `json:"apiAuthKey"`
	APIAuthValue              *string           `json:"apiAuthValue"`
	APIGetURL                 *string           `json:"apiGetUrl"`
	APIPostURL                *string           `json:"apiPostUrl"`
	APIGetTransactionEntryURL *string           `json:"apiGetTransactionEntryUrl"`
	PointsExpireAfterDays     *int64            `json:"pointsExpireAfterDays"`
	PointsWaitHours           *int64            `json:"pointsWaitHours"`
	IsTokenRewardCurrency     bool              `json:"isTokenRewardCurrency"`
	CreatedByID               *laurel.ID        `json:"createdById"`
	CreatedAt                 laurel.Timestamp  `json:"createdAt"`
	UpdatedAt                 laurel.Timestamp  `json:"updatedAt"`
	DeletedAt                 *laurel.Timestamp `json:"deletedAt"`
}

// shapeCurrency leaves the credentials and addresses of outside balances to secret keys (contract 3.8).
func (a *API) shapeCurrency(scope laurel.Scope) func(ledger.Currency) currency {
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
			CreatedByID:           c.CreatedByID.Ptr(),
			CreatedAt:             laurel.Timestamp{Time: c.CreatedAt},
			UpdatedAt:             laurel.Timestamp{Time: c.UpdatedAt},
			DeletedAt:             laurel.Stamp(c.DeletedAt),
		}
		if scope.Secret() {
			out.APIAuthKey, out.APIAuthValue = c.API.AuthKey, a.reveal(c.API.AuthValue)
			out.APIGetURL, out.APIPostURL, out.APIGetTransactionEntryURL =
				c.API.GetURL, c.API.PostURL, c.API.GetTransactionEntryURL
		}
		return out
	}
}

type listCurrenciesInput struct {
	List
	ExcludeTokenRewardCurrencies Bool `query:"excludeTokenRewardCurrencies" doc:"Default true"`
	IncludeDeleted               Bool `query:"includeDeleted"`
}

func (a *API) listCurrencies(ctx context.Context, in *listCurrenciesInput) (*answer[list[currency]], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	f := ledger.CurrencyFilter{
		WithTokenRewards: !in.ExcludeTokenRewardCurrencies.Or(true),
		WithDeleted:      in.IncludeDeleted.Value,
	}
	page, err := a.cfg.Ledger.ListCurrencies(ctx, scope, f, in.page())
	return listOf(page, err, a.shapeCurrency(scope))
}

type writeCurrencyBody struct {
	ledger.CurrencyInput
	TenantBody
}

type createCurrencyBody writeCurrencyBody

func (createCurrencyBody) creates() {}

type createCurrencyInput struct {
	Body createCurrencyBody
}

func (a *API) createCurrency(ctx context.Context, in *createCurrencyInput) (*answer[currency], error) {
	scope, err := a.narrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	c, err := a.cfg.Ledger.CreateCurrency(ctx, scope, in.Body.CurrencyInput)
	return answerOf(c, err, a.shapeCurrency(scope))
}

type updateCurrencyInput struct {
	PathID
	Body writeCurrencyBody
}

func (a *API) updateCurrency(ctx context.Context, in *updateCurrencyInput) (*answer[currency], error) {
	scope, err := a.narrow(ctx, in.Body.tenant())
	if err != nil {
		return nil, err
	}
	c, err := a.cfg.Ledger.UpdateCurrency(ctx, scope, in.ID.ID, in.Body.CurrencyInput)
	return answerOf(c, err, a.shapeCurrency(scope))
}

type deleteCurrencyInput struct {
	PathID
	Tenant
}

func (a *API) deleteCurrency(ctx context.Context, in *deleteCurrencyInput) (*answer[currency], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	c, err := a.cfg.Ledger.DeleteCurrency(ctx, scope, in.ID.ID)
	return answerOf(c, err, a.shapeCurrency(scope))
}
