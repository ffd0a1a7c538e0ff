package websites

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/content/collections"
	"laurel.example/laurel/internal/tenancy"
)

// website is contract 3.2.
type website struct {
	ID                    laurel.ID            `json:"id"`
	OrganizationID        laurel.ID            `json:"organizationId"`
	Name                  string               `json:"name"`
	HomeURL               *string              `json:"homeUrl"`
	ChatServerURL         *string              `json:"chatServerUrl"`
	MessengerURL          *string              `json:"messengerUrl"`
	MicroblogUsername     *string              `json:"microblogUsername"`
	PhotoPlatformUsername *string              `json:"photoPlatformUsername"`
	TrustClientUsers      bool                 `json:"trustClientUsers"`
	TermsSignedAt         laurel.NullTimestamp `json:"termsSignedAt"`
	OnchainTokens         []laurel.Object      `json:"onchainTokens"`
	Collections           []siteCollection     `json:"collections"`
	Count                 websiteCount         `json:"_count"`
	CreatedAt             laurel.Timestamp     `json:"createdAt"`
	UpdatedAt             laurel.Timestamp     `json:"updatedAt"`
}

type websiteCount struct {
	MintingContractAssets int64 `json:"mintingContractAssets"`
}

// siteCollection is a collection of a website.
type siteCollection struct {
	ID                laurel.ID     `json:"id"`
	Name              string        `json:"name"`
	ImageURL          *string       `json:"imageUrl"`
	RoyaltyFee        laurel.Amount `json:"royaltyFee" doc:"Percent; 0 if none is set"`
	RoyaltyFeeAddress string        `json:"royaltyFeeAddress" doc:"Empty if none is set"`
}

// websiteRecord is a website with its live collections and the number of its assets.
type websiteRecord struct {
	tenancy.Website
	collections []collections.Collection
	assets      int64 // live ones of minting contracts
}

// websiteResponse returns the response with one website that was read or written. If err is not nil, it only returns
// err.
func (h *handlers) websiteResponse(
	ctx context.Context, scope laurel.Scope, site tenancy.Website, err error,
) (*rest.Response[website], error) {
	if err != nil {
		return nil, err
	}
	page, err := h.loadWebsites(ctx, scope, laurel.Page[tenancy.Website]{Data: []tenancy.Website{site}})
	if err != nil {
		return nil, err
	}
	return rest.ResponseOf(page.Data[0], nil, shapeWebsite)
}

// loadWebsites returns the websites of a page, each with its collections and the number of its assets. The page ends
// early if the collections would not fit into one response: ListByWebsite then has those of the first websites only.
func (h *handlers) loadWebsites(
	ctx context.Context, scope laurel.Scope, page laurel.Page[tenancy.Website],
) (laurel.Page[websiteRecord], error) {
	ids := make([]laurel.ID, len(page.Data))
	for i, site := range page.Data {
		ids[i] = site.ID
	}
	collections, err := h.Collections.ListByWebsite(ctx, scope, ids)
	if err != nil {
		return laurel.Page[websiteRecord]{}, err
	}
	assets, err := h.Minting.CountAssets(ctx, scope, ids)
	if err != nil {
		return laurel.Page[websiteRecord]{}, err
	}
	out := laurel.Page[websiteRecord]{HasNextPage: page.HasNextPage || len(collections) < len(ids)}
	for i := range collections {
		out.Data = append(out.Data, websiteRecord{page.Data[i], collections[i], assets[ids[i]]})
	}
	return out, nil
}

// shapeWebsite returns a website as responses show it, with its collections and the number of its assets.
func shapeWebsite(w websiteRecord) website {
	out := website{
		ID: w.ID, OrganizationID: w.OrganizationID, Name: w.Name, HomeURL: w.HomeURL, ChatServerURL: w.ChatServerURL,
		MessengerURL: w.MessengerURL, MicroblogUsername: w.MicroblogUsername, PhotoPlatformUsername: w.PhotoPlatformUsername,
		TrustClientUsers: w.TrustClientUsers, TermsSignedAt: w.TermsSignedAt, OnchainTokens: []laurel.Object{},
		Collections: []siteCollection{}, Count: websiteCount{w.assets}, CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}
	for _, c := range w.collections {
		collection := siteCollection{ID: c.ID, Name: c.Name, ImageURL: c.ImageURL}
		if c.RoyaltyFee != nil {
			collection.RoyaltyFee = *c.RoyaltyFee
		}
		if c.RoyaltyFeeAddress != nil {
			collection.RoyaltyFeeAddress = *c.RoyaltyFeeAddress
		}
		out.Collections = append(out.Collections, collection)
	}
	return out
}

type listWebsitesInput struct {
	OrganizationID rest.ID        `query:"organizationId"`
	Name           string         `query:"name" doc:"A part of the name"`
	Limit          rest.Limit1000 `query:"limit"`
	StartingAfter  rest.ID        `query:"startingAfter"`
}

// listWebsites returns a page of websites. The page ends early if their collections would not fit into one response.
func (h *handlers) listWebsites(ctx context.Context, in *listWebsitesInput) (*rest.Page[website], error) {
	scope, err := h.Caller.Narrow(ctx, rest.Tenant{OrganizationID: in.OrganizationID})
	if err != nil {
		return nil, err
	}
	page, err := h.Tenancy.ListWebsites(
		ctx,
		scope,
		tenancy.WebsiteFilter{Name: in.Name},
		rest.PageRequest(in.Limit.Or(), in.StartingAfter),
	)
	if err != nil {
		return nil, err
	}
	websites, err := h.loadWebsites(ctx, scope, page)
	return rest.ListOf(websites, err, shapeWebsite)
}

type createWebsiteInput struct {
	Body createWebsiteInputBody
}

type createWebsiteInputBody struct {
	OrganizationID        laurel.ID `json:"organizationId,omitzero"`
	Name                  string    `json:"name"`
	HomeURL               *string   `json:"homeUrl,omitempty"`
	ChatServerURL         *string   `json:"chatServerUrl,omitempty"`
	MessengerURL          *string   `json:"messengerUrl,omitempty"`
	MicroblogUsername     *string   `json:"microblogUsername,omitempty"`
	PhotoPlatformUsername *string   `json:"photoPlatformUsername,omitempty"`
	TrustClientUsers      bool      `json:"trustClientUsers,omitempty" doc:"true: client keys name users without a member token"`
	AdminWalletAddress    []string  `json:"adminWalletAddress,omitempty" maxItems:"2" doc:"Wallets that administer the website"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (createWebsiteInputBody) Bounds() laurel.Bounds { return tenancy.CreateWebsiteInput{}.Bounds() }

// createWebsite creates a website in the key's organization.
func (h *handlers) createWebsite(ctx context.Context, in *createWebsiteInput) (*rest.Response[website], error) {
	b := in.Body
	scope, err := h.Caller.Narrow(ctx, rest.Tenant{OrganizationID: rest.ID{ID: b.OrganizationID}})
	if err != nil {
		return nil, err
	}
	site, err := h.Tenancy.CreateWebsite(ctx, scope, tenancy.CreateWebsiteInput{
		Name: b.Name, HomeURL: b.HomeURL, ChatServerURL: b.ChatServerURL, MessengerURL: b.MessengerURL,
		MicroblogUsername: b.MicroblogUsername, PhotoPlatformUsername: b.PhotoPlatformUsername,
		TrustClientUsers: b.TrustClientUsers, AdminWalletAddresses: b.AdminWalletAddress,
	})
	return h.websiteResponse(ctx, scope, site, err)
}

type getWebsiteInput struct {
	rest.PathID
	OrganizationID rest.ID `query:"organizationId"`
}

// getWebsite returns a website.
func (h *handlers) getWebsite(ctx context.Context, in *getWebsiteInput) (*rest.Response[website], error) {
	scope, err := h.Caller.Narrow(ctx, rest.Tenant{OrganizationID: in.OrganizationID})
	if err != nil {
		return nil, err
	}
	site, err := h.Tenancy.Website(ctx, scope, in.ID.ID)
	return h.websiteResponse(ctx, scope, site, err)
}

type updateWebsiteBody struct {
	OrganizationID laurel.ID `json:"organizationId,omitzero"`
	rest.RecordBody[tenancy.Website]
}

type updateWebsiteInput struct {
	rest.PathID
	Body updateWebsiteBody
}

// updateWebsite changes the properties of a website that the body sets.
func (h *handlers) updateWebsite(ctx context.Context, in *updateWebsiteInput) (*rest.Response[website], error) {
	scope, err := h.Caller.Narrow(ctx, rest.Tenant{OrganizationID: rest.ID{ID: in.Body.OrganizationID}})
	if err != nil {
		return nil, err
	}
	site, err := h.Tenancy.ChangeWebsite(ctx, scope, in.ID.ID, in.Body.Patch)
	return h.websiteResponse(ctx, scope, site, err)
}
