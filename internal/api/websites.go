package api

import (
	"context"

	"laurel"
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
	OnchainTokens         []Object          `json:"onchainTokens"`
	Collections           []Object          `json:"collections"`
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
		TrustClientUsers: w.TrustClientUsers, OnchainTokens: []Object{}, Collections: []Object{},
		CreatedAt: laurel.Timestamp{Time: w.CreatedAt}, UpdatedAt: laurel.Timestamp{Time: w.UpdatedAt},
	}
	if w.TermsSignedAt != nil {
		out.TermsSignedAt = laurel.Stamp(*w.TermsSignedAt)
	}
	return out
}

type listWebsitesInput struct {
	OrganizationID ID        `query:"organizationId"`
	Name           string    `query:"name" doc:"A part of the name"`
	Limit          Limit1000 `query:"limit"`
	StartingAfter  ID        `query:"startingAfter"`
}

func (a *API) listWebsites(ctx context.Context, in *listWebsitesInput) (*answer[list[website]], error) {
	scope, err := a.narrow(ctx, Tenant{OrganizationID: in.OrganizationID})
	if err != nil {
		return nil, err
	}
	page, err := a.cfg.Tenancy.ListWebsites(
		ctx,
		scope,
		tenancy.WebsiteFilter{Name: in.Name},
		pageRequest(in.Limit.Or(), in.StartingAfter),
	)
	return listOf(page, err, shapeWebsite)
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

func (a *API) createWebsite(ctx context.Context, in *createWebsiteInput) (*answer[website], error) {
	b := in.Body
	scope, err := a.narrow(ctx, Tenant{OrganizationID: ID{b.OrganizationID}})
	if err != nil {
		return nil, err
	}
	site, err := a.cfg.Tenancy.CreateWebsite(ctx, scope, tenancy.CreateWebsiteInput{
		Name: b.Name, HomeURL: b.HomeURL, ChatServerURL: b.ChatServerURL, MessengerURL: b.MessengerURL,
		MicroblogUsername: b.MicroblogUsername, PhotoPlatformUsername: b.PhotoPlatformUsername,
		TrustClientUsers: b.TrustClientUsers, AdminWalletAddresses: b.AdminWalletAddress,
	})
	return answerOf(site, err, shapeWebsite)
}
