package site

import (
	"context"

	"laurel"
	"laurel/internal/api/rest"
	"laurel/internal/tenancy"
)

// website is contract 3.2.
type website struct {
	ID                    laurel.ID         `json:"id"`
	OrganizationID        laurel.ID         `json:"organizationId"`
	Name                  string            `json:"name"`
	HomeURL               *string           `json:"homeUrl"`
	ChatServerURL         *string           `json:"chatServerUrl"`
	MessengerURL          *string           `json:"messengerUrl"`
	MicroblogUsername     *string           `json:"microblogUsername"`
	PhotoPlatformUsername *string           `json:"photoPlatformUsername"`
	TrustClientUsers      bool              `json:"trustClientUsers"`
	TermsSignedAt         *laurel.Timestamp `json:"termsSignedAt"`
	OnchainTokens         []rest.Object     `json:"onchainTokens"`
	Collections           []rest.Object     `json:"collections"`
	Count                 websiteCount      `json:"_count"`
	CreatedAt             laurel.Timestamp  `json:"createdAt"`
	UpdatedAt             laurel.Timestamp  `json:"updatedAt"`
}

type websiteCount struct {
	MintingContractAssets int `json:"mintingContractAssets"`
}

func shapeWebsite(w tenancy.Website) website {
	out := website{
		ID: w.ID, OrganizationID: w.OrganizationID, Name: w.Name, HomeURL: w.HomeURL, ChatServerURL: w.ChatServerURL,
		MessengerURL: w.MessengerURL, MicroblogUsername: w.MicroblogUsername, PhotoPlatformUsername: w.PhotoPlatformUsername,
		TrustClientUsers: w.TrustClientUsers, OnchainTokens: []rest.Object{}, Collections: []rest.Object{},
		CreatedAt: laurel.Timestamp{Time: w.CreatedAt}, UpdatedAt: laurel.Timestamp{Time: w.UpdatedAt},
	}
	if w.TermsSignedAt != nil {
		out.TermsSignedAt = laurel.Stamp(*w.TermsSignedAt)
	}
	return out
}

type listWebsitesInput struct {
	OrganizationID rest.ID        `query:"organizationId"`
	Name           string         `query:"name" doc:"A part of the name"`
	Limit          rest.Limit1000 `query:"limit"`
	StartingAfter  rest.ID        `query:"startingAfter"`
}

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
	return rest.ListOf(page, err, shapeWebsite)
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

// Bounds returns what the properties accept.
func (createWebsiteInputBody) Bounds() laurel.Bounds { return tenancy.CreateWebsiteInput{}.Bounds() }

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
	return rest.ResponseOf(site, err, shapeWebsite)
}
